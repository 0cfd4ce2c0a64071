import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { SESSION_COOKIE } from '../auth/session/cookies.ts';
import { type GuardDeps, identify, notSignedIn } from '../auth/session/guards.ts';
import { beginInSession, LAST_SEEN_EVERY_MS, sessionHash } from '../auth/session/session.ts';
import { sessionWasFound, settingsOfSession } from './adaptor.ts';

const people = new WeakMap<object, string>();

/** Who sent a request, by uuid, also where the session is looked up later. */
export function personOfRequest(request: object | undefined): string {
  return (request && people.get(request)) ?? '';
}

export interface LateSession {
  /** Lets a request on whose session was found a moment ago; any other is looked up now, and refused where there is none. */
  before: preHandlerAsyncHookHandler;
  /** Refuses with 401 a request that was let on and has met no session since. Nothing may be answered before this. */
  confirm(request: FastifyRequest): Promise<void>;
}

const MOST_KNOWN = 10_000;

const waiting = new WeakMap<object, Record<string, string>>();

/** The settings of a request that was let on before its session was looked up. */
export function settingsOfLateSession(request: object | undefined): Record<string, string> | undefined {
  return request && waiting.get(request);
}

/**
 * The session of a request travels with its first transaction, which the database then begins with the eyes of whoever holds
 * it, or breaks: asking for it by itself costs as much again as what is asked. So a session that ended, or whose person was
 * disabled or given another level, counts for the very next request, as when it is looked up first. Only a token that this
 * process found a session for within the last minute goes this way: a stranger's never gets as far as planning a query.
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

/** An answer in parts begins before the last of them is known; and pages are no queries. */
function isAnsweredAtOnce(request: FastifyRequest): boolean {
  return request.method === 'POST' && !/multipart|stream/i.test(request.headers.accept ?? '');
}
