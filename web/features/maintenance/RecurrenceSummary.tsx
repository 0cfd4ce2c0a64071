import { useQuery } from '@tanstack/react-query';
import { TbAlertCircle } from 'react-icons/tb';
import { nextOccurrences } from '../../../domain/maintenance/recurrence.ts';
import { refuseRecurrence } from '../../../domain/maintenance/refusals.ts';
import { recurrenceWords } from '../../../domain/maintenance/words.ts';
import { readTime } from '../../ui/date/day-text.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatDay } from '../../ui/time/format.ts';
import { overlapping } from './calendar.ts';
import { calendarQuery } from './maintenance.queries.ts';
import classes from './WindowForm.module.css';
import { recurrenceOfValues, type WindowValues } from './window-values.ts';

interface RecurrenceSummaryProps {
  /** Uuid of the window; undefined for a new one. */
  uuid: string | undefined;
  values: WindowValues;
  timeZone: string;
}

/** Describes when a window takes place, with its next three dates and the time zone. Marks dates that overlap. */
export function RecurrenceSummary({ uuid, values, timeZone }: RecurrenceSummaryProps) {
  const recurrence = recurrenceOfValues(values);
  const next = useFromNow((now) =>
    refuseRecurrence(recurrence, timeZone, now.getTime())
      ? ''
      : JSON.stringify(nextOccurrences(recurrence, timeZone, now.getTime(), 3)),
  );
  const occurrences: { startsAt: number; endsAt: number }[] = next === '' ? [] : JSON.parse(next);
  const isOnce = values.repeats === 'once';
  const [first, last] = [occurrences[0], occurrences.at(-1)];
  const target = values.targetUuid?.value;
  const entries = useQuery({
    ...calendarQuery(new Date(first?.startsAt ?? 0), new Date(last?.endsAt ?? 1)),
    enabled: target !== undefined && last !== undefined && !isOnce,
  });
  const others = (entries.data ?? []).filter(
    ({ maintenanceWindow: window }) =>
      window?.targetUuid === target && window?.uuid !== uuid && window?.endedAt === null,
  );
  const time = readTime(values.fromTime) ?? '08:00';
  return (
    <div className={classes.summary}>
      {occurrences.length === 0 ? null : (
        <p>
          {recurrenceWords(recurrence, (day) => formatDay(new Date(`${day}T00:00:00Z`), 'UTC'))}
          {isOnce ? '.' : '. Next:'}
        </p>
      )}
      {occurrences.length === 0 || isOnce ? null : (
        <ul aria-label="Next dates">
          {occurrences.map((occurrence) => {
            const other = overlapping(occurrence, others)?.maintenanceWindow?.name;
            return (
              <li key={occurrence.startsAt} data-overlaps={other !== undefined || undefined}>
                {other === undefined ? null : (
                  <TbAlertCircle size={12} strokeWidth={1.75} role="img" aria-label={`Overlaps “${other}”:`} />
                )}
                {formatDay(new Date(occurrence.startsAt), timeZone)}
              </li>
            );
          })}
        </ul>
      )}
      <p className={classes.hint}>
        Time zone {timeZone}. {time} stays {time} when the clocks change.
      </p>
    </div>
  );
}
