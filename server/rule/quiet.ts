import { timeText } from '../../domain/alarm/message.ts';
import type { QuietPeriod } from '../../domain/rule/simulate.ts';
import type { Transaction } from '../platform/database.ts';
import type { Range } from './history.ts';

const MILLISECONDS = (column: string) => `extract(epoch from ${column})::float8 * 1000`;

/** A rule, or a draft of one, and its data point. */
interface Place {
  ruleUuid: string | null;
  datapointUuid: string;
}

/**
 * Loads the times in which maintenance, shelving or a cause in alarm kept a rule quiet, as far as the caller may see
 * them. Uses the dependencies of today, and the alarms that their causes had then.
 */
export async function loadQuietPeriods(
  tx: Transaction,
  { ruleUuid, datapointUuid }: Place,
  { from, until }: Range,
): Promise<QuietPeriod[]> {
  const { rows } = await tx.query<{ from: number; until: number | null; suppressesAlarms: boolean }>(
    `with place as (
       select d.uuid as datapoint, a.uuid as asset, a.tocsin_site_uuid as site, d.tocsin_sensor_uuid as sensor
       from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid where d.uuid = $1
     ), period as (
       select o.starts_at, o.ends_at, w.suppresses <> 'notifications' as suppresses_alarms
       from place p join tocsin.maintenance_occurrence o on o.target_uuid in (p.site, p.asset, p.sensor)
         join tocsin.maintenance_window w on w.uuid = o.tocsin_maintenance_window_uuid
       union all
       select s.created_at, least(s.until, s.ended_at), false
       from place p join tocsin.shelving s on s.tocsin_site_uuid = p.site and s.scope <> 'alarm'
         and s.target_uuid in ($2, p.datapoint, p.asset, p.site)
       union all
       select o.date_time, o.resolved_date, false
       from place p cross join lateral tocsin_private.causes_of_watch($2, p.site) c
         cross join lateral (
           select a.date_time, a.resolved_date from tocsin.alarm a where a.rule_uuid = c.cause
           union all
           select a.date_time, a.resolved_date from tocsin.alarm a where a.tocsin_site_uuid = c.cause and a.source = 'silence'
         ) o
     )
     select ${MILLISECONDS('p.starts_at')} as from, ${MILLISECONDS('p.ends_at')} as until, p.suppresses_alarms as "suppressesAlarms"
     from period p
     where p.starts_at <= to_timestamp($4::float8 / 1000) and (p.ends_at is null or p.ends_at >= to_timestamp($3::float8 / 1000))`,
    [datapointUuid, ruleUuid, from, until],
  );
  return rows.map(({ until: end, ...period }) => ({ ...period, until: end ?? Number.POSITIVE_INFINITY }));
}

/** Returns whether the rule or its site names a cause that the caller may not see. */
export async function hasHiddenCauses(tx: Transaction, { ruleUuid, datapointUuid }: Place): Promise<boolean> {
  const { rows } = await tx.query(
    `select from tocsin.dependency d
     where d.dependent_uuid in ($2, (select a.tocsin_site_uuid from tocsin.asset_datapoint p join tocsin.asset a on a.uuid = p.tocsin_asset_uuid
       where p.uuid = $1)) and not exists (select from tocsin_private.watch_place(d.cause_uuid)) limit 1`,
    [datapointUuid, ruleUuid],
  );
  return rows.length > 0;
}

/** A maintenance window that suppressed alarms. */
export interface SuppressingWindow {
  name: string;
  /** Null if its end is not known. */
  until: number | null;
}

/** Returns a maintenance window that suppressed alarms of these data points at one of the times. */
export async function loadSuppressingWindow(
  tx: Transaction,
  datapointUuids: readonly string[],
  times: readonly number[],
): Promise<SuppressingWindow | undefined> {
  const { rows } = await tx.query<SuppressingWindow>(
    `select w.name, ${MILLISECONDS('o.ends_at')} as until
     from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
       join tocsin.maintenance_occurrence o on o.target_uuid in (a.tocsin_site_uuid, a.uuid, d.tocsin_sensor_uuid)
       join tocsin.maintenance_window w on w.uuid = o.tocsin_maintenance_window_uuid
     where d.uuid = any ($1::uuid[]) and w.suppresses <> 'notifications' and w.repeats <> 'until-ended'
       and exists (select from unnest($2::float8[]) t (at) where o.starts_at <= to_timestamp(t.at / 1000)
         and (o.ends_at is null or o.ends_at > to_timestamp(t.at / 1000)))
     order by o.starts_at, w.name limit 1`,
    [[...new Set(datapointUuids)], times],
  );
  return rows[0];
}

interface QuietAlarm {
  openedQuiet: boolean;
  /** Because of what the alarm is quiet now; null if it is not quiet or not open. */
  isQuietBecause: string | null;
  until: number | null;
  sentence: string;
  /** When the reason ended; null if it did not end before the alarm. */
  endedAt: number | null;
}

/**
 * Returns why nobody was notified of alarms that were quiet, with the end: the reason of the newest one, and how many
 * opened quiet. Undefined if none was quiet.
 */
export async function loadQuietReason(
  tx: Transaction,
  alarmUuids: readonly string[],
  timeZone: string,
): Promise<{ openedQuiet: number; sentence: string } | undefined> {
  const { rows } = await tx.query<QuietAlarm>(
    `select a.opened_quiet is not null as "openedQuiet", case when a.resolved_date is null then a.quiet_because end as "isQuietBecause",
       ${MILLISECONDS('a.quiet_until')} as until, e.sentence, ${MILLISECONDS('n.ended_at')} as "endedAt"
     from tocsin.alarm a
       cross join lateral (
         select v.id, v.sentence from tocsin.alarm_event v where v.tocsin_alarm_uuid = a.uuid
           and (v.kind in ('shelved', 'maintenance-started', 'dependency-started')
             or v.kind = 'not-notified' and v.detail ->> 'stage' = a.opened_quiet and v.detail ->> 'suppressed' = 'opening')
         order by v.id desc limit 1
       ) e
       cross join lateral (
         select min(v.at) as ended_at from tocsin.alarm_event v
         where v.tocsin_alarm_uuid = a.uuid and v.id > e.id and v.kind in ('unshelved', 'maintenance-ended', 'dependency-ended')
       ) n
     where a.uuid = any ($1::uuid[]) order by a.date_time desc, a.uuid`,
    [alarmUuids],
  );
  const [newest] = rows;
  if (!newest) return undefined;
  return {
    openedQuiet: rows.filter(({ openedQuiet }) => openedQuiet).length,
    sentence: `${newest.sentence} ${endOf(newest, timeZone)}`,
  };
}

function endOf({ isQuietBecause, endedAt, until }: QuietAlarm, timeZone: string): string {
  const time = (at: number) => timeText(new Date(at), timeZone);
  if (endedAt !== null) return `This ended on ${time(endedAt)}.`;
  if (isQuietBecause === null) return 'The alarm ended before this did.';
  if (until !== null) return `This ends on ${time(until)}.`;
  return isQuietBecause === 'dependency' ? 'This ends with that alarm.' : 'This has no planned end.';
}
