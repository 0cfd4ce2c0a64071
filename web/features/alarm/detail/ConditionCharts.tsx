import { useQuery } from '@tanstack/react-query';
import { plural } from '../../../../domain/plural.ts';
import type { Window } from '../../../kit/chart/time-window.ts';
import { counted } from '../../../kit/format/number.ts';
import { Heading } from '../../../ui/Heading.tsx';
import { useFromNow } from '../../../ui/time/clock.ts';
import { trendSeriesQuery } from '../../trend/index.ts';
import { type ConditionChart, type Conditions, conditionCharts } from '../conditions.ts';
import classes from './AlarmConditions.module.css';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { ReadingsChart } from './ReadingsChart.tsx';
import frame from './SampleChart.module.css';
import { CHART_WIDTH, REFRESH_STEP } from './SampleChart.tsx';
import { alignSamples, chartEnd, isDigital, lastValueApplies, type Sample, splitAtOpening } from './sample-chart.ts';
import { windowAround } from './trend-link.ts';

const MAX_CHARTS = 4;

/** Shows charts of the conditions' data points around the opening time, with the limits from the conditions. */
export function ConditionCharts({ alarm, conditions }: { alarm: AlarmDetail; conditions: Conditions }) {
  // Round the end of the range up to the next refresh step, so that the first fetch includes the reading that opened
  // the alarm.
  const now = useFromNow((at) => Math.ceil(at.getTime() / REFRESH_STEP) * REFRESH_STEP);
  const all = conditionCharts(conditions);
  const drawn = all.slice(0, MAX_CHARTS);
  const more = all.length - drawn.length;
  const opened = Date.parse(alarm.dateTime);
  const resolvedAt = alarm.resolvedDate === null ? null : Date.parse(alarm.resolvedDate);
  const from = windowAround(alarm, now).from;
  const to = chartEnd(opened, resolvedAt, now);
  const uuids = drawn.map(({ point }) => point.uuid);
  const { data: found = [], isLoading } = useQuery(trendSeriesQuery(to > from ? uuids : [], { from, to }, CHART_WIDTH));
  const around = drawn.map(({ point }) =>
    splitAtOpening(
      found.find(({ uuid }) => uuid === point.uuid),
      { at: opened, value: conditions.opened(point.uuid) },
      resolvedAt === null ? point : null,
      isDigital(null, point),
    ),
  );
  // End the chart one refresh step earlier, because the readings of the current step are incomplete.
  const { window, samples } = alignSamples(around, opened, chartEnd(opened, resolvedAt, now - REFRESH_STEP));
  return (
    <div className={classes.charts}>
      {drawn.map((one, index) => (
        <PointChart
          key={one.point.uuid}
          alarm={alarm}
          drawn={one}
          samples={samples[index] as Sample[]}
          window={window}
          isLoading={isLoading}
        />
      ))}
      {more > 0 ? (
        <p className={classes.more}>
          {counted(more, 'more data point')} of the conditions {plural(more, 'is', 'are')} not shown.
        </p>
      ) : null}
    </div>
  );
}

interface PointChartProps {
  alarm: AlarmDetail;
  drawn: ConditionChart;
  samples: readonly Sample[];
  window: Window;
  isLoading: boolean;
}

function PointChart({ alarm, drawn, samples, window, isLoading }: PointChartProps) {
  const { point, name, limits, isOutside, formatValue } = drawn;
  if (samples.length === 0 && !isLoading) {
    return null;
  }
  return (
    <div className={frame.frame}>
      <Heading sub>{name}</Heading>
      {isLoading ? (
        // Reserve space for the chart, so that the content below does not move.
        <div className={frame.figure} aria-busy />
      ) : (
        <ReadingsChart
          alarm={alarm}
          samples={samples}
          window={window}
          held={lastValueApplies(samples, window.to, alarm.site?.tocsinHealthDurationHours ?? null)}
          limits={limits}
          isOutside={isOutside}
          formatValue={formatValue}
          steps={isDigital(null, point)}
          said={`Readings of ${name}`}
        />
      )}
    </div>
  );
}
