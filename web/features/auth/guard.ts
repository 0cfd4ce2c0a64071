/** The people who may open a page. */
export type Audience =
  /** Everybody, even if the session is unknown because there is no connection. Used for error pages. */
  | 'everybody'
  /** Only people who are not signed in. Used for login, verification and forgotten password. */
  | 'visitors'
  /** People with an invitation link, signed in or not, because a signed-in user may open another account's link. */
  | 'code-holders'
  | 'signed-in'
  /** Everybody, but only in demo mode. */
  | 'demo';

export interface GuardFacts {
  session: 'unknown' | 'in' | 'out';
  demo: boolean;
}

export type GuardVerdict =
  | { allow: true }
  | { allow: false; to: '/auth/login'; because: 'not-signed-in' }
  | { allow: false; to: '/reports'; because: 'already-signed-in' }
  | { allow: false; to: '/error/4xx'; because: 'only-in-a-demo' }
  | { allow: false; to: '/error/5xx'; because: 'login-status-unknown' };

/** Returns whether the page may open and, if not, the redirect target and the reason. */
export function guard(audience: Audience, facts: GuardFacts): GuardVerdict {
  if (audience === 'everybody') {
    return { allow: true };
  }
  if (facts.session === 'unknown') {
    return { allow: false, to: '/error/5xx', because: 'login-status-unknown' };
  }
  if (audience === 'demo' && !facts.demo) {
    return { allow: false, to: '/error/4xx', because: 'only-in-a-demo' };
  }
  if (audience === 'visitors' && facts.session === 'in') {
    return { allow: false, to: '/reports', because: 'already-signed-in' };
  }
  if (audience === 'signed-in' && facts.session === 'out') {
    return { allow: false, to: '/auth/login', because: 'not-signed-in' };
  }
  return { allow: true };
}
