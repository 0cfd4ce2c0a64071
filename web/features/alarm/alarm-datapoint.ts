import type { Measured } from '../../kit/format/value.ts';
import { readJudgedBy } from './judged-by.ts';

interface Stored extends Measured {
  lastUpdated: string | null;
}

interface Opened<Point extends Stored> {
  dateTime: string;
  /** What was measured when it opened. */
  value: number | null;
  judgedBy: unknown;
  datapoint: Point | null;
}

/**
 * The data point of an alarm with the newest value that is known of it. The one that is stored beside a data point comes
 * seconds after the readings: while it is older than the alarm, what the alarm itself has measured is newer.
 */
export function pointOf<Point extends Stored>({ dateTime, value, judgedBy, datapoint }: Opened<Point>): Point | null {
  if (datapoint === null || value === null || !isNewer(value, dateTime, datapoint)) {
    return datapoint;
  }
  const judged = readJudgedBy(judgedBy);
  const word = judged?.kind !== 'digital' ? '' : value === 0 ? judged.lowText : judged.highText;
  // A state that the alarm has no word for is not shown by the word of the state before it.
  const isSame = (datapoint.latestValue === 0) === (value === 0);
  return {
    ...datapoint,
    latestValue: value,
    lastUpdated: dateTime,
    datapointTitleText: word || (isSame ? datapoint.datapointTitleText : ''),
  };
}

/** Whether what an alarm measured when it opened is newer than what is stored beside the data point. */
export function isNewer(
  value: number,
  openedAt: string,
  { latestValue, lastUpdated }: Pick<Stored, 'latestValue' | 'lastUpdated'>,
): boolean {
  // An alarm that the clock opened has measured what is stored, and that keeps its own time.
  return latestValue !== value && (lastUpdated === null || Date.parse(lastUpdated) < Date.parse(openedAt));
}
