import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RotaLayer } from '../on-call/rota.ts';
import { type EscalationPlan, escalationAfter, opened, withSteps } from './escalation.ts';
import {
  nextPosition,
  type PlanPosition,
  type PlanStep,
  rehearse,
  resolveStep,
  roundsFrom,
  roundText,
} from './plan.ts';

const MINUTE = 60_000;
const RUNS = { numRuns: 1000 };
const start = Date.parse('2026-11-12T14:32:00Z');

const step: fc.Arbitrary<PlanStep> = fc.record({
  waitMinutes: fc.integer({ min: 1, max: 60 }),
  repeats: fc.integer({ min: 0, max: 4 }),
  everyMinutes: fc.integer({ min: 1, max: 30 }),
  people: fc.uniqueArray(fc.constantFrom('ann', 'ben', 'cem'), { minLength: 1, maxLength: 3 }),
  layers: fc.constant([]),
});
const steps = fc
  .array(step, { minLength: 1, maxLength: 6 })
  .map(([first, ...more]) => [{ ...(first as PlanStep), waitMinutes: 0 }, ...more]);

/** The manual model: each step starts its wait after the one before, and repeats until the next one starts. */
function modelOf(plan: readonly PlanStep[]): string[] {
  const rounds: string[] = [];
  let began = 0;
  plan.forEach(({ waitMinutes, repeats, everyMinutes }, index) => {
    began += waitMinutes;
    const ends = began + (plan[index + 1]?.waitMinutes ?? Number.POSITIVE_INFINITY);
    for (let repeat = 0; repeat <= repeats; repeat += 1) {
      const at = began + repeat * everyMinutes;
      if (at < ends) rounds.push(`${at} ${index + 1}.${repeat}`);
    }
  });
  return rounds;
}

const nameOf = ({ step, repeat }: PlanPosition) => `${step}.${repeat}`;

describe('a plan', () => {
  test('is rehearsed with the due times of its steps and repeats', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        const rounds = rehearse(plan, new Map(), start);
        const found = rounds.map(({ at, position }) => `${(at - start) / MINUTE} ${nameOf(position)}`);
        expect(found).toEqual(modelOf(plan));
      }),
      RUNS,
    );
  });

  test('runs each step and repeat once, at its time, until somebody acknowledges', () => {
    fc.assert(
      fc.property(
        steps,
        fc.nat({ max: 400 }),
        fc.uniqueArray(fc.nat({ max: 400 })),
        (list, acknowledgedAt, restarts) => {
          const stored: EscalationPlan = withSteps({ afterMinutes: 15, everyMinutes: 15, times: 3, people: [] }, list);
          let position = opened;
          let due = escalationAfter(stored, start, position);
          const found = ['0 1.0'];
          for (let minute = 1; minute < acknowledgedAt && due !== undefined; minute += 1) {
            const now = start + minute * MINUTE;
            // After a restart, the engine has only what is stored.
            const plan = restarts.includes(minute) ? (JSON.parse(JSON.stringify(stored)) as EscalationPlan) : stored;
            if (now < due) continue;
            const next = nextPosition(plan.steps ?? [], position);
            if (!next) break;
            [position, due] = [next.position, escalationAfter(plan, now, next.position)];
            found.push(`${minute} ${nameOf(position)}`);
          }
          const expected = modelOf(list).filter(
            (round, index) => index === 0 || Number.parseInt(round, 10) < acknowledgedAt,
          );
          expect(found).toEqual(expected);
        },
      ),
      RUNS,
    );
  });

  test('keeps the whole wait after a quiet period, and repeats no round', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 20 }), fc.integer({ min: 1, max: 10_000 }), (list, rounds, quiet) => {
        const plan = withSteps({ afterMinutes: 15, everyMinutes: 15, times: 3, people: [] }, list);
        let position = opened;
        for (let round = 0; round < rounds; round += 1) position = nextPosition(list, position)?.position ?? position;
        const next = nextPosition(list, position);
        const resumed = escalationAfter(plan, start + quiet * MINUTE, position);
        expect(resumed).toBe(next && start + quiet * MINUTE + next.wait);
        if (next) expect(nameOf(next.position)).not.toBe(nameOf(position));
      }),
      RUNS,
    );
  });

  test('says as many escalations as it has rounds after the opening', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const plan = withSteps({ afterMinutes: 15, everyMinutes: 15, times: 3, people: [] }, list);
        expect(plan.times).toBe(modelOf(list).length - 1);
      }),
      RUNS,
    );
  });
});

describe('a step with a rota', () => {
  const layer = (isActive: boolean): RotaLayer => ({
    ...{ uuid: 'layer', name: 'Primary', people: [{ uuid: 'owen', name: 'Owen', isActive }], turnHours: 24 },
    ...{ firstDay: '2026-01-05', handoverTime: '08:00', timeZone: 'UTC', hours: [], overrides: [] },
  });
  const pumps = { uuid: 'layer', name: 'Pump stations, Primary' };
  const rota: PlanStep = { waitMinutes: 10, repeats: 2, everyMinutes: 3, people: [], layers: [pumps] };
  const boss: PlanStep = { ...rota, people: ['boss'], layers: [] };

  test('notifies a person who is named and on call once', () => {
    const known = new Map([['layer', layer(true)]]);
    expect(resolveStep({ people: ['owen'], layers: [pumps] }, known, start)).toEqual({
      people: [{ uuid: 'owen' }],
      gaps: [],
    });
  });

  test('is skipped in a gap, and the last step is not', () => {
    const resolve = (one: PlanStep) => resolveStep(one, new Map([['layer', layer(false)]]), start);
    const rounds = roundsFrom([boss, rota, rota, boss], { step: 2, repeat: 0 }, resolve);
    expect(rounds.map(({ position, isSkipped }) => [nameOf(position), isSkipped])).toEqual([
      ['2.0', true],
      ['3.0', true],
      ['4.0', false],
    ]);
    expect(roundsFrom([boss, rota], { step: 2, repeat: 1 }, resolve).map(({ isSkipped }) => isSkipped)).toEqual([
      false,
    ]);
  });

  test('has a gap if the rota was deleted', () => {
    expect(resolveStep(rota, new Map(), start)).toEqual({ people: [], gaps: ['Pump stations, Primary'] });
  });

  test.each([
    [
      { step: 2, repeat: 0 },
      [],
      false,
      [{ name: 'Owen', onCall: pumps.name }],
      'Step 2: Owen, on call for Pump stations, Primary.',
    ],
    [{ step: 2, repeat: 1 }, [], false, [{ name: 'Boss' }], 'Step 2, repeat 1 of 2: Boss.'],
    [
      { step: 2, repeat: 0 },
      [pumps.name],
      true,
      [],
      'Step 2: nobody is on call for Pump stations, Primary. Step 3 begins at once.',
    ],
    [
      { step: 2, repeat: 0 },
      [pumps.name],
      false,
      [{ name: 'Boss' }],
      'Step 2: Boss. Nobody is on call for Pump stations, Primary.',
    ],
    [{ step: 2, repeat: 0 }, [], true, [], 'Step 2: nobody: all recipients were deleted. Step 3 begins at once.'],
  ])('is told in the timeline', (position, gaps, isSkipped, people, text) => {
    expect(roundText([boss, rota, boss], { position, gaps, isSkipped }, people)).toBe(text);
  });
});
