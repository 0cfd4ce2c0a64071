import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitRefusals, type RuleLimits } from '../limit-refusals.ts';
import { limitsOf } from '../limits.ts';
import { replay, ruleOfLimits } from '../replay.ts';
import { type AdviceInput, advise } from './advise.ts';
import { type AlarmClass, FEWEST_NUISANCE, type PastAlarm } from './past-alarm.ts';
import { positionsOf, runsOf } from './runs.ts';
import { longestDebounce } from './settings.ts';

const SECOND = 1000;
const classes = ['nuisance', 'real', 'unknown'] as const;

function settings(values: Partial<RuleLimits> = {}): RuleLimits {
  return { lower: null, upper: 7, clearLower: null, clearUpper: null, debounce: 5, ...values };
}

/**
 * Creates a reading every five seconds. Each period in `outside` is above the limit; its start and length are in
 * seconds.
 */
function vibration(hours: number, ...outside: [at: number, seconds: number, value: number][]) {
  const times = Array.from({ length: hours * 720 }, (_, index) => index * 5 * SECOND);
  const values = times.map((time) => {
    const found = outside.find(([at, seconds]) => time >= at * SECOND && time < (at + seconds) * SECOND);
    return found?.[2] ?? 3;
  });
  return { times, values, from: 0, until: hours * 3600 * SECOND };
}

/** Returns the alarms that these settings open. `classOf` classifies an alarm by its opening time in seconds. */
function record(
  data: Pick<AdviceInput, 'times' | 'values' | 'until'>,
  rule: RuleLimits,
  classOf: (openedAt: number, index: number) => AlarmClass,
): PastAlarm[] {
  const all = replay(ruleOfLimits(limitsOf(rule), rule.debounce * SECOND), data.times, data.values, data.until);
  return all.map(({ openedAt, resolvedAt }, index) => ({
    uuid: `alarm ${String(index).padStart(4, '0')}`,
    ...{ openedAt, resolvedAt },
    class: classOf(openedAt / SECOND, index),
  }));
}

describe('pump starts of 10 seconds and one failure of 10 minutes', () => {
  const starts = Array.from({ length: 20 }, (_, index): [number, number, number] => [600 + index * 900, 10, 9]);
  const data = vibration(8, ...starts, [20_000, 600, 8]);
  const alarms = record(data, settings(), (openedAt) => (openedAt >= 20_000 ? 'real' : 'nuisance'));

  test('proposes a longer debounce, and says how much later the real alarm opens', () => {
    const advice = advise({ ...data, settings: settings(), alarms });
    expect(advice).toMatchObject({
      because: 'proposal',
      readings: 5760,
      counts: { nuisance: 20, real: 1, unknown: 0 },
      present: { alarms: 21, nuisanceAvoided: 0, realKept: 1, missed: [], delayMs: 0 },
      proposal: {
        settings: settings({ debounce: 15 }),
        ...{ alarms: 1, nuisanceAvoided: 20, realKept: 1, missed: [], delayMs: 10 * SECOND, isSafe: true },
      },
      isComplete: true,
    });
  });

  test('never proposes settings that miss the real alarm, and shows such settings with the alarm', () => {
    const { best, proposal } = advise({ ...data, settings: settings(), alarms });
    expect(proposal?.missed).toEqual([]);
    // The peak of the failure is lower than the peaks of the pump starts, so a limit above the starts misses the
    // failure.
    const others = best.filter(({ isSafe }) => !isSafe);
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) expect(other.missed).toEqual([alarms.at(-1)?.uuid]);
  });

  test('lists settings with the same result once', () => {
    const { best } = advise({ ...data, settings: settings(), alarms });
    const results = best.map(({ alarms: count, nuisanceAvoided, missed, delayMs }) => [
      ...[count, nuisanceAvoided, missed.join(), delayMs],
    ]);
    expect(new Set(results.map(String)).size).toBe(best.length);
  });

  test('proposes nothing if the real alarms look like the nuisance alarms', () => {
    const mixed = alarms.map((alarm, index): PastAlarm => ({ ...alarm, class: index % 2 === 0 ? 'real' : 'nuisance' }));
    expect(advise({ ...data, settings: settings(), alarms: mixed })).toMatchObject({
      because: 'no-better',
      proposal: undefined,
    });
  });

  test.each([
    ['no-alarms', []],
    ['no-acknowledgements', alarms.map((alarm): PastAlarm => ({ ...alarm, class: 'unknown' }))],
    ['no-nuisance', alarms.map((alarm, index): PastAlarm => ({ ...alarm, class: index ? 'unknown' : 'real' }))],
    [
      'few-nuisance',
      alarms.map((alarm, index): PastAlarm => ({ ...alarm, class: index < 2 ? 'nuisance' : 'unknown' })),
    ],
  ])('returns %s', (because, recorded) => {
    expect(advise({ ...data, settings: settings(), alarms: recorded })).toMatchObject({ because, proposal: undefined });
  });

  test('needs three nuisance alarms', () => {
    const three = alarms.map((alarm, index): PastAlarm => ({ ...alarm, class: index < 3 ? 'nuisance' : 'unknown' }));
    expect(advise({ ...data, settings: settings(), alarms: three }).because).toBe('proposal');
  });

  test('needs a hundred readings', () => {
    const few = { ...data, times: data.times.slice(0, 99), values: data.values.slice(0, 99) };
    expect(advise({ ...few, settings: settings(), alarms }).because).toBe('few-readings');
    expect(advise({ ...few, times: [], values: [], settings: settings(), alarms })).toMatchObject({
      ...{ because: 'few-readings', readings: 0, counts: { nuisance: 0 } },
    });
  });

  test('ignores alarms before the first stored reading', () => {
    const half = data.times.length / 2;
    const kept = { ...data, times: data.times.slice(half), values: data.values.slice(half) };
    const advice = advise({ ...kept, settings: settings(), alarms });
    expect(advice.from).toBe(data.times[half]);
    expect(advice.counts.nuisance).toBe(alarms.filter(({ openedAt }) => openedAt >= advice.from).length - 1);
    expect(advice.proposal?.missed).toEqual([]);
  });
});

