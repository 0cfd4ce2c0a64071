import fc from 'fast-check';
import { Engine } from 'json-rules-engine';
import { expect, test } from 'vitest';
import { compileConditions } from './conditions.ts';
import { operatorNames, trueComparisons } from './conditions-tree.ts';

const facts = [1, 2, 3].map((digit) => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`);
const number = fc.integer({ min: -2, max: 2 });
const comparison = fc.oneof(
  fc.record({
    fact: fc.constantFrom(...facts),
    operator: fc.constantFrom(...operatorNames.slice(0, 6)),
    value: number,
  }),
  fc.record({
    fact: fc.constantFrom(...facts),
    operator: fc.constantFrom('in', 'notIn'),
    value: fc.array(number, { minLength: 1, maxLength: 3 }),
  }),
);
const { part } = fc.letrec<{ part: any; group: any }>((tie) => ({
  part: fc.oneof({ maxDepth: 4, depthIdentifier: 'x' }, comparison, tie('group')),
  group: fc.oneof(
    { depthIdentifier: 'x' },
    fc.record({ all: fc.array(tie('part'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('part'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('part') }),
  ),
}));

/** Returns true, false, or undefined for unknown. The negation of unknown is unknown. */
function answer(condition: any, known: Record<string, number>): boolean | undefined {
  if (condition.not) {
    const inner = answer(condition.not, known);
    return inner === undefined ? undefined : !inner;
  }
  if (condition.all || condition.any) {
    const answers = (condition.all ?? condition.any).map((entry: any) => answer(entry, known));
    const deciding = Boolean(condition.any);
    if (answers.includes(deciding)) return deciding;
    return answers.includes(undefined) ? undefined : !deciding;
  }
  const value = known[condition.fact];
  if (value === undefined) return undefined;
  switch (condition.operator) {
    case 'equal':
      return value === condition.value;
    case 'notEqual':
      return value !== condition.value;
    case 'lessThan':
      return value < condition.value;
    case 'lessThanInclusive':
      return value <= condition.value;
    case 'greaterThan':
      return value > condition.value;
    case 'greaterThanInclusive':
      return value >= condition.value;
    case 'in':
      return condition.value.includes(value);
    default:
      return !condition.value.includes(value);
  }
}

test('holds exactly when a slow three-valued reference model returns true', () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.array(fc.option(number, { nil: undefined }), { minLength: 3, maxLength: 3 }),
      (parts, readings) => {
        const known = Object.fromEntries(
          facts.flatMap((fact, index) => (readings[index] === undefined ? [] : [[fact, readings[index]]])),
        );
        const conditions = { any: parts };
        const result = compileConditions(JSON.stringify({ conditions, event: { type: 'alarm' } }));
        if (!result.ok) {
          expect(result.sentence).toMatch(/comparisons|levels deep/);
          return;
        }
        const holds = result.rule.holds((uuid) => known[uuid]);
        expect(holds).toBe(answer(conditions, known) === true);
        expect(trueComparisons(result.rule.tree, (uuid) => known[uuid]) !== undefined).toBe(holds);
      },
    ),
    { numRuns: 1000 },
  );
});

test('agrees with the json-rules-engine package if every value is known', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.array(number, { minLength: 3, maxLength: 3 }),
      async (parts, readings) => {
        const known = Object.fromEntries(facts.map((fact, index) => [fact, readings[index] as number]));
        const rule = { conditions: { all: parts }, event: { type: 'alarm' } };
        const result = compileConditions(JSON.stringify(rule));
        fc.pre(result.ok);
        const { events } = await new Engine([rule]).run(known);
        expect(result.ok && result.rule.holds((uuid) => known[uuid])).toBe(events.length === 1);
      },
    ),
    { numRuns: 300 },
  );
});
