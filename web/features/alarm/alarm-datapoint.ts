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
 * Returns the alarm's data point with its newest known value. The server updates a data point's stored value seconds after
 * a reading. While that value is older than the alarm, the alarm's own value replaces it.
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
  // The stored text belongs to the stored state: keep it only if the alarm's value is the same state.
  const isSame = (datapoint.latestValue === 0) === (value === 0);
  return {
    ...datapoint,
    latestValue: value,
    lastUpdated: dateTime,
    datapointTitleText: word || (isSame ? datapoint.datapointTitleText : ''),
  };
}

/** True if the value at the opening of the alarm is newer than the data point's stored value. */
export function isOpeningValueNewer(
  value: number,
  openedAt: string,
  { latestValue, lastUpdated }: Pick<StoredValue, 'latestValue' | 'lastUpdated'>,
): boolean {
  // A debounce or health duration that ran out opens an alarm with the stored value: keep that value's own time.
  return latestValue !== value && (lastUpdated === null || Date.parse(lastUpdated) < Date.parse(openedAt));
}