test('proposes no debounce of hours, however long the nuisance alarms are', () => {
  const peaks = Array.from({ length: 5 }, (_, index): [number, number, number] => [3600 + index * 10_800, 7200, 8]);
  const data = vibration(20, ...peaks);
  const alarms = record(data, settings(), () => 'nuisance');
  const { proposal, best } = advise({ ...data, settings: settings(), alarms });
  for (const trial of [...best, ...(proposal ? [proposal] : [])]) {
    expect(trial.settings.debounce).toBeLessThanOrEqual(300);
  }
});

test('does not propose a limit that opens a real alarm an hour later', () => {
  // During the failure, the value slowly rises to 9. Pump starts peak at 8.
  const starts = Array.from({ length: 20 }, (_, index): [number, number, number] => [600 + index * 900, 400, 8]);
  const data = vibration(10, ...starts);
  const values = data.values.map((value, index) => {
    const time = (data.times[index] as number) / SECOND;
    return time >= 20_000 && time < 28_000 ? 7.1 + (2 * (time - 20_000)) / 8000 : value;
  });
  const alarms = record({ ...data, values }, settings(), (openedAt) => (openedAt >= 20_000 ? 'real' : 'nuisance'));
  const { because, best } = advise({ ...data, values, settings: settings(), alarms });
  expect(because).toBe('no-better');
  expect(best).toContainEqual(expect.objectContaining({ nuisanceAvoided: 20, missed: [], isSafe: false }));
});

test.each([
  [0, 300],
  [5, 300],
  [120, 480],
  [1200, 4800],
  [1800, 5400],
  [604_800, 604_800],
])('lengthens a debounce of %i s to at most %i s', (present, longest) => {
  expect(longestDebounce(present)).toBe(longest);
});

test('proposes a clear limit for a value that chatters around its limit', () => {
  const chatter = Array.from({ length: 30 }, (_, index): [number, number, number] => [3600 + index * 60, 30, 7.4]);
  const data = vibration(4, ...chatter);
  const near = data.values.map((value, index) => {
    const time = (data.times[index] as number) / SECOND;
    return value === 3 && time >= 3600 && time < 5400 ? 6.9 : value;
  });
  const rule = settings({ debounce: 0 });
  const alarms = record({ ...data, values: near }, rule, (_, index) => (index === 0 ? 'real' : 'nuisance'));
  const { proposal } = advise({ ...data, values: near, settings: rule, alarms });
  expect(proposal?.settings).toEqual({ ...rule, clearUpper: 6.8 });
  expect(proposal).toMatchObject({ alarms: 1, nuisanceAvoided: 29, realKept: 1, delayMs: 0 });
});

test('does not propose a clear limit that keeps one alarm open through later events', () => {
  // After 40 hours, each hour has a peak of 10 seconds. Between the peaks the value stays just below the limit.
  const first = 40 * 3600;
  const peaks = Array.from({ length: 20 }, (_, index): [number, number, number] => [first + index * 3600, 10, 9]);
  const data = vibration(60, ...peaks);
  const values = data.values.map((value, index) => (value === 3 && index * 5 > first ? 6.9 : value));
  const alarms = record({ ...data, values }, settings(), (_, index) => (index === 0 ? 'real' : 'nuisance'));
  const { because, best } = advise({ ...data, values, settings: settings(), alarms });
  expect(because).toBe('no-better');
  // Clear limits below 6.9 keep the real alarm, but it then stays open for 20 hours, so these settings are not safe.
  expect(best).toContainEqual(expect.objectContaining({ nuisanceAvoided: 19, realKept: 1, isSafe: false }));
});

