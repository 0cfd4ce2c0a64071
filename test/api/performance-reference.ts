/** Computes the figures of the alarm performance report a second time, alarm by alarm and without shortcuts. */

export interface AlarmFacts {
  uuid: string;
  site: string | null;
  rule: string | null;
  severity: string;
  created: number;
  opened: number;
  resolved: number | null;
  /** Seconds from the alarm's creation to its acknowledgement; null if it has none. */
  seconds: number | null;
  /** True if the alarm was shelved when it opened. */
  quiet: boolean;
  /** Recipients with a working method. */
  people: string[];
  /** The reason why nobody was notified, as kind and cause; null if somebody was notified. */
  cause: [kind: string, cause: string] | null;
}

const PERIOD = 600_000;
const count = <T>(rows: readonly T[], which: (row: T) => boolean) => rows.filter(which).length;

interface Limits {
  from: number;
  to: number;
  now: number;
  since: number | null;
  staleHours: number;
  floodEnd: number;
  /** Returns the unit office of a site, or the site if it has none. */
  placeOf: (site: string) => string;
  /** Returns the local date of a point in time. */
  dayOf: (at: number) => string;
}

export interface ReferenceFlood {
  place: string;
  began: number;
  ended: number;
  alarms: string[];
}

function floodsOf(alarms: readonly AlarmFacts[], { to, floodEnd, placeOf }: Limits): ReferenceFlood[] {
  const floods: ReferenceFlood[] = [];
  const counted = alarms.filter(({ quiet, site }) => !quiet && site !== null);
  for (const [place, own] of Map.groupBy(counted, ({ site }) => placeOf(site as string))) {
    const arrivals = own.map((alarm) => ({ at: alarm.created, alarm, leaves: false }));
    const leavings = own.map((alarm) => ({ at: alarm.created + PERIOD, alarm, leaves: true }));
    // If an alarm arrives exactly when another one becomes ten minutes old, the older alarm is removed first.
    const changes = [...leavings, ...arrivals].toSorted((a, b) => a.at - b.at || Number(b.leaves) - Number(a.leaves));
    const inside = new Set<AlarmFacts>();
    const used = new Set<AlarmFacts>();
    let flood: ReferenceFlood | undefined;
    for (const { at, alarm, leaves } of changes) {
      if (leaves) inside.delete(alarm);
      else inside.add(alarm);
      if (flood && inside.size < floodEnd) {
        flood.ended = Math.min(to, at);
        flood = undefined;
      }
      if (leaves) continue;
      if (!flood && inside.size > 10) {
        const first = Math.min(...[...inside].filter((one) => !used.has(one)).map(({ created }) => created));
        flood = { place, began: first, ended: to, alarms: [] };
        floods.push(flood);
      }
      if (!flood) continue;
      for (const one of inside) {
        if (used.has(one)) continue;
        used.add(one);
        flood.alarms.push(one.uuid);
      }
    }
  }
  return floods;
}

/** Returns the chattering alarms: those that belong to a group of at least three alarms of one rule within a minute. */
function chatteringOf(alarms: readonly AlarmFacts[]): AlarmFacts[] {
  return alarms.filter((alarm) => {
    if (alarm.rule === null) return false;
    const own = alarms.filter(({ rule }) => rule === alarm.rule);
    return own.some((first) => {
      const minute = own.filter(({ opened }) => opened >= first.opened && opened <= first.opened + 60_000);
      return minute.length >= 3 && minute.includes(alarm);
    });
  });
}

export function percentileOf(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return sorted.length === 0
    ? null
    : ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
}

/**
 * Returns the figures of the report. For each figure that has a list of alarms, also returns the uuids of these alarms.
 */
