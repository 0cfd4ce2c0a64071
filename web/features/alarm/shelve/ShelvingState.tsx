import { Button, VisuallyHidden } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { TbClockPause, TbTool } from 'react-icons/tb';
import { formatAge } from '../../../../domain/age.ts';
import { can } from '../../../../domain/permission.ts';
import { messageOf } from '../../../api/http.ts';
import { At } from '../../../kit/format/At.tsx';
import { useActor } from '../../../kit/session/actor.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { now, useFromNow } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import listClasses from '../AlarmList.module.css';
import look from '../acknowledge/AlarmDialog.module.css';
import { DialogError } from '../acknowledge/DialogParts.tsx';
import type { AlarmShelving, Shelving } from '../alarm.queries.ts';
import { DurationChoice } from './DurationChoice.tsx';
import classes from './Shelve.module.css';
import { fetchLongestHours, sendEnd, sendExtension } from './shelve.queries.ts';
import { type ChosenTime, durationLabel, endToSend, standardDuration, timeProblem } from './shelve-time.ts';
import { targetWords } from './shelve-words.ts';

/**
 * Shows in a cell of the alarm list who shelved an alarm or which window keeps it quiet, and until when. Has links to
 * extend and end the shelving.
 */
export function ShelvedResponse({ alarm }: { alarm: AlarmShelving }) {
  const { shelving, quietUntil, maintenanceWindow } = alarm;
  if (maintenanceWindow) {
    return (
      <span className={listClasses.who}>
        <TbTool size={14} strokeWidth={1.75} aria-label="In maintenance" role="img" />
        <span>
          {maintenanceWindow.name}
          {quietUntil === null ? null : (
            <>
              {' '}
              until <At at={quietUntil} />
            </>
          )}
        </span>
      </span>
    );
  }
  return (
    <>
      <span className={listClasses.who}>
        <TbClockPause size={14} strokeWidth={1.75} aria-label="Shelved by" role="img" />
        <span>
          {shelving?.userName} until <At at={quietUntil} />
        </span>
      </span>
      <span className={`${classes.state} ${classes.left}`}>
        {quietUntil === null ? null : <TimeLeft until={quietUntil} />}
        {shelving ? <ShelvingButtons shelving={shelving} isInRow /> : null}
      </span>
    </>
  );
}

/** Shows in the alarm's details that it is shelved or in maintenance: by whom, why and until when. */
export function ShelvedNote({ alarm }: { alarm: AlarmShelving }) {
  const { shelving, quietUntil, maintenanceWindow } = alarm;
  if (maintenanceWindow) {
    return (
      <section className={classes.note} aria-label="Maintenance">
        <p>
          <b>
            Maintenance
            {quietUntil === null ? null : (
              <>
                {' '}
                until <At at={quietUntil} />
              </>
            )}
          </b>
        </p>
        <p>
          {maintenanceWindow.name}, {maintenanceWindow.targetName}. Nobody is notified until it ends.
        </p>
      </section>
    );
  }
  if (!shelving || quietUntil === null) return null;
  const { userName, reason, scope, targetName } = shelving;
  return (
    <section className={classes.note} aria-label="Shelving">
      <p>
        <b>
          Shelved until <At at={quietUntil} />
        </b>
        , <TimeLeft until={quietUntil} />
      </p>
      <p>
        {userName} shelved {targetWords(scope, targetName)}: “{reason}”
      </p>
      <p className={classes.state}>
        <ShelvingButtons shelving={shelving} />
      </p>
    </section>
  );
}

function TimeLeft({ until }: { until: string }) {
  return <span>{useFromNow((moment) => `${formatAge(Date.parse(until) - moment.getTime())} left`)}</span>;
}

