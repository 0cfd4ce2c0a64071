import { ActionIcon, Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { TbChevronLeft, TbChevronRight, TbRepeat } from 'react-icons/tb';
import { weekdayNames } from '../../../domain/maintenance/words.ts';
import { messageOf } from '../../api/http.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatDate, formatDay, formatTime } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import {
  type CalendarDay,
  monthAfter,
  monthOf,
  type PlacedEntry,
  placeEntries,
  stateOfEntry,
  weeksOf,
} from './calendar.ts';
import classes from './MonthCalendar.module.css';
import { type CalendarEntry, calendarQuery, type FilteredWindow } from './maintenance.queries.ts';
import { placeWords } from './window-words.ts';

interface MonthCalendarProps {
  /** Returns false for the windows that the filters of the page hide. */
  isShown: (window: FilteredWindow) => boolean;
  openId: string | undefined;
  onOpen: (uuid: string) => void;
}

/** Shows the occurrences of one month. The URL contains the month. */
export function MonthCalendar({ isShown, openId, onOpen }: MonthCalendarProps) {
  const timeZone = useTimeZone();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const current = useFromNow((now) => monthOf(now, timeZone));
  const asked = typeof search.month === 'string' ? search.month : '';
  const month = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(asked) ? asked : current;
  const show = (next: string) =>
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({
        ...before,
        month: next === current ? undefined : next,
      })) as never,
      resetScroll: false,
    });
  const weeks = weeksOf(month, timeZone);
  const first = weeks[0]?.[0] as CalendarDay;
  const last = weeks.at(-1)?.[6] as CalendarDay;
  const entries = useQuery({ ...calendarQuery(first.startsAt, last.endsAt), placeholderData: keepPreviousData });
  const shown = (entries.data ?? []).filter((entry) => entry.maintenanceWindow && isShown(entry.maintenanceWindow));
  const title = new Date(`${month}-15T12:00:00Z`).toLocaleDateString(undefined, { month: 'long', year: 'numeric' });
  return (
    <section className={classes.card} aria-label="Calendar">
      <div className={classes.head}>
        <h2 aria-live="polite">{title}</h2>
        <ActionIcon variant="subtle" aria-label="Previous month" onClick={() => show(monthAfter(month, -1))}>
          <TbChevronLeft size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" aria-label="Next month" onClick={() => show(monthAfter(month, 1))}>
          <TbChevronRight size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
        <Button variant="default" size="xs" onClick={() => show(current)}>
          Today
        </Button>
        <ul className={classes.legend} aria-label="Legend">
          <li>
            <StateMark state="maintenance" word="Active" />
          </li>
          <li data-state="planned">Planned</li>
          <li data-state="past">Past</li>
        </ul>
      </div>
      {entries.isError && entries.data === undefined ? (
        <ErrorState title="The calendar could not be loaded" onRetry={() => void entries.refetch()}>
          {messageOf(entries.error)}
        </ErrorState>
      ) : null}
      <div className={classes.weekdays} aria-hidden>
        {weekdayNames.map((name) => (
          <span key={name}>{name.slice(0, 3)}</span>
        ))}
      </div>
      {weeks.map((week) => (
        <Week key={week[0]?.startsAt.toISOString()} week={week} entries={shown} openId={openId} onOpen={onOpen} />
      ))}
    </section>
  );
}

type EntryProps = Omit<MonthCalendarProps, 'isShown'>;

interface WeekProps extends EntryProps {
  week: readonly CalendarDay[];
  entries: readonly CalendarEntry[];
}

function Week({ week, entries, openId, onOpen }: WeekProps) {
  const timeZone = useTimeZone();
  const today = useFromNow((now) => week.findIndex((day) => day.startsAt <= now && now < day.endsAt));
  return (
    <div className={classes.week}>
      <div className={classes.days}>
        {week.map((day, index) => (
          <div
            key={day.startsAt.toISOString()}
            className={classes.day}
            data-other={!day.isInMonth || undefined}
            data-today={index === today || undefined}
          >
            <em>{day.date === 1 ? formatDate(day.startsAt, timeZone, { year: false }) : day.date}</em>
          </div>
        ))}
      </div>
      {placeEntries(week, entries).map((placed) => (
        <Entry key={placed.entry.uuid} placed={placed} openId={openId} onOpen={onOpen} />
      ))}
    </div>
  );
}

function Entry({ placed, openId, onOpen }: EntryProps & { placed: PlacedEntry }) {
  const timeZone = useTimeZone();
  const { entry, column, span, line, isContinued } = placed;
  const { startsAt, endsAt, maintenanceWindow: window } = entry;
  const state = useFromNow((now) => stateOfEntry(entry, now));
  if (window === null) return null;
  const start = new Date(startsAt);
  const end = endsAt === null ? null : new Date(endsAt);
  const until = end
    ? `, until ${formatDate(end, timeZone, { weekday: true, year: false })} ${formatTime(end, timeZone)}`
    : '';
  const content = (
    <>
      <span className={classes.when}>
        {state === 'active' ? <StateMark state="maintenance" look="shape" /> : null}
        {isContinued ? null : <time dateTime={startsAt}>{formatTime(start, timeZone)}</time>}
        {window.repeats === 'once' || window.repeats === 'until-ended' ? null : (
          <TbRepeat size={12} strokeWidth={1.75} aria-label="Repeats" role="img" />
        )}
      </span>
      <span className={classes.name}>
        {span > 1 && until !== '' ? `${placeWords(window)}${until}` : window.siteName || window.targetName}
      </span>
    </>
  );
  const common = {
    className: classes.entry,
    style: { gridColumn: `${column} / span ${span}`, gridRow: line + 1 },
    'data-state': state,
    'data-short': span === 1 || undefined,
    'data-open': window.uuid === openId || undefined,
    title: `${window.name}, ${placeWords(window)}. ${formatDay(start, timeZone)} ${formatTime(start, timeZone)}${until}`,
  };
  // A window that has ended cannot be changed.
  return window.endedAt === null ? (
    <button type="button" {...common} onClick={() => onOpen(window.uuid)}>
      {content}
    </button>
  ) : (
    <div {...common}>{content}</div>
  );
}
