import { describe, expect, test } from 'vitest';
import {
  alignSamples,
  chartEnd,
  isDigital,
  lastValueApplies,
  plotSamples,
  readSamples,
  samplesAfter,
  samplesUntilOpening,
  splitAtOpening,
  trimLead,
  withNewest,
} from './sample-chart.ts';

const frame = { left: 0, right: 100, top: 0, bottom: 50 };

describe('the readings of an alarm', () => {
  test('are parsed oldest first, without invalid entries', () => {
    const json = [{ at: 2000, value: 5 }, { at: 1000, value: 4 }, { at: 'x', value: 1 }, null, { at: 3, value: null }];
    expect(readSamples(json)).toEqual([
      { at: 1000, value: 4 },
      { at: 2000, value: 5 },
    ]);
    expect(readSamples(null)).toEqual([]);
    expect(readSamples({})).toEqual([]);
  });

  test('count as leading to the alarm only up to its opening', () => {
    const frozen = [1, 2, 3].map((at) => ({ at, value: 9 }));
    expect(samplesUntilOpening(frozen, 2).map(({ at }) => at)).toEqual([1, 2]);
  });

  test('fit the frame with the limit and the opening, even if the opening is later than the last reading', () => {
    const before = [
      { at: 0, value: 10 },
      { at: 50, value: 20 },
    ];
    const { window, samples } = alignSamples([{ before, after: [] }], 100, 100);
    expect({ window, samples }).toEqual({ window: { from: 0, to: 100 }, samples: [before] });
    const plot = plotSamples(before, [30], window, frame, false);
    expect(plot.x(100)).toBe(100);
    expect(plot.path).toMatch(/^M0 [\d.]+L50 [\d.]+$/);
    expect(plot.y(30)).toBeGreaterThan(0);
    expect(plot.y(10)).toBeLessThan(50);
    expect(plot.y(30)).toBeLessThan(plot.y(10));
  });

  test('are drawn as steps for states', () => {
    const samples = [
      { at: 0, value: 0 },
      { at: 100, value: 1 },
    ];
    const { path, y } = plotSamples(samples, [], { from: 0, to: 100 }, frame, true);
    const [off, on] = [y(0), y(1)].map((value) => Math.round(value * 10) / 10);
    expect(path).toBe(`M0 ${off}L100 ${off}L100 ${on}`);
  });

  test('are states if the data point is digital, for every kind of rule', () => {
    expect(isDigital({ kind: 'limits' }, { sensorType: 2 })).toBe(false);
    expect(isDigital({ kind: 'limits' }, { sensorType: 1 })).toBe(true);
    expect(isDigital({ kind: 'digital' }, null)).toBe(true);
  });

  test('have a gap where data is missing for much longer than usual', () => {
    const minutes = Array.from({ length: 10 }, (_, minute) => minute);
    const times = [...minutes, ...minutes.map((minute) => minute + 60), 200];
    const samples = times.map((minute) => ({ at: minute * 60_000, value: 1 }));
    const { path } = plotSamples(samples, [], { from: 0, to: 200 * 60_000 }, frame, false);
    expect(path.split('M').map((part) => part.split(/[Lh]/).length)).toEqual([1, 10, 10, 2]);
    expect(path).toMatch(/M100 [\d.]+h0$/);
  });

  test('continue after the stored ones, without missing values, and rounded for states', () => {
    const frozen = [{ at: 1000, value: 4 }];
    const series = { times: [500, 1000, 2000, 3000], values: [3, 4, null, 0.7] };
    expect(samplesAfter(series, frozen, false)).toEqual([{ at: 3000, value: 0.7 }]);
    expect(samplesAfter(series, frozen, true)).toEqual([{ at: 3000, value: 1 }]);
  });

  test('end now, or a quarter of the duration after a resolved alarm', () => {
    expect(chartEnd(0, null, 5000)).toBe(5000);
    expect(chartEnd(0, 1000, 5000)).toBe(1250);
    expect(chartEnd(0, 1000, 1050)).toBe(1050);
  });

  test('start one duration of the alarm before its opening, with at least six readings', () => {
    const hourly = Array.from({ length: 30 }, (_, hour) => ({ at: hour, value: 1 }));
    expect(trimLead(hourly, 30, 40)[0]).toEqual({ at: 20, value: 1 });
    expect(trimLead(hourly, 30, 31)[0]).toEqual({ at: 24, value: 1 });
    expect(trimLead(hourly.slice(0, 2), 30, 31)).toHaveLength(2);
  });

  test('are centred if there is a single reading on its limit', () => {
    const { x, y } = plotSamples([{ at: 7, value: 0 }], [0], { from: 7, to: 7 }, frame, false);
    expect([x(7), y(0)]).toEqual([50, 25]);
  });
});

