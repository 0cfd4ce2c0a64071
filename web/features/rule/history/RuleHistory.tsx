import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { messageOf } from '../../../api/http.ts';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { now } from '../../../ui/time/clock.ts';
import replay from '../Replay.module.css';
import { type DraftLimits, limitsIn, type RuleValues, usableLimits } from '../rule-form.ts';
import { AlarmsByDay } from './AlarmsByDay.tsx';
import type { Side } from './HistoryChart.tsx';
import { historyQuery, type Range, shownMeanwhile, simulationQuery } from './history.queries.ts';
import classes from './RuleHistory.module.css';
import { SimulationFigures } from './SimulationFigures.tsx';

/** Chart component, loaded on demand. The form still works if the chart's code fails to load. */
const HistoryChart = lazy(() => import('./HistoryChart.tsx').catch(() => ({ default: NoChart })));

const spans = { '7': '7 d', '14': '14 d', '30': '30 d', '84': '12 weeks' } as const;
export type Span = keyof typeof spans;
export const USUAL_SPAN: Span = '14';
export const LONGEST_SPAN: Span = '84';
const DAY = 86_400_000;
const HOUR = 3_600_000;
const WIDTH = 800;
const PAUSE = 400;

interface RuleHistoryProps {
  /** Number of days that are shown. */
  span: Span;
  onSpan: (next: Span) => void;
  values: RuleValues;
  unit: string;
  /** The stored rule with the limits that are in force; null for a new rule. */
  live: { ruleUuid: string; version: number; limits: DraftLimits; datapointUuid: string } | null;
  smsPerAlarm: number;
  smsSegments: number;
  onLimit: (side: Side, value: number) => void;
}

/** Shows the history of the data point with the limits, and the alarms that the draft would have raised. */
export function RuleHistory(props: RuleHistoryProps) {
  const { span, onSpan, values, unit, live, smsPerAlarm, smsSegments, onLimit } = props;
  const range = useMemo(() => rangeOf(span), [span]);
  const datapoint = values.tocsinDatapointUuid;
  const history = useQuery({
    ...historyQuery(datapoint, range, WIDTH),
    placeholderData: (before, query) => shownMeanwhile(before, query?.queryKey[1] === datapoint),
  });
  const [draft] = useDebouncedValue(JSON.stringify(usableLimits(values)), PAUSE);
  const limits = JSON.parse(draft) as DraftLimits | null;
  const named = { ruleName: values.name.trim(), ruleUuid: live?.ruleUuid ?? null };
  const simulation = useQuery({
    ...simulationQuery(datapoint, limits, named, range),
    placeholderData: (before, query) => (query?.queryKey[2] === datapoint ? before : undefined),
  });
  const before = useQuery(
    simulationQuery(live?.datapointUuid === datapoint ? datapoint : null, live?.limits ?? null, named, range),
  );
  const { valueLower, valueUpper } = limitsIn(values);
  return (
    <section className={classes.card} aria-label="Test on past data">
      <div className={classes.head}>
        <h2>Test on past data</h2>
        <ul className={replay.legend}>
          <li data-mark="line">mean</li>
          <li data-mark="band">lowest to highest</li>
          {live ? <li data-mark="present">alarms, version {live.version}</li> : null}
          <li data-mark="draft">alarms, this draft</li>
        </ul>
        <Segmented
          label="How far back"
          options={(Object.keys(spans) as Span[])
            .sort((a, b) => Number(a) - Number(b))
            .map((value) => ({
              value,
              label: spans[value],
            }))}
          value={span}
          onChange={onSpan}
        />
      </div>
      {datapoint === null ? (
        <EmptyState title="No data point is chosen">
          Choose a data point to see its history and to test the limits on it.
        </EmptyState>
      ) : history.isPending ? (
        <Waiting />
      ) : history.isError ? (
        <ErrorState title="The history could not be loaded" onRetry={() => void history.refetch()}>
          {messageOf(history.error)}
        </ErrorState>
      ) : history.data.times.length === 0 ? (
        <EmptyState title="No readings in this period">Choose a longer period or another data point.</EmptyState>
      ) : (
        <Suspense fallback={<Waiting />}>
          <HistoryChart
            history={history.data}
            range={range}
            lower={valueLower}
            upper={valueUpper}
            unit={unit}
            onLimit={onLimit}
          />
        </Suspense>
      )}
      {datapoint === null ? null : limits === null ? (
        <p className={classes.quiet}>Enter valid limits to see which alarms they would have raised.</p>
      ) : simulation.isError ? (
        <ErrorState title="The simulation failed" onRetry={() => void simulation.refetch()}>
          {messageOf(simulation.error)}
        </ErrorState>
      ) : simulation.data ? (
        <>
          <AlarmsByDay draft={simulation.data} live={before.data ?? null} range={range} version={live?.version} />
          <SimulationFigures
            draft={simulation.data}
            live={before.data ?? null}
            version={live?.version}
            smsPerAlarm={smsPerAlarm}
            smsSegments={smsSegments}
            unit={unit}
          />
        </>
      ) : (
        <div className={classes.waiting}>
          <Skeleton width="60%" />
        </div>
      )}
    </section>
  );
}

function NoChart() {
  return (
    <EmptyState title="The chart cannot be shown">
      You can still enter and test limits. Reload the page to try again.
    </EmptyState>
  );
}

function Waiting() {
  return (
    <div className={classes.chartWaiting} aria-busy="true">
      <Skeleton width="100%" height={260} />
    </div>
  );
}

/** Returns the range of the last `span` days. It ends at the next full hour, so that the query can be cached. */
function rangeOf(span: Span): Range {
  const to = Math.floor(now().getTime() / HOUR) * HOUR + HOUR;
  return { from: new Date(to - Number(span) * DAY).toISOString(), to: new Date(to).toISOString() };
}
