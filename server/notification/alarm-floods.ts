import { type AlarmFlood, afterAlarm, type CountedAlarm, type FloodWatch } from '../../domain/alarm/alarm-flood.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import { isSentInFlood } from '../../domain/notification/stages.ts';
import type { Severity } from '../../domain/rule/priority.ts';
import { randomUuid } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';

/** An alarm that a transaction has opened and that is not quiet. */
export interface NewAlarm {
  alarmUuid: string;
  customerUuid: string;
  siteUuid: string;
  severity: Severity;
}

interface StoredFlood {
  uuid: string;
  beganAt: number;
  lastAt: number;
  endsAt: number;
  alarms: number;
  firstUuid: string | null;
}

interface PlaceRow {
  customer: string;
  site: string | null;
  office: string | null;
  name: string;
  sites: string[];
  floodEnd: number;
  flood: StoredFlood | null;
  previousLastAt: number | null;
  recent: CountedAlarm[] | null;
}

interface ChangedFlood {
  flood: AlarmFlood;
  endedAt: number | undefined;
}

interface Place extends Pick<PlaceRow, 'customer' | 'site' | 'office' | 'name' | 'floodEnd'> {
  watch: FloodWatch;
  /** Uuid of the active flood. */
  floodUuid: string | undefined;
  /** The floods that this transaction changes, by uuid. */
  changed: Map<string, ChangedFlood>;
}

const MILLISECONDS = (column: string) => `round(extract(epoch from ${column}) * 1000)::float8`;

/**
 * The alarm floods that concern one transaction. `load` locks the places of the alarms, so that concurrent
 * transactions, also of different processes, count alarms one after another.
 */
export class AlarmFloods {
  readonly #now: number;
  readonly #places = new Map<string, Place>();
  /** The flood in which each alarm opened; undefined if it did not open in one. */
  readonly #floodOf = new Map<string, string | undefined>();

  constructor(now: number) {
    this.#now = now;
  }