/** Buttons that extend and end a shelving. Shows nothing to users without permission. */
function ShelvingButtons({ shelving, isInRow = false }: { shelving: Shelving; isInRow?: boolean }) {
  const [open, setOpen] = useState<'extend' | 'end' | null>(null);
  if (!can(useActor(), 'alarm.shelve')) return null;
  // In a row, the buttons are not in the tab order, because keyboard users find the same buttons in the detail panel.
  const common = { type: 'button', tabIndex: isInRow ? -1 : undefined } as const;
  const close = () => setOpen(null);
  const target = <VisuallyHidden> the shelving of {shelving.targetName}</VisuallyHidden>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click on a button must not open the alarm of the row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys do not reach the row from a dialog.
    <span className={classes.state} onClick={(event) => event.stopPropagation()}>
      <button {...common} onClick={() => setOpen('extend')}>
        Extend{target}
      </button>
      <button {...common} onClick={() => setOpen('end')}>
        End{target}
      </button>
      {open === 'extend' ? <ExtendDialog shelving={shelving} onClose={close} /> : null}
      {open === 'end' ? <EndDialog shelving={shelving} onClose={close} /> : null}
    </span>
  );
}

interface ChangeProps {
  shelving: Shelving;
  onClose: () => void;
}

/**
 * Returns a function that changes a shelving, refetches the alarms and closes the dialog, and the error of the last
 * attempt.
 */
function useChange(onClose: () => void) {
  const client = useQueryClient();
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const run = async (change: () => Promise<void>, done: string) => {
    if (busy) return;
    setBusy(true);
    setFailure('');
    try {
      await change();
      toast.success(done);
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    }
    await client.invalidateQueries({ queryKey: ['alarm'] });
    setBusy(false);
  };
  return { run, busy, trouble: failure === '' ? null : <DialogError>{failure}</DialogError> };
}

function ExtendDialog({ shelving, onClose }: ChangeProps) {
  const { run, busy, trouble } = useChange(onClose);
  const timeZone = useTimeZone();
  const [time, setTime] = useState<ChosenTime>({ duration: standardDuration, until: '' });
  const longest = useQuery({
    queryKey: ['longest-shelving'],
    queryFn: ({ signal }) => fetchLongestHours(signal),
  });
  const longestHours = longest.data ?? 0;
  const problem = useFromNow((moment) => timeProblem(time, moment, timeZone, longestHours) ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const end = endToSend(time, now(), timeZone);
    if (end === null || problem !== '') return;
    void run(() => sendExtension(shelving.uuid, end), 'The shelving was extended.');
  };
  const label = durationLabel(time.duration);
  return (
    <Dialog opened onClose={onClose} label="Extend the shelving" head={<h2>Extend the shelving</h2>}>
      <form className={classes.form} onSubmit={submit}>
        <p>
          {shelving.userName} shelved {targetWords(shelving.scope, shelving.targetName)} until{' '}
          <At at={shelving.until} />.
        </p>
        {longest.isError ? (
          <DialogError>{messageOf(longest.error)}</DialogError>
        ) : (
          <DurationChoice
            label="From now for"
            value={time}
            longestHours={longestHours}
            error={longest.data === undefined ? null : problem || null}
            onChange={setTime}
          />
        )}
        {trouble}
        <div className={look.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={longest.data === undefined || problem !== ''}>
            {label ? `Shelve for ${label}` : 'Extend'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function EndDialog({ shelving, onClose }: ChangeProps) {
  const { run, busy, trouble } = useChange(onClose);
  return (
    <Dialog opened onClose={onClose} label="End the shelving" head={<h2>End the shelving?</h2>}>
      <p>
        {shelving.userName} shelved {targetWords(shelving.scope, shelving.targetName)} until <At at={shelving.until} />:
        “{shelving.reason}”
      </p>
      <p>Recipients of alarms that are still open are notified at once.</p>
      {trouble}
      <div className={look.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={busy}
          data-autofocus
          onClick={() => void run(() => sendEnd(shelving.uuid), 'The shelving was ended.')}
        >
          End
        </Button>
      </div>
    </Dialog>
  );
}
