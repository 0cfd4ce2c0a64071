import type { Measured } from '../../kit/format/value.ts';
import { readCriteria } from './criteria.ts';

interface StoredValue extends Measured {
  lastUpdated: string | null;
}

interface AlarmValue<Point extends StoredValue> {
  dateTime: string;
  /** The value when the alarm opened. */
  value: number | null;
  criteria: unknown;
  datapoint: Point | null;
}

/**
 * Returns the alarm's data point with its newest known value. The server updates the stored value a few seconds after a
 * reading, so it can be older than the alarm. In that case, the value at which the alarm opened replaces it.
 */
export function newestDatapoint<Point extends StoredValue>({
  dateTime,
  value,
  criteria: stored,
  datapoint,
}: AlarmValue<Point>): Point | null {
  if (datapoint === null || value === null || !isOpeningValueNewer(value, dateTime, datapoint)) {
    return datapoint;
  }
  const criteria = readCriteria(stored);
  const word = criteria?.kind !== 'digital' ? '' : value === 0 ? criteria.lowText : criteria.highText;
  // The stored text describes the stored state, so keep it only if the alarm's value is that same state.
  const isSame = (datapoint.latestValue === 0) === (value === 0);
  return {
    ...datapoint,
    latestValue: value,
    lastUpdated: dateTime,
    datapointTitleText: word || (isSame ? datapoint.datapointTitleText : ''),
  };
}

/** Returns true if the value at the opening of the alarm is newer than the data point's stored value. */
export function isOpeningValueNewer(
  value: number,
  openedAt: string,
  { latestValue, lastUpdated }: Pick<StoredValue, 'latestValue' | 'lastUpdated'>,
): boolean {
  // After a debounce or a health duration, an alarm opens with the value that the data point already has. In this case
  // the stored value is kept, because its time is correct.
  return latestValue !== value && (lastUpdated === null || Date.parse(lastUpdated) < Date.parse(openedAt));
}