export function referenceOf(all: readonly AlarmFacts[], limits: Limits) {
  const { from, to, now, since, staleHours, dayOf } = limits;
  const alarms = all.filter(({ created }) => created >= from && created < to);
  const load: number[] = [];
  for (let start = from; start < to; start += PERIOD)
    load.push(count(alarms, ({ created }) => created >= start && created < start + PERIOD));
  const until = now > from ? Math.min(to, now) : to;
  const firstPeriod = load.findIndex((number) => number > 0);
  const starts = [until - PERIOD];
  if (since !== null) starts.push(since);
  if (firstPeriod >= 0) starts.push(from + firstPeriod * PERIOD);
  const begin = Math.max(from, Math.min(...starts));
  const days = new Set<string>();
  for (let at = begin; at < until; at += 900_000) days.add(dayOf(at));
  days.add(dayOf(until - 1));
  const periodOf = ({ created }: AlarmFacts) => Math.floor((created - from) / PERIOD);
  const floods = floodsOf(alarms, limits);
  const inFloods = new Set(floods.flatMap((flood) => flood.alarms));
  const rules = [...Map.groupBy(alarms, ({ rule }) => rule)]
    .flatMap(([rule, own]) => (rule === null ? [] : [{ rule, alarms: own.length }]))
    .toSorted((a, b) => b.alarms - a.alarms || (a.rule < b.rule ? -1 : 1))
    .slice(0, 10);
  const addressed = alarms.filter(({ quiet, people }) => !quiet && people.length > 0);
  const recipients = [...new Set(addressed.flatMap(({ people }) => people))].map((uuid) => {
    const own = addressed.filter(({ people }) => people.includes(uuid));
    const seconds = own.flatMap((alarm) => (alarm.seconds === null ? [] : [alarm.seconds]));
    return {
      uuid,
      alarms: own.length,
      peak: Math.max(...load.map((_, period) => count(own, (alarm) => periodOf(alarm) === period))),
      acknowledged: seconds.length,
      meanSeconds: seconds.length === 0 ? null : seconds.reduce((sum, one) => sum + one, 0) / seconds.length,
    };
  });
  const seconds = alarms.flatMap((alarm) => (alarm.seconds === null ? [] : [alarm.seconds]));
  const lists = {
    addressed,
    acknowledged: alarms.filter((alarm) => alarm.seconds !== null),
    busy: alarms.filter((alarm) => (load[periodOf(alarm)] as number) > 10),
    flood: alarms.filter(({ uuid }) => inFloods.has(uuid)),
    top: alarms.filter((alarm) => rules.some(({ rule }) => rule === alarm.rule)),
    chattering: chatteringOf(alarms),
    fleeting: alarms.filter(({ resolved, opened }) => resolved !== null && resolved - opened <= 30_000),
    stale: alarms.filter(({ resolved, opened }) => (resolved ?? now) - opened > staleHours * 3_600_000),
    shelved: alarms.filter(({ cause }) => cause?.[0] === 'shelved'),
    suppressed: alarms.filter(({ cause }) => cause?.[0] === 'suppressed'),
    unreached: alarms.filter(({ cause }) => cause?.[0] === 'unreached'),
  };
  const causes = [
    ...Map.groupBy(
      alarms.filter(({ cause }) => cause !== null),
      ({ cause }) => cause?.join('\n'),
    ),
  ].map(([cause, own]) => ({ kind: cause?.split('\n')[0], cause: cause?.split('\n')[1], alarms: own.length }));
  const ofSeverity = (severity: string) => count(alarms, (alarm) => alarm.severity === severity);
  const floodPeriods = new Set(
    floods.flatMap(({ began, ended }) =>
      load
        .map((_, period) => from + period * PERIOD)
        .filter((start) => start + PERIOD > began && start < Math.min(ended, until)),
    ),
  );
  return {
    totals: {
      alarms: alarms.length,
      critical: ofSeverity('critical'),
      major: ofSeverity('major'),
      minor: ofSeverity('minor'),
      silent: ofSeverity('silent'),
      days: days.size,
      periods: Math.ceil((until - from) / PERIOD) - Math.floor((begin - from) / PERIOD),
      busyPeriods: count(load, (number) => number > 10),
      busyAlarms: lists.busy.length,
      floodCount: floods.length,
      floodPeriods: floodPeriods.size,
      floodAlarms: lists.flood.length,
      topAlarms: lists.top.length,
      chattering: lists.chattering.length,
      fleeting: lists.fleeting.length,
      stale: lists.stale.length,
      acknowledged: seconds.length,
      medianSeconds: medianOf(seconds),
      p90Seconds: percentileOf(seconds, 0.9),
      addressed: addressed.length,
      recipientCount: recipients.length,
      recipientAlarms: recipients.reduce((sum, row) => sum + row.alarms, 0),
    },
    load,
    rules,
    floods,
    recipients,
    causes,
    lists,
  };
}
