import type { GraphileConfig } from 'postgraphile/graphile-build';
import { pgSmartTags } from './tags.ts';

const customerKey = 'tocsin_customer_uuid';

/**
 * Shortens relation names: removes the customer from composite foreign keys and the prefix `tocsin` from columns.
 * `(tocsin_customer_uuid, tocsin_site_uuid)` becomes `site`.
 */
const TocsinNamingPlugin: GraphileConfig.Plugin = {
  name: 'TocsinNamingPlugin',
  version: '1.0.0',
  after: ['PgSimplifyInflectionPlugin'],
  inflection: {
    replace: {
      // Columns called `id` keep their name. It cannot conflict with node ids, because node ids are disabled.
      _attributeName(previous: any, _preset: unknown, details: any) {
        return previous!({ ...details, skipRowId: true });
      },
      _getBaseNameFromKeys(previous: any, _preset: unknown, keys: { attributeName: string }[]) {
        const ownKeys = keys.length > 1 ? keys.filter((key) => key.attributeName !== customerKey) : keys;
        return previous!(ownKeys.slice(-1));
      },
      _getBaseName(previous: any, _preset: unknown, attributeName: string) {
        return previous!(attributeName.replace(/^tocsin_?([A-Za-z])/, (_match, first: string) => first.toLowerCase()));
      },
      _manyRelation(previous: any, _preset: unknown, details: any) {
        const { registry, codec, relationName } = details;
        const relation = registry.pgRelations[codec.name][relationName];
        if (relation.extensions?.tags?.foreignFieldName) return previous!(details);
        return (this as any).camelCase(
          (this as any).distinctPluralize((this as any)._singularizedCodecName(relation.remoteResource.codec)),
        );
      },
    } as never,
  },
};

/**
 * Adds an inflector that PgSimplifyInflection overrides. Without it, PgSimplifyInflection would warn at every start,
 * because the disabled node ids normally provide that inflector.
 */
const QuietPlugin: GraphileConfig.Plugin = {
  name: 'TocsinQuietPlugin',
  version: '1.0.0',
  before: ['PgSimplifyInflectionPlugin'],
  inflection: { add: { nodeById: (_preset: unknown, typeName: string) => typeName } as never },
};

/**
 * Marks every foreign key as indexed. PostGraphile adds relations from parent to children only for indexed keys, and it
 * does not recognise Tocsin's indexes, which leave out the customer. A test checks that every key has an index.
 */
const IndexedRelationsPlugin: GraphileConfig.Plugin = {
  name: 'TocsinIndexedRelationsPlugin',
  version: '1.0.0',
  gather: {
    hooks: {
      pgRelations_relation(_info: unknown, { relation }: any) {
        relation.extensions ??= Object.create(null);
        relation.extensions.tags ??= Object.create(null);
        relation.extensions.tags.isIndexed = true;
      },
    },
  } as never,
};

/** Removes the fields that find, update or delete a row by a unique key other than the primary key. */
const OneKeyPlugin: GraphileConfig.Plugin = {
  name: 'TocsinOneKeyPlugin',
  version: '1.0.0',
  schema: {
    entityBehavior: {
      pgResourceUnique: {
        inferred: {
          after: ['postInferred'],
          callback(behavior: any, [, unique]: any) {
            return unique.isPrimary
              ? behavior
              : [behavior, '-single', '-update', '-delete', '-resource:update', '-resource:delete'];
          },
        },
      },
    },
  } as never,
};

export const namingPreset: GraphileConfig.Preset = {
  plugins: [QuietPlugin, TocsinNamingPlugin, IndexedRelationsPlugin, OneKeyPlugin, pgSmartTags],
};
