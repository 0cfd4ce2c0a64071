export interface Reading {
  minute: number;
  heapKb: number;
  nodes: number;
  listeners: number;
}

/** Returns the growth per minute of each figure, by linear regression. */
export function slopeOf(
  series: readonly Reading[],
): Record<'heapKbPerMinute' | 'nodesPerMinute' | 'listenersPerMinute', number> {
  return {
    heapKbPerMinute: growth(series, 'heapKb'),
    nodesPerMinute: growth(series, 'nodes'),
    listenersPerMinute: growth(series, 'listeners'),
  };
}

function growth(series: readonly Reading[], name: 'heapKb' | 'nodes' | 'listeners'): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minute = mean(series.map((reading) => reading.minute));
  const value = mean(series.map((reading) => reading[name]));
  let [together, alone] = [0, 0];
  for (const reading of series) {
    together += (reading.minute - minute) * (reading[name] - value);
    alone += (reading.minute - minute) ** 2;
  }
  return Math.round((together / alone) * 100) / 100;
}
