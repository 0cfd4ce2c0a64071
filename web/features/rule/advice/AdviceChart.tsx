import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { numberTicks } from '../../../kit/chart/ticks.ts';
import { counted, formatNumber } from '../../../kit/format/number.ts';
import { formatLimit } from '../../../ui/formats.ts';
import { formatDate } from '../../../ui/time/format.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import replay from '../Replay.module.css';
import classes from './AdviceChart.module.css';
import type { RuleAdvice, Trial } from './advice.queries.ts';
import { HEIGHT, pathsOf, placeOf, scaleOf } from './chart-shape.ts';

interface AdviceChartProps {
  advice: RuleAdvice;
  present: Trial;
  /** Result of the chosen settings; undefined if there is no proposal. */
  trial: Trial | undefined;
}

interface Line {
  name: string;
  value: number;
  isClear: boolean;
  isNew: boolean;
}

/**
 * Shows the stored readings by day with the limits. Below the readings, shows the alarms per day with the present and
 * with the chosen settings, on the same scale.
 */
export function AdviceChart({ advice, present, trial }: AdviceChartProps) {
  const timeZone = useTimeZone();
  const { days, version } = advice;
  const unit = advice.unit ?? '';
  const lines = linesOf(present, trial);
  const values = days.flatMap(({ lowest, highest }) => (lowest === null || highest === null ? [] : [lowest, highest]));
  const scale = scaleOf([...values, ...lines.map(({ value }) => value)]);
  const labels = numberTicks(scale.ticks);
  const { band, mean } = pathsOf(days, scale);
  const most = Math.max(1, ...present.alarmsPerDay, ...(trial?.alarmsPerDay ?? []));
  const day = (index: number) => formatDate(new Date(days[index]?.start ?? 0), timeZone, { year: false });
  const marks = axisMarks(days.length);
  return (
    <div className={classes.chart}>
      <ul className={replay.legend}>
        <li data-mark="line">daily mean</li>
        <li data-mark="band">daily lowest to highest</li>
        <li data-mark="present">alarms, version {version}</li>
        {trial ? <li data-mark="after">alarms, these settings</li> : null}
      </ul>
      <div className={classes.unit}>{unit}</div>
      <div className={classes.plot}>
        <svg
          viewBox={`0 0 ${days.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Readings in ${unit || 'values'} over ${counted(days.length, 'day')}, with limits`}
        >
          {scale.ticks.map((tick) => (
            <line
              key={tick}
              className={classes.grid}
              x1={0}
              x2={days.length}
              y1={placeOf(scale, tick)}
              y2={placeOf(scale, tick)}
            />
          ))}
          <path className={classes.band} d={band} />
          <path className={classes.mean} d={mean} />
          {lines.map(({ name, value, isClear, isNew }) => (
            <line
              key={name}
              className={classes.limit}
              data-new={isNew || undefined}
              data-clear={isClear || undefined}
              x1={0}
              x2={days.length}
              y1={placeOf(scale, value)}
              y2={placeOf(scale, value)}
            />
          ))}
        </svg>
        {scale.ticks.map((tick, index) => (
          <span key={tick} className={classes.tick} style={{ top: `${placeOf(scale, tick)}%` }} aria-hidden>
            {labels[index]}
          </span>
        ))}
      </div>
      <ul className={classes.lines}>
        {lines.map(({ name, value, isClear, isNew }) => (
          <li key={name} data-new={isNew || undefined} data-clear={isClear || undefined}>
            {name} {formatLimit(value)}
          </li>
        ))}
      </ul>
      <div className={classes.unit}>Alarms per day</div>
      <Bars
        counts={present.alarmsPerDay}
        most={most}
        dayWords={day}
        label={`Version ${version}`}
        total={present.alarms}
      />
      {trial ? (
        <Bars counts={trial.alarmsPerDay} most={most} dayWords={day} label="These settings" total={trial.alarms} isNew>
          {trial.missed.slice(0, 20).map((alarm) => (
            <Link
              key={alarm.alarmUuid}
              className={classes.missed}
              style={{ left: `${placeInDays(alarm.openedAt, advice)}%` }}
              to="/dashboard/alarms/$uuid"
              params={{ uuid: alarm.alarmUuid }}
              aria-label={`Missed real alarm on ${formatDate(new Date(alarm.openedAt), timeZone, { year: false })}`}
              title={`Missed on ${formatDate(new Date(alarm.openedAt), timeZone, { year: false })}`}
            >
              ▽
            </Link>
          ))}
        </Bars>
      ) : null}
      <div className={classes.axis} aria-hidden>
        {marks.map((index) => (
          <span key={index} style={{ left: `${((index + 0.5) / days.length) * 100}%` }}>
            {day(index)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface BarsProps {
  counts: readonly number[];
  /** Largest number of alarms per day in the two rows of bars. */
  most: number;
  dayWords: (index: number) => string;
  label: string;
  total: number;
  isNew?: boolean;
  children?: React.ReactNode;
}

function Bars({ counts, most, dayWords, label, total, isNew = false, children }: BarsProps) {
  const height = (count: number) => (count === 0 ? 0 : Math.max(5, (count / most) * 100));
  return (
    <div className={classes.row}>
      <div className={classes.bars} data-new={isNew || undefined}>
        {counts.map((count, index) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: one bar per day, and the days never change their order.
            key={index}
            title={`${dayWords(index)}: ${counted(count, 'alarm')}`}
            style={{ height: `${height(count)}%` }}
          />
        ))}
        {children}
      </div>
      <span className={classes.total}>
        {label}: <b>{formatNumber(total)}</b>
        <VisuallyHidden>{total === 1 ? ' alarm' : ' alarms'}</VisuallyHidden>
      </span>
    </div>
  );
}

/** Returns the limits and clear limits to draw: the present ones, and the new ones that differ from them. */
function linesOf(present: Trial, trial: Trial | undefined): Line[] {
  const sides = [
    ['Lower limit', 'valueLower', 'Clears above', 'clearLower'],
    ['Upper limit', 'valueUpper', 'Clears below', 'clearUpper'],
  ] as const;
  return sides.flatMap(([name, limit, clearName, clear]): Line[] => {
    const was = present[limit];
    const is = trial?.[limit] ?? was;
    if (was === null || is === null) return [];
    const cleared = present[clear] ?? was;
    const clears = trial ? (trial[clear] ?? is) : cleared;
    const same = was === is;
    return [
      { name: same ? name : `${name} now`, value: was, isClear: false, isNew: same },
      ...(same ? [] : [{ name: `New ${name.toLowerCase()}`, value: is, isClear: false, isNew: true }]),
      ...(clears === is ? [] : [{ name: clearName, value: clears, isClear: true, isNew: true }]),
    ];
  });
}

/** Returns the indexes of about six days to label, including the first and the last day. */
function axisMarks(days: number): number[] {
  const every = Math.max(1, Math.ceil((days - 1) / 5));
  const marks = Array.from({ length: Math.ceil((days - 1) / every) }, (_, index) => index * every);
  const last = days - 1;
  return [...marks.filter((mark) => last - mark >= every / 2), last];
}

/** Returns the middle of the day that contains the time, as a percentage of the chart's width. */
function placeInDays(time: string, { days }: RuleAdvice): number {
  const at = Date.parse(time);
  const index = days.findLastIndex(({ start }) => Date.parse(start) <= at);
  return ((Math.max(0, index) + 0.5) / days.length) * 100;
}
