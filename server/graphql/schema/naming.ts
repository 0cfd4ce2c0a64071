import type { GraphileConfig } from 'postgraphile/graphile-build';
import { pgSmartTags } from './tags.ts';

const customerKey = 'tocsin_customer_uuid';

/**
 * Names that read well. Every reference carries the customer in front of the key that matters, and the key carries the
 * product's name: `(tocsin_customer_uuid, tocsin_site_uuid)` is simply the `site`.
 */
const TocsinNamingPlugin: GraphileConfig.Plugin = {
  name: 'TocsinNamingPlugin',
  version: '1.0.0',
  after: ['PgSimplifyInflectionPlugin'],
  inflection: {
    replace: {
      // There are no node ids here, so that a column called id can keep its name.
      _attributeName(previous: any, _preset: unknown, details: any) {
        return previous!({ ...details, skipRowId: true });
      },
      _getBaseNameFromKeys(previous: any, _preset: unknown, keys: { attributeName: string }[]) {
        const telling = keys.length > 1 ? keys.filter((key) => key.attributeName !== customerKey) : keys;
        return previous!(telling.slice(-1));
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

/** Simplify-inflection replaces a name that is only there with node ids; without it, it would complain at every start. */
const QuietPlugin: GraphileConfig.Plugin = {
  name: 'TocsinQuietPlugin',
  version: '1.0.0',
  before: ['PgSimplifyInflectionPlugin'],
  inflection: { add: { nodeById: (_preset: unknown, typeName: string) => typeName } as never },
};

/**
 * Every foreign key is indexed on the key that matters (a test checks it), but not together with the customer, which
 * PostGraphile would want before it offers the way back from parent to children.
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

/** Rows are looked up, changed and deleted by their primary key; the other unique keys only guard. */
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
