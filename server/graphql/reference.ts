import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isRequiredArgument,
} from 'postgraphile/graphql';

/** Arguments that every list has; the page says once what they are. */
const OF_LISTS = new Set(['first', 'last', 'offset', 'before', 'after', 'filter', 'orderBy', 'condition']);
/** Types around the ones that matter: what a list or a mutation answers is told by its row. */
const AROUND = /(Connection|Edge|Payload|Filter|OrderBy|Condition|GroupBy|Aggregates?|PageInfo)$/;

const OPENING = `# API reference

Written from the schema by \`npm run schema\`; [api.md](api.md) says how to sign in and ask. A type with \`!\` is never null, one in brackets
is a list. Lists also take \`first\`, \`offset\` or \`after\`, \`orderBy\` and \`filter\`, and answer \`nodes\`, \`totalCount\` and
\`pageInfo { hasNextPage endCursor }\`; they are marked with *list*. What a change answers stands behind its arrow. An argument
with \`?\` may be left out.`;

/** The API for people: what can be asked, changed and followed, and what comes back. */
export function printReference(schemaText: string): string {
  const schema = buildSchema(schemaText);
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__') && !AROUND.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const objects = types.filter((type) => isObjectType(type) && !roots.has(type)) as GraphQLObjectType[];
  return [
    OPENING,
    section('Ask', operations(schema, schema.getQueryType())),
    section('Change', operations(schema, schema.getMutationType())),
    section('Follow', operations(schema, schema.getSubscriptionType())),
    ...['## What comes back', ...objects.map((type) => fields(type.name, Object.values(type.getFields())))],
    ...[
      '## What is sent',
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
  const answer = row ? `${row} *list*` : `\`${payloadOf(getNamedType(field.type)) ?? field.type}\``;
  return `\`${field.name}${own.length > 0 ? `(${own.join(', ')})` : ''}\` → ${answer}`;
}

/** What a mutation answers, without what every one of them has. */
function payloadOf(type: GraphQLNamedType): string | undefined {
  if (!type.name.endsWith('Payload') || !isObjectType(type)) return undefined;
  const own = Object.values(type.getFields()).filter(
    ({ name, type: what }) => name !== 'clientMutationId' && name !== 'query' && !/Edge$/.test(getNamedType(what).name),
  );
  return `{ ${own.map(({ name, type: what }) => `${name}: ${what}`).join(', ')} }`;
}

/** What a list has in each row, or nothing where it is no list. */
function rowOf(schema: GraphQLSchema, type: GraphQLNamedType): string | undefined {
  if (!type.name.endsWith('Connection')) return undefined;
  const nodes = (schema.getType(type.name) as GraphQLObjectType).getFields().nodes;
  return nodes && `\`${getNamedType(nodes.type).name}\``;
}

function fields(name: string, all: readonly { name: string; type: unknown }[]): string {
  return `**${name}**: ${all.map((field) => `\`${field.name}: ${field.type}\``).join(', ')}`;
}
