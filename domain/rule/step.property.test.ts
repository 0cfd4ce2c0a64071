import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EvaluatedRule, evaluateReading } from './evaluate-reading.ts';
import { advance, dueAt, type Phase, type Position, type Transition, type TransitionReason } from './step.ts';

interface Reading {
  time: number;
  position: Position;
}

interface Alarm {
  since: number;
  openedAt: number;
  resolvedAt: number | undefined;
}

const END = 150;
const isOut = (position: Position | undefined) => position === 'below' || position === 'above' || position === 'alarm';
const isInside = (position: Position | undefined) => position === 'inside';

/**
 * A slow reference model. It records the position of the value for every second. At each second, it looks back to see
 * how long the value has kept this position. The model has no phases; its only state is whether an alarm is open.
 */
function model(arrivals: readonly Reading[], hold: number): Alarm[] {
  let newest = -1;
  const taken = arrivals.filter(({ time }) => {
    const newer = time > newest;
    if (newer) newest = time;
    return newer;
  });
  const stood = (second: number) => taken.findLast(({ time }) => time <= second)?.position;
  const secondsBefore = (second: number, holds: (position: Position | undefined) => boolean) => {
    let count = 0;
    while (second - count > 0 && holds(stood(second - count - 1))) count += 1;
    return count;
  };
  const reached = (second: number, holds: (position: Position | undefined) => boolean) =>
    hold === 0 ? holds(stood(second)) : secondsBefore(second, holds) >= hold;

  const alarms: Alarm[] = [];
  let open: Alarm | undefined;
  for (let second = 0; second <= END; second += 1) {
    if (open && reached(second, isInside)) {
      open.resolvedAt = second;
      open = undefined;
    } else if (!open && reached(second, isOut)) {
      open = { since: second - hold, openedAt: second, resolvedAt: undefined };
      alarms.push(open);
    }
  }
  return alarms;
}

/** Events: a reading arrives, time passes, the server restarts, or the debounce changes. */
type Event = { reading: Reading } | { clock: number } | { restart: true } | { debounce: number };

function run(events: readonly Event[], seconds: number): { transitions: Transition[]; evaluated: EvaluatedRule } {
  let evaluated: EvaluatedRule = { state: undefined, last: undefined };
  const transitions: Transition[] = [];
  let hold = seconds;
  for (const event of events) {
    if ('debounce' in event) {
      hold = event.debounce;
      continue;
    }
    if ('restart' in event) {
      evaluated = JSON.parse(JSON.stringify(evaluated));
      continue;
    }
    const after =
      'clock' in event
        ? advance(evaluated.state, hold, event.clock)
        : evaluateReading(evaluated, hold, event.reading.time, event.reading.position);
    if ('taken' in after && after.taken && 'reading' in event) evaluated.last = event.reading.time;
    evaluated.state = after.state;
    transitions.push(...after.transitions);
  }
  return { transitions, evaluated };
}

function alarmsOf(transitions: readonly Transition[], hold: number): Alarm[] {
  const alarms: Alarm[] = [];
  for (const { from, to, at } of transitions) {
    if (to === 'open' && from !== 'clearing') alarms.push({ since: at - hold, openedAt: at, resolvedAt: undefined });
    const current = alarms.at(-1);
    if (to === 'normal' && from !== 'pending' && current) current.resolvedAt = at;
  }
  return alarms;
}

const position = fc.constantFrom<Position>('inside', 'inside', 'between', 'below', 'above', 'alarm');
const hold = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 }));

/** Readings that are mostly a few seconds apart. Some follow a gap, repeat a time, or have an earlier time. */
const arrivals = fc
  .array(
    fc.record({
      by: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 6 }) },
        { weight: 2, arbitrary: fc.integer({ min: 7, max: 50 }) },
        { weight: 1, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -30, max: -1 }) },
      ),
      position,
    }),
    { maxLength: 40 },
  )
  .map((moves) => {
    let time = 0;
    return moves.map(({ by, position: at }) => {
      time = Math.max(0, time + by);
      return { time, position: at };
    });
  })
  .map((readings) => readings.filter(({ time }) => time <= END));

const ending: Event = { clock: END };
const readingsOf = (readings: readonly Reading[]): Event[] => readings.map((reading) => ({ reading }));

