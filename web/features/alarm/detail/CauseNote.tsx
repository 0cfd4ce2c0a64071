import { Link } from '@tanstack/react-router';
import { quietState } from '../../../kit/format/alarm.ts';
import look from '../shelve/Shelve.module.css';
import classes from './AlarmDetail.module.css';
import type { AlarmDetail } from './alarm-detail.queries.ts';

type Consequence = Pick<
  AlarmDetail,
  'quietBecause' | 'resolvedDate' | 'causeName' | 'causeAlarm' | 'tocsinCauseAlarmUuid'
>;

/** Shows that the alarm is, or was, a consequence of another alarm, with a link to that alarm. */
export function CauseNote({ alarm }: { alarm: Consequence }) {
  if (alarm.tocsinCauseAlarmUuid === null || alarm.causeName === null) return null;
  const isNow = quietState(alarm) === 'consequence';
  // An operator without access to the cause's site sees only the name of the cause, without a link.
  const cause = alarm.causeAlarm ? (
    <Link className={classes.site} to="/dashboard/alarms/$uuid" params={{ uuid: alarm.causeAlarm.uuid }}>
      {alarm.causeName}
    </Link>
  ) : (
    alarm.causeName
  );
  return (
    <section className={look.note} aria-label="Cause">
      <p>
        <b>{isNow ? 'Consequence of ' : 'Was a consequence of '}</b>
        {cause}
      </p>
      {isNow ? <p>Nobody is notified of this alarm while its cause is in alarm.</p> : null}
    </section>
  );
}
