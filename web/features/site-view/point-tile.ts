import { ALARM, DIGITAL, NO_DATA, NORMAL, STALE } from '../../../domain/datapoint.ts';
import { severities } from '../../../domain/rule/priority.ts';
import { acknowledgementOf, severityOf } from '../../kit/format/alarm.ts';
import { isWatched, type Out, placeOf, withoutAlarm } from '../../kit/format/limit-state.ts';
import { formatNumber } from '../../kit/format/value.ts';
import type { LiveDatapoint } from '../../kit/live/live.queries.ts';
import type { State } from '../../ui/StateMark.tsx';
import { noData, stateWords } from '../../ui/state-words.ts';
import { pointsOutside } from '../alarm/index.ts';
import type { Point, SiteAlarm } from './site-view.queries.ts';

/** What a tile says of a data point. */
export interface PointTile {
  value: string;
  unit: string;
  state: State;
  acknowledged: boolean;
  /** The state in words: `Critical, high`. */
  words: string;
  /** The channel's colour of this state. */
  color: string;
  /** When the device measured it, in milliseconds since 1970. */
  time: number | null;
}

/** The alarms that a data point is part of: rules with the same words share one. */
export function alarmsOfPoint(alarms: readonly SiteAlarm[], uuid: string): SiteAlarm[] {
  return alarms.filter((alarm) => alarm.tocsinDatapointUuid === uuid || pointsOutside(alarm).has(uuid));
}

/** The data point as it was stored, with what has come since. */
export function tileOf(
  point: Point,
  live: LiveDatapoint | undefined,
  alarms: readonly SiteAlarm[],
  locale?: string,
): PointTile {
  const { value, time } = newest(point, live);
  const own = alarms.flatMap((alarm) => {
    const out = pointsOutside(alarm);
    return out.has(point.uuid) ? [{ ...alarm, judgedBy: out.get(point.uuid) }] : [];
  });
  // The value that opened an alarm is well again where only others keep it open.
  const isOver = own.length === 0 && alarms.length > 0;
  const told = live?.status ?? point.status;
  const status = isOver && told === ALARM ? NORMAL : told;
  return {
    ...valueWords(point, value, live?.titleText ?? point.datapointTitleText, locale),
    ...stateOf(status, own, value, outOf(point, live), isWatched(point)),
    color: live?.color ?? point.datapointColor,
    time,
  };
}

function newest(point: Point, live: LiveDatapoint | undefined): { value: number | null; time: number | null } {
  const storedAt = point.lastUpdated === null ? null : Date.parse(point.lastUpdated);
  if (live?.time != null && (storedAt === null || live.time >= storedAt)) return { value: live.value, time: live.time };
  return { value: point.latestValue, time: storedAt };
}

/** A digital value by its channel's word, any other as a number beside its unit; a dash where there is none that can be read. */
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
      severities.indexOf(severityOf(one.severity)) - severities.indexOf(severityOf(other.severity)) ||
      Number(isAcknowledged(one)) - Number(isAcknowledged(other)),
  );
  if (worst) {
    const state = severityOf(worst.severity);
    const side = sideOf(worst.judgedBy, value);
    const name = stateWords[state];
    return { state, acknowledged: isAcknowledged(worst), words: side ? `${name}, ${side}` : name };
  }
  // The state is told before the alarm itself has been asked for.
  if (status === ALARM) return { state: 'major', acknowledged: false, words: 'Alarm' };
  if (status === NO_DATA) return { state: 'normal', acknowledged: true, words: noData };
  // What nothing judges is neither normal nor not.
  const inside = watched ? stateWords.normal : '';
  return { state: 'normal', acknowledged: true, words: out === null ? inside : withoutAlarm[out] };
}

/** On which side of what is watched now the newest value lies, whether or not an alarm is open; null where it is inside, or old. */
export function outOf(point: Point, live: LiveDatapoint | undefined): Out | null {
  return placeOf(point, newest(point, live).value, live?.status ?? point.status);
}

function isAcknowledged(alarm: SiteAlarm): boolean {
  return acknowledgementOf(alarm.acknowledgeJson) !== null;
}

/** On which side of the limits that it was judged by the value lies now. */
function sideOf(judgedBy: unknown, value: number | null): 'high' | 'low' | null {
  if (typeof judgedBy !== 'object' || judgedBy === null || value === null) return null;
  const { lower, upper } = judgedBy as { lower?: unknown; upper?: unknown };
  if (typeof upper === 'number' && value > upper) return 'high';
  return typeof lower === 'number' && value < lower ? 'low' : null;
}
