/** Limits, clear limits, priorities, digital channels and multi-condition rules. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create, done, update } from '../api/api.ts';
import type { UserRow } from '../harness/database/factories.ts';
import { Plant } from './plant.ts';

let plant: Plant;
let manager: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  manager = await plant.person({ level: 5, name: 'Mia Manager' });
});
afterAll(() => plant?.close());

describe('limits', () => {
  test('treat values beyond a limit as outside and on a limit as inside, including decimals', async () => {
    const station = await plant.station();
    const rule = await plant.rule(station, { value_lower: 2.25, value_upper: 8.75, name: 'Range' });
    for (const value of [2.25, 8.75, 5]) {
      await plant.send(station, value);
      await plant.pass(1);
    }
    expect(await plant.alarms(station.site)).toEqual([]);
    await plant.send(station, 2.2499);
    expect(await plant.open(station.site)).toMatchObject([{ value: 2.2499 }]);
    await plant.pass(1);
    await plant.send(station, 5);
    expect(await plant.open(station.site)).toEqual([]);
    await plant.pass(1);
    await plant.send(station, 8.7501);
    expect(await plant.open(station.site)).toMatchObject([{ value: 8.7501 }]);
    expect((await plant.transitions(rule.uuid)).map(({ because }) => because)).toEqual([
      'below-lower',
      'back-inside',
      'above-upper',
    ]);
  });

  test.each([
    ['lower', { value_lower: 10, value_upper: null }, 1e12, 9],
    ['upper', { value_lower: null, value_upper: 10 }, -1e12, 11],
  ])('with only a %s limit leave the other side open', async (_side, limits, inside, out) => {
    const station = await plant.station();
    await plant.rule(station, limits);
    await plant.send(station, inside);
    expect(await plant.open(station.site)).toEqual([]);
    await plant.pass(1);
    await plant.send(station, out);
    expect(await plant.open(station.site)).toHaveLength(1);
  });

  test('open only one alarm when a value crosses from one side to the other', async () => {
    const station = await plant.station();
    await plant.rule(station, { value_lower: 0, value_upper: 10 });
    await plant.send(station, 11);
    await plant.pass(1);
    await plant.send(station, -1);
    expect(await plant.alarms(station.site)).toMatchObject([{ occurrences: 1, resolved_date: null }]);
  });

  test('with a clear limit keep the alarm until the value has passed it, and a value in between opens nothing', async () => {
    const station = await plant.station();
    await plant.rule(station, { clear_upper: 90 });
    await plant.send(station, 95);
    expect(await plant.alarms(station.site), 'between the clear limit and the limit').toEqual([]);
    await plant.pass(1);
    await plant.send(station, 101);
    await plant.pass(1);
    await plant.send(station, 95);
    expect(await plant.open(station.site)).toHaveLength(1);
    await plant.pass(1);
    await plant.send(station, 90);
    expect(await plant.open(station.site)).toEqual([]);
  });

  test('keep the alarm open when a value leaves the clear limits while clearing, without a new occurrence', async () => {
    const station = await plant.station();
    const rule = await plant.rule(station, { clear_upper: 90, debounce: 60 });
    await plant.send(station, 101);
    await plant.pass(60);
    await plant.send(station, 85);
    await plant.pass(30);
    await plant.send(station, 95);
    await plant.pass(120);
    const [alarm] = await plant.open(station.site);
    expect(alarm).toMatchObject({ occurrences: 1 });
    expect((await plant.transitions(rule.uuid)).at(-1)).toMatchObject({
      to_phase: 'open',
      because: 'left-clear-limits',
    });
  });

  test.each([
    ['low', 'minor'],
    ['medium', 'minor'],
    ['high', 'major'],
    ['critical', 'critical'],
  ])('maps priority %s to a %s alarm', async (priority, severity) => {
    const station = await plant.station();
    await plant.rule(station, { priority });
    await plant.send(station, 101);
    expect(await plant.open(station.site)).toMatchObject([{ priority, severity }]);
  });

  test('a major channel raises a lower priority to major', async () => {
    const station = await plant.station({ channels: [{ name: 'Level', channel_major_alarm_status: true }] });
    await plant.rule(station, { priority: 'low' });
    await plant.send(station, 101);
    expect(await plant.open(station.site)).toMatchObject([{ priority: 'low', severity: 'major' }]);
  });

  test('ignores a disabled rule until it is enabled', async () => {
    const station = await plant.station();
    const rule = await plant.rule(station, { enabled: false });
    await plant.send(station, 101);
    await plant.pass(60);
    expect(await plant.alarms(station.site)).toEqual([]);
    await done(update(await plant.browser(manager), 'rule', rule.uuid, { enabled: true }));
    await plant.send(station, 101);
    expect(await plant.open(station.site)).toHaveLength(1);
  });

  test.each([
    [{}, 'valueUpper', 'Enter a lower limit, an upper limit or both.'],
    [{ valueLower: 5, valueUpper: 5 }, 'valueUpper', 'The lower limit must be below the upper limit.'],
    [
      { valueUpper: 5, clearUpper: 6 },
      'clearUpper',
      'The upper clear limit must be between the lower limit and the upper limit.',
    ],
    [
      { valueLower: 5, clearLower: 4 },
      'clearLower',
      'The lower clear limit must be between the lower limit and the upper limit.',
    ],
    [{ valueUpper: 5, debounce: -1 }, 'debounce', expect.stringMatching(/./)],
    [{ valueUpper: 5, priority: 'urgent' }, 'priority', expect.stringMatching(/low, medium, high/)],
  ])('refuses %o at its field, with a message', async (values, field, message) => {
    const station = await plant.station();
    const { refusal } = await create(await plant.browser(manager), 'rule', {
      tocsinSiteUuid: station.site.uuid,
      tocsinAssetUuid: station.sensor.assetUuid,
      tocsinDatapointUuid: station.datapointUuid,
      name: 'Bad',
      ...values,
    });
    expect(refusal).toMatchObject({ field, message });
  });

  test('the data point and its site show the alarm while it is open', async () => {
    const station = await plant.station();
    await plant.rule(station);
    const shown = async () => {
      await plant.settle();
      const [row] = await plant.query(
        'select s.site_status, d.status from tocsin.site s, tocsin.asset_datapoint d where s.uuid = $1 and d.uuid = $2',
        [station.site.uuid, station.datapointUuid],
      );
      return row;
    };
    await plant.send(station, 101);
    expect(await shown()).toEqual({ site_status: 2, status: 2 });
    await plant.pass(1);
    await plant.send(station, 50);
    expect(await shown()).toEqual({ site_status: 1, status: 1 });
  });
});

describe('a digital channel', () => {
  const door = (condition: number, more = {}) => ({
    sensorType: 1 as const,
    channels: [
      {
        name: 'Door',
        channel_alarm_condition: condition,
        channel_low_text: 'closed',
        channel_high_text: 'open',
        ...more,
      },
    ],
  });

  test.each([
    ['low', 0, 0, 1, 'closed'],
    ['high', 1, 1, 0, 'open'],
  ])(
    'whose alarm is the %s state opens it with its own text and resolves it',
    async (_name, condition, bad, good, word) => {
      const station = await plant.station(door(condition));
      await plant.send(station, good);
      expect(await plant.alarms(station.site)).toEqual([]);
      await plant.pass(1);
      await plant.send(station, bad);
      const [alarm] = await plant.open(station.site);
      expect(alarm).toMatchObject({
        source: 'digital',
        severity: 'minor',
        message: expect.stringMatching(`Door ${word}$`),
      });
      await plant.pass(1);
      await plant.send(station, good);
      expect(await plant.open(station.site)).toEqual([]);
    },
  );

  test('without an alarm state opens nothing', async () => {
    const station = await plant.station(door(2));
    for (const value of [0, 1, 0]) {
      await plant.send(station, value);
      await plant.pass(1);
    }
    expect(await plant.alarms(station.site)).toEqual([]);
  });

  test('that is major opens a major alarm, and its rule alert has the channel’s name', async () => {
    const station = await plant.station(door(1, { channel_major_alarm_status: true }));
    const anna = await plant.person({ name: 'Anna' });
    await plant.alert(station.site, 'Door', { alert: [anna] });
    await plant.send(station, 1);
    await plant.settle();
    expect(await plant.open(station.site)).toMatchObject([{ severity: 'major' }]);
    expect(await plant.messages(station.site)).toMatchObject([{ person: 'Anna', state: 'sent' }]);
  });

  test('resolves its alarm when the alarm state is removed', async () => {
    const station = await plant.station(door(1));
    await plant.send(station, 1);
    const [alarm] = await plant.open(station.site);
    const [channel] = station.sensor.channels;
    await done(
      update(await plant.browser(manager), 'sensorChannel', channel?.uuid as string, { channelAlarmCondition: 2 }),
    );
    await plant.settle();
    expect(await plant.open(station.site)).toEqual([]);
    expect((await plant.events(alarm.uuid)).at(-1)).toMatchObject({
      kind: 'resolved',
      sentence: expect.stringContaining('Mia Manager'),
    });
  });
});
