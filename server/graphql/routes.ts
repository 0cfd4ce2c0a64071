import './environment.ts';

import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify';
import { makeSchema } from 'postgraphile';
import type { GrafservBase } from 'postgraphile/grafserv';
import { grafserv } from 'postgraphile/grafserv/fastify/v5';
import type { GraphQLSchema } from 'postgraphile/graphql';
import { sentenceFor } from '../platform/http.ts';
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
  /** Lets go of the schema. */
  release(): Promise<void>;
}

/** Serves `/graphql`. */
export async function registerGraphql(app: FastifyInstance, options: GraphqlRouteOptions): Promise<GraphqlRoutes> {
  learnLengths(await readLengthChecks(options));
  const preset = makePreset(options);
  const build = async () => (await makeSchema(preset)).schema;
  // Building the schema takes a while: do it now, not in the first request.
  const schema = await (options.schemaOf ?? ((made) => made()))(build);
  const server = grafserv({ preset, schema });
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const { status, sentence } = sentenceFor(error as Error, request, options.log);
      return reply.code(status).send({ errors: [{ message: sentence }] });
    });
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
    scope.addHook('preHandler', async (request, reply) => {
      const body = request.body as { query?: unknown; variables?: unknown } | null | undefined;
      if (typeof body?.query !== 'string') return;
      const variables = typeof body.variables === 'object' && body.variables ? body.variables : {};
      const verdict = judge(body.query, variables as Record<string, unknown>, {
        introspection: options.development,
        subscriptions: false,
      });
      if (verdict.allowed) return;
      await options.confirm(request);
      const { sentence, because: code, field } = verdict;
      await reply.code(400).send({ errors: [{ message: sentence, extensions: { code, ...(field && { field }) } }] });
    });
    await server.addTo(scope as never);
    scope.get('/graphql', (_request, reply) =>
      reply
        .code(405)
        .header('allow', 'POST')
        .send({ errors: [{ message: 'Send queries by POST, as JSON.' }] }),
    );
  });
  return {
    grafserv: server,
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
