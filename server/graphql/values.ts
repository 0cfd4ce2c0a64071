import { Kind, type ValueNode } from 'postgraphile/graphql';
import { limits, TooMuch } from './limit/limits.ts';

/** Checks the variables of a request. Limits their depth, because filters are later parsed recursively. */
export function checkVariables(variables: Readonly<Record<string, unknown>>): void {
  checkValue(variables, '', 0, { values: 0 });
}

function checkValue(value: unknown, name: string, depth: number, tally: { values: number }): void {
  tally.values += 1;
  if (tally.values > limits.values)
    throw new TooMuch(
      'TOO_MANY_VALUES',
      `A request may contain at most ${limits.values} values. Send several requests.`,
    );
  if (typeof value === 'string') checkText(value, name);
  if (typeof value !== 'object' || value === null) return;
  checkDepth(depth);
  for (const [key, inner] of Object.entries(value)) {
    checkValue(inner, Array.isArray(value) ? name : key, depth + 1, tally);
  }
}

/** Checks a literal in the query text. The token limit already limits the number of values. */
export function checkLiteral(value: ValueNode, name: string, depth: number): void {
  if (value.kind === Kind.STRING) checkText(value.value, name);
  if (value.kind !== Kind.LIST && value.kind !== Kind.OBJECT) return;
  checkDepth(depth);
  if (value.kind === Kind.LIST) for (const inner of value.values) checkLiteral(inner, name, depth + 1);
  else for (const field of value.fields) checkLiteral(field.value, field.name.value, depth + 1);
}

/**
 * Refuses text with the NUL character. PostgreSQL cannot store it, and PostgreSQL's error would not identify the field.
 */
function checkText(text: string, name: string): void {
  if (text.includes('\0'))
    throw new TooMuch('BAD_USER_INPUT', 'Text cannot contain the character NUL (U+0000). Remove it.', name);
}

function checkDepth(depth: number): void {
  if (depth > limits.valueDepth)
    throw new TooMuch(
      'VALUES_TOO_DEEP',
      `Values may be nested at most ${limits.valueDepth} levels deep. Use fewer levels.`,
    );
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** Returns the parts of a literal that affect the cost: integers, null and the length of lists. */
export function literal(value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.NULL) return null;
  if (value.kind === Kind.LIST) return value.values.map(literal);
  return value.kind;
}
