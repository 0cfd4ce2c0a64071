import { type Severity, severities } from '../../../domain/rule/priority.ts';
import type { Window } from '../../kit/chart/time-window.ts';
import { acknowledgementOf, severityOf } from '../../kit/format/alarm.ts';
import { rowsOf } from '../../kit/list/list.ts';
import type { TrendAlarm } from './trend.queries.ts';

/** An alarm as a time interval in the chart. */
export interface Band {
  uuid: string;
  /** Data points of the alarm: a single one, or all those used in its conditions. */
  points: readonly string[];
  from: number;
  to: number;
  open: boolean;
  severity: Severity;
  acknowledged: boolean;
  message: string;
}

/**
 * Returns the alarms in the window, clipped to it. The least severe alarm is first, so that the most severe one is
 * drawn on top.
 */
export function bandsOf(alarms: readonly TrendAlarm[], window: Window, now: number): Band[] {
  return alarms
    .map((alarm) => ({
      uuid: alarm.uuid,
      points: alarm.tocsinDatapointUuid
        ? [alarm.tocsinDatapointUuid]
        : rowsOf(alarm.conditionDatapoints).map(({ uuid }) => uuid),
      from: Math.max(window.from, Date.parse(alarm.dateTime)),
      to: Math.min(window.to, alarm.resolvedDate === null ? now : Date.parse(alarm.resolvedDate)),
      open: alarm.resolvedDate === null,
      severity: severityOf(alarm.severity),
      acknowledged: acknowledgementOf(alarm.acknowledgeJson) !== null,
      message: alarm.message,
    }))
    .filter(({ from, to }) => from <= to)
    .sort((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity));
}

const LEAST = 0.006;

/**
 * Returns the position and width of a band as fractions of the window. Bands have a minimum width, so that users can
 * see and click short alarms.
 */
export function placeOf({ from, to }: Pick<Band, 'from' | 'to'>, window: Window): { left: number; width: number } {
  const length = window.to - window.from;
  const left = (from - window.from) / length;
  const width = Math.max(LEAST, (to - from) / length);
  return { left: Math.min(left, 1 - width), width };
}

/**
 * Returns the width of a band up to the first band drawn over it, as a fraction of the window. The band is labelled if
 * the label fits this width.
 */
export function visibleWidth(band: Band, bands: readonly Band[], window: Window): number {
  const { left, width } = placeOf(band, window);
  const over = bands.slice(bands.indexOf(band) + 1).map((other) => placeOf(other, window));
  const covering = over.filter((other) => other.left < left + width && other.left + other.width > left);
  return Math.min(width, ...covering.map((other) => Math.max(0, other.left - left)));
}
