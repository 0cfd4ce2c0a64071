import { PgSimplifyInflectionPreset } from '@graphile/simplify-inflection';
import { makePgService } from 'postgraphile/adaptors/pg';
import { SafeError, sideEffect } from 'postgraphile/grafast';
import type { GraphileConfig } from 'postgraphile/graphile-build';
import { GraphQLBoolean, GraphQLString } from 'postgraphile/graphql';
import { sql } from 'postgraphile/pg-sql2';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { wrapPlans } from 'postgraphile/utils';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';
import { type Person, personAccess } from '../access.ts';
import { secretKey } from '../auth/secrets.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { adaptor, beginRequest } from './adaptor.ts';
import { maskError, missingRow } from './errors.ts';
import { explorer } from './explorer.ts';
import { personOfRequest, settingsOfLateSession } from './late-session.ts';
import { limits } from './limit/limits.ts';
import { AlarmLinkPlugin } from './schema/alarm-link.ts';
import { ChoicePlugin } from './schema/choices.ts';
import { DestinationUrlPlugin } from './schema/destination-url.ts';
import { EvaluationPlugin } from './schema/evaluation-schema.ts';
import { rememberingIntrospection } from './schema/introspection.ts';
import { LivePlugin, type LiveSource } from './schema/live-schema.ts';
import { MaintenancePlanPlugin } from './schema/maintenance-plan.ts';
import { namingPreset } from './schema/naming.ts';
import { NullOrderPlugin } from './schema/null-order.ts';
import { RehearsalPlugin } from './schema/rehearsal-schema.ts';
import { RotaChecksPlugin } from './schema/rota-checks.ts';
import { RotaPlugin } from './schema/rota-schema.ts';
import { RuleConditionsPlugin } from './schema/rule-conditions.ts';
import { ScalarPlugin } from './schema/scalars.ts';

/** Limits every list to one page. Removes backward paging, because clients use offset instead. */
const PagePlugin: GraphileConfig.Plugin = {
  name: 'TocsinPagePlugin',
  version: '1.0.0',
  after: ['PgFirstLastBeforeAfterArgsPlugin'],
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args: {
        after: ['PgFirstLastBeforeAfterArgsPlugin'],
        callback(args: any) {
          if (!args.first || !args.offset) return args;
          const { last: _last, before: _before, ...rest } = args;
          return { ...rest, first: { ...args.first, defaultValue: limits.page } };
        },
      },
    },
  } as never,
};

/**
 * Accepts but ignores three fields that older clients send when they save a user: the one-time code, the default
 * password and the verified flag. The server sets its own values.
 */
const IgnoredUserFieldsPlugin: GraphileConfig.Plugin = {
  name: 'TocsinIgnoredUserFieldsPlugin',
  version: '1.0.0',
  schema: {
    hooks: {
      GraphQLInputObjectType_fields(fields: any, build: any, context: any) {
        const { scope } = context;
        if (scope.pgCodec?.name !== 'user' || !(scope.isPgPatch || scope.isInputType)) return fields;
        const ignored = (type: unknown) => ({
          type,
          description: 'Ignored. The server sets its own value.',
          extensions: { grafast: { apply() {} } },
        });
        return build.extend(
          fields,
          { otp: ignored(GraphQLString), password: ignored(GraphQLString), varified: ignored(GraphQLBoolean) },
          'Adding fields that older clients send',
        );
      },
    },
  } as never,
};

/** Reports an error if a mutation updates a missing or forbidden row. Deletes already report this error. */
const MissingRowPlugin = wrapPlans(
  (context) => ((context.scope as { isPgUpdateMutation?: boolean }).isPgUpdateMutation ? true : null),
  () => (plan: any) => {
    const $payload = plan();
    sideEffect($payload.get('result'), (row) => {
      if (row == null) throw new SafeError(missingRow.message, { code: missingRow.code });
    });
    return $payload;
  },
  { name: 'TocsinMissingRowPlugin' },
);

/** Removes a manager's own account from the manager's list of users. Owners see all users. */
const OtherUsersPlugin = wrapPlans(
  {
    Query: {
      users: (plan: any) => {
        const $connection = plan();
        const $users = $connection.getSubplan();
        $users.where(
          sql`(${$users.alias}.uuid <> tocsin_private.me() or not tocsin_private.is_manager() or tocsin_private.is_owner())`,
        );
        return $connection;
      },
    },
  } as never,
  { name: 'TocsinOtherUsersPlugin' },
);

