import { afterAll, beforeAll, describe, expect } from 'vitest';
import { decodeFrame } from '../../domain/frame/decode.ts';
import { slotsBetween } from '../../domain/health.ts';
import { personAccess, serviceAccess } from '../../server/access.ts';
import { HandClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { long } from '../../test/harness/long.ts';
import type { DemoSummary } from './index.ts';
import { loadDemo } from './index.ts';

const now = new Date('2026-11-12T14:32:14Z');
const clock = new HandClock(now);
const DAY = 86_400_000;
const today = new Date('2026-11-12T00:00:00Z');
/** The thirteen Mondays that bound the twelve full weeks before the current week. */
const mondays = Array.from({ length: 13 }, (_, week) => new Date(Date.parse('2026-08-17T00:00:00Z') + week * 7 * DAY));

let db: Database;
let summary: DemoSummary;

async function ask(text: string, values: unknown[] = []): Promise<any[]> {
  const { rows } = await db.transaction(serviceAccess(clock), (tx) => tx.query(text, values));
  return rows;
}

async function askAsOwner(text: string, values: unknown[] = []): Promise<any[]> {
  const [user] = await ask(`select uuid, tocsin_customer_uuid from tocsin.user where email = 'owner@demo.example'`);
  const person = { uuid: user.uuid, customerUuid: user.tocsin_customer_uuid, level: 0, partnerAccount: false };
  const { rows } = await db.transaction(personAccess(person, clock), (tx) => tx.query(text, values));
  return rows;
}

beforeAll(async () => {
  db = await openTestDatabase();
  summary = await loadDemo({ db, now, hashPassword: async (plain) => plain });
}, 180_000);

afterAll(async () => {
  await db?.close();
  await disposeTestDatabases();
});

describe('time', () => {
  long('covers twelve full weeks and the current week', async () => {
    expect(summary.from.getTime()).toBeLessThanOrEqual(mondays[0]!.getTime());
    const [range] = await ask(
      'select min(device_time) as first, max(device_time) as last, max(server_time) as arrived from tocsin.reading',
    );
    expect(range.first.getTime()).toBeLessThan(mondays[0]!.getTime());
    expect(now.getTime() - range.last.getTime()).toBeLessThan(60_000);
    expect(range.arrived.getTime()).toBeLessThanOrEqual(now.getTime());
  });

  long.each([
    ['reading', 'device_time'],
    ['incoming_sensor_log', 'date_time'],
    ['alarm', 'date_time'],
    ['alarm', 'resolved_date'],
    ['notification', 'notify_time'],
    ['notification', 'delivered_at'],
    ['notification', 'ack_time'],
    ['health_slot', 'slot_start'],
    ['site', 'last_update'],
    ['sensor', 'last_contact'],
    ['reply_message', 'delivered_on'],
    ['audit', 'created_at'],
  ])('no %s has a %s in the future', async (table, column) => {
    expect(await ask(`select count(*)::int as n from tocsin.${table} where ${column} > $1`, [now])).toEqual([{ n: 0 }]);
  });

  long('stores frames of the last two days', async () => {
    const [range] = await ask('select min(date_time) as first, count(*)::int as n from tocsin.incoming_sensor_log');
    expect(now.getTime() - range.first.getTime()).toBeLessThanOrEqual(2 * DAY);
    expect(range.n).toBeGreaterThan(10_000);
    const [found] = await askAsOwner('select count(*)::int as n from tocsin.sensor_logs($1, $2, $3)', [
      new Date(now.getTime() - DAY),
      now,
      'NM-PS-0009-1',
    ]);
    expect(found.n).toBeGreaterThan(100);
    const frames = await ask(
      'select raw_data, protocol from tocsin.incoming_sensor_log order by date_time desc limit 2000',
    );
    expect(new Set(frames.map(({ protocol }) => protocol))).toEqual(new Set(['http', 'mqtt', 'tcp']));
    // A few frames are truncated. All others are in the format of their device.
    const read = frames.map(({ raw_data }) => decodeFrame(raw_data, 'auto'));
    expect(read.filter((decoded) => decoded.ok && decoded.frame.refused.length === 0).length).toBeGreaterThan(1960);
  });
});

describe('alarms', () => {
  long('sixteen are open in the first customer, six of them unacknowledged', async () => {
    const rows = await askAsOwner(
      `select severity, count(*)::int as n, count(*) filter (where reason is null)::int as waiting from tocsin.alarm where resolved_date is null group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { severity: 'critical', n: 2, waiting: 1 },
      { severity: 'major', n: 4, waiting: 2 },
      { severity: 'minor', n: 7, waiting: 2 },
      { severity: 'silent', n: 3, waiting: 1 },
    ]);
  });

  long('several hundred exist, most acknowledged and all but the open ones resolved', async () => {
    const [row] = await ask(
      `select count(*)::int as n, count(*) filter (where resolved_date is null)::int as open, count(*) filter (where reason is not null)::int as seen from tocsin.alarm`,
    );
    expect(row.n).toBeGreaterThan(400);
    expect(row.n).toBeLessThan(1500);
    expect(row.open).toBe(summary.openAlarms);
    expect(row.seen / row.n).toBeGreaterThan(0.75);
    expect(row.seen).toBeLessThan(row.n - 20);
  });

  long('a site is in alarm or silent exactly while such an alarm is open', async () => {
    const wrong = await ask(
      `select s.name, s.site_status from tocsin.site s left join tocsin.alarm a on a.tocsin_site_uuid = s.uuid and a.resolved_date is null
       group by s.uuid having s.site_status <> case when bool_or(a.severity = 'silent') then 3 when count(a.uuid) > 0 then 2 else 1 end`,
    );
    expect(wrong).toEqual([]);
  });

  long('a data point is in alarm exactly while its alarm is open, and stale while its site is silent', async () => {
    const wrong = await ask(
      `select d.uuid from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid join tocsin.site s on s.uuid = a.tocsin_site_uuid
       where d.status <> case when s.site_status = 3 then 3
         when exists (select from tocsin.alarm x where x.tocsin_datapoint_uuid = d.uuid and x.resolved_date is null) then 2 else 1 end`,
    );
    expect(wrong).toEqual([]);
  });

  long('every reading outside the limits is in an alarm of its rule, or shortly before it', async () => {
    const stray = await ask(
      `select s.name, r.name as rule, x.device_time, x.value from tocsin.rule r join tocsin.site s on s.uuid = r.tocsin_site_uuid
       join tocsin.asset_datapoint d on d.uuid = r.tocsin_datapoint_uuid join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
       join tocsin.reading x on x.channel_key = c.key and (x.value < r.value_lower or x.value > r.value_upper)
       where not exists (select from tocsin.alarm a where a.tocsin_datapoint_uuid = d.uuid and a.rule_name = r.name
         and x.device_time between a.date_time - r.debounce * interval '1 second' and coalesce(a.resolved_date, $1))
       limit 5`,
      [now],
    );
    expect(stray).toEqual([]);
  });

  long('every alarm of a rule has readings outside its limits', async () => {
    const [row] = await ask(
      `select count(*)::int as n, count(*) filter (where not exists (
         select from tocsin.reading x where x.channel_key = c.key and (x.value < r.value_lower or x.value > r.value_upper)
         and x.device_time between a.date_time and coalesce(a.resolved_date, $1)))::int as bare
       from tocsin.alarm a join tocsin.rule r on r.tocsin_datapoint_uuid = a.tocsin_datapoint_uuid and r.name = a.rule_name
       join tocsin.asset_datapoint d on d.uuid = a.tocsin_datapoint_uuid join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid`,
      [now],
    );
    expect(row.n).toBeGreaterThan(150);
    expect(row.bare).toBe(0);
  });

  long('an acknowledgement has a reason of its rule', async () => {
    const wrong = await ask(
      `select a.rule_name, a.reason from tocsin.alarm a where a.reason is not null and not exists (
         select from tocsin.rule_alert r join tocsin.reason o on o.rule_uuid = r.uuid
         where r.tocsin_site_uuid = a.tocsin_site_uuid and r.tocsin_rule_name = a.rule_name and o.reason = a.reason)`,
    );
    expect(wrong).toEqual([]);
  });

  long('more alarms open in the morning than at night', async () => {
    const [row] = await ask(
      `select count(*) filter (where extract(hour from date_time at time zone 'UTC') between 6 and 9)::int as morning,
         count(*) filter (where extract(hour from date_time at time zone 'UTC') between 1 and 4)::int as night from tocsin.alarm where severity <> 'silent'`,
    );
    expect(row.morning).toBeGreaterThan(1.5 * row.night);
  });
});

describe('readings', () => {
  long('data point and site show the newest reading of the channel', async () => {
    const wrong = await ask(
      `select d.uuid from tocsin.asset_datapoint d join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
       join tocsin.asset a on a.uuid = d.tocsin_asset_uuid join tocsin.site s on s.uuid = a.tocsin_site_uuid
       cross join lateral (select device_time, value from tocsin.reading r where r.channel_key = c.key order by device_time desc limit 1) x
       where x.value <> d.latest_value or x.device_time <> d.last_updated or d.last_updated <> s.last_update`,
    );
    expect(wrong).toEqual([]);
  });

  long('analog readings are hourly, and every ten minutes in the last two days', async () => {
    const [row] = await ask(
      `select count(*) filter (where device_time < $1)::int as past, count(*) filter (where device_time >= $1)::int as recent
       from tocsin.reading r join tocsin.sensor_channel c on c.key = r.channel_key join tocsin.sensor s on s.uuid = c.tocsin_sensor_uuid
       where s.uid = 'NM-PS-0009-1' and c.channel_number = 1`,
      [new Date(now.getTime() - 2 * DAY)],
    );
    expect(row.past).toBeGreaterThan(86 * 24 * 0.97);
    expect(row.recent).toBeGreaterThan(280);
  });
});

describe('health', () => {
  long('the database counts slots like domain/health.ts', async () => {
    for (const [hours, from, to] of [
      [1, mondays[0]!, now],
      [6, mondays[3]!, today],
      [24, today, now],
      [5, now, mondays[2]!],
      [168, mondays[0]!, now],
    ] as const) {
      const [row] = await ask('select tocsin_private.slots_between($1, $2, $3) as n', [hours, from, to]);
      expect(row.n, `${hours} h`).toBe(slotsBetween(hours, from, to));
    }
  });

  long('most sites have few gaps, and a few unit offices have many', async () => {
    const rows = await askAsOwner('select * from tocsin.health_report_by_site($1::timestamptz[], $2)', [
      mondays,
      today,
    ]);
    expect(rows).toHaveLength(47);
    const health = rows.map((row) => {
      const received = Array.from({ length: 12 }, (_, week) => row[`w${week + 1}_count`] as number);
      const expected = row.expected.slice(0, 12) as number[];
      for (let week = 0; week < 12; week++) expect(received[week]).toBeLessThanOrEqual(expected[week]!);
      expect(row.todaycount).toBeLessThanOrEqual(row.expected[12]);
      return { office: row.uo_name as string, share: sum(received) / sum(expected) };
    });
    expect(health.filter(({ share }) => share >= 0.97).length).toBeGreaterThanOrEqual(35);
    const offices = await askAsOwner('select * from tocsin.health_report_by_unit_office($1::timestamptz[], $2)', [
      mondays,
      today,
    ]);
    expect(offices).toHaveLength(16);
    const worst = offices
      .map((row) => ({ name: row.uo_name, share: sum(weeksOf(row)) / sum(row.expected.slice(0, 12)) }))
      .sort((a, b) => a.share - b.share);
    expect(
      worst
        .slice(0, 2)
        .map((office) => office.name)
        .sort(),
    ).toEqual(['Lowmarsh', 'Upper Fell']);
    expect(worst[0]!.share).toBeGreaterThan(0.8);
    expect(worst.filter((office) => office.share < 0.97).length).toBeLessThanOrEqual(4);
  });

  long('every empty slot is in a silence with an alarm', async () => {
    const stray = await ask(
      `select s.name, slot from tocsin.site s
       cross join lateral generate_series(
         to_timestamp(ceil(extract(epoch from $1::timestamptz) / (s.tocsin_health_duration_hours * 3600)) * s.tocsin_health_duration_hours * 3600),
         $2::timestamptz - s.tocsin_health_duration_hours * interval '1 hour', s.tocsin_health_duration_hours * interval '1 hour') slot
       where not exists (select from tocsin.health_slot h where h.tocsin_site_uuid = s.uuid and h.slot_start = slot)
         and not exists (select from tocsin.alarm a where a.tocsin_site_uuid = s.uuid and a.severity = 'silent'
           and slot between a.date_time - s.tocsin_health_duration_hours * interval '1 hour' and coalesce(a.resolved_date, $2))
       limit 5`,
      [summary.from, now],
    );
    expect(stray).toEqual([]);
  });
});

describe('SMS report', () => {
  long('totals equal the sent SMS', async () => {
    const rows = await askAsOwner('select * from tocsin.sms_report_by_site($1, $2)', [summary.from, now]);
    // The report has a separate row for SMS messages that belong to no site.
    expect(rows.map(({ uuid }) => uuid).filter(Boolean)).toHaveLength(47);
    const [sent] = await askAsOwner(
      `select count(*)::int as n, sum(segments)::int as segments from tocsin.notification where method_type = 3 and state in ('sent', 'delivered')`,
    );
    expect(sum(rows.map((row) => row.sms_count))).toBe(sent.n);
    expect(sum(rows.map((row) => row.eqs))).toBe(sent.segments);
    expect(sent.n).toBeGreaterThan(500);
    for (const row of rows)
      expect(row.alarm_sms + row.health_sms + row.resolve_sms + row.other_sms).toBe(row.sms_count);
  });
});

function weeksOf(row: any): number[] {
  return Array.from({ length: 12 }, (_, week) => row[`w${week + 1}_count`] as number);
}

function sum(list: readonly number[]): number {
  return list.reduce((total, one) => total + one, 0);
}
