import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { TbChevronLeft, TbChevronRight } from 'react-icons/tb';
import { wholeShiftsBetween } from '../../../../domain/on-call/shifts.ts';
import { Segmented } from '../../../ui/Segmented.tsx';
import { useFromNow } from '../../../ui/time/clock.ts';
import { formatDate } from '../../../ui/time/format.ts';
import type { ShownRota } from '../on-call.queries.ts';
import { atWords, lengthOfPeriod } from '../words.ts';
import { RotaMonth } from './RotaMonth.tsx';
import classes from './RotaPage.module.css';
import { Timeline } from './Timeline.tsx';
import { type TimelineRange, timelineRange } from './timeline.ts';

type View = 'timeline' | 'month' | 'list';

const views = [
  { value: 'timeline', label: 'Timeline' },
  { value: 'month', label: 'Month' },
  { value: 'list', label: 'List' },
] as const;

interface RotaViewsProps {
  rota: ShownRota;
  openLayer: string | undefined;
  onOpen: ((layerUuid: string) => void) | undefined;
  onOpenOverride: ((overrideUuid: string) => void) | undefined;
}

/** The shifts of a rota as a timeline, month or list. A phone begins with the list. */
export function RotaViews({ rota, openLayer, onOpen, onOpenOverride }: RotaViewsProps) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const [view, setView] = useState<View>(isPhone ? 'list' : 'timeline');
  const [weeks, setWeeks] = useState(0);
  const timeZone = rota.layers[0]?.timeZone ?? 'UTC';
  const today = useFromNow((date) => Math.floor(date.getTime() / 3_600_000) * 3_600_000);
  const range = timelineRange(new Date(today), timeZone, weeks);
  const step = view === 'month' ? 4 : 2;
  const words = view === 'month' ? 'Four weeks' : 'Two weeks';
  return (
    <>
      <div className={classes.tools}>
        <Segmented label="View" options={views} value={view} onChange={setView} />
        <ActionIcon variant="subtle" aria-label={`${words} back`} onClick={() => setWeeks(weeks - step)}>
          <TbChevronLeft size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
        <h2 aria-live="polite">{rangeWords(range, view, timeZone)}</h2>
        <ActionIcon variant="subtle" aria-label={`${words} on`} onClick={() => setWeeks(weeks + step)}>
          <TbChevronRight size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
        <Button variant="subtle" onClick={() => setWeeks(0)}>
          Today
        </Button>
        <ul className={classes.legend} aria-label="Legend">
          <li data-kind="now">on call now</li>
          {view === 'timeline' ? <li data-kind="turn">turn</li> : null}
          <li data-kind="override">override</li>
          <li data-kind="gap">gap</li>
        </ul>
      </div>
      {view === 'timeline' ? (
        <Timeline {...{ rota, range, timeZone, openLayer, onOpen, onOpenOverride }} />
      ) : view === 'month' ? (
        <RotaMonth rota={rota} from={new Date(range.from)} timeZone={timeZone} />
      ) : (
        <ShiftList rota={rota} range={range} timeZone={timeZone} />
      )}
    </>
  );
}

function rangeWords({ from, until }: TimelineRange, view: View, timeZone: string): string {
  const end = view === 'month' ? from + 2 * (until - from) : until;
  const day = (at: number, year: boolean) => formatDate(new Date(at), timeZone, { year });
  const [first, last] = [day(from, false), day(end - 3_600_000, false)];
  // "9 to 22 Nov", if the locale writes the month last.
  const month = / \p{L}+$/u.exec(first)?.[0];
  const isSame = month !== undefined && last.endsWith(month);
  return `${isSame ? first.slice(0, -month.length) : first} to ${day(end - 3_600_000, true)}`;
}

function ShiftList({ rota, range, timeZone }: { rota: ShownRota; range: TimelineRange; timeZone: string }) {
  const now = useFromNow((date) => Math.floor(date.getTime() / 60_000) * 60_000);
  const shifts = rota.layers
    .flatMap((layer) => wholeShiftsBetween(layer, range.from, range.until).map((shift) => ({ ...shift, layer })))
    .toSorted((a, b) => a.startsAt - b.startsAt);
  return (
    <section className={classes.list} aria-label="Shifts">
      <table>
        <thead>
          <tr>
            <th>From</th>
            <th>To</th>
            <th>Layer</th>
            <th>On call</th>
            <th>Length</th>
          </tr>
        </thead>
        <tbody>
          {shifts.map((shift) => (
            <tr key={`${shift.layer.uuid} ${shift.startsAt}`}>
              <td>{atWords(shift.startsAt, timeZone)}</td>
              <td>{atWords(shift.endsAt, timeZone)}</td>
              <td>{shift.layer.name}</td>
              <td>
                {shift.person === null ? <b className={classes.nobody}>Gap</b> : shift.person.name}
                {shift.startsAt <= now && now < shift.endsAt ? <span data-quiet> now</span> : null}
                {shift.override && shift.person && shift.planned ? (
                  <span data-quiet> for {shift.planned.name}</span>
                ) : null}
              </td>
              <td data-quiet>{lengthOfPeriod(shift)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
