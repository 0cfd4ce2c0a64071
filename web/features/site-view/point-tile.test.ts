import { describe, expect, test } from 'vitest';
import type { LiveDatapoint } from '../../kit/live/live.queries.ts';
import { tileOf } from './point-tile.ts';
import type { Point, SiteAlarm } from './site-view.queries.ts';

const point: Point = {
  uuid: 'p',
  tocsinDatapointName: 'Level',
  uom: 'm',
  sensorType: 2,
  status: 1,
  tocsinAssetDatapointOrder: 1,
  datapointColor: '#7d858f',
  datapointTitleText: '',
  latestValue: 3.25,
  lastUpdated: '2026-03-02T08:00:00Z',
  sensor: { uid: 'logger' },
  sensorChannel: { channelTitleText: '', channelLowText: 'Off', channelHighText: 'Running', channelAlarmCondition: 2 },
  limits: [],
};
const stored = Date.parse('2026-03-02T08:00:00Z');
const live = (more: Partial<LiveDatapoint>): LiveDatapoint => ({
  datapointUuid: 'p',
  value: null,
  time: null,
  status: null,
  color: null,
  titleText: null,
  ...more,
});
const alarm = (more: Partial<SiteAlarm>): SiteAlarm => ({
  value: null,
  datapoint: null,
  conditionDatapoints: { nodes: [] },
  otherHolders: { nodes: [] },
  site: null,
  uuid: 'a',
  severity: 'critical',
  message: 'Level high',
  siteName: 'Quay',
  dateTime: '2026-03-02T08:00:00Z',
  resolvedDate: null,
  acknowledgeJson: null,
  quietBecause: null,
  quietUntil: null,
  maintenanceWindow: null,
  shelving: null,
  ruleName: 'High',
  notifiedCount: 0,
  notNotifiedBecause: null,
  notNotifiedMethods: [],
  causeName: null,
  escalationStep: 0,
  occurrences: 1,
  criteria: { kind: 'limits', lower: 0.5, upper: 4.2 },
  tocsinDatapointUuid: 'p',
  ...more,
});
const tile = (more?: Partial<LiveDatapoint>, alarms: SiteAlarm[] = [], of: Partial<Point> = {}) =>
  tileOf({ ...point, ...of }, more && live(more), alarms, 'en');

describe('a tile', () => {
  test('shows the stored value until a newer one arrives', () => {
    expect(tile()).toMatchObject({ value: '3.25', unit: 'm', time: stored, state: 'normal' });
    expect(tile({ value: 4, time: stored + 1000 })).toMatchObject({ value: '4', time: stored + 1000 });
    expect(tile({ value: 1, time: stored - 1000 })).toMatchObject({ value: '3.25', time: stored });
  });

  test('of a digital channel shows the state of the live value, not the stored one', () => {
    const digital = { sensorType: 1, latestValue: 0, datapointTitleText: 'Off' };
    expect(tile(undefined, [], digital)).toMatchObject({ value: 'Off', unit: '' });
    expect(tile({ value: 1, time: stored + 1 }, [], digital)).toMatchObject({ value: 'Running' });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('shows a dash for %d', (value) => {
    expect(tile({ value, time: stored + 1 })).toMatchObject({ value: '–', unit: '' });
  });

  test('shows the worst of its alarms, unacknowledged first, and the side of the limit', () => {
    const acknowledged = { acknowledgeJson: { name: 'Lena', at: '2026-03-02T08:01:00Z' } };
    expect(tile({ value: 5, time: stored + 1, status: 2 }, [alarm({ severity: 'minor' }), alarm({})])).toMatchObject({
      state: 'critical',
      acknowledged: false,
      words: 'Critical, high',
    });
    expect(tile({ value: 0.1, time: stored + 1 }, [alarm(acknowledged)])).toMatchObject({
      acknowledged: true,
      words: 'Critical, low',
    });
    expect(tile(undefined, [alarm(acknowledged), alarm({ criteria: null })])).toMatchObject({
      acknowledged: false,
      words: 'Critical',
    });
  });

  test('is shelved only if all its alarms are', () => {
    const shelved = alarm({ quietBecause: 'shelved' });
    expect(tile({ status: 2 }, [shelved])).toMatchObject({ state: 'shelved', words: 'Shelved' });
    expect(tile({ status: 2 }, [shelved, alarm({ severity: 'minor' })])).toMatchObject({ state: 'minor' });
  });

  test('shows stale, alarm and no data by its status alone', () => {
    expect(tile({ status: 3 })).toMatchObject({ state: 'stale', words: 'Stale', value: '3.25' });
    expect(tile({ status: 2 })).toMatchObject({ state: 'major', words: 'Alarm' });
    expect(tile(undefined, [], { status: 0, latestValue: null, lastUpdated: null })).toMatchObject({
      value: '–',
      words: 'No data yet',
      time: null,
    });
  });

  test('never calls a value normal that is outside its limits, with or without an alarm', () => {
    const limits = [
      { lower: null, upper: 8 },
      { lower: 0.5, upper: 4 },
    ];
    expect(tile(undefined, [], { limits })).toMatchObject({ words: 'Normal' });
    expect(tile({ value: 4, time: stored + 1 }, [], { limits })).toMatchObject({ words: 'Normal' });
    expect(tile({ value: 4.2, time: stored + 1 }, [], { limits })).toMatchObject({
      state: 'normal',
      words: 'High (no alarm)',
    });
    expect(tile({ value: 0.1, time: stored + 1 }, [], { limits })).toMatchObject({ words: 'Low (no alarm)' });
    expect(tile({ value: 4.2, time: stored + 1, status: 3 }, [], { limits })).toMatchObject({ words: 'Stale' });
    const pump = {
      sensorType: 1,
      latestValue: 1,
      sensorChannel: {
        channelTitleText: '',
        channelLowText: 'Off',
        channelHighText: 'Tripped',
        channelAlarmCondition: 1,
      },
    };
    expect(tile(undefined, [], pump)).toMatchObject({ value: 'Tripped', words: 'No alarm' });
    expect(tile(undefined, [], { ...pump, latestValue: 0 })).toMatchObject({ value: 'Off', words: 'Normal' });
  });

  test('has no state name without a rule', () => {
    expect(tile()).toMatchObject({ state: 'normal', words: '' });
    expect(tile(undefined, [], { sensorType: 1 })).toMatchObject({ words: '' });
  });

  test('has the colour of its channel', () => {
    expect(tile({ color: '#aa0000' }).color).toBe('#aa0000');
  });

  test('is normal if only another data point keeps the alarm open', () => {
    const holder = {
      ...{ ruleUuid: 'r', ruleName: 'Backup', datapointUuid: 'q', datapointName: 'Backup level', latestValue: 9 },
      ...{ uom: 'm', sensorType: 2, datapointTitleText: '', isClearing: false },
      criteria: { kind: 'limits', lower: null, upper: 8 },
    };
    const back = { latestValue: 3, lastUpdated: '2026-03-02T09:00:00Z', uom: 'm', sensorType: 2, status: 2 };
    const shared = alarm({ datapoint: { ...back, datapointTitleText: '' }, otherHolders: { nodes: [holder] } });
    expect(tile(undefined, [shared], { status: 2 })).toMatchObject({ state: 'normal' });
    expect(tile(undefined, [shared], { uuid: 'q', status: 2, latestValue: 9 })).toMatchObject({
      state: 'critical',
      words: 'Critical, high',
    });
  });
});
