import './environment.ts';

import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';
import { makeSchema } from 'postgraphile';
import type { GrafservBase } from 'postgraphile/grafserv';
import { grafserv } from 'postgraphile/grafserv/fastify/v5';
import type { GraphQLSchema } from 'postgraphile/graphql';
import { errorReply } from '../platform/http.ts';
import { AnswerTooLarge, writeAnswer } from './answer.ts';
import { readBody } from './body.ts';
import { learnLengths, withoutSuggestions } from './errors.ts';
import { personOfRequest } from './late-session.ts';
import { checkQuery } from './limit/check-query.ts';
import { Gate } from './limit/gate.ts';
import { limits } from './limit/limits.ts';
import { longWork } from './limit/turns.ts';
import { type GraphqlOptions, makePreset } from './preset.ts';

export interface GraphqlRouteOptions extends GraphqlOptions {
  /** Builds the schema. In tests, returns a schema that was built for an identical database. */
  schemaOf?: SchemaSource | undefined;
  /** Hooks that refuse requests without a session, or leave this check to `confirm`. */
  guards: preHandlerHookHandler[];
  /** Runs before the response is sent. Throws if no user is signed in. */
  confirm(request: FastifyRequest): Promise<void>;
}

export type SchemaSource = (build: () => Promise<GraphQLSchema>) => Promise<GraphQLSchema>;

export interface GraphqlRoutes {
  grafserv: GrafservBase;
  /** Builds the schema, which takes most of the start time. Requests wait until it is built. */
  build(): Promise<void>;
  /** Resolves when the schema is built. */
  schema: Promise<GraphQLSchema>;
  release(): Promise<void>;
}

/** Error codes of requests that are refused before they run. */
const codes: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'SESSION_MISMATCH',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

function refusal(message: string, code: string, field?: string): object {
  return { errors: [{ message, extensions: { code, ...(field && { field }) } }] };
}

/** Each user can have five running requests, or fewer if they are expensive. Further requests wait. */
const atOnce = { total: 2 * limits.cost, perPerson: limits.cost, waiting: 50 };
const LEAST_COST = limits.cost / 5;

const BUSY = 'Too many of your requests are still running. Wait until some have finished, then try again.';

interface Payload {
  errors?: { message: string }[];
}

function hideSuggestions(payload: Payload): Payload {
  const errors = payload.errors?.map((error) => ({ ...error, message: withoutSuggestions(error.message) }));
  return errors ? { ...payload, errors } : payload;
}

/**
 * Returns whether a client accepts any content type. The library would send such a client a content type that few
 * clients know.
 */
