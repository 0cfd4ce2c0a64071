import { isSafeError } from 'postgraphile/grafast';
import { GraphQLError } from 'postgraphile/graphql';
import { fieldSentences, sentenceOf } from '../../domain/field-sentences.ts';
import { randomToken } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { AnswerTooLarge } from './answer.ts';
import { constraintMessages } from './constraint-messages.ts';
import { forbiddenSentence } from './forbidden.ts';
import { timeSentence, withVariable } from './schema/scalars.ts';

/** Error fields of PostgreSQL, as node-postgres returns them. */
interface DatabaseError {
  code?: string;
  constraint?: string;
  column?: string;
  message: string;
  detail?: string;
  /** Key of the row that caused the error. Set only by Tocsin's functions that change several rows. */
  hint?: string;
}

export interface Explanation {
  code: 'BAD_USER_INPUT' | 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND' | 'TIMEOUT' | 'UNAUTHENTICATED' | 'UNAVAILABLE';
  message: string;
  field?: string;
}

export const missingRow: Explanation = {
  code: 'NOT_FOUND',
  message: 'The record was deleted, or you are not allowed to change it.',
};

/**
 * Errors that the libraries throw for invalid requests, identified by the beginning of their message. A test triggers
 * each error, to detect changes of a message.
 */
const fromLibraries: readonly [beginning: string, explanation: Explanation][] = [
  ['No values were deleted in collection', missingRow],
  [
    'Attempted to update a record, but no new values',
    { code: 'BAD_USER_INPUT', message: fieldSentences['nothing-changed'] },
  ],
  [
    'Empty objects are forbidden in filter',
    { code: 'BAD_USER_INPUT', message: 'Part of the filter is empty. Remove it, or add a comparison.' },
  ],
  [
    'Null literals are forbidden in filter',
    { code: 'BAD_USER_INPUT', message: 'A filter cannot compare with null. Use isNull to find missing values.' },
  ],
  [
    'Invalid cursor',
    {
      code: 'BAD_USER_INPUT',
      message: 'This is not a valid cursor. Use the endCursor of the previous page.',
      field: 'after',
    },
  ],
  [
    "Invalid 'after' cursor",
    {
      code: 'BAD_USER_INPUT',
      message:
        'This cursor belongs to a different sort order. After changing the order, start again with the first page.',
      field: 'after',
    },
  ],
];

/** Turns an SQL error into a message for the user. Returns undefined for server errors. */
export function explain(error: DatabaseError): Explanation | undefined {
  const { code } = error;
  if (code === undefined) return undefined;
  if (code === 'TC400') return withField({ code: 'BAD_USER_INPUT', message: sentenceOf(error.message) }, error.column);
  if (code === 'TC404') return missingRow;
  if (code === 'TC409') return withField({ code: 'CONFLICT', message: ofRow(error, error.message) }, error.column);
  if (code === 'TC401') return { code: 'UNAUTHENTICATED', message: 'You are not signed in. Sign in first.' };
  if (code === '23502')
    return withField(
      { code: 'BAD_USER_INPUT', message: `${words(error.column ?? 'This field')} is required.` },
      error.column,
    );
  if (code.startsWith('23')) return explainConstraint(error);
  // Only permission errors from Tocsin's own checks contain a column.
  if (code === '42501' && error.column) return withField({ code: 'FORBIDDEN', message: error.message }, error.column);
  if (code === '42501') return { code: 'FORBIDDEN', message: forbiddenSentence(error) };
  if (code === '22007' || code === '22008' || code === '22009') {
    const [, value] = /: "(.{1,60})"$/s.exec(error.message) ?? [];
    return { code: 'BAD_USER_INPUT', message: timeSentence(value) };
  }
  if (code === '22003') {
    const [, value = 'A number'] = /("[^"]{1,60}") is out of range/.exec(error.message) ?? [];
    return { code: 'BAD_USER_INPUT', message: `${value} is out of range for this field.` };
  }
  if (code === '22025') {
    const message = 'A pattern cannot end with a single backslash. Write two backslashes to search for one.';
    return { code: 'BAD_USER_INPUT', message };
  }
  // All other errors of class 22 mean invalid data.
  if (code.startsWith('22')) {
    return {
      code: 'BAD_USER_INPUT',
      message: 'A value has the wrong format. Check numbers, times and special characters.',
    };
  }
  if (code === '57014')
    return { code: 'TIMEOUT', message: 'The request took too long and was stopped. Request fewer records at once.' };
  if (code === '40001' || code === '40P01')
    return { code: 'CONFLICT', message: 'Another request changed the same record at the same time. Try again.' };
  if (code === '53100')
    return {
      code: 'UNAVAILABLE',
      message: "The server's disk is full, so nothing can be stored. Tell the administrator.",
    };
  if (code.startsWith('08') || code.startsWith('53') || code.startsWith('57P')) {
    return { code: 'UNAVAILABLE', message: 'The database is not responding. Try again in a moment.' };
  }
  return undefined;
}

