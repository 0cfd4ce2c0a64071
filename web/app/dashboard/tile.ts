import type { Severity } from '../../../domain/rule/priority.ts';
import { acknowledgementOf, severityOf } from '../../kit/format/alarm.ts';
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
  state: Severity | 'normal';
  /** The state's label. */
  word: string;
  /** True if acknowledged, or without an alarm. */
  acknowledged: boolean;
  /** The site has an unacknowledged alarm, possibly not the worst. */
  waiting: boolean;
  /** The alarm's message, or the value's name. */
  words: string;
  value: { text: string; unit: string } | null;
  /** The shown value itself is in alarm, not only another one of the site. */
  valueInAlarm: boolean;
}

type SiteFacts = Pick<
  BoardSite,
  'uuid' | 'name' | 'siteStatus' | 'worstAlarm' | 'waitingAlarms' | 'leadDatapoint' | 'hasRules'
>;

export function tileOf(site: SiteFacts): Tile {
  const { worstAlarm: alarm, leadDatapoint: point } = site;
  const silent = site.siteStatus === 3;
  const state = alarm ? severityOf(alarm.severity) : silent ? 'silent' : 'normal';
  const acknowledged = alarm === null || acknowledgementOf(alarm.acknowledgeJson) !== null;
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
        : state === 'silent'
          ? 'no data'
          : ((alarm && withoutSite(alarm.message, site.name)) ?? point?.tocsinDatapointName ?? 'no data points'),
    value: point && readValue(point),
    valueInAlarm: state !== 'silent' && alarm !== null && point !== null && isIn(alarm, point.uuid),
  };
}

/** Whether the alarm is about this data point: its own rule opened it, or keeps it open. */
function isIn(alarm: NonNullable<SiteFacts['worstAlarm']>, uuid: string): boolean {
  const others = rowsOf(alarm.otherHolders).filter(({ isClearing }) => !isClearing);
  return alarm.tocsinDatapointUuid === uuid || others.some(({ datapointUuid }) => datapointUuid === uuid);
}

/** The label without an alarm. The server puts a value out of limits first, so if the lead is inside, all are. */
function wordWithoutAlarm({ leadDatapoint: point, hasRules, siteStatus }: SiteFacts): string {
  if (siteStatus === 0) return noData;
  const limits = point ? limitsWatched(rowsOf(point.rules)) : [];
  const out = point && placeOf({ ...point, limits }, point.latestValue, point.status);
  if (out) return withoutAlarm[out];
  return hasRules ? stateWords.normal : noAlarm;
}

/** A smaller relative change does not fill the height: noise must not look like an event. */
const LEAST_SPAN = 0.04;

/**
 * The sparkline's values, ending with the live value. A silent site's line ends at the last contact. Empty for another
 * data point.
 */
export function untilNow(trend: Trend, site: SiteFacts): readonly (number | null)[] {
  const { leadDatapoint: point, siteStatus } = site;
  if (point?.uuid !== trend.datapoint) {
    return [];
  }
  const silent = siteStatus === 0 || siteStatus === 3;
  return silent || point.latestValue === null ? trend.values : [...trend.values.slice(0, -1), point.latestValue];
}

/** An SVG path through the values in a box; empty if there is nothing to draw. */
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
      // A constant value is a line in the middle.
      const y = span === 0 ? height / 2 : height - ((value - low) / span) * height;
      return `${place === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