function acceptsAnything({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept === '' || (accept.includes('*/*') && !accept.includes('application/graphql-response+json'));
}

/** Estimated cost of each accepted request. */
const costs = new WeakMap<object, number>();

/** Number of fields whose planning takes about 20 ms. */
const LONG_PLAN_FIELDS = 40;
/** Queries that already have a plan. Plans are cached, so each query of the console is planned only once. */
const planned = new Set<string>();
const MOST_PLANNED = 400;
/** Requests whose query needs an expensive new plan. */
const longPlans = new WeakSet<object>();

function isLongPlan(query: string, fields: number): boolean {
  if (fields < LONG_PLAN_FIELDS) return false;
  // A large query always counts as new, because its variables can change the plan. The console has no large queries.
  if (fields > limits.fields / 3 || !planned.has(query)) {
    if (planned.size >= MOST_PLANNED) planned.clear();
    planned.add(query);
    return true;
  }
  return false;
}

export async function registerGraphql(app: FastifyInstance, options: GraphqlRouteOptions): Promise<GraphqlRoutes> {
  learnLengths(await readLengthChecks(options));
  const preset = makePreset(options);
  const make = async () => (await makeSchema(preset)).schema;
  const { promise: schema, resolve, reject } = Promise.withResolvers<GraphQLSchema>();
  schema.catch(() => {});
  const server = grafserv({ preset, schema });
  const gate = new Gate(atOnce);
  const answerOf = async (request: FastifyRequest, reply: FastifyReply, run: () => unknown): Promise<unknown> => {
    let answer: unknown;
    if (longPlans.has(request)) await longWork.next();
    try {
      answer = await run();
    } finally {
      await options.confirm(request);
    }
    if (request.method !== 'POST' || typeof answer !== 'object' || answer === reply) return answer;
    if (acceptsAnything(request)) reply.type('application/json; charset=utf-8');
    try {
      return await writeAnswer(options.development ? answer : hideSuggestions(answer as Payload));
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error;
      return reply.code(400).send(refusal(error.message, error.code));
    }
  };
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const { status, sentence } = errorReply(error as Error, request, options.log);
      return reply.code(status).send(refusal(sentence, codes[status] ?? 'BAD_REQUEST'));
    });
    // Refuses text/plain, which the library would accept.
    scope.removeContentTypeParser('text/plain');
    // Skips helmet's page headers, which are expensive to compute. An API response needs only one header, which is set
    // below.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, helmet: { skipRoute: true } } as typeof route.config;
      const { handler } = route;
      route.handler = async function (request, reply) {
        const leave = await gate.enter(personOfRequest(request), Math.max(LEAST_COST, costs.get(request) ?? 0));
        if (!leave) {
          await options.confirm(request);
          reply.header('retry-after', '1');
          return reply.code(429).send(refusal(BUSY, 'TOO_MANY_REQUESTS'));
        }
        // The response stays in memory until the client has read it, so the request counts as running until then.
        reply.raw.once('finish', leave).once('close', leave);
        try {
          return await answerOf(request, reply, () => handler.call(this, request, reply));
        } finally {
          // If the client disconnected while the request was waiting, neither event is emitted.
          if (reply.raw.closed) leave();
        }
      };
    });
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('x-content-type-options', 'nosniff');
    });
    for (const guard of options.guards) scope.addHook('preHandler', guard);
    scope.addHook('preHandler', async () => void (await schema));
    scope.addHook('preHandler', async (request, reply) => {
      if (request.method !== 'POST') return;
      const refuse = async (sentence: string, code: string, field?: string) => {
        await options.confirm(request);
        await reply.code(400).send(refusal(sentence, code, field));
      };
      const asked = readBody(request.body);
      if ('sentence' in asked) return refuse(asked.sentence, 'BAD_REQUEST', asked.field);
      const verdict = checkQuery(await schema, asked.query, asked.variables, {
        introspection: options.development,
        subscriptions: false,
      });
      if (!verdict.allowed) return refuse(verdict.sentence, verdict.because, verdict.field);
      costs.set(request, verdict.cost);
      if (isLongPlan(verdict.query, verdict.fields)) longPlans.add(request);
      (request.body as { query: string }).query = verdict.query;
    });
    await server.addTo(scope as never);
    scope.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: '/graphql',
      handler: (_request, reply) =>
        reply.code(405).header('allow', 'POST').send(refusal('Send queries by POST, as JSON.', 'METHOD_NOT_ALLOWED')),
    });
  });
  return {
    grafserv: server,
    async build() {
      try {
        resolve(await (options.schemaOf ?? ((made) => made()))(make));
      } catch (error) {
        reject(error);
        throw error;
      }
    },
    schema,
    release: async () => {
      await server.release();
    },
  };
}

async function readLengthChecks({
  db,
}: GraphqlOptions): Promise<{ name: string; column: string; definition: string }[]> {
  const { rows } = await db.migration((tx) =>
    tx.query<{ name: string; column: string; definition: string }>(`
      select c.conname as name, a.attname as "column", pg_get_constraintdef(c.oid) as definition
      from pg_constraint c
      join pg_namespace n on n.oid = c.connamespace
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where n.nspname = 'tocsin' and c.contype = 'c' and c.conname like '%\\_length'`),
  );
  return rows;
}
