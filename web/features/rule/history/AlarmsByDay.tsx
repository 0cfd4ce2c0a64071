import { VisuallyHidden } from '@mantine/core';
import { counted } from '../../../kit/format/number.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { countByDay } from './day-counts.ts';
import type { Range, Simulation } from './history.queries.ts';
import classes from './RuleHistory.module.css';

interface AlarmsByDayProps {
  draft: Simulation;
  live: Simulation | null;
  range: Range;
  version: number | undefined;
}

/** Shows the simulated alarms per day: the live version in grey, the draft in a dark colour. */
export function AlarmsByDay({ draft, live, range, version }: AlarmsByDayProps) {
  const timeZone = useTimeZone();
  const byDay = (simulation: Simulation) =>
    countByDay(
      simulation.alarms.map(({ openedAt }) => openedAt),
      range.from,
      range.to,
      timeZone,
    );
  const days = byDay(draft);
  const before = live ? byDay(live) : [];
  const most = Math.max(1, ...days.map(({ count }) => count), ...before.map(({ count }) => count));
  const every = Math.ceil(days.length / 15);
  const height = (count: number) => (count === 0 ? 0 : Math.max(6, (count / most) * 100));
  return (
    <div className={classes.days}>
      <div className={classes.daysTitle}>Alarms per day</div>
      <ol className={classes.bars}>
        {days.map((day, index) => {
          const old = before[index]?.count;
          const words = `${day.label}: ${counted(day.count, 'alarm')}${
            old === undefined ? '' : `, ${old} by version ${version}`
          }`;
          return (
            <li key={day.key} title={words}>
              <VisuallyHidden>{words}</VisuallyHidden>
              <div className={classes.pair} aria-hidden>
                {old === undefined ? null : <i data-live style={{ height: `${height(old)}%` }} />}
                <i style={{ height: `${height(day.count)}%` }} />
              </div>
              <span className={classes.day} aria-hidden>
                {index % every === 0 ? day.label : '\u00a0'}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
