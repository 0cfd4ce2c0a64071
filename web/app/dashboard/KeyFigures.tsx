import type { UseQueryResult } from '@tanstack/react-query';
import { severities } from '../../../domain/rule/priority.ts';
import { messageOf } from '../../api/http.ts';
import { useOpenAlarms } from '../../features/alarm/index.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatAge } from '../../ui/time/format.ts';
import { alarmRate } from './alarm-rate.ts';
import type { Overview } from './dashboard.queries.ts';
import { formatMinutes } from './figures.ts';
import { HourChart } from './HourChart.tsx';
import classes from './KeyFigures.module.css';

interface KeyFiguresProps {
  overview: UseQueryResult<Overview & { hourNow: number }>;
}

export function KeyFigures({ overview }: KeyFiguresProps) {
  const alarms = useOpenAlarms();
  const failed = [alarms, overview].find((query) => query.isError && !query.data);
  if (failed) {
    return (
      <Card>
        <ErrorState
          title="The key figures could not be loaded"
          onRetry={() => {
            void alarms.refetch();
            void overview.refetch();
          }}
        >
          {messageOf(failed.error)}
        </ErrorState>
      </Card>
    );
  }
  return (
    <dl className={classes.figures} aria-busy={alarms.isPending || overview.isPending}>
      <OpenAlarms />
      <NotAcknowledged />
      <SilentSites summary={overview.data?.plantSummary ?? undefined} />
      <TimeToAcknowledge
        today={overview.data?.acknowledgedToday}
        usual={overview.data?.acknowledgedBefore}
        known={overview.data !== undefined}
      />
      <Rate overview={overview.data} />
    </dl>
  );
}

function OpenAlarms() {
  const { data } = useOpenAlarms();
  return (
    <div className={classes.figure} data-wide>
      <dt>Open alarms</dt>
      <dd className={classes.value} data-measured>
        {data ? data.open.toLocaleString() : <Skeleton width={44} height={22} />}
      </dd>
      <dd className={classes.split}>
        {data
          ? severities.map((severity) => (
              <span key={severity} data-none={data.bySeverity[severity] === 0 || undefined}>
                <StateMark
                  state={data.bySeverity[severity] === 0 ? 'normal' : severity}
                  word={data.bySeverity[severity].toLocaleString()}
                />{' '}
                {severity}
              </span>
            ))
          : null}
        {data && data.shelved > 0 ? (
          <span>
            <StateMark state="shelved" word={data.shelved.toLocaleString()} /> shelved
          </span>
        ) : null}
      </dd>
    </div>
  );
}

function NotAcknowledged() {
  const { data } = useOpenAlarms();
  const oldest = data?.oldest ?? null;
  const age = useFromNow((now) => (oldest === null ? '' : formatAge(now.getTime() - Date.parse(oldest))));
  return (
    <Figure
      name="Not acknowledged"
      value={data?.unacknowledged.toLocaleString()}
      note={data && (oldest === null ? 'all acknowledged' : `oldest ${age}`)}
    />
  );
}

function SilentSites({ summary }: { summary: NonNullable<Overview['plantSummary']> | undefined }) {
  const since = summary?.silentSince ?? null;
  const longest = useFromNow((now) => (since === null ? '' : formatAge(now.getTime() - Date.parse(since))));
  const silent = summary?.silentSites ?? 0;
  return (
    <Figure
      name="Silent sites"
      value={summary && silent.toLocaleString()}
      small={summary ? `of ${summary.sites?.toLocaleString()}` : ''}
      note={
        summary &&
        (summary.sites === 0
          ? 'no site yet'
          : silent === 0
            ? 'no site is silent'
            : since === null
              ? 'no contact yet'
              : `longest ${longest}`)
      }
    />
  );
}

interface TimeToAcknowledgeProps {
  today: Overview['acknowledgedToday'] | undefined;
  usual: Overview['acknowledgedBefore'] | undefined;
  known: boolean;
}

function TimeToAcknowledge({ today, usual, known }: TimeToAcknowledgeProps) {
  const median = today?.medianSeconds ?? null;
  const before = usual?.medianSeconds ?? null;
  return (
    <Figure
      name="Time to acknowledge"
      value={known ? (median === null ? '–' : formatMinutes(median)) : undefined}
      small={median === null ? '' : 'min'}
      note={known ? (before === null ? 'no comparison yet' : `usually ${formatMinutes(before)} min`) : undefined}
    />
  );
}

function Figure({
  name,
  value,
  small,
  note,
}: {
  name: string;
  value: string | undefined;
  small?: string;
  note: string | undefined;
}) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd className={classes.value} data-measured>
        {value === undefined ? <Skeleton width={44} height={22} /> : value} {small ? <small>{small}</small> : null}
      </dd>
      <dd className={classes.note}>{note ?? <Skeleton width={72} />}</dd>
    </div>
  );
}

function Rate({ overview }: { overview: (Overview & { hourNow: number }) | undefined }) {
  const days = overview?.alarmsOpenedByHour?.nodes.map((row) => (row?.opened ?? []).map((count) => count ?? 0));
  const rate = overview && days ? alarmRate(days, overview.hourNow) : null;
  return (
    <div className={classes.figure} data-chart>
      <dt className={classes.chartTitle}>
        <span>
          Alarms opened per hour, {rate?.today.toLocaleString()} today{' '}
          {rate ? <span className={classes.quiet}>(usually {rate.usualByNow.toLocaleString()} by now)</span> : null}
        </span>
        <span className={classes.legend} aria-hidden>
          <i data-bar /> today <i /> last four weeks
        </span>
      </dt>
      <dd>{rate ? <HourChart rate={rate} /> : <Skeleton height={98} />}</dd>
    </div>
  );
}