  /** Call this once per transaction, before alarms of these sites are inserted. */
  async load(tx: Transaction, sites: readonly string[]): Promise<void> {
    if (sites.length === 0) return;
    const { rows } = await tx.query<PlaceRow>(
      `select p.customer_uuid as customer, p.site_uuid as site, p.group_uuid as office, p.place_name as name, p.site_uuids as sites,
         p.flood_end as "floodEnd", ${MILLISECONDS('p.previous_alarm_at')} as "previousLastAt", p.recent,
         case when (p.flood).uuid is not null then json_build_object('uuid', (p.flood).uuid, 'beganAt', ${MILLISECONDS('(p.flood).began_at')},
           'lastAt', ${MILLISECONDS('(p.flood).last_alarm_at')}, 'endsAt', ${MILLISECONDS('(p.flood).ends_at')},
           'alarms', (p.flood).alarms, 'firstUuid', (p.flood).tocsin_alarm_uuid) end as flood
       from tocsin_private.lock_flood_places($1::uuid[], to_timestamp($2::float8 / 1000)) p`,
      [[...new Set(sites)], this.#now],
    );
    for (const row of rows) {
      const place = placeOf(row);
      for (const site of row.sites) this.#places.set(site, place);
    }
  }

  /** Looks up whether these alarms opened in a flood. */
  async loadAlarms(tx: Transaction, alarms: Iterable<string>): Promise<void> {
    const missing = [...new Set(alarms)].filter((uuid) => !this.#floodOf.has(uuid));
    if (missing.length === 0) return;
    const { rows } = await tx.query<{ alarm: string; flood: string }>(
      `select e.tocsin_alarm_uuid as alarm, e.detail ->> 'flood' as flood from tocsin.alarm_event e
       where e.tocsin_alarm_uuid = any ($1::uuid[]) and e.kind = 'not-notified' and e.detail ->> 'because' = 'flood'`,
      [missing],
    );
    for (const uuid of missing) this.#floodOf.set(uuid, undefined);
    for (const { alarm, flood } of rows) this.#floodOf.set(alarm, flood);
  }

  floodOf(alarmUuid: string): string | undefined {
    return this.#floodOf.get(alarmUuid);
  }

  /**
   * Counts alarms that have opened, in the order of their events. Returns timeline events for the alarms that opened in
   * a flood. Critical alarms are counted, but notified one by one.
   */
  open(alarms: readonly NewAlarm[]): NewEvent[] {
    const events: NewEvent[] = [];
    for (const { alarmUuid, customerUuid, siteUuid, severity } of alarms) {
      const place = this.#places.get(siteUuid);
      if (!place) continue;
      const uuid = this.#count(place, { uuid: alarmUuid, at: this.#now });
      const flood = isSentInFlood(severity) ? undefined : uuid;
      this.#floodOf.set(alarmUuid, flood);
      if (flood === undefined) continue;
      const sentence = `The alarm opened during an alarm flood at ${place.name}, so its recipients get it in a digest.`;
      const detail = { because: 'flood', stage: 'flood', suppressed: 'opening', flood };
      events.push({ alarmUuid, customerUuid, at: this.#now, kind: 'not-notified', sentence, detail });
    }
    return events;
  }

  /** Returns the uuid of the flood in which the alarm opened. */
  #count(place: Place, alarm: CountedAlarm): string | undefined {
    const before = place.watch.flood;
    place.watch = afterAlarm(place.watch, alarm, place.floodEnd);
    const { flood } = place.watch;
    const continues = before !== undefined && flood?.firstOut === before.firstOut;
    if (before && place.floodUuid !== undefined && !continues) {
      place.changed.set(place.floodUuid, { flood: before, endedAt: Math.min(before.endsAt, alarm.at) });
    }
    if (!continues) place.floodUuid = flood && randomUuid();
    if (flood && place.floodUuid !== undefined) place.changed.set(place.floodUuid, { flood, endedAt: undefined });
    return place.floodUuid;
  }

  async write(tx: Transaction): Promise<void> {
    const rows = [...new Set(this.#places.values())].flatMap(({ customer, site, office, name, changed }) =>
      [...changed].map(([uuid, { flood, endedAt }]) => ({
        ...{ uuid, customer, site, office, name, began: flood.firstOut.at, ends: flood.endsAt },
        ...{ ended: endedAt ?? null, last: flood.lastAt, alarms: flood.alarms, first: flood.firstOut.uuid || null },
      })),
    );
    if (rows.length === 0) return;
    // If the engine has just ended a flood that an alarm of this transaction continues, this upsert reopens the flood.
    await tx.query(
      `insert into tocsin.alarm_flood (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_group_uuid, place_name, began_at, ends_at, ended_at,
         last_alarm_at, alarms, tocsin_alarm_uuid, first_message, first_site_name)
       select f.uuid, f.customer, f.site, f.office, f.name, to_timestamp(f.began / 1000), to_timestamp(f.ends / 1000),
         to_timestamp(f.ended / 1000), to_timestamp(f.last / 1000), f.alarms, a.uuid, coalesce(a.message, ''), coalesce(a.site_name, '')
       from ${recordset('f', { uuid: 'uuid', customer: 'uuid', site: 'uuid', office: 'uuid', name: 'text', began: 'float8', ends: 'float8', ended: 'float8', last: 'float8', alarms: 'int', first: 'uuid' })}
       left join tocsin.alarm a on a.uuid = f.first
       on conflict (uuid) do update set ends_at = excluded.ends_at, ended_at = excluded.ended_at,
         last_alarm_at = excluded.last_alarm_at, alarms = excluded.alarms`,
      [JSON.stringify(rows)],
    );
  }
}

function placeOf({ customer, site, office, name, floodEnd, flood, previousLastAt, recent }: PlaceRow): Place {
  const { uuid, beganAt, lastAt, endsAt, alarms, firstUuid } = flood ?? {};
  const active: AlarmFlood | undefined =
    uuid === undefined
      ? undefined
      : {
          firstOut: { uuid: firstUuid ?? '', at: beganAt as number },
          ...{ alarms: alarms as number, lastAt: lastAt as number, endsAt: endsAt as number },
        };
  return {
    ...{ customer, site, office, name, floodEnd },
    watch: { recent: recent ?? [], flood: active, previousLastAt: previousLastAt ?? Number.NEGATIVE_INFINITY },
    floodUuid: uuid,
    changed: new Map(),
  };
}
