import type { GraphileConfig } from 'postgraphile/graphile-build';
import { GraphQLError, Kind, print, TokenKind, type ValueNode } from 'postgraphile/graphql';

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d+)?)?)? ?(?:Z|[+-](?:0\d|1[0-5])(?::?\d\d)?)?)?$/i;

/**
 * Returns whether a string is a valid time. PostgreSQL would also accept `now`, `infinity` and ambiguous dates such as
 * `01/02/2026`.
 */
function isTime(text: string): boolean {
  const [, year, month, day] = (TIME.exec(text) ?? []).map(Number);
  const date = new Date(Date.UTC(year ?? Number.NaN, (month ?? 0) - 1, day));
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text);

export const timeSentence = (text: string | undefined) =>
  `${text === undefined ? 'A value' : `"${text}"`} is not a time. Write it like 2026-03-02T07:00:00Z.`;
const uuidSentence = (text: string) =>
  `"${text}" is not a uuid. A uuid has 32 hexadecimal digits, with or without hyphens.`;

const LARGEST = 2n ** 63n;
const isWhole = (text: string) => /^-?\d{1,19}$/.test(text) && BigInt(text) < LARGEST && BigInt(text) >= -LARGEST;
const wholeSentence = (text: string) => `"${text}" is not a whole number of at most 19 digits.`;
const cursorSentence = (text: string) => `"${text}" is not a valid cursor. Use the endCursor of the previous page.`;

const MOST_QUOTED = 60;

/** Shortens a value for an error message. */
export const quoted = (text: string) => text.slice(0, MOST_QUOTED);

/** Returns a value as text, as the client wrote it. */
export const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
export const writtenIn = (node: ValueNode) => (node.kind === Kind.STRING ? node.value : print(node));

interface Form {
  fits: (text: string) => boolean;
  sentence: (text: string) => string;
  /** True if a number without quotation marks is also accepted. */
  number?: boolean;
}

/**
 * Scalar types with a fixed format, which is checked before the query runs. The error message identifies the argument.
 */
const forms: Readonly<Record<string, Form>> = {
  Datetime: { fits: isTime, sentence: timeSentence },
  UUID: { fits: isUuid, sentence: uuidSentence },
  BigInt: { fits: isWhole, sentence: wholeSentence, number: true },
  // Accepts any text, because only the query of the list can check a cursor.
  Cursor: { fits: () => true, sentence: cursorSentence },
};

export const ScalarPlugin: GraphileConfig.Plugin = {
  name: 'TocsinScalarPlugin',
  version: '1.0.0',
  schema: {
    hooks: {
      GraphQLScalarType(spec: any) {
        const form = forms[spec.name];
        if (!form) return spec;
        const parsed = (isText: boolean, text: string, node?: ValueNode): string => {
          if (isText && form.fits(text)) return text;
          throw badInput(form.sentence(quoted(text)), node);
        };
        const isNumber = (value: unknown) => form.number === true && Number.isSafeInteger(value);
        return {
          ...spec,
          parseValue: (value: unknown) => parsed(typeof value === 'string' || isNumber(value), written(value)),
          parseLiteral: (node: ValueNode) =>
            parsed(
              node.kind === Kind.STRING || (form.number === true && node.kind === Kind.INT),
              writtenIn(node),
              node,
            ),
        };
      },
      /**
       * Clamps a number that is outside the range of the column's type, so that the column's own check reports the
       * valid range.
       */
      GraphQLInputObjectType_fields_field(field: any, _build: unknown, { scope }: any) {
        if (scope.pgAttribute?.codec.name !== 'int2' || !field.apply) return field;
        const apply = (row: unknown, value: unknown, info: unknown) =>
          field.apply(row, typeof value === 'number' ? withinSmall(value) : value, info);
        return { ...field, apply };
      },
    },
  } as never,
};

function withinSmall(value: number): number {
  return Math.min(Math.max(value, -32_768), 32_767);
}

/**
 * Returns the error for a refused value, with the name of its argument. Without `node`, `withVariable` adds the name
 * later.
 */
export function badInput(sentence: string, node?: ValueNode): GraphQLError {
  const field = node && argumentOf(node);
  return new GraphQLError(sentence, {
    ...(node && { nodes: node }),
    extensions: { code: 'BAD_USER_INPUT', ...(field && { field }) },
  });
}

/** Returns the name of the argument or field that contains the value, even if the value is inside a list. */
function argumentOf(node: ValueNode): string | undefined {
  let token = node.loc?.startToken;
  while (token && token.kind !== TokenKind.COLON) token = token.prev ?? undefined;
  return token?.prev?.value;
}

/**
 * Adds the field to an error about a variable. The field is the last name in its path, as in `Variable "$site" got
 * invalid value "x" at "site.uuid"; …`. Keeps the message of graphql-js for missing values and for types that this file
 * does not define. Returns undefined for other errors.
 */
export function withVariable({ message, nodes, extensions }: GraphQLError): GraphQLError | undefined {
  const [, missing] = /^Variable "\$(\w+)" of (?:required|non-null) type /.exec(message) ?? [];
  if (missing !== undefined) return ofField(message, nodes, { code: 'BAD_USER_INPUT', field: missing });
  const [, variable, path, sentence] =
    /^Variable "\$(\w+)" got invalid value .*?(?: at "([^"]+)")?; (.+)$/s.exec(message) ?? [];
  if (sentence === undefined) return undefined;
  const [, lacking] = /^Field "(\w+)" of required type /.exec(sentence) ?? [];
  const field = lacking ?? path?.split(/[.[]/).findLast((part) => /^[A-Za-z_]/.test(part)) ?? variable;
  const isOurs = extensions.code === 'BAD_USER_INPUT';
  return ofField(isOurs ? sentence : message, nodes, { code: 'BAD_USER_INPUT', ...extensions, field });
}

function ofField(message: string, nodes: GraphQLError['nodes'], extensions: Record<string, unknown>): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions });
}
