import { useQuery } from '@tanstack/react-query';
import { plural } from '../../../../domain/plural.ts';
import type { Window } from '../../../kit/chart/time-window.ts';
import { counted } from '../../../kit/format/number.ts';
import { Heading } from '../../../ui/Heading.tsx';
import { useFromNow } from '../../../ui/time/clock.ts';
import { trendSeriesQuery } from '../../trend/index.ts';
import { type Conditions, type Drawn, drawnOf } from '../conditions.ts';
import classes from './AlarmConditions.module.css';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { ReadingsChart } from './ReadingsChart.tsx';
import frame from './SampleChart.module.css';
import { POINTS, STEP } from './SampleChart.tsx';
import { drawnTogether, endOfInterest, isHeld, isOnOrOff, type Sample, samplesAround } from './sample-chart.ts';
import { windowAround } from './trend-link.ts';

const MOST = 4;

/** The data points of conditions around the opening, each with what it is compared with. */
export function ConditionCharts({ alarm, conditions }: { alarm: AlarmDetail; conditions: Conditions }) {
  // Up to the end of the step, so that the reading by which it opened is there at once.
  const now = useFromNow((at) => Math.ceil(at.getTime() / STEP) * STEP);
  const all = drawnOf(conditions);
  const drawn = all.slice(0, MOST);
  const more = all.length - drawn.length;
  const opened = Date.parse(alarm.dateTime);
  const over = alarm.resolvedDate === null ? null : Date.parse(alarm.resolvedDate);
  const from = windowAround(alarm, now).from;
  const to = endOfInterest(opened, over, now);
  const uuids = drawn.map(({ point }) => point.uuid);
  const { data: found = [], isLoading } = useQuery(trendSeriesQuery(to > from ? uuids : [], { from, to }, POINTS));
  const around = drawn.map(({ point }) =>
    samplesAround(
      found.find(({ uuid }) => uuid === point.uuid),
      { at: opened, value: conditions.opened(point.uuid) },
      over === null ? point : null,
      isOnOrOff(null, point),
    ),
  );
  // Up to a moment that has been: nothing is known of the rest of the step.
  const { window, samples } = drawnTogether(around, opened, endOfInterest(opened, over, now - STEP));
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
          {counted(more, 'more data point')} of its conditions {plural(more, 'is', 'are')} not drawn here.
        </p>
      ) : null}
    </div>
  );
}

interface PointChartProps {
  alarm: AlarmDetail;
  drawn: Drawn;
  samples: readonly Sample[];
  window: Window;
  isLoading: boolean;
}

function PointChart({ alarm, drawn, samples, window, isLoading }: PointChartProps) {
  const { point, name, limits, isOutside, wordOf } = drawn;
  if (samples.length === 0 && !isLoading) {
    return null;
  }
  return (
    <div className={frame.frame}>
      <Heading sub>{name}</Heading>
      {isLoading ? (
        // Its room, so that nothing below it moves.
        <div className={frame.figure} aria-busy />
      ) : (
        <ReadingsChart
          alarm={alarm}
          samples={samples}
          window={window}
          held={isHeld(samples, window.to, alarm.site?.tocsinHealthDurationHours ?? null)}
          limits={limits}
          isOutside={isOutside}
          wordOf={wordOf}
          steps={isOnOrOff(null, point)}
          said={`Drawn is ${name}`}
        />
      )}
    </div>
  );
}
