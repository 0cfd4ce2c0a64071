import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitsOf } from './limits.ts';
import { ruleOfLimits } from './replay.ts';
import { type PastAlarm, type QuietPeriod, type Simulation, simulate } from './simulate.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const limits = limitsOf({ lower: null, upper: 8, clearLower: null, clearUpper: null });
const rule = ruleOfLimits(limits, 0);

/** Creates one reading per minute for two days. Values are outside the limits in the given [from, until) minutes. */
function store(...warm: [number, number][]): Simulation {
  const times = Array.from({ length: 2880 }, (_, minute) => minute * MINUTE);
  const values = times.map((_, minute) => (warm.some(([from, to]) => minute >= from && minute < to) ? 9 : 5));
  return {
    rule,
    times,
    values,
    from: 0,
    until: 2 * DAY,
    pastAlarms: [],
    recipients: [
      { openings: true, resolutions: false, addresses: 2 },
      { openings: true, resolutions: true, addresses: 1 },
    ],
    quietPeriods: [],
  };
}

const past = (uuid: string, opened: number, resolved: number | undefined, acknowledged = true): PastAlarm => ({
  uuid,
  openedAt: opened * MINUTE,
  resolvedAt: resolved === undefined ? undefined : resolved * MINUTE,
  acknowledged,
});

