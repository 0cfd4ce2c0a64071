/**
 * Evaluates weeks of a machine's temperatures live, in a replay and in a simulation. All three must open the same
 * alarms as a simple model. A recipient of openings and resolutions must be notified of each. The real data is outside
 * the repository; without it, only a generated series is tested.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitsOf } from '../../domain/rule/limits.ts';
import { replay, ruleOfLimits } from '../../domain/rule/replay.ts';
import { seeded } from '../api/chart.ts';
import type { UserRow } from '../harness/database/factories.ts';
import { isLong } from '../harness/long.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { Plant } from './plant.ts';

interface Reading {
  time: number;
  value: number;
}

interface Alarm {
  since: number;
  openedAt: number;
  resolvedAt: number | null;
}

const SECOND = 1000;
const TEN_MINUTES = 600 * SECOND;
const HOUR = 3600 * SECOND;
/**
 * Offset that moves the readings from the time of the recording to near the present. With the original times, the
 * product would assume that the device's clock is not set.
 */
const LATER = 3653 * 24 * HOUR;
const lower = 45;
const upper = 100;
/** Debounces in seconds: none, one that ends between two readings, one that ends at a reading, and a long one. */
const debounces = [0, 450, 900, 3600];

const file = join(import.meta.dirname, '../../../shared/data/machine_temperature.csv');
const isThere = existsSync(file);
if (!isThere) console.warn(`${file} does not exist, so only a generated series runs.`);

let plant: Plant;
let manager: TestBrowser;
let both: UserRow;
let opening: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  both = await plant.person({ name: 'Both' });
  opening = await plant.person({ name: 'Opening' });
});
afterAll(() => plant?.close());

/**
 * Returns the expected alarms. A value is valid until the next reading. An alarm opens when the values have been
 * outside the limits for the duration of the debounce. It is resolved when they have been inside for that duration.
 */
function model(readings: readonly Reading[], holdMs: number, end: number): Alarm[] {
  const news: Reading[] = [];
  for (const reading of readings) if (reading.time > (news.at(-1)?.time ?? 0)) news.push(reading);
  const runs = news
    .map(({ time, value }) => ({ out: value < lower || value > upper, from: time }))
    .filter(({ out }, index, all) => out !== all[index - 1]?.out);
  const alarms: Alarm[] = [];
  let open: Alarm | undefined;
  runs.forEach(({ out, from }, index) => {
    const until = runs[index + 1]?.from ?? end;
    if (until - from < holdMs || out === (open !== undefined)) return;
    if (open) open.resolvedAt = from + holdMs;
    else alarms.push({ since: from, openedAt: from + holdMs, resolvedAt: null });
    open = out ? alarms.at(-1) : undefined;
  });
  return alarms;
}

/**
 * Returns the number of notifications to a recipient who is notified only of openings. If an alarm opens less than ten
 * minutes after the previous notification, its notification is deferred. It is sent after the ten minutes if the alarm
 * is still open.
 */
function openingsToSend(alarms: readonly Alarm[], end: number): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const { openedAt, resolvedAt } of alarms) {
    const due = Math.max(openedAt, last + TEN_MINUTES);
    if (due > openedAt && due > (resolvedAt ?? end)) continue;
    count += 1;
    last = due;
  }
  return count;
}

interface Sent {
  all: number;
  /** Number of alarms that notified the recipient `Opening`, who is notified only of openings. */
  onlyOpenings: number;
  /** Number of alarms whose opening notified the recipient `Both`, who is notified of openings and resolutions. */
  openings: number;
  resolutions: number;
}

async function sentOf(ruleUuid: string): Promise<Sent> {
  const [row] = await plant.query<Sent>(
    `select count(*)::int as all,
       (count(distinct tocsin_alarm_uuid) filter (where recipient_name = 'Opening' and kind = 'alarm'))::int as "onlyOpenings",
       (count(distinct tocsin_alarm_uuid) filter (where recipient_name = 'Both' and kind = 'alarm'))::int as openings,
       (count(distinct tocsin_alarm_uuid) filter (where recipient_name = 'Both' and kind = 'resolve'))::int as resolutions
     from tocsin.notification where topic = $1`,
    [ruleUuid],
  );
  return row as Sent;
}

/**
 * Sends the readings in frames of `together` readings. Each frame arrives at the time of its last reading or later. The
 * engine ticks every three hours.
 */
async function judgeLive(
  readings: readonly Reading[],
  together: number,
): Promise<{ end: number; live: Map<number, Alarm[]>; sent: Map<number, Sent>; datapoint: string }> {
  const first = readings[0]?.time as number;
  plant.clock.set(new Date(first));
  const station = await plant.station({ channels: [{ name: 'Temperature' }] });
  const rules = new Map<number, string>();
  for (const debounce of debounces) {
    const rule = await plant.rule(station, {
      name: `Temperature ${debounce}`,
      value_lower: lower,
      value_upper: upper,
      debounce,
    });
    rules.set(debounce, rule.uuid);
    await plant.alert(station.site, rule.name, { alert: [both, opening], resolve: [both] });
  }
  let asked = first;
  for (let from = 0; from < readings.length; from += together) {
    const frame = readings.slice(from, from + together);
    const now = Math.max(...frame.map(({ time }) => time), plant.clock.now().getTime() + SECOND);
    plant.clock.set(new Date(now));
    await plant.frame(
      station,
      frame.map(({ time, value }) => [(now - time) / SECOND, value]),
    );
    if (now - asked < 3 * HOUR) continue;
    asked = now;
    await plant.settle();
  }
  await plant.pass(2 * 3600);
  const live = new Map<number, Alarm[]>();
  for (const [debounce, uuid] of rules) {
    const rows = await plant.query<{ pending_since: Date; date_time: Date; resolved_date: Date | null }>(
      'select pending_since, date_time, resolved_date from tocsin.alarm where rule_uuid = $1 order by date_time',
      [uuid],
    );
    const alarms = rows.map(({ pending_since, date_time, resolved_date }) => ({
      since: pending_since.getTime(),
      openedAt: date_time.getTime(),
      resolvedAt: resolved_date?.getTime() ?? null,
    }));
    live.set(debounce, alarms);
  }
  const sent = new Map<number, Sent>();
  for (const [debounce, uuid] of rules) sent.set(debounce, await sentOf(uuid));
  return { end: plant.clock.now().getTime(), live, sent, datapoint: station.datapointUuid };
}

