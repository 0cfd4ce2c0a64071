/**
 * Adds rules, people and history to the device benchmark's plant. Writes to the database while the server is stopped.
 */
import { serviceAccess } from '../../../server/access.ts';
import { databaseOf, readConfig } from '../../../server/config.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import type { Database, Transaction } from '../../../server/platform/database.ts';
import { silentLog } from '../../../server/platform/log.ts';
import { openDatabase } from '../../../server/platform/open-database.ts';
import { createUser } from '../database/factories.ts';
import { createSensor } from './devices.ts';

type Settings = Readonly<Record<string, string>>;

/** Runs `work` on the database of these settings. Stop the server first if it uses the embedded database. */
export async function onDatabase<T>(settings: Settings, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ ...databaseOf(readConfig(settings)), log: silentLog });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

export function asService<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(serviceAccess(systemClock), work);
}

/**
 * Runs `work` for each channel number in a separate transaction. Every changed rule sends a PostgreSQL notification,
 * and one transaction must not send too many.
 */
async function forEachChannel(
  db: Database,
  work: (tx: Transaction, channel: number) => Promise<unknown>,
): Promise<void> {
  const { rows } = await asService(db, (tx) =>
    tx.query<{ number: number }>('select distinct channel_number as number from tocsin.sensor_channel order by 1'),
  );
  for (const { number } of rows) await asService(db, (tx) => work(tx, number));
  await db.migration((tx) => tx.query('analyze'));
}

/** Adds a rule with its own message to every data point. Every second rule has a debounce of 30 s. */
export function addRules(settings: Settings, upper: number): Promise<number> {
  return onDatabase(settings, async (db) => {
    let count = 0;
    await forEachChannel(db, async (tx, channel) => {
      const { rowCount } = await tx.query(
        `insert into tocsin.rule (tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_upper,
           debounce, message)
         select d.tocsin_customer_uuid, a.tocsin_site_uuid, a.uuid, d.uuid, d.tocsin_datapoint_name || ' high', $1,
           case when c.channel_number % 2 = 0 then 30 else 0 end, '{asset} {datapoint} high'
         from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
         join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid join tocsin.sensor e on e.uuid = d.tocsin_sensor_uuid
         where e.uid ~ '^s[0-9]+$' and c.channel_number = $2`,
        [upper, channel],
      );
      count += rowCount;
    });
    return count;
  });
}

const OF_CHANNEL = `r.tocsin_datapoint_uuid in (select d.uuid from tocsin.asset_datapoint d
  join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid where c.channel_number = $1)`;

export function switchRules(settings: Settings, enabled: boolean): Promise<void> {
  return onDatabase(settings, (db) =>
    forEachChannel(db, (tx, channel) =>
      tx.query(`update tocsin.rule r set enabled = $2 where r.enabled <> $2 and ${OF_CHANNEL}`, [channel, enabled]),
    ),
  );
}

/** Shelves a twentieth of the rules, and puts a twentieth of the sensors into a maintenance window. `false` ends both. */
export function switchQuiet(settings: Settings, quiet: boolean): Promise<void> {
  return onDatabase(settings, async (db) => {
    await asService(db, async (tx) => {
      await tx.query('delete from tocsin.maintenance_window');
      await tx.query('delete from tocsin.shelving');
      if (!quiet) return;
      await tx.query(`insert into tocsin.shelving (tocsin_customer_uuid, scope, target_uuid, tocsin_site_uuid, target_name, site_name, user_name,
          reason, until)
        select r.tocsin_customer_uuid, 'rule', r.uuid, r.tocsin_site_uuid, r.name, '', 'Benchmark', 'Benchmark', now() + interval '1 day'
        from (select r.*, row_number() over (order by r.uuid) as number from tocsin.rule r) r where r.number % 20 = 0`);
      await tx.query(`with planned as (
          insert into tocsin.maintenance_window (tocsin_customer_uuid, name, scope, target_uuid, target_name, site_name, suppresses, repeats,
            first_day, from_time, to_time, days, user_name, planned_until)
          select s.tocsin_customer_uuid, 'Benchmark', 'sensor', s.uuid, s.uid, '', 'alarms', 'once', current_date, '00:00', '00:00', 1,
            'Benchmark', now() + interval '1 year'
          from (select s.*, row_number() over (order by s.uuid) as number from tocsin.sensor s where s.uid ~ '^s[0-9]+$') s
          where s.number % 20 = 1
          returning *)
        insert into tocsin.maintenance_occurrence (tocsin_customer_uuid, tocsin_maintenance_window_uuid, target_uuid, starts_at, ends_at, begun_at)
        select p.tocsin_customer_uuid, p.uuid, p.target_uuid, now() - interval '1 hour', now() + interval '1 day', now() from planned p`);
    });
    await db.migration((tx) => tx.query('analyze'));
  });
}

