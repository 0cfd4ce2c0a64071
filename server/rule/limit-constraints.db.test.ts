/**
 * Checks that the table constraints on limits match domain/rule/limit-refusals.ts, because only the constraints apply
 * to writes that bypass the API.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  LARGEST_LIMIT,
  type LimitRefusalCode,
  LONGEST_DEBOUNCE,
  limitRefusals,
  type RuleLimits,
} from '../../domain/rule/limit-refusals.ts';
import { openTestDatabase } from '../../test/harness/database/database.ts';
import type { Database } from '../platform/database.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());

const constraints: Readonly<Record<LimitRefusalCode, string>> = {
  'no-limit': 'rule_limits_check',
  'limit-too-large': 'rule_limits_finite_check',
  'limit-order': 'rule_limits_order_check',
  'clear-lower': 'rule_clear_lower_check',
  'clear-upper': 'rule_clear_upper_check',
  'clear-order': 'rule_clear_order_check',
  debounce: 'rule_debounce_check',
};

/** Returns the names of the constraints that each rule violates. */
async function violationsOf(rules: readonly RuleLimits[]): Promise<string[][]> {
  return db.migration(async (tx) => {
    const { rows: checks } = await tx.query<{ name: string; expression: string }>(
      `select conname as name, pg_get_expr(conbin, conrelid) as expression from pg_constraint
       where conrelid = 'tocsin.rule'::regclass and conname = any ($1)`,
      [Object.values(constraints)],
    );
    expect(checks).toHaveLength(Object.keys(constraints).length);
    const violated = checks.map(({ name, expression }) => `case when (${expression}) is false then '${name}' end`);
    const { rows } = await tx.query<{ violated: string[] }>(
      `select to_json(array_remove(array[${violated.join(', ')}], null)) as violated
       from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[], $5::integer[]) with ordinality
         as rule (value_lower, value_upper, clear_lower, clear_upper, debounce, place) order by place`,
      [
        ...(['lower', 'upper', 'clearLower', 'clearUpper'] as const).map((field) => rules.map((rule) => rule[field])),
        rules.map(({ debounce }) => debounce),
      ],
    );
    return rows.map(({ violated: names }) => names);
  });
}

const limit = fc.option(
  fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: -3, max: 3 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...[LARGEST_LIMIT, -LARGEST_LIMIT, LARGEST_LIMIT * 1.01, -LARGEST_LIMIT * 1.01, Infinity, -Infinity, NaN],
      ),
    },
  ),
);
const debounce = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 1, LONGEST_DEBOUNCE, LONGEST_DEBOUNCE + 1) },
);
const rule: fc.Arbitrary<RuleLimits> = fc.record({
  lower: limit,
  upper: limit,
  clearLower: limit,
  clearUpper: limit,
  debounce,
});

test('the database refuses exactly the limits and debounces that the domain refuses', async () => {
  const rules = fc.sample(rule, 3000);
  const violations = await violationsOf(rules);
  for (const [index, values] of rules.entries()) {
    const refusals = limitRefusals(values);
    const violated = violations[index] ?? [];
    expect(violated.length > 0, JSON.stringify(values)).toBe(refusals.length > 0);
    // The size of clear limits has no constraint, because the limits already restrict it.
    if (refusals.some(({ code }) => code === 'limit-too-large')) continue;
    const codes = refusals.map(({ code }) => constraints[code]);
    expect(violated, JSON.stringify(values)).toEqual(expect.arrayContaining(codes));
  }
});

test('the largest debounce and limit of the domain are the largest that the database stores', async () => {
  const fine = { lower: null, upper: LARGEST_LIMIT, clearLower: null, clearUpper: null, debounce: LONGEST_DEBOUNCE };
  expect(
    await violationsOf([
      fine,
      { ...fine, debounce: LONGEST_DEBOUNCE + 1 },
      { ...fine, upper: LARGEST_LIMIT * (1 + Number.EPSILON) },
    ]),
  ).toEqual([[], ['rule_debounce_check'], ['rule_limits_finite_check']]);
});
