import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import type { Person } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { HttpRefusal } from '../errors.ts';
import { secretKey } from '../secrets.ts';
import { SESSION_COOKIE, XSRF_COOKIE, XSRF_HEADER } from './cookies.ts';
import type { SignedIn } from './session.ts';
import { findSession, sessionHash } from './session.ts';
import { xsrfTokenFits } from './xsrf.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user; null until `requirePerson` has run. */
    person: Person | null;
    signedIn: SignedIn | null;
  }
}

export interface GuardDeps {
  db: Database;
  clock: Clock;
  /** URL of the console. A request is accepted from pages at this URL or on the host of the request. */
  publicUrl?(request: FastifyRequest): string;
}

/** Looks up the session of a request. A request without a session cookie causes no query. */
export async function identify({ db, clock }: GuardDeps, request: FastifyRequest): Promise<SignedIn | null> {
  const hash = sessionHash(request.cookies[SESSION_COOKIE]);
  request.signedIn = hash ? await findSession(db, clock, hash) : null;
  request.person = request.signedIn?.person ?? null;
  return request.signedIn;
}

/** Refuses a request without a valid session with 401. Sets `request.person`. */
export function requirePerson(deps: GuardDeps): preHandlerAsyncHookHandler {
  return async (request) => {
    if (!(await identify(deps, request))) throw notSignedIn();
  };
}

export function notSignedIn(): HttpRefusal {
  return new HttpRefusal(401, 'You are not signed in. Sign in first.');
}

/** Refuses a modifying request with 403 if it has a session cookie but no matching XSRF token. */
export function requireXsrf(deps: GuardDeps): preHandlerAsyncHookHandler {
  return async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return;
    refuseForeign(deps, request);
    const hash = sessionHash(request.cookies[SESSION_COOKIE]);
    if (!hash) return;
    const token = request.headers[XSRF_HEADER];
    const key = await secretKey(deps.db, deps.clock, 'xsrf');
    if (!xsrfTokenFits(key, hash, typeof token === 'string' ? token : undefined)) {
      const missing =
        token === undefined
          ? `: the header ${XSRF_HEADER.toUpperCase()} with the value of the cookie ${XSRF_COOKIE} is missing`
          : '';
      throw new HttpRefusal(
        403,
        `This request could not be matched to your session${missing}. Reload the page and try again.`,
      );
    }
  };
}

/**
 * Requires the XSRF token only if the session is valid. For calls that also work before sign-in: a browser whose
 * session has ended must be able to sign in again.
 */
export function requireXsrfOfSignedIn(deps: GuardDeps): preHandlerAsyncHookHandler {
  const checkToken = requireXsrf(deps);
  return async function (request, reply) {
    refuseForeign(deps, request);
    if (await identify(deps, request)) await checkToken.call(this, request, reply);
  };
}

function refuseForeign(deps: GuardDeps, request: FastifyRequest): void {
  if (isForeignOrigin(request.headers.origin, request.hostname, deps.publicUrl?.(request))) {
    throw new HttpRefusal(403, 'This request came from another site and was refused.');
  }
}

/**
 * Returns whether a page of another website sent the request. Ignores ports, because the console uses another port in
 * development. Clients other than browsers send no origin.
 */
export function isForeignOrigin(origin: string | undefined, hostname: string, publicUrl: string | undefined): boolean {
  if (origin === undefined) return false;
  const host = hostOf(origin);
  return host === undefined || (host !== hostname.toLowerCase() && host !== hostOf(publicUrl ?? ''));
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname || undefined : undefined;
}
