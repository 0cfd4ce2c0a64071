import type uPlot from 'uplot';

type Values = ArrayLike<number | null | undefined>;

/**
 * Returns the runs of indexes at which both a highest and a lowest value exist. A null value is a gap and ends the run.
 * An undefined value is skipped. It means that only a different line has a value at that time.
 */
export function runsOf(highs: Values, lows: Values, first: number, last: number): number[][] {
  const runs: number[][] = [];
  let run: number[] = [];
  for (let index = first; index <= last; index += 1) {
    const [high, low] = [highs[index], lows[index]];
    if (high === null || low === null) {
      runs.push(run);
      run = [];
    } else if (high !== undefined && low !== undefined) run.push(index);
  }
  return [...runs, run].filter(({ length }) => length > 1);
}

/**
 * Returns the area between the highest and the lowest values, which uPlot fills behind the line of averages. `highest`
 * is the index of the series with the highest values. The next series contains the lowest values.
 */
export function rangeShape(chart: uPlot, highest: number, first: number, last: number): uPlot.Series.Paths {
  const [times, highs = [], lows = []] = [chart.data[0], chart.data[highest], chart.data[highest + 1]];
  const x = (index: number) => Math.round(chart.valToPos(times[index] as number, 'x', true));
  const y = (value: unknown) => Math.round(chart.valToPos(value as number, 'y', true));
  const fill = new Path2D();
  for (const run of runsOf(highs, lows, first, last)) {
    const [start = 0] = run;
    fill.moveTo(x(start), y(lows[start]));
    for (const index of run) fill.lineTo(x(index), y(highs[index]));
    for (const index of run.toReversed()) fill.lineTo(x(index), y(lows[index]));
  }
  return { stroke: null, fill, flags: 0 };
}
