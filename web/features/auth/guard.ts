/** The users who are allowed to open a page. */
export type Audience =
  /** All users, even if the session is unknown because there is no connection. Applies to error pages. */
  | 'everybody'
  /** Only users who are not signed in. Applies to login, verification and forgotten password. */
  | 'visitors'
  /** Users with an invitation link, signed in or not, because a signed-in user may open a link for another account. */
  | 'code-holders'
  | 'signed-in'
  /** All users, but only in demo mode. */
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

/**
 * Decides whether the user is allowed to open the page. If not, the result contains the redirect target and the reason.
 */
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
