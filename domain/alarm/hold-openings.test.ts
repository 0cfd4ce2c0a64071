import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordedStep } from '../rule/recorded-step.ts';
import { advance, type Position, type RuleState, step } from '../rule/step.ts';
import { holdOpenings, opensAlarm } from './hold-openings.ts';

interface Timed extends RuleState {
  dueAt: number | undefined;
}

const UNTIL = 1000;
const MINUTE = 60;

/** Applies readings during a window, as the evaluator does, and prevents every opening. */
function run(readings: readonly { time: number; position: Position }[], holdMs: number, start?: Timed) {
  let state: Timed | undefined = start;
  const recorded: RecordedStep[] = [];
  for (const { time, position } of readings) {
    const { state: next, transitions } = step(state, holdMs, time, position);
    const after = next && { ...next, dueAt: undefined };
    const steps = transitions.map((one): RecordedStep => ({ ...one, value: undefined }));
    const held = opensAlarm(steps) ? holdOpenings(steps, state, after, UNTIL) : { steps, after };
    recorded.push(...held.steps);
    state = held.after;
  }
  // During the maintenance window, a debounce can end without a reading.
  const { state: next, transitions } = advance(state, holdMs, UNTIL - 1);
  if (transitions.length > 0) {
    const steps = transitions.map((one): RecordedStep => ({ ...one, value: undefined }));
    const held = holdOpenings(steps, state, next && { ...next, dueAt: undefined }, UNTIL);
    recorded.push(...held.steps);
    state = held.after;
  }
  return { state, recorded };
}

test('an opening during a window leaves the rule pending until the window ends', () => {
  const { state, recorded } = run([{ time: 10, position: 'above' }], 0);
  expect(state).toMatchObject({ phase: 'pending', since: 10, openedAt: UNTIL, dueAt: UNTIL });
  expect(recorded).toMatchObject([{ from: 'normal', to: 'pending', at: 10 }]);
  const { transitions } = step(state, 0, UNTIL + 5, 'above');
  expect(transitions).toEqual([{ from: 'pending', to: 'open', at: UNTIL, because: 'stayed-out' }]);
});

test('a value that is back before the window ends opens no alarm', () => {
  const { state, recorded } = run(
    [
      { time: 10, position: 'above' },
      { time: 20, position: 'inside' },
    ],
    0,
  );
  expect(state).toBeUndefined();
  expect(recorded.map(({ from, to }) => `${from} ${to}`)).toEqual(['normal pending', 'pending normal']);
});

const positions = fc.constantFrom<Position>('inside', 'between', 'above', 'below');
const anyReadings = fc
  .uniqueArray(fc.integer({ min: 0, max: UNTIL - 1 }), { maxLength: 12 })
  .chain((times) =>
    fc.tuple(...times.toSorted((a, b) => a - b).map((time) => positions.map((position) => ({ time, position })))),
  );

test('no alarm opens during a window, and one opens at its end exactly if the value is outside for its debounce', () => {
  fc.assert(
    fc.property(anyReadings, fc.constantFrom(0, MINUTE), (readings, holdMs) => {
      const { state, recorded } = run(readings, holdMs);
      expect(opensAlarm(recorded)).toBe(false);
      for (const [index, { from }] of recorded.entries()) expect(from).toBe(recorded[index - 1]?.to ?? 'normal');
      const free = readings.reduce<RuleState | undefined>(
        (known, { time, position }) => step(known, holdMs, time, position).state,
        undefined,
      );
      const isOutside = free?.phase === 'open' || free?.phase === 'pending';
      // A value in the position `between` keeps an open alarm open, but opens no new alarm. Without an open alarm, the
      // value counts as back to normal.
      const last = readings.findLast(({ position }) => position !== 'between');
      const counts = isOutside && last?.position !== 'inside' && readings.at(-1)?.position !== 'between';
      if (counts) expect(state?.phase).toBe('pending');
      if (!isOutside) expect(state).toBeUndefined();
      const end = step(state, holdMs, UNTIL + MINUTE + 1, 'above').transitions.find(({ to }) => to === 'open');
      if (counts) expect(end?.at).toBeGreaterThanOrEqual(UNTIL);
    }),
    { numRuns: 300 },
  );
});

test('an alarm that was open before the window is kept', () => {
  const open: Timed = { phase: 'open', since: 1, openedAt: 1, dueAt: undefined };
  const steps: RecordedStep[] = [
    { from: 'open', to: 'normal', at: 5, because: 'back-inside', value: 1 },
    { from: 'normal', to: 'open', at: 6, because: 'above-upper', value: 9 },
  ];
  const held = holdOpenings(steps, open, { ...open, since: 6, openedAt: 6 }, UNTIL);
  expect(held.steps).toMatchObject([{ to: 'normal' }, { from: 'normal', to: 'pending' }]);
  expect(held.after).toMatchObject({ phase: 'pending', openedAt: UNTIL });
});
