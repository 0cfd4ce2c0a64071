import { describe, expect, test } from 'vitest';
import { sparkline, tileOf, untilNow } from './tile.ts';

const point = {
  uuid: 'p1',
  tocsinDatapointName: 'Level',
  latestValue: 4.62,
  lastUpdated: null,
  uom: 'm',
  sensorType: 2,
  status: 2,
  datapointTitleText: 'High',
  sensorChannel: { channelAlarmCondition: 2 },
  rules: { nodes: [{ enabled: true, valueLower: null, valueUpper: 4.2 }] },
};
const alarm = {
  severity: 'major',
  message: 'Level high',
  acknowledgeJson: null,
  quietBecause: null,
  quietUntil: null,
  tocsinDatapointUuid: 'p1',
  otherHolders: { nodes: [] },
};
const site = {
  uuid: 's1',
  name: 'Kelder Road PS',
  siteStatus: 2,
  worstAlarm: alarm,
  waitingAlarms: 1,
  leadDatapoint: point,
  hasRules: true,
};

describe('a tile', () => {
  test('shows the worst alarm and the value that caused it', () => {
    expect(tileOf(site)).toEqual({
      uuid: 's1',
      name: 'Kelder Road PS',
      state: 'major',
      word: 'Major',
      acknowledged: false,
      waiting: true,
      words: 'Level high',
      value: { text: '4.62', unit: 'm' },
      valueInAlarm: true,
      quietUntil: null,
      maintenance: undefined,
    });
  });

  test('is in maintenance while its own window is active, and names a window of one of its parts', () => {
    const window = { siteUuid: site.uuid, windowUuid: 'w', name: 'Pump service', scope: 'site', targetName: 'Mill' };
    const own = { ...window, suppresses: 'alarms', endsAt: '2026-11-12T18:00:00Z' };
    const part = { ...own, scope: 'asset', name: 'Cleaning' };
    const calm = { ...site, worstAlarm: null, waitingAlarms: 0, siteStatus: 1 };
    expect(tileOf(calm, [own, part])).toMatchObject({
      ...{ state: 'maintenance', word: 'Maintenance', words: 'Pump service', quietUntil: own.endsAt },
    });
    expect(tileOf(calm, [part])).toMatchObject({ state: 'normal', quietUntil: null, maintenance: 'Cleaning' });
    expect(tileOf(site, [own])).toMatchObject({ state: 'major', maintenance: 'Pump service' });
  });

  test('is shelved until the end of the shelving, and its value is not in alarm', () => {
    const quietUntil = '2026-11-12T18:00:00Z';
    const shelved = { ...alarm, quietBecause: 'shelved', quietUntil };
    expect(tileOf({ ...site, worstAlarm: shelved, waitingAlarms: 0 })).toMatchObject({
      ...{ state: 'shelved', word: 'Shelved', waiting: false, acknowledged: false },
      ...{ words: 'Level high', valueInAlarm: false, quietUntil },
    });
  });

  test('shows the value of another rule that keeps the alarm open', () => {
    const shared = (isClearing: boolean) => ({
      ...alarm,
      tocsinDatapointUuid: 'p2',
      otherHolders: { nodes: [{ datapointUuid: 'p1', isClearing }] },
    });
    expect(tileOf({ ...site, worstAlarm: shared(false) }).valueInAlarm).toBe(true);
    expect(tileOf({ ...site, worstAlarm: shared(true) }).valueInAlarm).toBe(false);
  });

  test('counts as acknowledged once somebody has acknowledged', () => {
    const acknowledged = { ...alarm, acknowledgeJson: { name: 'Owen Hughes', at: '2026-11-12T14:24:40Z' } };
    const tile = tileOf({ ...site, worstAlarm: acknowledged, waitingAlarms: 0 });
    expect(tile).toMatchObject({ acknowledged: true, waiting: false, words: 'Level high' });
  });

  test('marks an unacknowledged alarm below the worst', () => {
    const acknowledged = { ...alarm, acknowledgeJson: { name: 'Owen Hughes', at: '2026-11-12T14:24:40Z' } };
    const tile = tileOf({ ...site, worstAlarm: acknowledged, waitingAlarms: 2 });
    expect(tile).toMatchObject({ acknowledged: true, waiting: true, words: '2 not acknowledged' });
  });

  test('names its value without an alarm', () => {
    const leadDatapoint = { ...point, status: 1, latestValue: 4.1 };
    expect(tileOf({ ...site, siteStatus: 1, worstAlarm: null, leadDatapoint })).toMatchObject({
      state: 'normal',
      word: 'Normal',
      words: 'Level',
      valueInAlarm: false,
    });
  });

  test('is not called normal if its value is out of limits without an alarm, or has no rule', () => {
    const quiet = { ...site, siteStatus: 1, worstAlarm: null };
    const wordOf = (more: Partial<typeof point>, hasRules = true) =>
      tileOf({ ...quiet, hasRules, leadDatapoint: { ...point, status: 1, ...more } }).word;
    expect(wordOf({})).toBe('High (no alarm)');
    expect(wordOf({ status: 3 })).toBe('Normal');
    const disabled = { nodes: [{ enabled: false, valueLower: null, valueUpper: 4.2 }] };
    expect(wordOf({ rules: disabled })).toBe('Normal');
    expect(wordOf({ rules: disabled }, false)).toBe('No alarm');
    expect(wordOf({ sensorType: 1, latestValue: 0, sensorChannel: { channelAlarmCondition: 0 } })).toBe('No alarm');
    expect(tileOf({ ...quiet, leadDatapoint: null, hasRules: false }).word).toBe('No alarm');
  });

  test('of a silent site shows "no data"', () => {
    expect(tileOf({ ...site, siteStatus: 3, worstAlarm: null })).toMatchObject({ state: 'silent', words: 'no data' });
  });

  test('of a site that has never sent shows "No data yet", not silent', () => {
    const leadDatapoint = { ...point, status: 0, latestValue: null };
    expect(tileOf({ ...site, siteStatus: 0, worstAlarm: null, leadDatapoint })).toMatchObject({
      state: 'normal',
      word: 'No data yet',
      words: 'Level',
    });
  });

  test('shows the severity of an open alarm even if the site is silent', () => {
    expect(tileOf({ ...site, siteStatus: 3 }).state).toBe('major');
  });

  test('of a site without data points has no value', () => {
    expect(tileOf({ ...site, siteStatus: 1, worstAlarm: null, leadDatapoint: null })).toMatchObject({
      words: 'no data points',
      value: null,
    });
  });
});

