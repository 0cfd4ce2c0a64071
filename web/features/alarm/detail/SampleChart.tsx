import { useQuery } from '@tanstack/react-query';
import { counted } from '../../../kit/format/number.ts';
import { formatNumber } from '../../../kit/format/value.ts';
import { withUnit } from '../../../ui/formats.ts';
import { useFromNow } from '../../../ui/time/clock.ts';
import { trendSeriesQuery } from '../../trend/index.ts';
import { pointOf } from '../alarm-datapoint.ts';
import { limitsIn, readJudgedBy } from '../judged-by.ts';
import { isOutside } from '../value-outside.ts';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { ReadingsChart } from './ReadingsChart.tsx';
import classes from './SampleChart.module.css';
import {
  drawnTogether,
  endOfInterest,
  isOnOrOff,
  ledTo,
  readSamples,
  type Sample,
  samplesAfter,
  withNewest,
} from './sample-chart.ts';

/** How often what came since then is asked for, and for how many pixels. */
export const STEP = 30_000;
export const POINTS = 300;

/** The readings that led to the alarm, as they were frozen on it, and those since then, with the limits it was judged by. */
export function SampleChart({ alarm }: { alarm: AlarmDetail }) {
  const samples = readSamples(alarm.samples);
  const judged = readJudgedBy(alarm.judgedBy);
  const steps = isOnOrOff(judged, alarm.datapoint);
  const after = useAfter(alarm, samples, steps);
  if (samples.length < 2 || (judged?.kind !== 'limits' && judged?.kind !== 'digital')) {
    return null;
  }
  const limits =
    judged.kind === 'limits'
      ? [
          { value: judged.upper, side: 'high' as const },
          { value: judged.lower, side: 'low' as const },
        ].flatMap(({ value, side }) => (value === null ? [] : { value, side, word: side }))
      : [];
  const wordOf = (value: number) =>
    judged.kind === 'digital'
      ? (value === 0 ? judged.lowText : judged.highText) || (value === 0 ? 'low' : 'high')
      : withUnit(formatNumber(value, undefined, limitsIn(judged)), judged.unit);
  const opened = Date.parse(alarm.dateTime);
  const drawn = drawnTogether([{ before: samples, after }], opened, after.at(-1)?.at ?? opened);
  return (
    <div className={classes.frame}>
      <ReadingsChart
        alarm={alarm}
        samples={drawn.samples[0] as Sample[]}
        window={drawn.window}
        limits={limits}
        isOutside={(value) => isOutside(judged, value) === true}
        wordOf={wordOf}
        steps={steps}
        said={`${counted(ledTo(samples, opened).length, 'reading')} led to it. Drawn are those`}
      />
    </div>
  );
}

/** The values since the alarm was recorded. They are asked for, not frozen: what it was judged by is not among them. */
function useAfter(alarm: AlarmDetail, frozen: readonly Sample[], steps: boolean): readonly Sample[] {
  const now = useFromNow((at) => Math.floor(at.getTime() / STEP) * STEP);
  const { tocsinDatapointUuid: point, resolvedDate } = alarm;
  const from = (frozen.at(-1)?.at ?? now) + 1;
  const opened = Date.parse(alarm.dateTime);
  const to = endOfInterest(opened, resolvedDate === null ? null : Date.parse(resolvedDate), now);
  const query = trendSeriesQuery(point && to > from ? [point] : [], { from, to }, POINTS);
  const [series] = useQuery(query).data ?? [];
  const after = series && series.uuid === point ? samplesAfter(series, frozen, steps) : [];
  // The value that stands beside it is newer than what was asked for.
  return resolvedDate === null ? withNewest(after, frozen, pointOf(alarm)) : after;
}
