/** The audience of a page. */
export type Audience =
  /** Anybody, even without a connection: the error pages. */
  | 'everybody'
  /** Only visitors before sign-in: login, verification and forgotten password. */
  | 'visitors'
  /** Holders of an invitation, signed in or not: a signed-in user may open another account's link. */
  | 'code-holders'
  | 'signed-in'
  /** Anybody, but only in a demo. */
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

/** Whether a page may open and, if not, where to redirect. */
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