test('appends the newest value once, if it is newer than the readings', () => {
  const frozen = [{ at: 1000, value: 4.5 }];
  const newest = (at: number) => ({ latestValue: 3.4, lastUpdated: new Date(at).toISOString() });
  expect(withNewest([], frozen, newest(2000))).toEqual([{ at: 2000, value: 3.4 }]);
  expect(withNewest([], frozen, newest(1000))).toEqual([]);
  const after = [{ at: 2000, value: 3.4 }];
  expect(withNewest(after, frozen, newest(2000))).toEqual(after);
  expect(withNewest(after, frozen, null)).toEqual(after);
  expect(withNewest([], [], newest(2000))).toEqual([]);
});

test('splits the series at the opening, and uses the value at the opening if none came before', () => {
  const series = { times: [1000, 2000, 3000], values: [1, 0.4, 3] };
  const newest = { latestValue: 4, lastUpdated: new Date(4000).toISOString() };
  expect(splitAtOpening(series, { at: 2000, value: 7 }, newest, true)).toEqual({
    before: [
      { at: 1000, value: 1 },
      { at: 2000, value: 0 },
    ],
    after: [
      { at: 3000, value: 3 },
      { at: 4000, value: 4 },
    ],
  });
  const rare = { before: [{ at: 2000, value: 7 }], after: [{ at: 4000, value: 4 }] };
  expect(splitAtOpening(undefined, { at: 2000, value: 7 }, newest, false)).toEqual(rare);
  expect(splitAtOpening(undefined, { at: 2000, value: undefined }, null, false)).toEqual({ before: [], after: [] });
});

describe('the data points of one alarm', () => {
  const each = (times: readonly number[]) => times.map((at) => ({ at, value: 1 }));
  const level = { before: each([0, 80, 85, 90, 95, 98, 99, 100]), after: each([105, 110]) };
  const motor = { before: each([60, 100]), after: [] };

  test('share one time window, from the first relevant reading of any of them to the end', () => {
    const { window, samples } = alignSamples([level, motor], 100, 120);
    expect(window).toEqual({ from: 60, to: 120 });
    expect(samples.map((all) => all.map(({ at }) => at))).toEqual([
      [80, 85, 90, 95, 98, 99, 100, 105, 110],
      [60, 100],
    ]);
    expect(alignSamples([level, motor], 100, 105).window.to).toBe(110);
  });

  test('hold their last value to the end, unless the site is offline by then', () => {
    const hour = 3_600_000;
    const { held, path } = plotSamples(each([0, 50]), [], { from: 0, to: 100 }, frame, false);
    expect([path, held]).toEqual(['M0 25L50 25', 'M50 25H100']);
    expect(lastValueApplies(each([0]), 2 * hour - 1, 2)).toBe(true);
    expect(lastValueApplies(each([0]), 2 * hour, 2)).toBe(false);
    expect(lastValueApplies(each([0]), 0, null)).toBe(false);
    expect(lastValueApplies([], 0, 2)).toBe(false);
  });
});