describe('a simulated draft rule', () => {
  test('counts alarms, alarms per day and messages', () => {
    const draft = store([100, 110], [1000, 1030], [2870, 2880]);
    const { alarms, alarmsPerDay, messages, chattering } = simulate(draft);
    expect(alarms.map(({ openedAt, resolvedAt }) => [openedAt / MINUTE, resolvedAt && resolvedAt / MINUTE])).toEqual([
      [100, 110],
      [1000, 1030],
      [2870, undefined],
    ]);
    expect(alarmsPerDay).toBe(1.5);
    expect(messages).toBe(3 * 3 + 2 * 1);
    expect(chattering).toBe(0);
  });

  test('opens fewer alarms with a longer debounce', () => {
    const draft = { ...store([100, 110], [1000, 1030]), rule: ruleOfLimits(limits, 20 * MINUTE) };
    expect(simulate(draft).alarms.map(({ openedAt }) => openedAt / MINUTE)).toEqual([1020]);
  });

  test('counts an alarm within ten minutes of the previous one as chattering', () => {
    expect(simulate(store([100, 110], [120, 121], [132, 133])).chattering).toBe(1);
    expect(simulate(store([100, 101], [103, 104], [106, 107], [109, 110])).chattering).toBe(3);
  });

  test('uses readings before the range only for the initial state', () => {
    const draft = { ...store([100, 300], [305, 306]), from: 200 * MINUTE };
    const { alarms, alarmsPerDay, messages, chattering, missed } = simulate({
      ...draft,
      pastAlarms: [past('still-open', 150, 250), past('over', 100, 199)],
    });
    expect(alarms.map(({ openedAt }) => openedAt / MINUTE)).toEqual([305]);
    expect(alarmsPerDay).toBeCloseTo(1440 / 2680, 9);
    // One alarm opened in the range, and two alarms were resolved in it.
    expect(messages).toBe(3 + 2);
    expect(chattering).toBe(1);
    expect(missed).toEqual([]);
  });

  test('lists acknowledged past alarms that it would have missed', () => {
    const pastAlarms = [
      past('caught', 95, 105),
      past('touched', 90, 100),
      past('missed', 200, 210),
      past('nobody-cared', 300, 310, false),
      past('missed-and-open', 500, undefined),
      past('after-the-end', 3000, 3100),
    ];
    expect(simulate({ ...store([100, 110]), pastAlarms }).missed).toEqual(['missed', 'missed-and-open']);
    expect(simulate({ ...store([100, 110], [2000, 2001]), pastAlarms }).missed).toEqual(['missed']);
  });

  describe('in a quiet period', () => {
    const period = (from: number, until: number, suppressesAlarms = false): QuietPeriod => ({
      ...{ from: from * MINUTE, until: until * MINUTE, suppressesAlarms },
    });
    const counted = (warm: [number, number], ...quietPeriods: QuietPeriod[]) => {
      const { alarms, messages } = simulate({ ...store(warm), quietPeriods });
      return { opened: alarms.map(({ openedAt }) => openedAt / MINUTE), messages };
    };

    test.each([
      ['notifies nobody of an alarm that opens and resolves in it', [100, 110], [period(90, 120)], 0],
      ['notifies people when it ends, and of the resolution after it', [100, 130], [period(90, 120)], 3 + 1],
      ['notifies of the opening before it, and not of the resolution in it', [100, 130], [period(110, 140)], 3],
      ['notifies again when it ends during the alarm', [100, 130], [period(110, 120)], 3 + 3 + 1],
      ['notifies once after periods that overlap or follow', [100, 200], [period(90, 120), period(120, 150)], 3 + 1],
      ['notifies nobody while it has not ended', [100, 200], [period(90, Number.POSITIVE_INFINITY)], 0],
      ['does not concern alarms before and after it', [100, 110], [period(50, 100), period(111, 120)], 3 + 1],
    ] as [string, [number, number], QuietPeriod[], number][])('%s', (_, warm, periods, messages) => {
      expect(counted(warm, ...periods)).toEqual({ opened: [100], messages });
    });

    test('opens an alarm only at its end if it suppresses alarms', () => {
      expect(counted([100, 130], period(90, 120, true))).toEqual({ opened: [120], messages: 3 + 1 });
      expect(counted([100, 130], period(90, 131, true))).toEqual({ opened: [], messages: 0 });
      expect(counted([100, 130], period(101, 120, true))).toEqual({ opened: [100], messages: 3 + 3 + 1 });
      expect(counted([100, 130], period(90, 110, true), period(105, 125))).toEqual({ opened: [110], messages: 3 + 1 });
    });

    test('holds back an alarm whose debounce ends in it', () => {
      const draft = { ...store([100, 150]), rule: ruleOfLimits(limits, 10 * MINUTE), quietPeriods: [] };
      const opened = (...quietPeriods: QuietPeriod[]) =>
        simulate({ ...draft, quietPeriods }).alarms.map(({ openedAt }) => openedAt / MINUTE);
      expect(opened()).toEqual([110]);
      expect(opened(period(105, 130, true))).toEqual([130]);
      expect(opened(period(90, 105, true))).toEqual([110]);
      expect(opened(period(105, 160, true))).toEqual([]);
    });
  });

  test('has no rate for an empty range', () => {
    expect(simulate({ ...store(), from: 0, until: 0 }).alarmsPerDay).toBe(0);
  });

  test('misses exactly the past alarms that no simulated alarm overlaps', () => {
    const span = fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), fc.array(span, { maxLength: 12 }), (warm, acknowledged) => {
        const draft = store(...warm.map(([at, length]): [number, number] => [at, at + length]));
        const pastAlarms = acknowledged.map(([at, length], index) => past(String(index), at, at + length));
        const { alarms, missed } = simulate({ ...draft, pastAlarms });
        const expected = pastAlarms.filter(
          ({ openedAt, resolvedAt }) =>
            !alarms.some((alarm) => alarm.openedAt <= resolvedAt! && (alarm.resolvedAt ?? draft.until) >= openedAt),
        );
        expect(missed).toEqual(expected.map(({ uuid }) => uuid));
      }),
      { numRuns: 200 },
    );
  });

  test('evaluates ninety days of minute readings quickly', () => {
    const times = Float64Array.from({ length: 129_600 }, (_, minute) => minute * MINUTE);
    const values = times.map((time) => 5 + 4 * Math.sin(time / (200 * MINUTE)));
    const took = [1, 2, 3].map(() => {
      const began = performance.now();
      const { alarms } = simulate({ ...store(), times, values, until: 90 * DAY });
      expect(alarms.length).toBeGreaterThan(50);
      return performance.now() - began;
    });
    expect(Math.min(...took)).toBeLessThan(300);
  });
});
