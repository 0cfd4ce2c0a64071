import type { GraphileConfig } from 'postgraphile/graphile-build';
import { GraphQLError, Kind, TokenKind, type ValueNode } from 'postgraphile/graphql';

/** What PostgreSQL would take although it is no moment that a client means: `now`, `tomorrow`, `infinity`. */
const isTime = (text: string) => /^\d/.test(text);
const isUuid = (text: string) => /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text);

export const timeSentence = (text: string | undefined) =>
  `${text === undefined ? 'A value' : `"${text}"`} is not a time. Write it like 2026-03-02T07:00:00Z.`;
const uuidSentence = (text: string) =>
  `"${text}" is not a uuid: 32 hexadecimal digits, with or without the hyphens between them.`;

const MOST_QUOTED = 60;

/** As much of what was sent as a sentence has room for. */
export const quoted = (text: string) => text.slice(0, MOST_QUOTED);

/** Texts of a form of their own, refused before the database sees them, and by the name of their argument. */
const forms: Readonly<Record<string, { fits: (text: string) => boolean; sentence: (text: string) => string }>> = {
  Datetime: { fits: isTime, sentence: timeSentence },
  UUID: { fits: isUuid, sentence: uuidSentence },
};

export const ScalarPlugin: GraphileConfig.Plugin = {
  name: 'TocsinScalarPlugin',
  version: '1.0.0',
  schema: {
    hooks: {
      GraphQLScalarType(spec: any) {
        const form = forms[spec.name];
        if (!form) return spec;
        const parsed = (value: unknown, node?: ValueNode): string => {
          const text = String(value);
          if (form.fits(text)) return text;
          throw badInput(form.sentence(quoted(text)), node);
        };
        return {
          ...spec,
          parseValue: (value: unknown) => parsed(value),
          parseLiteral: (node: ValueNode) => parsed(node.kind === Kind.STRING ? node.value : node.kind, node),
        };
      },
    },
  } as never,
};

/** Refuses a value by the name of what it was written for; without a place in the query, `withVariable` adds that. */
export function badInput(sentence: string, node?: ValueNode): GraphQLError {
  const field = node && argumentOf(node);
  return new GraphQLError(sentence, {
    ...(node && { nodes: node }),
    extensions: { code: 'BAD_USER_INPUT', ...(field && { field }) },
  });
}

/** The argument or field that a value is written for, also where it stands in a list. */
function argumentOf(node: ValueNode): string | undefined {
  let token = node.loc?.startToken;
  while (token && token.kind !== TokenKind.COLON) token = token.prev ?? undefined;
  return token?.prev?.value;
}

/** A value that came as a variable is told apart by the path of it: `Variable "$site" got invalid value "x" at "site.uuid"; …`. */
export function withVariable({ message, nodes, extensions }: GraphQLError): GraphQLError | undefined {
  const [, variable, path, sentence] =
    /^Variable "\$(\w+)" got invalid value .*?(?: at "([^"]+)")?; (.+)$/s.exec(message) ?? [];
  if (extensions.code !== 'BAD_USER_INPUT' || sentence === undefined) return undefined;
  const field = path?.split(/[.[]/).findLast((part) => /^[A-Za-z_]/.test(part)) ?? variable;
  return new GraphQLError(sentence, { nodes: nodes ?? null, extensions: { ...extensions, field } });
}
