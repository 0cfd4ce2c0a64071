import type { GraphileConfig } from 'postgraphile/graphile-build';
import { type GraphQLEnumType, type GraphQLSchema, isEnumType, Kind } from 'postgraphile/graphql';
import { badInput, quoted, written, writtenIn } from './scalars.ts';

/** Refuses an unknown enum value with a message that lists all choices. The library lists only similar values. */
export const ChoicePlugin: GraphileConfig.Plugin = {
  name: 'TocsinChoicePlugin',
  version: '1.0.0',
  schema: {
    hooks: {
      finalize(schema: GraphQLSchema) {
        for (const type of Object.values(schema.getTypeMap())) {
          // The introspection types are shared by all schemas of the process, so they must not be changed.
          if (isEnumType(type) && !type.name.startsWith('__')) nameChoices(type);
        }
        return schema;
      },
    },
  } as never,
};

function nameChoices(type: GraphQLEnumType): void {
  const isChoice = (name: unknown): name is string => typeof name === 'string' && type.getValue(name) !== undefined;
  const names = type
    .getValues()
    .map(({ name }) => name)
    .sort();
  const parseValue = type.parseValue.bind(type);
  const parseLiteral = type.parseLiteral.bind(type);
  type.parseValue = (value) => {
    if (isChoice(value)) return parseValue(value);
    throw badInput(choiceSentence(written(value), names));
  };
  type.parseLiteral = (node, variables) => {
    if (node.kind === Kind.ENUM && isChoice(node.value)) return parseLiteral(node, variables);
    const text = writtenIn(node);
    throw badInput(isChoice(text) ? `Write ${text} without quotation marks.` : choiceSentence(text, names), node);
  };
}

/** Returns a message with all choices. Lists an `OrderBy` field that has both directions only once. */
export function choiceSentence(text: string, names: readonly string[]): string {
  const both = names.flatMap((name) => {
    const stem = /^(.+)_ASC$/.exec(name)?.[1];
    return stem !== undefined && names.includes(`${stem}_DESC`) ? stem : [];
  });
  const ways = new Set(both.flatMap((stem) => [`${stem}_ASC`, `${stem}_DESC`]));
  const alone = names.filter((name) => !ways.has(name));
  const orders = both.length > 0 ? [`${list(both)}, followed by _ASC or _DESC`] : [];
  return `"${quoted(text)}" is not a valid choice. Choose ${[...orders, ...(alone.length > 0 ? [list(alone)] : [])].join(', or ')}.`;
}

function list(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? '');
}
