import { describe, expect, test } from 'vitest';
import { type EvaluatedRule, evaluateReading } from './evaluate-reading.ts';
import { limitsOf, placeState, placeValue } from './limits.ts';
import { advance, dueAt, type Position, step, type Transition } from './step.ts';

type Event = { at: number; value: number } | { clock: number };

/** Evaluates the events and returns the transitions as text. Times and debounce are in seconds. */
function play(debounce: number, events: Event[], place: (value: number) => Position): string[] {
  const evaluated: EvaluatedRule = { state: undefined, last: undefined };
  const transitions: Transition[] = [];
  for (const event of events) {
    if ('clock' in event) {
      const after = advance(evaluated.state, debounce * 1000, event.clock * 1000);
      evaluated.state = after.state;
      transitions.push(...after.transitions);
      continue;
    }
    const after = evaluateReading(evaluated, debounce * 1000, event.at * 1000, place(event.value));
    evaluated.state = after.state;
    if (after.taken) evaluated.last = event.at * 1000;
    transitions.push(...after.transitions);
  }
  return transitions.map(({ from, to, at, because }) => `${at / 1000} ${from} → ${to}: ${because}`);
}

const plain = limitsOf({ lower: 2, upper: 8, clearLower: null, clearUpper: null });
const hysteresis = limitsOf({ lower: 2, upper: 8, clearLower: 3, clearUpper: 7 });
const inPlain = (debounce: number, ...events: Event[]) => play(debounce, events, (value) => placeValue(plain, value));
const inHysteresis = (debounce: number, ...events: Event[]) =>
  play(debounce, events, (value) => placeValue(hysteresis, value));
const reading = (at: number, value: number): Event => ({ at, value });
const clock = (at: number): Event => ({ clock: at });

describe('opening', () => {
  test('stays normal for values inside', () => {
    expect(inPlain(60, reading(0, 5), reading(30, 2), reading(60, 8), clock(900))).toEqual([]);
  });

  test('stays normal for a brief spike', () => {
    expect(inPlain(60, reading(0, 5), reading(10, 9), reading(69, 5), clock(900))).toEqual([
      '10 normal → pending: above-upper',
      '69 pending → normal: back-before-debounce',
    ]);
  });

  test('does not add up two spikes', () => {
    const told = inPlain(60, reading(0, 9), reading(50, 5), reading(51, 9), reading(110, 5), clock(900));
    expect(told.filter((line) => line.includes('open'))).toEqual([]);
  });

  test('opens at the end of the debounce in device time, whenever the next reading arrives', () => {
    const opened = '70 pending → open: stayed-out';
    expect(inPlain(60, reading(10, 9), reading(40, 9), reading(70, 9))).toContain(opened);
    expect(inPlain(60, reading(10, 9), reading(500, 9))).toContain(opened);
    expect(inPlain(60, reading(10, 9), clock(3600))).toContain(opened);
  });

  test('opens on time if the sensor falls silent while outside', () => {
    expect(inPlain(60, reading(10, 1), clock(69), clock(70), clock(71))).toEqual([
      '10 normal → pending: below-lower',
      '70 pending → open: stayed-out',
    ]);
  });

  test('opens if outside for exactly the debounce', () => {
    expect(inPlain(60, reading(10, 9), reading(70, 5))).toEqual([
      '10 normal → pending: above-upper',
      '70 pending → open: stayed-out',
      '70 open → clearing: back-inside',
    ]);
  });

  test('stays outside when the value jumps from below to above', () => {
    expect(inPlain(60, reading(0, 1), reading(30, 9), clock(60))).toEqual([
      '0 normal → pending: below-lower',
      '60 pending → open: stayed-out',
    ]);
  });

  test('opens and resolves at once without a debounce', () => {
    expect(inPlain(0, reading(10, 9), reading(11, 9), reading(12, 5), reading(13, 1))).toEqual([
      '10 normal → open: above-upper',
      '12 open → normal: back-inside',
      '13 normal → open: below-lower',
    ]);
  });
});

describe('resolving', () => {
  const open = [reading(0, 9), clock(60)];
  const sinceOpen = (...events: Event[]) => inPlain(60, ...open, ...events).slice(2);

  test('resolves after the debounce inside, with or without another reading', () => {
    const told = ['100 open → clearing: back-inside', '160 clearing → normal: stayed-inside'];
    expect(sinceOpen(reading(100, 5), clock(160))).toEqual(told);
    expect(sinceOpen(reading(100, 5), reading(130, 6), reading(400, 5))).toEqual(told);
  });

  test('keeps the alarm open if outside again before that', () => {
    expect(sinceOpen(reading(100, 5), reading(159, 9), reading(200, 5), clock(260))).toEqual([
      '100 open → clearing: back-inside',
      '159 clearing → open: out-again',
      '200 open → clearing: back-inside',
      '260 clearing → normal: stayed-inside',
    ]);
  });

  test('starts a new alarm if outside at the moment of the resolution', () => {
    expect(sinceOpen(reading(100, 5), reading(160, 1))).toEqual([
      '100 open → clearing: back-inside',
      '160 clearing → normal: stayed-inside',
      '160 normal → pending: below-lower',
    ]);
  });

  test('returns all transitions of a gap in order', () => {
    expect(inPlain(60, reading(0, 9), reading(1000, 5), reading(5000, 1), clock(9000))).toEqual([
      '0 normal → pending: above-upper',
      '60 pending → open: stayed-out',
      '1000 open → clearing: back-inside',
      '1060 clearing → normal: stayed-inside',
      '5000 normal → pending: below-lower',
      '5060 pending → open: stayed-out',
    ]);
  });

  test('keeps an open alarm without readings open', () => {
    expect(sinceOpen(clock(1_000_000))).toEqual([]);
  });
});

