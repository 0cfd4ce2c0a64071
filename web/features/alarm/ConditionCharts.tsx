import { useQuery } from '@tanstack/react-query';
import { plural } from '../../../domain/plural.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { counted } from '../list/number.ts';
import type { Series } from '../trend/series.ts';
import { trendSeriesQuery } from '../trend/trend.queries.ts';
import classes from './AlarmConditions.module.css';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { type Conditions, type Drawn, drawnOf } from './conditions.ts';
import { ReadingsChart } from './ReadingsChart.tsx';
import frame from './SampleChart.module.css';
import { POINTS, STEP } from './SampleChart.tsx';
import { endOfInterest, isOnOrOff, samplesAround } from './sample-chart.ts';
import { windowAround } from './trend-around.ts';

const MOST = 4;

/** The data points of conditions around the opening, each with what it is compared with. */
export function ConditionCharts({ alarm, conditions }: { alarm: AlarmDetail; conditions: Conditions }) {
  // Up to the end of the step, so that the reading by which it opened is there at once.
  const now = useFromNow((at) => Math.ceil(at.getTime() / STEP) * STEP);
  const all = drawnOf(conditions);
  const drawn = all.slice(0, MOST);
  const more = all.length - drawn.length;
  const over = alarm.resolvedDate === null ? null : Date.parse(alarm.resolvedDate);
  const from = windowAround(alarm, now).from;
  const to = endOfInterest(Date.parse(alarm.dateTime), over, now);
  const uuids = drawn.map(({ point }) => point.uuid);
  const { data: found = [], isLoading } = useQuery(trendSeriesQuery(to > from ? uuids : [], { from, to }, POINTS));
  return (
    <div className={classes.charts}>
      {drawn.map((one) => (
        <PointChart
          key={one.point.uuid}
          alarm={alarm}
          drawn={one}
          series={found.find(({ uuid }) => uuid === one.point.uuid)}
          opened={conditions.opened(one.point.uuid)}
          isLoading={isLoading}
        />
      ))}
      {more > 0 ? (
        <p className={classes.more}>
          {counted(more, 'more data point')} of its conditions {plural(more, 'is', 'are')} not drawn here.
        </p>
      ) : null}
    </div>
  );
}

interface PointChartProps {
  alarm: AlarmDetail;
  drawn: Drawn;
  series: Series | undefined;
  /** What it was when the alarm opened, as far as that is known. */
  opened: number | undefined;
  isLoading: boolean;
}

function PointChart({ alarm, drawn, series, opened, isLoading }: PointChartProps) {
  const { point, name, limits, isOut, wordOf } = drawn;
  const steps = isOnOrOff(null, point);
  const newest = alarm.resolvedDate === null ? point : null;
  const { before, after } = samplesAround(series, { at: Date.parse(alarm.dateTime), value: opened }, newest, steps);
  if (before.length + after.length === 0 && !isLoading) {
    return null;
  }
  return (
    <div className={frame.frame}>
      <h4>{name}</h4>
      {isLoading ? (
        // Its room, so that nothing below it moves.
        <div className={frame.figure} aria-busy />
      ) : (
        <ReadingsChart
          alarm={alarm}
          before={before}
          after={after}
          limits={limits}
          isOut={isOut}
          wordOf={wordOf}
          steps={steps}
          said={`Drawn is ${name}`}
        />
      )}
    </div>
  );
}
