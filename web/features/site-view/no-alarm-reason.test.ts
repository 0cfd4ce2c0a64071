import { expect, test } from 'vitest';
import { noAlarmReason } from './no-alarm-reason.ts';
import type { Point } from './site-view.queries.ts';

const point = (more: Partial<Point> = {}) =>
  ({
    tocsinDatapointName: 'Level',
    sensorType: 2,
    sensorChannel: { channelAlarmCondition: 2 },
    limits: [{ lower: null, upper: 4 }],
    ...more,
  }) as Point;
const pump = (channelAlarmCondition: number) =>
  point({ sensorType: 1, sensorChannel: { channelAlarmCondition } as Point['sensorChannel'], limits: [] });
const bare = point({ limits: [] });
const words = (points: Point[], disabledRules = 0, out: Point[] = []) =>
  noAlarmReason({ assets: [{ uuid: 'a', name: 'Well', description: '', inUse: true, points }], disabledRules }, out);

test('says that everything is within limits only if everything has limits', () => {
  expect(words([point(), pump(1)])).toBe('All values are within their limits.');
  expect(words([point(), bare])).toBe('All values that have limits are within those limits.');
  expect(words([pump(0), pump(2)])).toBe('All values that have limits are within those limits.');
});

test('says whether a rule is missing or disabled', () => {
  expect(words([bare, pump(2)])).toBe('No rule sets limits for these values.');
  expect(words([bare], 1)).toBe('The only rule with limits here is disabled, so no value is checked against limits.');
  expect(words([bare], 2)).toBe('All rules with limits here are disabled, so no value is checked against limits.');
  expect(words([])).toBe('No values yet, so nothing is checked against limits.');
});

test('names a value that is outside without an alarm', () => {
  expect(words([point(), bare], 0, [point()])).toMatch(/^Level is out of limits without an alarm/);
});
