import { useQuery } from '@tanstack/react-query';
import { counted } from '../../../kit/format/number.ts';
import { formatNumber } from '../../../kit/format/value.ts';
import { withUnit } from '../../../ui/formats.ts';
import { useFromNow } from '../../../ui/time/clock.ts';
import { trendSeriesQuery } from '../../trend/index.ts';
import { newestDatapoint } from '../alarm-datapoint.ts';
import { limitValues, readCriteria } from '../criteria.ts';
import { isOutside } from '../value-outside.ts';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { ReadingsChart } from './ReadingsChart.tsx';
import classes from './SampleChart.module.css';
import {
  alignSamples,
  chartEnd,
  isDigital,
  readSamples,
  type Sample,
  samplesAfter,
  samplesUntilOpening,
  withNewest,
} from './sample-chart.ts';

/** Refetch interval in milliseconds for readings after the alarm opened. */
export const REFRESH_STEP = 30_000;
/** Chart width in pixels. The server reduces the series to this resolution. */
export const CHART_WIDTH = 300;

/** Chart of the readings stored with the alarm and of later readings, with the limits that applied when it opened. */
export function SampleChart({ alarm }: { alarm: AlarmDetail }) {
  const samples = readSamples(alarm.samples);
  const criteria = readCriteria(alarm.criteria);
  const steps = isDigital(criteria, alarm.datapoint);
  const after = useSamplesAfter(alarm, samples, steps);
  if (samples.length < 2 || (criteria?.kind !== 'limits' && criteria?.kind !== 'digital')) {
    return null;
  }
  const limits =
    criteria.kind === 'limits'
      ? [
          { value: criteria.upper, side: 'high' as const },
          { value: criteria.lower, side: 'low' as const },
        ].flatMap(({ value, side }) => (value === null ? [] : { value, side, word: side }))
      : [];
  const formatValue = (value: number) =>
    criteria.kind === 'digital'
      ? (value === 0 ? criteria.lowText : criteria.highText) || (value === 0 ? 'low' : 'high')
      : withUnit(formatNumber(value, undefined, limitValues(criteria)), criteria.unit);
  const opened = Date.parse(alarm.dateTime);
  const drawn = alignSamples([{ before: samples, after }], opened, after.at(-1)?.at ?? opened);
  return (
    <div className={classes.frame}>
      <ReadingsChart
        alarm={alarm}
        samples={drawn.samples[0] as Sample[]}
        window={drawn.window}
        limits={limits}
        isOutside={(value) => isOutside(criteria, value) === true}
        formatValue={formatValue}
        steps={steps}
        said={`${counted(samplesUntilOpening(samples, opened).length, 'reading')} led to the alarm. The chart shows readings`}
      />
    </div>
  );
}

/** Fetches the readings that are later than those stored with the alarm. */
function useSamplesAfter(alarm: AlarmDetail, frozen: readonly Sample[], steps: boolean): readonly Sample[] {
  const now = useFromNow((at) => Math.floor(at.getTime() / REFRESH_STEP) * REFRESH_STEP);
  const { tocsinDatapointUuid: point, resolvedDate } = alarm;
  const from = (frozen.at(-1)?.at ?? now) + 1;
  const opened = Date.parse(alarm.dateTime);
  const to = chartEnd(opened, resolvedDate === null ? null : Date.parse(resolvedDate), now);
  const query = trendSeriesQuery(point && to > from ? [point] : [], { from, to }, CHART_WIDTH);
  const [series] = useQuery(query).data ?? [];
  const after = series && series.uuid === point ? samplesAfter(series, frozen, steps) : [];
  // Append the data point's current value, which can be newer than the fetched series.
  return resolvedDate === null ? withNewest(after, frozen, newestDatapoint(alarm)) : after;
}