function replayed(readings: readonly Reading[], holdMs: number, end: number): Alarm[] {
  const rule = ruleOfLimits(limitsOf({ lower, upper, clearLower: null, clearUpper: null }), holdMs);
  const times = readings.map(({ time }) => time);
  const values = readings.map(({ value }) => value);
  return replay(rule, times, values, end).map(({ since, openedAt, resolvedAt }) => ({
    since,
    openedAt,
    resolvedAt: resolvedAt ?? null,
  }));
}

const query = `query ($input: SimulateRuleInput!) { simulateRule(input: $input) {
  alarmCount messages alarms(first: 500) { since openedAt resolvedAt } } }`;

async function simulated(
  datapoint: string,
  from: number,
  to: number,
  debounce: number,
): Promise<{ alarms: Alarm[]; messages: number }> {
  const input = {
    datapointUuid: datapoint,
    ruleName: `Temperature ${debounce}`,
    valueLower: lower,
    valueUpper: upper,
    debounce,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
  const { simulateRule } = await manager.data(query, { input });
  expect(simulateRule.alarmCount).toBe(simulateRule.alarms.length);
  const alarms = simulateRule.alarms.map(({ since, openedAt, resolvedAt }: Record<string, string | null>) => ({
    since: Date.parse(since as string),
    openedAt: Date.parse(openedAt as string),
    resolvedAt: resolvedAt ? Date.parse(resolvedAt) : null,
  }));
  return { alarms, messages: simulateRule.messages };
}

/** Expects that live evaluation, replay and simulation agree. Returns the number of alarms for each debounce. */
async function agree(readings: readonly Reading[], together = 1): Promise<number[]> {
  const { end, live, sent, datapoint } = await judgeLive(readings, together);
  manager = await plant.browser(await plant.person({ level: 5 }));
  const counts: number[] = [];
  for (const debounce of debounces) {
    const holdMs = debounce * SECOND;
    const expected = model(readings, holdMs, end);
    expect(replayed(readings, holdMs, end), `replayed with ${debounce} s`).toEqual(expected);
    expect(live.get(debounce), `live with ${debounce} s`).toEqual(expected);
    const { alarms, messages } = await simulated(datapoint, readings[0]?.time as number, end, debounce);
    expect(alarms, `simulated with ${debounce} s`).toEqual(expected);
    const resolved = expected.filter(({ resolvedAt }) => resolvedAt !== null);
    expect(sent.get(debounce), `notified with ${debounce} s`).toEqual({
      all: messages,
      onlyOpenings: openingsToSend(expected, end),
      openings: expected.length,
      resolutions: resolved.length,
    });
    counts.push(expected.length);
  }
  return counts;
}

/**
 * Generates readings at irregular intervals, with gaps and some late or repeated frames. In a third of the series, the
 * intervals are short and the values often cross the limits. In these series, openings and resolutions are less than
 * ten minutes apart.
 */
function madeSeries(count: number): Reading[] {
  const random = seeded(8);
  const readings: Reading[] = [];
  let time = Date.parse('2026-01-05T00:00:00Z');
  let value = 80;
  for (let index = 0; index < count; index += 1) {
    const isRestless = index % 60 < 20;
    time += random() < 0.01 ? 4 * HOUR : Math.ceil(random() * (isRestless ? 5 : 20)) * 30 * SECOND;
    value = Math.min(115, Math.max(30, value + (random() - 0.5) * (isRestless ? 90 : 30)));
    readings.push({ time, value: Math.round(value * 100) / 100 });
    if (random() < 0.03)
      readings.push({ time: time - Math.ceil(random() * 40) * 30 * SECOND, value: 30 + random() * 90 });
  }
  return readings;
}

test('a generated series gives the same alarms live, replayed and simulated', { timeout: 240_000 }, async () => {
  const counts = await agree(madeSeries(isLong ? 600 : 300));
  expect(counts.every((count) => count > 3)).toBe(true);
  expect(counts[0]).toBeGreaterThan(counts[3] as number);
});

test.runIf(isThere && isLong)(
  'five days with a planned shutdown, and four after a failure, of a real machine give the same alarms too',
  { timeout: 600_000 },
  async () => {
    const all = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
      .map(([time, value]) => ({ time: Date.parse(`${time?.replace(' ', 'T')}Z`) + LATER, value: Number(value) }));
    expect(all).toHaveLength(22_695);
    for (const debounce of debounces) {
      const end = (all.at(-1)?.time as number) + HOUR;
      expect(replayed(all, debounce * SECOND, end)).toEqual(model(all, debounce * SECOND, end));
    }
    const between = (from: string, to: string) =>
      all.filter(({ time }) => time >= Date.parse(from) + LATER && time < Date.parse(to) + LATER);
    const shutdown = await agree(between('2013-12-13', '2013-12-18'), 6);
    expect(shutdown.every((count) => count > 1)).toBe(true);
    const failure = await agree(between('2014-02-12', '2014-02-16'), 6);
    expect(failure.every((count) => count > 1)).toBe(true);
  },
);
