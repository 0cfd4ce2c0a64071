import { shiftsBetween } from '../../../../domain/on-call/shifts.ts';
import { firstMoment, localTime } from '../../../../domain/week.ts';
import { useFromNow } from '../../../ui/time/clock.ts';
import { formatDate } from '../../../ui/time/format.ts';
import type { ShownRota } from '../on-call.queries.ts';
import { periodWords } from '../words.ts';
import classes from './RotaMonth.module.css';

interface RotaMonthProps {
  rota: ShownRota;
  /** The Monday of the first week. */
  from: Date;
  timeZone: string;
}

const WEEKS = 4;

/** Four weeks as a calendar. A day names who is on call in each layer, in the order of the day. */
export function RotaMonth({ rota, from, timeZone }: RotaMonthProps) {
  const now = useFromNow((date) => Math.floor(date.getTime() / 60_000) * 60_000);
  const { year, month, day } = localTime(from, timeZone);
  const start = (index: number) => firstMoment(year, month, day + index, timeZone).getTime();
  const days = Array.from({ length: WEEKS * 7 }, (_, index) => ({ startsAt: start(index), endsAt: start(index + 1) }));
  return (
    <section className={classes.month} aria-label="Four weeks of the rota">
      {days.map((one) => (
        <div
          key={one.startsAt}
          className={classes.day}
          data-today={(one.startsAt <= now && now < one.endsAt) || undefined}
        >
          <em>{formatDate(new Date(one.startsAt), timeZone, { weekday: true, year: false })}</em>
          {rota.layers.map((layer) => (
            <ul key={layer.uuid} aria-label={layer.name}>
              {shiftsBetween(layer, one.startsAt, one.endsAt).map((shift) => (
                <li
                  key={shift.startsAt}
                  data-kind={shift.person === null ? 'gap' : shift.override ? 'override' : 'turn'}
                  data-now={(shift.startsAt <= now && now < shift.endsAt) || undefined}
                  title={`${layer.name}, ${periodWords(shift, timeZone)}`}
                >
                  {shift.person?.name ?? 'Gap'}
                </li>
              ))}
            </ul>
          ))}
        </div>
      ))}
    </section>
  );
}