function explainConstraint(error: DatabaseError): Explanation {
  const name = error.constraint ?? '';
  const known = constraintMessages[name];
  if (known) {
    const code = error.code === '23505' || error.code === '23P01' ? 'CONFLICT' : 'BAD_USER_INPUT';
    // If `error.column` is set, the error comes from a Tocsin function, and that field has the invalid value.
    return withField({ code, message: ofRow(error, known.message) }, error.column || known.field);
  }
  const length = /^(?:.+?)_length$/.exec(name) && lengthMessages.get(name);
  if (length) return withField({ code: 'BAD_USER_INPUT', message: length.message }, length.column);
  return {
    code: error.code === '23505' ? 'CONFLICT' : 'BAD_USER_INPUT',
    message: 'The values conflict with stored data. Check them and try again.',
  };
}

function ofRow({ hint }: DatabaseError, sentence: string): string {
  return hint ? `${hint}: ${sentence}` : sentence;
}

const lengthMessages = new Map<string, { message: string; column: string }>();

/** Creates the messages for length checks from the limits in the database catalogue. Called once at start. */
export function learnLengths(rows: readonly { name: string; column: string; definition: string }[]): void {
  for (const { name, column, definition } of rows) {
    const numbers = [...definition.matchAll(/(?:>=|<=)\s*(\d+)/g)].map((match) => Number(match[1]));
    const [least = 0, most = 0] = numbers;
    lengthMessages.set(name, {
      column,
      message:
        least > 0
          ? `${words(column)} must have ${least} to ${most} characters.`
          : `${words(column)} may have at most ${most} characters.`,
    });
  }
}

/** Returns a column's name for messages: `tocsin_datapoint_name` becomes "Datapoint name". */
function words(column: string): string {
  const text = column.replace(/^tocsin_/, '').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function withField(explanation: Explanation, column: string | undefined): Explanation {
  if (!column) return explanation;
  return { ...explanation, field: column.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()) };
}

/** Matches suggestions that graphql-js adds for unknown names. */
const SUGGESTIONS = / Did you mean (?:the enum value |to use an inline fragment on )?"[^"]*"(?:,? (?:or )?"[^"]*")*\?/g;

/** Removes suggestions, because they would reveal names of the schema although introspection is off. */
export function withoutSuggestions(message: string): string {
  return message.replace(SUGGESTIONS, '');
}

/**
 * Returns a function that hides internal errors. Clients see only messages for users and GraphQL errors. Any other
 * error is logged, and the client gets the id of the log entry.
 */
export function maskError(log: Log, development: boolean): (error: GraphQLError) => GraphQLError {
  return (error) => {
    const masked = mask(log, error);
    const message = development ? masked.message : withoutSuggestions(masked.message);
    return message === masked.message ? masked : new GraphQLError(message, masked);
  };
}

function mask(log: Log, error: GraphQLError): GraphQLError {
  const original = error.originalError as
    | (Error & DatabaseError & { extensions?: Record<string, unknown> })
    | null
    | undefined;
  if (!original || original instanceof GraphQLError) return withVariable(error) ?? error;
  if (original instanceof AnswerTooLarge) return rephrase(error, original.message, { code: original.code });
  const known = fromLibraries.find(([beginning]) => original.message.startsWith(beginning));
  const explanation = known?.[1] ?? explain(original);
  if (explanation) {
    const { message, ...extensions } = explanation;
    return rephrase(error, message, extensions);
  }
  if (isSafeError(original)) return rephrase(error, original.message, original.extensions ?? {});
  const id = randomToken(6);
  log.error('a GraphQL request failed', { requestId: id, error: original, stack: original.stack });
  return rephrase(error, `Something went wrong on the server. The error is logged as ${id}.`, { code: 'INTERNAL', id });
}

function rephrase(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  return new GraphQLError(message, { nodes: error.nodes ?? null, path: error.path ?? null, extensions });
}
