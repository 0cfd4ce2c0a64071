import { ALARM, DIGITAL, NO_DATA, NORMAL, STALE } from '../../../domain/datapoint.ts';
import { severities } from '../../../domain/rule/priority.ts';
import { acknowledgementOf, quietState, severityOf } from '../../kit/format/alarm.ts';
import { isWatched, type Out, placeOf, withoutAlarm } from '../../kit/format/limit-state.ts';
import { formatNumber } from '../../kit/format/value.ts';
import type { LiveDatapoint } from '../../kit/live/live.queries.ts';
import type { State } from '../../ui/StateMark.tsx';
import { noData, stateWords } from '../../ui/state-words.ts';
import { datapointsOutside } from '../alarm/index.ts';
import type { Point, SiteAlarm } from './site-view.queries.ts';

/** Content of a data point's tile. */
export interface PointTile {
  value: string;
  unit: string;
  state: State;
  acknowledged: boolean;
  /** State as text: `Critical, high`. */
  words: string;
  /** The channel's colour for the current state. */
  color: string;
  /** Device time in milliseconds since 1970; null without a value. */
  time: number | null;
}

/**
 * Returns the alarms of a data point. An alarm can belong to several data points, because it can combine several rules
 * with the same message.
 */
export function alarmsOfPoint(alarms: readonly SiteAlarm[], uuid: string): SiteAlarm[] {
  return alarms.filter((alarm) => alarm.tocsinDatapointUuid === uuid || datapointsOutside(alarm).has(uuid));
}

/** Returns the tile of a data point. It shows the live value if that is newer than the stored value. */
export function tileOf(
  point: Point,
  live: LiveDatapoint | undefined,
  alarms: readonly SiteAlarm[],
  locale?: string,
): PointTile {
  const { value, time } = newest(point, live);
  const own = alarms.flatMap((alarm) => {
    const out = datapointsOutside(alarm);
    return out.has(point.uuid) ? [{ ...alarm, criteria: out.get(point.uuid) }] : [];
  });
  // True if this data point opened the alarm but is back inside its limits, so that only other data points keep the
  // alarm open.
  const isOver = own.length === 0 && alarms.length > 0;
  const liveStatus = live?.status ?? point.status;
  const status = isOver && liveStatus === ALARM ? NORMAL : liveStatus;
  return {
    ...valueWords(point, value, live?.titleText ?? point.datapointTitleText, locale),
    ...stateOf(status, own, value, sideOutside(point, live), isWatched(point)),
    color: live?.color ?? point.datapointColor,
    time,
  };
}

function newest(point: Point, live: LiveDatapoint | undefined): { value: number | null; time: number | null } {
  const storedAt = point.lastUpdated === null ? null : Date.parse(point.lastUpdated);
  if (live?.time != null && (storedAt === null || live.time >= storedAt)) return { value: live.value, time: live.time };
  return { value: point.latestValue, time: storedAt };
}

/**
 * Formats a value: a digital value as its state name, other values as a number with a unit. A missing value is a dash.
 */
export function valueWords(
  { sensorType, uom, sensorChannel }: Pick<Point, 'sensorType' | 'uom' | 'sensorChannel'>,
  value: number | null,
  titleText: string,
  locale?: string,
): { value: string; unit: string } {
  if (value === null || !Number.isFinite(value)) return { value: '–', unit: '' };
  if (sensorType === DIGITAL) {
    const word = value === 0 ? sensorChannel?.channelLowText : sensorChannel?.channelHighText;
    return { value: word || titleText || formatNumber(value, locale), unit: '' };
  }
  return { value: formatNumber(value, locale), unit: uom };
}

function stateOf(
  status: number,
  alarms: readonly SiteAlarm[],
  value: number | null,
  out: Out | null,
  watched: boolean,
): Pick<PointTile, 'state' | 'acknowledged' | 'words'> {
  if (status === STALE) return { state: 'stale', acknowledged: true, words: 'Stale' };
  const [worst] = alarms.toSorted(
    (one, other) =>
      Number(quietState(one) !== null) - Number(quietState(other) !== null) ||
      severities.indexOf(severityOf(one.severity)) - severities.indexOf(severityOf(other.severity)) ||
      Number(isAcknowledged(one)) - Number(isAcknowledged(other)),
  );
  const quiet = worst && quietState(worst);
  if (quiet) return { state: quiet, acknowledged: false, words: stateWords[quiet] };
  if (worst) {
    const state = severityOf(worst.severity);
    const side = sideOf(worst.criteria, value);
    const name = stateWords[state];
    return { state, acknowledged: isAcknowledged(worst), words: side ? `${name}, ${side}` : name };
  }
  // The live status can arrive before the alarm has been fetched. Until then, the severity of the alarm is unknown.
  if (status === ALARM) return { state: 'major', acknowledged: false, words: 'Alarm' };
  if (status === NO_DATA) return { state: 'normal', acknowledged: true, words: noData };
  // Without a rule the value has no limits, so the tile does not call it normal.
  const inside = watched ? stateWords.normal : '';
  return { state: 'normal', acknowledged: true, words: out === null ? inside : withoutAlarm[out] };
}

/**
 * Returns the side on which the newest value is outside the current limits, whether or not an alarm is open. Returns
 * null if the value is inside the limits or stale.
 */
export function sideOutside(point: Point, live: LiveDatapoint | undefined): Out | null {
  return placeOf(point, newest(point, live).value, live?.status ?? point.status);
}

function isAcknowledged(alarm: SiteAlarm): boolean {
  return acknowledgementOf(alarm.acknowledgeJson) !== null;
}

/** Returns the side on which the value is outside the limits stored with the alarm; null if it is inside them. */
function sideOf(criteria: unknown, value: number | null): 'high' | 'low' | null {
  if (typeof criteria !== 'object' || criteria === null || value === null) return null;
  const { lower, upper } = criteria as { lower?: unknown; upper?: unknown };
  if (typeof upper === 'number' && value > upper) return 'high';
  return typeof lower === 'number' && value < lower ? 'low' : null;
}
