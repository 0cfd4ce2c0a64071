import { nextOccurrences } from '../../../domain/maintenance/recurrence.ts';
import { refuseRecurrence } from '../../../domain/maintenance/refusals.ts';
import { recurrenceWords } from '../../../domain/maintenance/words.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatDay } from '../../ui/time/format.ts';
import classes from './WindowForm.module.css';
import { recurrenceOfValues, type WindowValues } from './window-values.ts';

/** Says in words when a window takes place, with the next three dates and the time zone. */
export function RecurrenceSummary({ values, timeZone }: { values: WindowValues; timeZone: string }) {
  const recurrence = recurrenceOfValues(values);
  const dates = useFromNow((now) => {
    if (refuseRecurrence(recurrence, timeZone, now.getTime())) return '';
    return nextOccurrences(recurrence, timeZone, now.getTime(), 3)
      .map(({ startsAt }) => formatDay(new Date(startsAt), timeZone))
      .join('\n');
  });
  const isOnce = values.repeats === 'once';
  return (
    <div className={classes.summary}>
      {dates === '' ? null : (
        <p>
          {recurrenceWords(recurrence)}
          {isOnce ? '.' : '. Next:'}
        </p>
      )}
      {dates === '' || isOnce ? null : (
        <ul aria-label="Next dates">
          {dates.split('\n').map((date) => (
            <li key={date}>{date}</li>
          ))}
        </ul>
      )}
      <p className={classes.hint}>
        Time zone {timeZone}. {values.fromTime} stays {values.fromTime} when the clocks change.
      </p>
    </div>
  );
}
