/**
 * The value in an alarm, in its notifications and in its explanation always violates the limit that opened the alarm.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitsOf } from '../../domain/rule/limits.ts';
import { replay, ruleOfLimits } from '../../domain/rule/replay.ts';
import type { UserRow } from '../harness/database/factories.ts';
import { isLong } from '../harness/long.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { Plant } from './plant.ts';

let plant: Plant;
let manager: TestBrowser;
let vera: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  vera = await plant.person({ name: 'Vera', level: 5 });
  manager = await plant.browser(vera);
});
afterAll(() => plant?.close());

const SECOND = 1000;
const limits = { lower: 10, upper: 20.4, clearLower: null, clearUpper: null };

interface Sequence {
  debounce: number;
  readings: { gap: number; value: number }[];
}

/**
 * Sequences of readings. A debounce can end at a reading, between two readings, or after the last one. Some values
 * share digits with the limits.
 */
const sequences: fc.Arbitrary<Sequence> = fc.record({
  debounce: fc.constantFrom(0, 60, 120),
  readings: fc.array(
    fc.record({ gap: fc.constantFrom(30, 60, 60, 120), value: fc.constantFrom(0.4, 4, 15, 16, 20.4, 20.5, 1020.4) }),
    { minLength: 2, maxLength: 14 },
  ),
});
/** The value is outside the limits for exactly the debounce, then back inside. */
const atTheEnd: Sequence = {
  debounce: 60,
  readings: [
    { gap: 60, value: 0.4 },
    { gap: 60, value: 15 },
    { gap: 60, value: 16 },
  ],
};

const explainAlarm = 'query ($uuid: UUID!) { explainAlarm(uuid: $uuid) { value sentence timeline { kind sentence } } }';

test('an alarm, its notification and explain show the last value outside the limits', {
  timeout: 600_000,
}, async () => {
  const property = fc.asyncProperty(sequences, async ({ debounce, readings }) => {
    const station = await plant.station();
    await plant.query(`update tocsin.asset_datapoint set uom = 'm' where uuid = $1`, [station.datapointUuid]);
    await plant.rule(station, { name: 'Level', value_lower: limits.lower, value_upper: limits.upper, debounce });
    await plant.alert(station.site, 'Level', { alert: [vera], resolve: [vera] });
    let time = plant.clock.now().getTime() - 3600 * SECOND;
    const sent = readings.map(({ gap, value }) => {
      time += gap * SECOND;
      return { time, value };
    });
    const now = plant.clock.now().getTime();
    await plant.frame(
      station,
      sent.map((reading) => [(now - reading.time) / SECOND, reading.value]),
    );
    await plant.pass(debounce);
    const rule = ruleOfLimits(limitsOf(limits), debounce * SECOND);
    const times = sent.map((reading) => reading.time);
    const values = sent.map(({ value }) => value);
    const expected = replay(rule, times, values, time + debounce * SECOND).map(
      ({ since, openedAt }) =>
        sent.findLast(
          (reading) => reading.time >= since && reading.time <= openedAt && rule.place(reading.value) !== 'inside',
        )?.value as number,
    );
    const alarms = await plant.alarms(station.site);
    expect(alarms.map(({ value }) => value)).toEqual(expected);
    const texts = await plant.query(
      `select notify_message as text from tocsin.notification where tocsin_site_uuid = $1 and kind = 'alarm' order by sequence_number`,
      [station.site.uuid],
    );
    expect(texts).toHaveLength(alarms.length);
    for (const [index, alarm] of alarms.entries()) {
      const value = expected[index];
      expect(texts[index].text).toContain(` Level: ${value} m, alarm below 10 or above 20.4 m,`);
      const { explainAlarm: explained } = await manager.data(explainAlarm, { uuid: alarm.uuid });
      expect(explained.value).toBe(value);
      expect(explained.sentence).toContain(`Level was ${value} m, and `);
      const opened = explained.timeline.find(({ kind }: { kind: string }) => kind === 'opened');
      expect(opened.sentence).toContain(`Level was ${value} m`);
    }
  });
  await fc.assert(property, { numRuns: isLong ? 60 : 12, examples: [[atTheEnd]] });
});

test('conditions that end exactly with the debounce show the values by which they held', async () => {
  const station = await plant.station();
  const conditions = { all: [{ fact: station.datapointUuid, operator: 'greaterThan', value: 100 }] };
  await plant.conditions(station, 'Overflow', conditions, { debounce: 60 });
  await plant.frame(station, [
    [120, 130],
    [60, 50],
  ]);
  await plant.settle();
  const [alarm] = await plant.alarms(station.site);
  expect(alarm.criteria.values).toEqual({ [station.datapointUuid]: 130 });
  expect(alarm.criteria.measured).toContain('130');
});
