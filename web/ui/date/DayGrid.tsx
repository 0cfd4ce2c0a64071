import { ActionIcon } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TbChevronLeft, TbChevronRight } from 'react-icons/tb';
import { localTime } from '../../../domain/week.ts';
import { dateFormat } from '../formats.ts';
import { now } from '../time/clock.ts';
import { formatDay } from '../time/format.ts';
import { useTimeZone } from '../time/TimeZone.tsx';
import classes from './DayGrid.module.css';

const DAY = 86_400_000;
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const textOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Mantine's dialogs ignore Escape on elements with this attribute. */
const noDialogKeys = { 'data-mantine-stop-propagation': true } as const;

interface DayGridProps {
  /** The chosen day, such as 2026-11-17. */
  value: string | null;
  onChoose: (day: string) => void;
}

/** The days of one month as buttons, from Monday to Sunday, in the words of the user's locale. */
export function DayGrid({ value, onChoose }: DayGridProps) {
  const timeZone = useTimeZone();
  const { year, month, day } = localTime(now(), timeZone);
  const today = textOf(Date.UTC(year, month - 1, day));
  const [focused, setFocused] = useState(value ?? today);
  const grid = useRef<HTMLDivElement>(null);
  const [shownYear = 0, shownMonth = 0] = focused.split('-').map(Number);
  const first = Date.UTC(shownYear, shownMonth - 1, 1);
  const before = (new Date(first).getUTCDay() + 6) % 7;
  const length = new Date(Date.UTC(shownYear, shownMonth, 0)).getUTCDate();
  const days = Array.from({ length }, (_, index) => textOf(first + index * DAY));
  const weekday = dateFormat(undefined, { weekday: 'narrow', timeZone: 'UTC' });
  const moved = useRef(true);
  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus();
    moved.current = false;
  });
  const showMonth = (months: number) => {
    const last = new Date(Date.UTC(shownYear, shownMonth + months, 0)).getUTCDate();
    setFocused(textOf(Date.UTC(shownYear, shownMonth - 1 + months, Math.min(Number(focused.slice(8)), last))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined && event.key !== 'PageUp' && event.key !== 'PageDown') return;
    event.preventDefault();
    moved.current = true;
    if (step === undefined) showMonth(event.key === 'PageUp' ? -1 : 1);
    else setFocused(textOf(timeOf(focused) + step * DAY));
  };
  return (
    <div className={classes.calendar}>
      <div className={classes.head}>
        <b aria-live="polite">
          {dateFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first)}
        </b>
        <ActionIcon variant="subtle" aria-label="Previous month" {...noDialogKeys} onClick={() => showMonth(-1)}>
          <TbChevronLeft size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" aria-label="Next month" {...noDialogKeys} onClick={() => showMonth(1)}>
          <TbChevronRight size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes.grid} aria-hidden>
        {Array.from({ length: 7 }, (_, index) => (
          // 5 January 1970 was a Monday.
          <span key={textOf((index + 4) * DAY)}>{weekday.format((index + 4) * DAY)}</span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the buttons inside. */}
      <div className={classes.grid} ref={grid} onKeyDown={onKeyDown}>
        {days.map((one, index) => (
          <button
            key={one}
            type="button"
            {...noDialogKeys}
            data-day={one}
            data-today={one === today || undefined}
            aria-pressed={one === value}
            aria-label={formatDay(new Date(timeOf(one)), 'UTC')}
            tabIndex={one === focused ? 0 : -1}
            data-autofocus={one === focused || undefined}
            style={index === 0 ? { gridColumnStart: before + 1 } : undefined}
            onClick={() => onChoose(one)}
          >
            {index + 1}
          </button>
        ))}
      </div>
    </div>
  );
}