describe('clear limits', () => {
  test('open no alarm for a value between the limits and the clear limits', () => {
    expect(inHysteresis(0, reading(0, 7.5), reading(1, 2.5))).toEqual([]);
  });

  test('keep an alarm open for a value between the limits and the clear limits', () => {
    expect(inHysteresis(0, reading(0, 9), reading(10, 7.5), reading(20, 2.5), reading(30, 7))).toEqual([
      '0 normal → open: above-upper',
      '30 open → normal: back-inside',
    ]);
  });

  test('open one alarm for a value that hovers at its limit', () => {
    const hovering = Array.from({ length: 100 }, (_, index) => reading(index * 10, index % 2 === 0 ? 8.1 : 7.9));
    expect(inHysteresis(0, ...hovering)).toHaveLength(1);
    expect(inPlain(0, ...hovering)).toHaveLength(100);
  });

  test('end a pending alarm inside the limits, even outside the clear limits', () => {
    expect(inHysteresis(60, reading(0, 9), reading(30, 7.5), clock(900))).toEqual([
      '0 normal → pending: above-upper',
      '30 pending → normal: back-before-debounce',
    ]);
  });

  test('restart the debounce if the value leaves the clear limits', () => {
    expect(inHysteresis(60, reading(0, 9), reading(100, 5), reading(130, 7.5), reading(140, 5), clock(900))).toEqual([
      '0 normal → pending: above-upper',
      '60 pending → open: stayed-out',
      '100 open → clearing: back-inside',
      '130 clearing → open: left-clear-limits',
      '140 open → clearing: back-inside',
      '200 clearing → normal: stayed-inside',
    ]);
  });
});

describe('late and repeated readings', () => {
  test('ignores a late reading', () => {
    expect(inPlain(0, reading(100, 5), reading(50, 9))).toEqual([]);
    expect(inPlain(0, reading(100, 9), reading(50, 5))).toEqual(['100 normal → open: above-upper']);
  });

  test('uses the first of two readings with the same time', () => {
    expect(inPlain(0, reading(100, 5), reading(100, 9))).toEqual([]);
    expect(inPlain(0, reading(100, 9), reading(100, 5))).toEqual(['100 normal → open: above-upper']);
  });

  test('ignores a repeated batch', () => {
    const batch = [reading(0, 9), reading(60, 9), reading(120, 5), reading(180, 5)];
    expect(inPlain(60, ...batch, ...batch)).toEqual(inPlain(60, ...batch));
  });

  test('accepts a device clock again once it has caught up after going back', () => {
    expect(inPlain(0, reading(1000, 5), reading(400, 9), reading(1000, 9), reading(1001, 9))).toEqual([
      '1001 normal → open: above-upper',
    ]);
  });

  test('resolves an alarm that the clock opened, when buffered readings arrive', () => {
    // The logger was offline from second 10 to second 500. Its buffer shows that the value was back inside at second
    // 20.
    expect(inPlain(60, reading(10, 9), clock(500), reading(20, 5), reading(30, 5), reading(490, 5))).toEqual([
      '10 normal → pending: above-upper',
      '70 pending → open: stayed-out',
      '20 open → clearing: back-inside',
      '80 clearing → normal: stayed-inside',
    ]);
  });
});

test('evaluates a digital channel', () => {
  const told = play(0, [reading(0, 0), reading(1, 1), reading(2, 1), reading(3, 0)], (value) => placeState(1, value));
  expect(told).toEqual(['1 normal → open: alarm-state', '3 open → normal: back-inside']);
});

test('returns the due time only while a debounce runs', () => {
  expect(dueAt(undefined, 60)).toBeUndefined();
  expect(dueAt({ phase: 'pending', since: 100, openedAt: 100 }, 60)).toBe(160);
  expect(dueAt({ phase: 'open', since: 100, openedAt: 160 }, 60)).toBeUndefined();
  expect(dueAt({ phase: 'clearing', since: 200, openedAt: 160 }, 60)).toBe(260);
});

test('keeps the opening time of an alarm that clears and goes outside again', () => {
  let evaluated: EvaluatedRule = { state: undefined, last: undefined };
  for (const [at, position] of [
    [0, 'above'],
    [100, 'inside'],
    [110, 'above'],
    [120, 'inside'],
  ] as const) {
    evaluated = { state: evaluateReading(evaluated, 60, at, position).state, last: at };
  }
  expect(evaluated.state).toEqual({ phase: 'clearing', since: 120, openedAt: 60 });
});

test('never resolves before the opening, even if the debounce is removed and older readings arrive', () => {
  const open = { phase: 'open', since: 10, openedAt: 70 } as const;
  expect(step(open, 0, 20, 'inside').transitions).toMatchObject([{ to: 'normal', at: 70 }]);
  const clearing = { phase: 'clearing', since: 20, openedAt: 70 } as const;
  expect(advance(clearing, 0, 500).transitions).toMatchObject([{ to: 'normal', at: 70 }]);
  expect(step(clearing, 0, 30, 'above').transitions).toMatchObject([
    { to: 'normal', at: 70 },
    { to: 'open', at: 30 },
  ]);
});

test('counts a shortened debounce from when the value went outside', () => {
  const pending = { phase: 'pending', since: 0, openedAt: 0 } as const;
  expect(advance(pending, 10_000, 30_000).transitions).toMatchObject([{ to: 'open', at: 10_000 }]);
  expect(advance(pending, 0, 30_000).transitions).toMatchObject([{ to: 'open', at: 0 }]);
});