const value = fc.double({ min: 0, max: 10, noNaN: true }).map((number) => Math.round(number * 4) / 4);
const readings = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 40 }), value }), { minLength: 100, maxLength: 220 })
  .map((steps) => {
    let time = 0;
    const times = steps.map(({ gap }) => {
      time += gap * SECOND;
      return time;
    });
    return { times, values: steps.map((each) => each.value), from: 0, until: time + 30 * SECOND };
  });
const rule = fc
  .record({
    lower: fc.option(fc.integer({ min: 0, max: 3 })),
    upper: fc.option(fc.integer({ min: 6, max: 9 })),
    clearLower: fc.option(fc.constantFrom(3, 4)),
    clearUpper: fc.option(fc.constantFrom(5, 6)),
    debounce: fc.constantFrom(0, 5, 30),
  })
  .filter((limits) => limitRefusals(limits).length === 0);
const drawnClasses = fc.array(fc.constantFrom(...classes), { minLength: 1, maxLength: 30 });

describe('for any readings and settings', () => {
  test('a replay with the present settings produces the present alarms', () => {
    fc.assert(
      fc.property(readings, rule, drawnClasses, (data, present, drawn) => {
        const alarms = record(data, present, (_, index) => drawn[index % drawn.length] as AlarmClass);
        const advice = advise({ ...data, settings: present, alarms });
        expect(advice.present).toMatchObject({ alarms: alarms.length, nuisanceAvoided: 0, missed: [], delayMs: 0 });
        expect(advice.present.openings).toEqual(alarms.map(({ openedAt }) => openedAt));
      }),
    );
  });

  test('a proposal misses no real alarm that the present settings open, whichever settings recorded it', () => {
    fc.assert(
      fc.property(readings, rule, rule, drawnClasses, (data, present, earlier, drawn) => {
        const alarms = record(data, earlier, (_, index) => drawn[index % drawn.length] as AlarmClass);
        const { proposal, present: now, counts } = advise({ ...data, settings: present, alarms });
        if (!proposal) return;
        expect(now.missed).toEqual(expect.arrayContaining(proposal.missed));
        expect(proposal.realKept + proposal.missed.length).toBe(counts.real);
        expect(proposal.nuisanceAvoided).toBeGreaterThan(now.nuisanceAvoided);
        expect(counts.nuisance).toBeGreaterThanOrEqual(FEWEST_NUISANCE);
        const added = longestDebounce(present.debounce) - present.debounce;
        expect(proposal.settings.debounce - present.debounce).toBeLessThanOrEqual(added);
        expect(proposal.delayMs).toBeLessThanOrEqual(Math.max(now.delayMs, added * SECOND));
        expect(limitRefusals(proposal.settings)).toEqual([]);
      }),
    );
  });

  test('the order of the alarms changes nothing', () => {
    fc.assert(
      fc.property(readings, rule, drawnClasses, fc.infiniteStream(fc.nat()), (data, present, drawn, keys) => {
        const alarms = record(data, present, (_, index) => drawn[index % drawn.length] as AlarmClass);
        const shuffled = alarms
          .map((alarm) => ({ alarm, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ alarm }) => alarm);
        const input = { ...data, settings: present };
        expect(advise({ ...input, alarms: shuffled })).toEqual(advise({ ...input, alarms }));
      }),
    );
  });

  test('a replay of runs produces the same alarms as a replay of all readings', () => {
    fc.assert(
      fc.property(readings, rule, fc.array(value), (data, present, more) => {
        const limits = limitsOf(present);
        // Late and duplicate readings must be skipped in the runs as they are in the replay.
        const times = data.times.map((time, index) => (index % 7 === 0 ? time - 25 * SECOND : time));
        const thresholds = [limits.lower, limits.upper, limits.clearLower, limits.clearUpper, ...more];
        const { times: kept, codes, names } = positionsOf(runsOf(times, data.values, thresholds, data.until), limits);
        const holdMs = present.debounce * SECOND;
        const place = (code: number) => names[code] as (typeof names)[number];
        const withoutPeak = (alarms: ReturnType<typeof replay>) => alarms.map(({ peak: _, ...alarm }) => alarm);
        expect(withoutPeak(replay({ holdMs, place }, kept, codes, data.until))).toEqual(
          withoutPeak(replay(ruleOfLimits(limits, holdMs), times, data.values, data.until)),
        );
      }),
    );
  });
});
