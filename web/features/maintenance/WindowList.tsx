import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TbCalendar, TbRepeat } from 'react-icons/tb';
import { formatAge } from '../../../domain/age.ts';
import { plural } from '../../../domain/plural.ts';
import { messageOf } from '../../api/http.ts';
import { At } from '../../kit/format/At.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatTime } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { stateOfEntry } from './calendar.ts';
import { ExtendWindow } from './ExtendWindow.tsx';
import { sendMaintenanceEnd, type WindowRow } from './maintenance.queries.ts';
import classes from './WindowList.module.css';
import { dayOf } from './window-values.ts';
import { placeWords, suppressedWords } from './window-words.ts';

interface WindowListProps {
  windows: readonly WindowRow[];
  openId: string | undefined;
  onOpen: (uuid: string) => void;
}

/** Lists the maintenance windows that are active now, and the planned windows. */
export function WindowList({ windows, openId, onOpen }: WindowListProps) {
  const active = useFromNow((now) =>
    windows
      .filter(({ next }) => next !== null && stateOfEntry(next, now) === 'active')
      .map(({ uuid }) => uuid)
      .join(' '),
  ).split(' ');
  const groups = [
    { title: 'Active now', rows: windows.filter(({ uuid }) => active.includes(uuid)) },
    { title: 'Next', rows: windows.filter(({ uuid }) => !active.includes(uuid)) },
  ];
  return groups
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, rows }) => (
      <section key={title} aria-label={title}>
        <h3 className={classes.head}>
          {title} <span>{rows.length.toLocaleString()}</span>
        </h3>
        <ul className={classes.list}>
          {rows.map((window) => (
            <li
              key={window.uuid}
              className={classes.window}
              data-active={title === 'Active now' || undefined}
              data-open={window.uuid === openId || undefined}
            >
              <Row window={window} isActive={title === 'Active now'} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      </section>
    ));
}

interface RowProps {
  window: WindowRow;
  isActive: boolean;
  onOpen: (uuid: string) => void;
}

function Row({ window, isActive, onOpen }: RowProps) {
  const { name, next, repeats, quietAlarms } = window;
  const Icon = repeats === 'once' ? TbCalendar : TbRepeat;
  return (
    <>
      {isActive ? (
        <span>
          <StateMark state="maintenance" look="shape" />
        </span>
      ) : (
        <Icon size={16} strokeWidth={1.75} aria-label={repeats === 'once' ? 'Once' : 'Repeats'} role="img" />
      )}
      <div className={classes.text}>
        <button type="button" className={classes.name} onClick={() => onOpen(window.uuid)}>
          {name}
        </button>
        <small>{placeWords(window)}</small>
        {isActive ? (
          <>
            <small>{next?.endsAt ? <TimeLeft until={next.endsAt} /> : 'until the sensor is active again'}</small>
            <small>
              {suppressedWords(window.suppresses)}
              {quietAlarms ? `, ${quietAlarms.toLocaleString()} quiet ${plural(quietAlarms, 'alarm')}` : ''}
            </small>
            <span className={classes.acts}>
              {next?.endsAt ? <ExtendWindow window={window} endsAt={next.endsAt} /> : null}
              <EndNow window={window} />
            </span>
          </>
        ) : next ? (
          <small>
            <At at={next.startsAt} /> to <End next={next} />
          </small>
        ) : null}
      </div>
    </>
  );
}

/** Shows the end of an occurrence: only the time if the occurrence ends on the day on which it starts. */
function End({ next }: { next: NonNullable<WindowRow['next']> }) {
  const timeZone = useTimeZone();
  if (next.endsAt === null) return null;
  const [start, end] = [new Date(next.startsAt), new Date(next.endsAt)];
  return dayOf(start, timeZone) === dayOf(end, timeZone) ? formatTime(end, timeZone) : <At at={next.endsAt} />;
}

function TimeLeft({ until }: { until: string }) {
  const left = useFromNow((now) => formatAge(Date.parse(until) - now.getTime()));
  return (
    <>
      until <At at={until} />, <b>{left} left</b>
    </>
  );
}

/** Ends the maintenance that is in progress, after a confirmation. */
function EndNow({ window }: { window: WindowRow }) {
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const { name, repeats } = window;
  const end = async () => {
    if (busy) return;
    setBusy(true);
    setFailure('');
    try {
      await sendMaintenanceEnd(window.uuid);
      toast.success('Maintenance ended.');
      setAsks(false);
    } catch (error) {
      setFailure(messageOf(error));
    }
    setBusy(false);
    await client.invalidateQueries({ queryKey: ['maintenance'] });
    await client.invalidateQueries({ queryKey: ['alarm'] });
  };
  return (
    <>
      <button type="button" className={classes.end} onClick={() => setAsks(true)}>
        End now
      </button>
      {asks ? (
        <Dialog opened onClose={() => setAsks(false)} label={`End ${name}`} head={<h2>End “{name}” now?</h2>}>
          <p>Recipients of alarms that are still open are notified at once.</p>
          {repeats === 'until-ended' ? <p>The sensor becomes active.</p> : null}
          {repeats === 'once' || repeats === 'until-ended' ? null : <p>Later occurrences stay planned.</p>}
          {failure === '' ? null : (
            <p className={classes.failure} role="alert">
              {failure}
            </p>
          )}
          <div className={classes.buttons}>
            <Button variant="default" onClick={() => setAsks(false)}>
              Cancel
            </Button>
            <Button loading={busy} data-autofocus onClick={() => void end()}>
              End now
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
