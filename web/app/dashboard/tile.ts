import type { Severity } from '../../../domain/rule/priority.ts';
import type { ActiveWindow } from '../../features/maintenance/index.ts';
import { acknowledgementOf, type QuietState, quietState, severityOf } from '../../kit/format/alarm.ts';
import { withoutSite } from '../../kit/format/alarm-name.ts';
import { limitsWatched, placeOf, withoutAlarm } from '../../kit/format/limit-state.ts';
import { readValue } from '../../kit/format/value.ts';
import { rowsOf } from '../../kit/list/list.ts';
import { noAlarm, noData, stateWords } from '../../ui/state-words.ts';
import type { BoardSite, Trend } from './dashboard.queries.ts';

/** The texts and state of a site's tile. */
export interface Tile {
  uuid: string;
  name: string;
  state: Severity | QuietState | 'normal';
  /** The state's label. */
  word: string;
  /** True if the worst alarm is acknowledged or the site has no alarm. False if all alarms are quiet. */
  acknowledged: boolean;
  /** True if the site has an unacknowledged alarm, which is not necessarily the worst one. */
  waiting: boolean;
  /**
   * Second line of the tile: the alarm's message, the number of unacknowledged alarms, the data point's name or a note.
   */
  words: string;
  value: { text: string; unit: string } | null;
  /** True if the worst alarm is about the shown value, not about another value. False if all alarms are quiet or the site is silent. */
  valueInAlarm: boolean;
  /** Time at which the worst alarm stops being quiet; null if it is not quiet or the end is not known. */
  quietUntil: string | null;
  /** Name of a maintenance window that is in progress but does not determine the state; undefined if there is none. */
  maintenance: string | undefined;
}

type SiteFacts = Pick<
  BoardSite,
  'uuid' | 'name' | 'siteStatus' | 'worstAlarm' | 'waitingAlarms' | 'leadDatapoint' | 'hasRules'
>;

/** Returns the texts and state of a site's tile. `windows` are the maintenance windows in progress at the site. */
export function tileOf(site: SiteFacts, windows: readonly ActiveWindow[] = []): Tile {
  const { worstAlarm: alarm, leadDatapoint: point } = site;
  const silent = site.siteStatus === 3;
  const quiet = alarm && quietState(alarm);
  const own = alarm === null ? windows.find(({ scope }) => scope === 'site') : undefined;
  const withoutAlarms = own ? 'maintenance' : silent ? 'silent' : 'normal';
  const state = quiet ? quiet : alarm ? severityOf(alarm.severity) : withoutAlarms;
  const acknowledged = quiet === null && (alarm === null || acknowledgementOf(alarm.acknowledgeJson) !== null);
  const waiting = alarm === null ? 0 : (site.waitingAlarms ?? 0);
  return {
    uuid: site.uuid,
    name: site.name,
    state,
    word: state === 'normal' ? wordWithoutAlarm(site) : stateWords[state],
    acknowledged,
    waiting: waiting > 0,
    words:
      acknowledged && waiting > 0
        ? `${waiting.toLocaleString()} not acknowledged`
        : own
          ? own.name
          : state === 'silent'
            ? 'no data'
            : ((alarm && withoutSite(alarm.message, site.name)) ?? point?.tocsinDatapointName ?? 'no data points'),
    value: point && readValue(point),
    valueInAlarm: state !== 'silent' && quiet === null && alarm !== null && point !== null && isIn(alarm, point.uuid),
    quietUntil: quiet ? (alarm?.quietUntil ?? null) : (own?.endsAt ?? null),
    maintenance: state === 'maintenance' ? undefined : windows[0]?.name,
  };
}

/** Returns whether a rule of this data point opened the alarm or is keeping it open. */
function isIn(alarm: NonNullable<SiteFacts['worstAlarm']>, uuid: string): boolean {
  const others = rowsOf(alarm.otherHolders).filter(({ isClearing }) => !isClearing);
  return alarm.tocsinDatapointUuid === uuid || others.some(({ datapointUuid }) => datapointUuid === uuid);
}

/**
 * Returns the label of a site without an alarm. If a value of the site is out of limits, the server makes its data
 * point the lead data point. Therefore, if the value of the lead data point is within limits, all values are.
 */
function wordWithoutAlarm({ leadDatapoint: point, hasRules, siteStatus }: SiteFacts): string {
  if (siteStatus === 0) return noData;
  const limits = point ? limitsWatched(rowsOf(point.rules)) : [];
  const out = point && placeOf({ ...point, limits }, point.latestValue, point.status);
  if (out) return withoutAlarm[out];
  return hasRules ? stateWords.normal : noAlarm;
}

/** Minimum relative span of the sparkline's axis, so that noise does not look like an event. */
const LEAST_SPAN = 0.04;

/**
 * Returns the sparkline's values with the live value at the end. For a silent site the line ends at the last contact.
 * Empty if the trend belongs to another data point.
 */
export function untilNow(trend: Trend, site: SiteFacts): readonly (number | null)[] {
  const { leadDatapoint: point, siteStatus } = site;
  if (point?.uuid !== trend.datapoint) {
    return [];
  }
  const silent = siteStatus === 0 || siteStatus === 3;
  return silent || point.latestValue === null ? trend.values : [...trend.values.slice(0, -1), point.latestValue];
}

/** Returns an SVG path through the values, scaled to the box; empty if fewer than two values are known. */
export function sparkline(values: readonly (number | null)[], width: number, height: number): string {
  const known = values.flatMap((value, index) => (value === null ? [] : { value, index }));
  if (known.length < 2) {
    return '';
  }
  const [least, most] = [Math.min(...known.map(({ value }) => value)), Math.max(...known.map(({ value }) => value))];
  const span = Math.max(most - least, LEAST_SPAN * Math.max(Math.abs(least), Math.abs(most)));
  const low = (least + most - span) / 2;
  return known
    .map(({ value, index }, place) => {
      const x = (index / (values.length - 1)) * width;
      // Draws a constant value as a line in the middle.
      const y = span === 0 ? height / 2 : height - ((value - low) / span) * height;
      return `${place === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
