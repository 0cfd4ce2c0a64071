import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isRequiredArgument,
} from 'postgraphile/graphql';

/** Arguments that all lists share. The reference describes them once. */
const OF_LISTS = new Set(['first', 'last', 'offset', 'before', 'after', 'filter', 'orderBy', 'condition']);
/** Logical operators that all filters share. The reference describes them once. */
const JOINS = new Set(['and', 'or', 'not']);
/** Suffixes of wrapper types, which the reference omits. */
const AROUND = /(Connection|Edge|Payload|Filter|OrderBy|Condition|GroupBy|Aggregates?|PageInfo)$/;

const OPENING = `# API reference

Generated from the schema by \`npm run schema\`. [api.md](api.md) explains how to sign in and send queries. A type with \`!\` is never
null; a type in brackets is a list. A field marked *list* also takes \`first\`, \`offset\` or \`after\`, and \`filter\`. It returns \`nodes\`,
\`totalCount\` and \`pageInfo { hasNextPage endCursor }\`. An *ordered list* takes \`orderBy\` too. The result of a mutation follows its
arrow. An argument with \`?\` is optional.`;

const NARROWED = `A list of \`Alarm\` takes an \`AlarmFilter\` as \`filter\`: \`{ severity: { equalTo: "major" }, site: { name: { startsWith: "Mill" } } }\`.
Every filter also takes \`and\` and \`or\` with a list of filters, and \`not\`. The operators of each scalar type come first: \`isNull\` takes
true or false, \`in\` and \`notIn\` take a list, and operators that end in \`Insensitive\` ignore case.`;

const ORDERED = `An *ordered list* of \`Alarm\` takes values of \`AlarmOrderBy\`, the most important first: \`orderBy: [DATE_TIME_DESC, UUID_ASC]\`. Each
value ends in \`_ASC\` or \`_DESC\`, which is omitted here. \`NATURAL\` has no ending and means no order. \`PRIMARY_KEY\` is the key of the
rows, usually \`uuid\`. As the last value it makes the order unique, so that paging with \`after\` returns each row once.`;

/** Returns the API reference: queries, mutations, subscriptions and their types. */
export function printReference(schemaText: string): string {
  const schema = buildSchema(schemaText);
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__') && !AROUND.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const objects = types.filter((type) => isObjectType(type) && !roots.has(type)) as GraphQLObjectType[];
  return [
    OPENING,
    section('Queries', operations(schema, schema.getQueryType())),
    section('Mutations', operations(schema, schema.getMutationType())),
    section('Subscriptions', operations(schema, schema.getSubscriptionType())),
    ['## Filter', NARROWED, ...filters(schema)].join('\n\n'),
    ['## Order', ORDERED, ...orders(schema)].join('\n\n'),
    ...['## Output types', ...objects.map((type) => fields(type.name, Object.values(type.getFields())))],
    ...[
      '## Input types',
      ...types.filter(isInputObjectType).map((type) => fields(type.name, Object.values(type.getFields()))),
    ],
  ]
    .join('\n\n')
    .concat('\n');
}

function section(title: string, lines: string[]): string {
  return `## ${title}\n\n${lines.join('\n')}`;
}

function operations(schema: GraphQLSchema, root: GraphQLObjectType | null | undefined): string[] {
  return Object.values(root?.getFields() ?? {}).map((field) => `- ${operation(schema, field)}`);
}

function operation(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): string {
  const own = field.args
    .filter(({ name }) => !OF_LISTS.has(name))
    .map((argument) => `${argument.name}${isRequiredArgument(argument) ? '' : '?'}: ${argument.type}`);
  const row = rowOf(schema, getNamedType(field.type));
  const list = field.args.some(({ name }) => name === 'orderBy') ? '*ordered list*' : '*list*';
  const answer = row ? `${row} ${list}` : `\`${payloadOf(getNamedType(field.type)) ?? field.type}\``;
  return `\`${field.name}${own.length > 0 ? `(${own.join(', ')})` : ''}\` → ${answer}`;
}

/** Returns the fields of a mutation's payload, without those that all payloads have; undefined for other types. */
function payloadOf(type: GraphQLNamedType): string | undefined {
  if (!type.name.endsWith('Payload') || !isObjectType(type)) return undefined;
  const own = Object.values(type.getFields()).filter(
    ({ name, type: what }) => name !== 'clientMutationId' && name !== 'query' && !/Edge$/.test(getNamedType(what).name),
  );
  return `{ ${own.map(({ name, type: what }) => `${name}: ${what}`).join(', ')} }`;
}

/** Returns the row type of a list; undefined for other types. */
function rowOf(schema: GraphQLSchema, type: GraphQLNamedType): string | undefined {
  if (!type.name.endsWith('Connection')) return undefined;
  const nodes = (schema.getType(type.name) as GraphQLObjectType).getFields().nodes;
  return nodes && `\`${getNamedType(nodes.type).name}\``;
}

/** Returns the filters: first the operators of each scalar type, then the fields of each row type. */
function filters(schema: GraphQLSchema): string[] {
  const values = new Map<string, string[]>();
  const rows: string[] = [];
  for (const type of typesNamed(schema, /Filter$/).filter(isInputObjectType)) {
    const all = Object.values(type.getFields());
    if (all.some(({ name }) => name === 'isNull')) {
      const ways = listed(all.map(({ name }) => name));
      values.set(ways, [...(values.get(ways) ?? []), type.name]);
    } else {
      rows.push(
        fields(
          type.name,
          all.filter(({ name }) => !JOINS.has(name)),
        ),
      );
    }
  }
  // Most scalar types share the same operators.
  return [...[...values].map(([ways, names]) => `**${names.join(', ')}**: ${ways}`), ...rows];
}

/** Returns the values of each `OrderBy` type. The two directions of a field share one entry. */
function orders(schema: GraphQLSchema): string[] {
  return typesNamed(schema, /OrderBy$/)
    .filter(isEnumType)
    .map((type) => {
      const names = type.getValues().map(({ name }) => name);
      const words = names.flatMap((name) => /^(.+)_ASC$/.exec(name)?.[1] ?? []);
      const whole = names.filter((name) => !/_(ASC|DESC)$/.test(name));
      return `**${type.name}**: ${listed(words)}${whole.length > 0 ? `, and ${listed(whole)}` : ''}`;
    });
}

function typesNamed(schema: GraphQLSchema, name: RegExp): GraphQLNamedType[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => name.test(type.name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function listed(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

function fields(name: string, all: readonly { name: string; type: unknown }[]): string {
  return `**${name}**: ${all.map((field) => `\`${field.name}: ${field.type}\``).join(', ')}`;
}
