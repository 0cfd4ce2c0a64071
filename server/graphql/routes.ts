import './environment.ts';

import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify';
import { makeSchema } from 'postgraphile';
import type { GrafservBase } from 'postgraphile/grafserv';
import { grafserv } from 'postgraphile/grafserv/fastify/v5';
import type { GraphQLSchema } from 'postgraphile/graphql';
import { sentenceFor } from '../platform/http.ts';
import { readBody } from './body.ts';
import { learnLengths } from './errors.ts';
import { judge } from './limits.ts';
import { type GraphqlOptions, makePreset } from './preset.ts';

export interface GraphqlRouteOptions extends GraphqlOptions {
  /** Builds the schema, or gives one that was built of a database just like this one. */
  schemaOf?: SchemaSource | undefined;
  /** Refuse a request that no signed-in person sent, or leave that to `confirm`. */
  guards: preHandlerHookHandler[];
  /** Asked before anything is answered: throws where nobody is signed in after all. */
  confirm(request: FastifyRequest): Promise<void>;
}

export type SchemaSource = (build: () => Promise<GraphQLSchema>) => Promise<GraphQLSchema>;

export interface GraphqlRoutes {
  grafserv: GrafservBase;
  /** Builds the schema, which takes most of a start. Requests wait for it. */
  build(): Promise<void>;
  /** Lets go of the schema. */
  release(): Promise<void>;
}

/** The codes of requests that are refused before anything is asked. */
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

/** Serves `/graphql`. */
export async function registerGraphql(app: FastifyInstance, options: GraphqlRouteOptions): Promise<GraphqlRoutes> {
  learnLengths(await readLengthChecks(options));
  const preset = makePreset(options);
  const make = async () => (await makeSchema(preset)).schema;
  const { promise: schema, resolve, reject } = Promise.withResolvers<GraphQLSchema>();
  schema.catch(() => {});
  const server = grafserv({ preset, schema });
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const { status, sentence } = sentenceFor(error as Error, request, options.log);
      return reply.code(status).send(refusal(sentence, codes[status] ?? 'BAD_REQUEST'));
    });
    // Any other content type is refused by the sentence for it; the library would take text for one of its own.
    scope.removeContentTypeParser('text/plain');
    // The headers that guard pages are worked out anew for every answer, and data needs only one of them.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, helmet: { skipRoute: true } } as typeof route.config;
      const { handler } = route;
      route.handler = async function (request, reply) {
        try {
          return await handler.call(this, request, reply);
        } finally {
          await options.confirm(request);
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
      const verdict = judge(asked.query, asked.variables, {
        introspection: options.development,
        subscriptions: false,
      });
      if (!verdict.allowed) await refuse(verdict.sentence, verdict.because, verdict.field);
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
