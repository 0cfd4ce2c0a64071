import { SILENT_SITE } from '../../../domain/alarm/texts.ts';
import type { Severity } from '../plant/kind.ts';
import { reasons } from '../plant/kind.ts';
import type { Person } from '../plant/people.ts';
import type { Alarm, Asset, Point, Site } from '../plant/plant.ts';
import { randomOf, uuidOf } from '../random.ts';
import type { SiteHistory, Span } from './history.ts';
import { valueAt } from './series.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface Acknowledgement {
  by: Person;
  at: number;
  reason: string;
  text: string | null;
  channel: 'console' | 'app';
}

/** An alarm in the history of the demo. */
export interface AlarmEvent {
  uuid: string;
  message: string;
  severity: Severity;
  openedAt: number;
  resolvedAt: number | null;
  asset: Asset | null;
  point: Point | null;
  /** The rule that opened the alarm; null for a silent site. */
  alarm: Alarm | null;
  /** The value that opened the alarm; for a silent site, the time of the last frame. */
  value: number;
  limit: number;
  acknowledged: Acknowledgement | null;
  mustAcknowledge: boolean;
  escalatedAt: number[];
}

/** Default escalation interval of a rule alert, in minutes. */
export const escalateMinutes = 15;
/** Default number of escalations for a rule alert. */
export const escalateTimes = 3;

const howOften: Readonly<Record<Severity, number>> = { critical: 0.98, major: 0.94, minor: 0.86, silent: 0.78 };
/** Median minutes from the opening to the acknowledgement, keyed by severity. */
const howSoon: Readonly<Record<Severity, number>> = { critical: 2.5, major: 4, minor: 7, silent: 12 };
const notes = [
  null,
  null,
  null,
  null,
  'Will look again in an hour.',
  'Spoke to the site.',
  'Same as last week.',
  'Logged for the next visit.',
];

/** An alarm without its acknowledgement and escalations, which are added later. */
type Opened = Omit<AlarmEvent, 'uuid' | 'acknowledged' | 'mustAcknowledge' | 'escalatedAt'>;

type Script = { acknowledged?: { minutesAgo: number; by: string; reason: string; text?: string } } | undefined;

/** Plans all alarms of a site, sorted by opening time, with their acknowledgements. */
export function planAlarms(seed: string, site: Site, history: SiteHistory, span: Span): AlarmEvent[] {
  const events: AlarmEvent[] = [];
  const add = (event: Opened, reasonList: readonly string[], script: Script) => {
    const name = [seed, 'alarm', site.customer.id, site.siteId, event.message, event.openedAt] as const;
    const acknowledged = acknowledge(randomOf(...name), site, event, reasonList, span.now, script);
    const mustAcknowledge = needsAcknowledging(event.severity);
    const escalatedAt = mustAcknowledge ? escalations(event, acknowledged, span.now) : [];
    events.push({ uuid: uuidOf(...name), ...event, acknowledged, mustAcknowledge, escalatedAt });
  };
  for (const { asset, point, alarm, from, to, script } of history.episodes) {
    const { kind } = alarm;
    const hold = kind.debounce * SECOND;
    const own = history.episodes.filter((episode) => episode.point === point);
    const event = {
      message: alarm.name,
      severity: kind.severity,
      openedAt: from + hold,
      resolvedAt: to === undefined ? null : to + hold,
      asset,
      point,
      alarm,
      value: valueAt(point, own, from + hold, history.lastFrame),
      limit: kind.limit,
    };
    add(event, reasons[kind.reasons], script);
  }
  for (const { from, to, script } of history.gaps) {
    const openedAt = from + site.healthHours * HOUR;
    const event = {
      message: SILENT_SITE,
      severity: 'silent' as const,
      openedAt,
      resolvedAt: to ?? null,
      asset: null,
      point: null,
      alarm: null,
      value: from,
      limit: site.healthHours,
    };
    add(event, reasons.silent, to === undefined ? (script ?? {}) : undefined);
  }
  return events.sort((a, b) => a.openedAt - b.openedAt);
}

/** Returns whether alarms of this severity require an acknowledgement. Only these alarms escalate. */
export function needsAcknowledging(severity: Severity): boolean {
  return severity !== 'minor';
}

function escalations(event: Opened, acknowledged: Acknowledgement | null, now: number): number[] {
  const ended = Math.min(acknowledged?.at ?? now, event.resolvedAt ?? now);
  return Array.from(
    { length: escalateTimes },
    (_, round) => event.openedAt + (round + 1) * escalateMinutes * MINUTE,
  ).filter((at) => at < ended);
}

function acknowledge(
  random: ReturnType<typeof randomOf>,
  site: Site,
  event: Opened,
  reasonList: readonly string[],
  now: number,
  script: Script,
): Acknowledgement | null {
  if (script) {
    const acknowledged = script.acknowledged;
    const by = acknowledged && site.customer.people.find((person) => person.name === acknowledged.by);
    if (!acknowledged || !by) return null;
    const at = Math.max(now - acknowledged.minutesAgo * MINUTE, event.openedAt + 30 * SECOND);
    return { by, at, reason: acknowledged.reason, text: acknowledged.text ?? null, channel: 'app' };
  }
  const at = event.openedAt + Math.round(random.wait(howSoon[event.severity]) * 60) * SECOND;
  const willing = [...site.people, ...site.customer.escalation];
  const seen = random.chance(howOften[event.severity]);
  const by = random.pick(willing);
  const reason = random.pick(reasonList);
  const text = random.pick(notes);
  const channel = random.chance(0.6) ? 'app' : 'console';
  return seen && at < now ? { by, at, reason, text, channel } : null;
}
