import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMoment } from '../../../kit/format/date-time.ts';
import { counted, formatNumber } from '../../../kit/format/number.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import classes from '../Replay.module.css';
import type { AlarmCounts, Trial } from './advice.queries.ts';
import { secondsWords, shareWords } from './advice-words.ts';

interface AdviceFiguresProps {
  present: Trial;
  trial: Trial;
  counts: AlarmCounts;
}

const SHOWN = 3;

/** Compares the result of the chosen settings with the result of the present ones. */
export function AdviceFigures({ present, trial, counts }: AdviceFiguresProps) {
  const timeZone = useTimeZone();
  const real = trial.realKept + trial.realMissed;
  return (
    <dl className={classes.figures}>
      <Figure
        name="Nuisance alarms avoided"
        value={trial.nuisanceAvoided}
        detail={`of ${formatNumber(counts.nuisance)}`}
      >
        {shareWords(trial.nuisanceAvoided, counts.nuisance)}
      </Figure>
      <Figure name="All alarms" value={trial.alarms} detail={`instead of ${formatNumber(present.alarms)}`}>
        in the replay
      </Figure>
      <Figure name="Real alarms kept" value={trial.realKept} detail={`of ${formatNumber(real)}`}>
        {trial.realKept === 0
          ? ''
          : trial.delay > 0
            ? `open up to ${secondsWords(trial.delay)} later`
            : 'none opens later'}
      </Figure>
      <Figure name="Real alarms missed" value={trial.realMissed} detail={missedDetail(present, trial)}>
        {trial.missed.slice(0, SHOWN).map((alarm, index) => (
          <span key={alarm.alarmUuid}>
            {index > 0 ? ', ' : ''}
            <Link to="/dashboard/alarms/$uuid" params={{ uuid: alarm.alarmUuid }}>
              {formatMoment(new Date(alarm.openedAt), timeZone)}
            </Link>
          </span>
        ))}
        {trial.realMissed > SHOWN ? ` and ${formatNumber(trial.realMissed - SHOWN)} more` : ''}
      </Figure>
    </dl>
  );
}

/**
 * Returns how many of the missed alarms the present settings miss too. The present settings can miss alarms that an
 * earlier version of the rule raised.
 */
function missedDetail(present: Trial, trial: Trial): string {
  if (present.realMissed === 0) return '';
  const both = present.missed.filter(({ alarmUuid }) => trial.missed.some((alarm) => alarm.alarmUuid === alarmUuid));
  return `${counted(both.length, 'alarm')} also missed now`;
}

interface FigureProps {
  name: string;
  value: number;
  detail: string;
  children: ReactNode;
}

function Figure({ name, value, detail, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>
        <b>{formatNumber(value)}</b> {detail}
      </dd>
      <dd>{children}</dd>
    </div>
  );
}