describe('a sparkline', () => {
  test('fills its box', () => expect(sparkline([1, 3, 2], 100, 20)).toBe('M0.0 20.0L50.0 0.0L100.0 10.0'));
  test('of equal values is a line in the middle', () =>
    expect(sparkline([5, 5], 100, 20)).toBe('M0.0 10.0L100.0 10.0'));
  test('of nearly equal values stays near the middle', () =>
    expect(sparkline([100, 101, 100], 100, 20)).toBe('M0.0 12.5L50.0 7.5L100.0 12.5'));
  test('keeps the positions of times without a value', () =>
    expect(sparkline([null, 1, null, 3, null], 100, 20)).toBe('M25.0 20.0L75.0 0.0'));
  test.each([[[]], [[1]], [[null, 1, null]]])('of %j is empty', (values) =>
    expect(sparkline(values, 100, 20)).toBe(''),
  );
});

describe('the last hours of a tile', () => {
  const trend = { datapoint: 'p1', values: [1, null, 3] };
  test('ends with the current value', () => expect(untilNow(trend, site)).toEqual([1, null, 4.62]));
  test('of a silent site ends at the last contact', () =>
    expect(untilNow(trend, { ...site, siteStatus: 3 })).toEqual([1, null, 3]));
  test('is empty for another data point', () => expect(untilNow({ ...trend, datapoint: 'p2' }, site)).toEqual([]));
});
