import type { AdviceDay } from './advice.queries.ts';

/** Height of the drawing in its own units. The drawing is one unit wide for each day. */
export const HEIGHT = 100;

export interface Scale {
  least: number;
  most: number;
  ticks: number[];
}

/** Returns a value axis with three to six round tick values that covers all values. */
export function scaleOf(values: readonly number[]): Scale {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return { least: 0, most: 1, ticks: [0, 1] };
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const span = high - low || Math.abs(high) || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) as number) * power;
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { least: ticks[0] as number, most: ticks.at(-1) as number, ticks };
}

/** Returns the distance of a value from the top of the drawing. */
export function placeOf({ least, most }: Scale, value: number): number {
  return ((most - value) / (most - least)) * HEIGHT;
}

type Values = { lowest: number; highest: number; mean: number };

/** Returns each run of consecutive days that have readings, as a list of day indexes. */
function runsOf(days: readonly AdviceDay[]): number[][] {
  const runs: number[][] = [];
  days.forEach(({ mean }, index) => {
    if (mean === null) return;
    const run = runs.at(-1);
    if (run?.at(-1) === index - 1) run.push(index);
    else runs.push([index]);
  });
  return runs;
}

/**
 * Returns two paths: the band between the lowest and the highest values, and the line of the mean values. Each day is
 * one unit wide.
 */
export function pathsOf(days: readonly AdviceDay[], scale: Scale): { band: string; mean: string } {
  const at = (x: number, value: number) => `${x} ${placeOf(scale, value).toFixed(2)}`;
  const values = (index: number) => days[index] as Values;
  const band: string[] = [];
  const mean: string[] = [];
  for (const run of runsOf(days)) {
    const line = (kind: keyof Values, indexes: readonly number[]) =>
      indexes.flatMap((index) => [at(index, values(index)[kind]), at(index + 1, values(index)[kind])]);
    const back = run
      .toReversed()
      .flatMap((index) => [at(index + 1, values(index).lowest), at(index, values(index).lowest)]);
    band.push(`M${[...line('highest', run), ...back].join('L')}Z`);
    mean.push(`M${line('mean', run).join('L')}`);
  }
  return { band: band.join(''), mean: mean.join('') };
}
