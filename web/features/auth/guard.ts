/** Who a page is for. */
export type Audience =
  /** Anybody, even while the server cannot be asked: the error pages. */
  | 'everybody'
  /** Visitors who have not signed in: login, verification and forgotten password. */
  | 'visitors'
  /** Holders of an invitation, signed in or not: whoever is signed in may open the link of another account. */
  | 'code-holders'
  | 'signed-in'
  /** Anybody, but the page exists only in a demo. */
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

/** Whether a page may open now and, if not, where its visitor goes instead. */
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
