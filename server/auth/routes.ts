import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { type Database, within } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Sender } from '../sender/sender.ts';
import { AccessTrail } from './access-trail.ts';
import { Background } from './background.ts';
import type { AuthContext } from './context.ts';
import { answerRefusal } from './errors.ts';
import type { LimitSettings } from './limits.ts';
import { Limits } from './limits.ts';
import { createPasswords, type Passwords } from './password/password.ts';
import { passwordRoutes } from './password/routes.ts';
import type { SecureCookies } from './session/cookies.ts';
import { sessionRoutes } from './session/routes.ts';

export interface AuthDeps {
  db: Database;
  clock: Clock;
  log: Log;
  mailer: Sender;
  publicUrl(request: FastifyRequest): string;
  /** True to register the specification's `bypass` call, which signs in a demo visitor without a password. */
  demo: boolean;
  limits?: Partial<LimitSettings>;
  passwords?: Passwords;
  secureCookies?: SecureCookies;
}

export interface Auth {
  /** Resolves when all pending mails have been passed to the mail server. */
  idle(): Promise<void>;
}

const FLUSH_EVERY_MS = 60_000;
/** Maximum size of a request body in bytes. Every valid body of an auth call is smaller. */
const BODY_LIMIT = 16 * 1024;
/** Maximum wait for pending mails when the server closes. Users can request a lost code again. */
const CLOSE_MS = 2000;

/** Registers the auth calls. The server must have @fastify/cookie registered and type coercion turned off. */
export async function registerAuth(app: FastifyInstance, deps: AuthDeps): Promise<Auth> {
  const background = new Background(deps.log);
  const trail = new AccessTrail(deps);
  const context: AuthContext = {
    ...deps,
    secureCookies: deps.secureCookies ?? 'auto',
    passwords: deps.passwords ?? createPasswords(),
    limits: new Limits(deps, deps.limits),
    background,
    trail,
  };
  app.decorateRequest('person', null);
  app.decorateRequest('signedIn', null);
  const flush = setInterval(
    () => background.start('writing the audit trail', () => trail.flush()),
    FLUSH_EVERY_MS,
  ).unref();
  app.addHook('onClose', async () => {
    clearInterval(flush);
    await within(background.idle(), CLOSE_MS, () => {});
    await trail.flush('all');
  });
  await app.register(async (scope) => {
    scope.setErrorHandler(answerRefusal);
    acceptJsonOnly(scope);
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = BODY_LIMIT;
    });
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    sessionRoutes(scope, context);
    passwordRoutes(scope, context);
  });
  return { idle: () => background.idle() };
}

/** Accepts only JSON. Treats an empty body as an empty object, because logout sends no body. */
function acceptJsonOnly(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {});
    else parse(request, body as string, done);
  });
}
