import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { SESSION_COOKIE } from '../auth/session/cookies.ts';
import { type GuardDeps, identify, notSignedIn } from '../auth/session/guards.ts';
import { beginInSession, LAST_SEEN_EVERY_MS, sessionHash } from '../auth/session/session.ts';
import { sessionWasFound, settingsOfSession } from './adaptor.ts';

const people = new WeakMap<object, string>();

/** Returns the uuid of the user who sent a request, even before the session lookup; empty if the user is unknown. */
export function personOfRequest(request: object | undefined): string {
  return (request && people.get(request)) ?? '';
}

export interface LateSession {
  /**
   * Defers the session lookup if the token was valid within the last minute. Otherwise looks up the session immediately
   * and refuses a request without a session.
   */
  before: preHandlerAsyncHookHandler;
  /** Refuses a deferred request with 401 if its lookup found no session. Must run before the response is sent. */
  confirm(request: FastifyRequest): Promise<void>;
}

const MOST_KNOWN = 10_000;

const waiting = new WeakMap<object, Record<string, string>>();

/** Returns the settings of a request whose session lookup is deferred; undefined for other requests. */
export function settingsOfLateSession(request: object | undefined): Record<string, string> | undefined {
  return request && waiting.get(request);
}

/**
 * Looks up the session in the first transaction of the request, because a separate lookup takes as long as the query
 * itself. An ended session, a disabled user or a changed level still takes effect immediately. Applies only to tokens
 * that this process found valid within the last minute, so that the server plans no query for an unknown token.
 */
export function lateSession(deps: GuardDeps): LateSession {
  const known = new Map<string, { at: number; person: string }>();
  return {
    async before(request) {
      const token = request.cookies[SESSION_COOKIE] ?? '';
      const now = deps.clock.now().getTime();
      const found = known.get(token);
      const age = now - (found?.at ?? Number.NEGATIVE_INFINITY);
      const hash = sessionHash(token);
      if (found && hash && age >= 0 && age < LAST_SEEN_EVERY_MS && isAnsweredAtOnce(request)) {
        people.set(request, found.person);
        waiting.set(request, settingsOfSession(beginInSession(hash, deps.clock)));
        return;
      }
      known.delete(token);
      const signedIn = await identify(deps, request);
      if (!signedIn) throw notSignedIn();
      const person = signedIn.person.uuid;
      people.set(request, person);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(token, { at: now, person });
    },
    async confirm(request) {
      const settings = waiting.get(request);
      if (!settings || sessionWasFound(settings)) return;
      known.delete(request.cookies[SESSION_COOKIE] ?? '');
      if (!(await identify(deps, request))) throw notSignedIn();
    },
  };
}

/**
 * Returns whether the whole response is sent at once, so that the session can be confirmed before. False for
 * incremental responses, which are sent in parts, and for pages, which run no query.
 */
function isAnsweredAtOnce(request: FastifyRequest): boolean {
  return request.method === 'POST' && !/multipart|stream/i.test(request.headers.accept ?? '');
}
