import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { costWords } from '../../../../domain/money.ts';
import { formatMoment } from '../../../kit/format/date-time.ts';
import { counted, formatNumber } from '../../../kit/format/number.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { smsPriceQuery } from '../../customer/index.ts';
import replay from '../Replay.module.css';
import type { Simulation } from './history.queries.ts';
import classes from './RuleHistory.module.css';

interface SimulationFiguresProps {
  draft: Simulation;
  live: Simulation | null;
  version: number | undefined;
  /** Number of people who get an SMS when an alarm opens. */
  smsPerAlarm: number;
  smsSegments: number;
  unit: string;
}

const SHOWN = 3;

/** Shows figures about the simulated alarms of the draft, compared with those of the live version. */
export function SimulationFigures({ draft, live, version, smsPerAlarm, smsSegments }: SimulationFiguresProps) {
  const timeZone = useTimeZone();
  const segments = (simulation: Simulation) => simulation.alarmCount * smsPerAlarm * smsSegments;
  const rate = ({ alarmsPerDay: each }: Simulation) =>
    `${each > 0 && each < 0.05 ? 'under 0.1' : formatNumber(Math.round(each * 10) / 10)} a day`;
  const price = useQuery(smsPriceQuery).data;
  const cost = (simulation: Simulation) =>
    price && smsPerAlarm > 0 ? `, ${costWords(segments(simulation), price)}` : '';
  const beside = (words: string) => (live ? `version ${version}: ${words}` : '');
  return (
    <>
      <dl className={replay.figures}>
        <Figure
          name="Simulated alarms"
          value={draft.alarmCount}
          detail={rate(draft)}
          below={live ? beside(`${formatNumber(live.alarmCount)}, ${rate(live)}`) : ''}
        />
        <Figure
          name="Chattering"
          value={draft.chattering}
          detail="within 10 min of the previous alarm"
          below={live ? beside(formatNumber(live.chattering)) : ''}
        />
        <Figure
          name="Missed"
          value={draft.missedCount}
          detail="acknowledged alarms"
          below={live ? beside(formatNumber(live.missedCount)) : ''}
        />
        <Figure
          name="Messages"
          value={draft.messages}
          detail={
            smsPerAlarm === 0 ? 'no SMS' : `${counted(segments(draft), 'SMS segment')} for new alarms${cost(draft)}`
          }
          below={live ? beside(`${formatNumber(live.messages)}${cost(live)}`) : ''}
        />
      </dl>
      {draft.missed.length > 0 ? (
        <ul className={classes.missed} aria-label="Missed alarms">
          {draft.missed.slice(0, SHOWN).map((alarm) => (
            <li key={alarm.alarmUuid}>
              <Link to="/dashboard/alarms" search={{ alarm: alarm.alarmUuid } as never}>
                {formatMoment(new Date(alarm.openedAt), timeZone)}
              </Link>
              , {alarm.message} <span>({alarm.reason})</span>
            </li>
          ))}
          {draft.missedCount > SHOWN ? <li>and {formatNumber(draft.missedCount - SHOWN)} more</li> : null}
        </ul>
      ) : null}
      {draft.notes.length > 0 || draft.alarmCount > draft.alarms.length ? (
        <p className={classes.quiet}>
          {[
            ...draft.notes,
            ...(draft.alarmCount > draft.alarms.length
              ? [`The chart by day shows only the first ${formatNumber(draft.alarms.length)} alarms.`]
              : []),
          ].join(' ')}
        </p>
      ) : null}
    </>
  );
}

function Figure({ name, value, detail, below }: { name: string; value: number; detail: string; below: string }) {
  return (
    <div className={replay.figure}>
      <dt>{name}</dt>
      <dd>
        <b>{formatNumber(value)}</b> {detail}
      </dd>
      {below === '' ? null : <dd>{below}</dd>}
    </div>
  );
}
