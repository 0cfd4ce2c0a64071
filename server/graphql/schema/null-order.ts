import type { GraphileConfig } from 'postgraphile/graphile-build';

/**
 * Fixes cursor paging in lists that are sorted by a nullable column. The library expects nulls at the other end of the
 * order, so pages lose rows. This plugin sorts by `column is null` first, so that the column itself is compared only
 * between non-null values. The plugin's codec keeps null in cursors, because the library would convert it to a value
 * for some types.
 */
export const NullOrderPlugin: GraphileConfig.Plugin = {
  name: 'TocsinNullOrderPlugin',
  version: '1.0.0',
  schema: {
    hooks: {
      GraphQLEnumType_values: {
        after: ['PgOrderAllAttributesPlugin'],
        callback(values: any, build: any, { scope }: any) {
          if (!scope.isPgRowSortEnum || !scope.pgCodec?.attributes) return values;
          const { inflection, sql, dataplanPg } = build;
          for (const [attributeName, attribute] of Object.entries<any>(scope.pgCodec.attributes)) {
            if (attribute.notNull || attribute.codec.notNull) continue;
            const { fromPg } = attribute.codec;
            const codec = {
              ...attribute.codec,
              fromPg: (text: string | null) => (text === null ? null : fromPg(text)),
            };
            const callback = (fragment: unknown) => [fragment, codec, true];
            for (const direction of ['ASC', 'DESC']) {
              const names = { codec: scope.pgCodec, attributeName, variant: direction.toLowerCase() };
              const plan = values[inflection.orderByAttributeEnum(names)]?.extensions?.grafast;
              if (!plan?.apply) continue;
              const { apply } = plan;
              plan.apply = (query: any) => {
                query.orderBy({
                  fragment: sql`(${query.alias}.${sql.identifier(attributeName)} is null)`,
                  codec: dataplanPg.TYPES.boolean,
                  nullable: false,
                  direction,
                });
                apply({
                  orderBy: (order: object) => query.orderBy({ ...order, callback }),
                  setOrderIsUnique: () => query.setOrderIsUnique(),
                });
              };
            }
          }
          return values;
        },
      },
    },
  } as never,
};