/** Returns the same readings, with clock ticks and restarts at random times in between. */
function interrupted(readings: readonly Reading[], shares: readonly number[]): Event[] {
  let newest = 0;
  return readings.flatMap((reading, index): Event[] => {
    const share = shares[index % shares.length] ?? 0;
    const until = Math.max(newest, reading.time);
    const clock = Math.floor(newest + (until - newest) * share);
    newest = until;
    return [{ clock }, ...(share > 0.5 ? [{ restart: true } as const] : []), { clock }, { reading }];
  });
}

const legal: Record<string, TransitionReason[]> = {
  'normal-pending': ['below-lower', 'above-upper', 'alarm-state'],
  'normal-open': ['below-lower', 'above-upper', 'alarm-state'],
  'pending-open': ['stayed-out'],
  'pending-normal': ['back-before-debounce'],
  'open-clearing': ['back-inside'],
  'open-normal': ['back-inside'],
  'clearing-open': ['out-again', 'left-clear-limits'],
  'clearing-normal': ['stayed-inside'],
};

function expectSound(transitions: readonly Transition[]) {
  let phase: Phase = 'normal';
  for (const { from, to, because } of transitions) {
    expect(from).toBe(phase);
    expect(legal[`${from}-${to}`]).toContain(because);
    phase = to;
  }
}

describe('the state machine against a slow model', () => {
  test('opens and resolves the same alarms at the same moments', () => {
    let alarms = 0;
    fc.assert(
      fc.property(arrivals, hold, (readings, seconds) => {
        const { transitions } = run([...readingsOf(readings), ending], seconds);
        expectSound(transitions);
        expect(transitions.map(({ at }) => at)).toEqual(transitions.map(({ at }) => at).toSorted((a, b) => a - b));
        const expected = model(readings, seconds);
        alarms += expected.length;
        expect(alarmsOf(transitions, seconds)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
    expect(alarms).toBeGreaterThan(1000);
  });

  test('produces the same transitions with clock ticks and restarts in between', () => {
    fc.assert(
      fc.property(
        arrivals,
        hold,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 10 }),
        (readings, seconds, shares) => {
          const plain = run([...readingsOf(readings), ending], seconds);
          const watched = run([...interrupted(readings, shares), ending], seconds);
          expect(watched).toEqual(plain);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('ignores a reading that is not newer than the last one', () => {
    fc.assert(
      fc.property(arrivals, hold, fc.array(fc.nat(200), { minLength: 1 }), position, (readings, seconds, picks, at) => {
        const events = readingsOf(readings);
        const plain = run(events, seconds);
        if (plain.evaluated.last === undefined) return;
        const old = picks.map((pick) => ({ time: pick % ((plain.evaluated.last as number) + 1), position: at }));
        expect(run([...events, ...readingsOf(old)], seconds)).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });

  test('opens and resolves alternately, and never resolves before the opening, for any clock and readings', () => {
    const disturbance = fc.oneof(fc.record({ clock: fc.nat(END) }), fc.record({ debounce: hold }));
    fc.assert(
      fc.property(
        arrivals,
        hold,
        fc.array(fc.tuple(fc.nat(9), disturbance), { minLength: 4, maxLength: 20 }),
        (readings, seconds, others) => {
          const events = readings.flatMap((reading, index): Event[] => [
            { reading },
            ...others.filter(([at]) => at === index).map(([, event]) => event),
          ]);
          const { transitions } = run([...events, ending], seconds);
          expectSound(transitions);
          for (const { openedAt, resolvedAt } of alarmsOf(transitions, 0)) {
            if (resolvedAt !== undefined) expect(resolvedAt).toBeGreaterThanOrEqual(openedAt);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('changes exactly at the time of dueAt', () => {
    fc.assert(
      fc.property(arrivals, hold, (readings, seconds) => {
        const { state } = run(readingsOf(readings), seconds).evaluated;
        const due = dueAt(state, seconds);
        if (due === undefined) {
          expect(advance(state, seconds, 1e15)).toEqual({ state, transitions: [] });
          return;
        }
        expect(advance(state, seconds, due - 1).transitions).toEqual([]);
        expect(advance(state, seconds, due).transitions).toMatchObject([{ at: due }]);
      }),
      { numRuns: 500 },
    );
  });
});