export interface GraphqlOptions {
  db: Database;
  clock: Clock;
  log: Log;
  development: boolean;
  /** True if webhooks may use http and addresses of private networks. */
  webhookPrivate?: boolean;
  /** File that caches the database catalogue between starts. Without it every start reads the catalogue. */
  introspectionFile?: string | undefined;
}

export function makePreset(options: GraphqlOptions): GraphileConfig.Preset {
  const { db, clock, log, development, introspectionFile: file, webhookPrivate = false } = options;
  // These values are passed in the context, not in a plugin, because tests share one schema between databases.
  const shared = {
    ...{ clock, alarmLinkKey: () => secretKey(db, clock, 'alarm-link') },
    webhookRules: { allowPrivate: webhookPrivate },
  };
  return {
    extends: [PostGraphileAmberPreset, PgSimplifyInflectionPreset, PostGraphileConnectionFilterPreset, namingPreset],
    plugins: [
      ...[ScalarPlugin, ChoicePlugin, PagePlugin, NullOrderPlugin],
      ...[IgnoredUserFieldsPlugin, MissingRowPlugin, OtherUsersPlugin, LivePlugin, EvaluationPlugin, AlarmLinkPlugin],
      ...[
        RuleConditionsPlugin,
        MaintenancePlanPlugin,
        RotaPlugin,
        RotaChecksPlugin,
        RehearsalPlugin,
        DestinationUrlPlugin,
      ],
      ...(file ? [rememberingIntrospection({ db, access: { role: 'tocsin_request', settings: {} }, file, log })] : []),
    ],
    // Disables node ids, edges in payloads, `condition` arguments, filters by child rows, and the plugin that hides
    // errors of an inconsistent schema.
    disablePlugins: [
      ...(file ? ['PgIntrospectionPlugin'] : []),
      'NodePlugin',
      'PgTableNodePlugin',
      'NodeAccessorPlugin',
      'AddNodeInterfaceToSuitableTypesPlugin',
      'PgNodeIdAttributesPlugin',
      'PgMutationPayloadEdgePlugin',
      'PgConditionArgumentPlugin',
      'PgConditionCustomFieldsPlugin',
      'PgConnectionArgFilterBackwardRelationsPlugin',
      'SwallowErrorsPlugin',
    ],
    pgServices: [
      {
        ...makePgService({
          pool: db.pool,
          schemas: ['tocsin'],
          // Introspects as the request role, so that the schema contains only granted columns and operations.
          pgSettingsForIntrospection: { role: 'tocsin_request' },
          pubsub: false,
        } as never),
        adaptor: adaptor as never,
      },
    ],
    gather: { pgStrictFunctions: true },
    schema: { dontSwallowErrors: true } as never,
    grafast: {
      context: (request: Partial<Grafast.RequestContext>) => {
        const { fastifyv5, ws } = request as { fastifyv5?: { request: object }; ws?: { request: object } };
        const late = settingsOfLateSession(fastifyv5?.request);
        if (late) {
          beginRequest(late, personOfRequest(fastifyv5?.request));
          return { pgSettings: late, ...shared };
        }
        const asker = (fastifyv5?.request ?? ws?.request ?? {}) as { person?: Person; live?: LiveSource };
        const { person, live } = asker;
        // Without settings, PostGraphile would run queries as the login role.
        if (!person) throw new Error('A GraphQL request reached the planner without a person.');
        const access = personAccess(person, clock);
        const pgSettings = { role: access.role, ...access.settings };
        beginRequest(pgSettings, person.uuid);
        return { pgSettings, ...shared, ...(live && { live }) };
      },
      timeouts: { planning: 5000, execution: 30_000 } as never,
    },
    grafserv: {
      graphqlPath: '/graphql',
      graphqlOverGET: false,
      graphiql: development,
      graphiqlPath: '/graphiql',
      graphiqlOnGraphQLGET: false,
      websockets: false,
      maxRequestLength: 262_144,
      maskError: maskError(log, development) as never,
    },
    ruru: explorer,
  };
}