/** Puts all sites into one unit office and adds people. Returns the uuids of the people. */
export function addOffice(settings: Settings, people: number): Promise<string[]> {
  return onDatabase(settings, async (db) => {
    const { rows } = await asService(db, (tx) =>
      tx.query<{ uuid: string }>(
        `with office as (
           insert into tocsin.group (tocsin_customer_uuid, level, name) select uuid, 5, 'Storm' from tocsin.customer returning *),
         moved as (update tocsin.site s set tocsin_group5_uuid = o.uuid from office o)
         select tocsin_customer_uuid as uuid from office`,
      ),
    );
    const customer = rows[0] as { uuid: string };
    const added: string[] = [];
    for (let index = 0; index < people; index += 1) {
      added.push((await createUser(db, { customer, displayName: `Recipient ${index + 1}` })).uuid);
    }
    return added;
  });
}

/** Enables all rules, adds the recipients to each, and resolves all open alarms. */
export function prepareStorm(settings: Settings, people: readonly string[]): Promise<void> {
  return onDatabase(settings, async (db) => {
    await asService(db, async (tx) => {
      await tx.query('delete from tocsin_private.rule_state');
      await tx.query('update tocsin_private.evaluator_shard set version = version + 1');
      await tx.query(
        `update tocsin.alarm set resolved_date = date_time, resolved_how = 'by-itself', next_escalation_at = null where resolved_date is null`,
      );
      await tx.query(
        `with alert as (
           insert into tocsin.rule_alert (tocsin_customer_uuid, tocsin_site_uuid, tocsin_rule_name)
           select distinct r.tocsin_customer_uuid, r.tocsin_site_uuid, r.name from tocsin.rule r where r.name like 'Channel %'
           on conflict do nothing returning tocsin_customer_uuid, uuid)
         insert into tocsin.rule_alert_user (tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid)
         select a.tocsin_customer_uuid, a.uuid, p.uuid from alert a cross join unnest($1::uuid[]) p (uuid)`,
        [people],
      );
    });
    await forEachChannel(db, (tx, channel) =>
      tx.query(
        `update tocsin.rule r set debounce = 0, enabled = true where ${OF_CHANNEL} and (r.debounce > 0 or not r.enabled)`,
        [channel],
      ),
    );
  });
}

export interface AlarmProbe {
  uid: string;
  token: string;
  siteUuid: string;
}

export interface AlarmPlant {
  customerUuid: string;
  /**
   * A sensor whose first value above 100 opens an alarm at once. The recipient gets one e-mail for the opening and one
   * for the resolution.
   */
  probe: AlarmProbe;
  /** The recipient of the probe's alarms. */
  person: { uuid: string; email: string };
  /** A data point with a history of one reading per minute. */
  history: { datapointUuid: string; from: number; to: number; readings: number };
}

const MINUTE = 60_000;
const HISTORY_DAYS = 90;

export function addAlarmPlant(settings: Settings): Promise<AlarmPlant> {
  return onDatabase(settings, async (db) => {
    const customerUuid = await asService(
      db,
      async (tx) => (await tx.query('select uuid from tocsin.customer')).rows[0].uuid,
    );
    const customer = { uuid: customerUuid as string };
    const probe = await createSensor(db, { customer, uid: 'alarm-probe' });
    const person = await createUser(db, { customer, displayName: 'Anna Operator' });
    await asService(db, async (tx) => {
      const { rows } = await tx.query(
        `insert into tocsin.rule (tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_upper)
         values ($1, $2, $3, $4, 'Probe high', 100) returning name`,
        [customer.uuid, probe.site.uuid, probe.assetUuid, probe.channels[0]?.datapointUuid],
      );
      const { rows: alerts } = await tx.query(
        `insert into tocsin.rule_alert (tocsin_customer_uuid, tocsin_site_uuid, tocsin_rule_name) values ($1, $2, $3) returning uuid`,
        [customer.uuid, probe.site.uuid, rows[0].name],
      );
      await tx.query(
        `insert into tocsin.rule_alert_user (tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid, is_alert, is_resolve)
         values ($1, $2, $3, true, true)`,
        [customer.uuid, alerts[0].uuid, person.uuid],
      );
    });
    const old = await createSensor(db, { customer, uid: 'history' });
    const to = Math.floor(Date.now() / MINUTE) * MINUTE - 60 * MINUTE;
    const from = to - HISTORY_DAYS * 24 * 60 * MINUTE;
    const [first, last] = [new Date(from).toISOString(), new Date(to).toISOString()];
    await db.migration((tx) =>
      tx.query('call tocsin_private.ensure_partitions($1::timestamptz, $2::timestamptz)', [first, last]),
    );
    const { key, datapointUuid } = old.channels[0] as { key: number; datapointUuid: string };
    const readings = await asService(db, async (tx) => {
      const { rowCount } = await tx.query(
        `insert into tocsin.reading (channel_key, device_time, server_time, value)
         select $1, t, t + interval '1 second', 70 + 25 * sin(date_part('epoch', t) / 9000) + 10 * random()
         from generate_series($2::timestamptz, $3::timestamptz - interval '1 minute', interval '1 minute') t`,
        [key, first, last],
      );
      return rowCount;
    });
    await db.migration((tx) => tx.query('analyze'));
    return {
      customerUuid: customer.uuid,
      probe: { uid: probe.uid, token: probe.token, siteUuid: probe.site.uuid },
      person: { uuid: person.uuid, email: person.email },
      history: { datapointUuid, from, to, readings },
    };
  });
}
