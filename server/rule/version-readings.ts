import type { Transaction } from '../platform/database.ts';
import { type History, type HistoryRefusal, loadHistory, type Range } from './history.ts';
import type { Subject, SubjectVersion } from './subject.ts';

/** Loads the readings of every data point that any version of the rule uses. Loads each data point only once. */
export async function loadHistories(
  tx: Transaction,
  subject: Subject,
  range: Range,
): Promise<Map<string, History> | HistoryRefusal> {
  const holdMs = Math.max(0, ...subject.versions.map((version) => version.holdMs));
  const histories = new Map<string, History>();
  for (const datapointUuid of new Set(subject.versions.flatMap(({ datapoints }) => datapoints))) {
    const history = await loadHistory(tx, datapointUuid, range, holdMs);
    if ('refused' in history) return history;
    histories.set(datapointUuid, history);
  }
  return histories;
}

const NO_HISTORY: History = {
  times: new Float64Array(),
  values: new Float64Array(),
  arrivals: new Float64Array(),
  late: new Float64Array(),
};

/**
 * Selects the readings that arrived while the version was active, whatever their device time, because live evaluation
 * used the same readings.
 */
export function readingsOf(
  { datapoints, holds, since, until }: SubjectVersion,
  loaded: ReadonlyMap<string, History>,
): History {
  const histories = datapoints.map((datapointUuid) => loaded.get(datapointUuid) ?? NO_HISTORY);
  const { times, values, arrivals, late } = holds ? merge(histories, datapoints, holds) : (histories[0] ?? NO_HISTORY);
  const isItsOwn = (arrived: number) => arrived >= since && arrived < until;
  return {
    times: times.filter((_, place) => isItsOwn(arrivals[place] as number)),
    values: values.filter((_, place) => isItsOwn(arrivals[place] as number)),
    arrivals: arrivals.filter(isItsOwn),
    late: late.filter(isItsOwn),
  };
}

/**
 * Merges the readings of all data points into one series, ordered by time. Its value is 1 while the conditions are met
 * and 0 otherwise.
 */
function merge(
  histories: readonly History[],
  datapoints: readonly string[],
  holds: NonNullable<SubjectVersion['holds']>,
): History {
  const all = histories.flatMap(({ times, values, arrivals }, index) =>
    Array.from(times, (time, place) => ({
      time,
      value: values[place] as number,
      arrived: arrivals[place] as number,
      index,
    })),
  );
  all.sort((a, b) => a.time - b.time);
  const latest = new Map<string, number>();
  const values = all.map(({ value, index }) => {
    latest.set(datapoints[index] as string, value);
    return holds((datapointUuid) => latest.get(datapointUuid)) ? 1 : 0;
  });
  return {
    times: Float64Array.from(all, ({ time }) => time),
    values: Float64Array.from(values),
    arrivals: Float64Array.from(all, ({ arrived }) => arrived),
    late: Float64Array.from(histories.flatMap(({ late }) => [...late])),
  };
}
