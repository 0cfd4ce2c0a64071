import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { At } from '../../kit/format/At.tsx';
import { formatMoment } from '../../kit/format/short-time.ts';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DateField, TimeField } from '../../ui/date/DateField.tsx';
import { now } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { endOfExtension, extensionOf, extensionProblems, type NewEnd, suggestedEnd } from './extension.ts';
import { sendWindow, type WindowRow } from './maintenance.queries.ts';
import classes from './WindowList.module.css';

interface ExtendWindowProps {
  window: WindowRow;
  /** When the maintenance in progress ends. */
  endsAt: string;
}

/** Button and dialog that let the maintenance in progress end later. */
export function ExtendWindow({ window, endsAt }: ExtendWindowProps) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <button type="button" className={classes.end} onClick={() => setAsks(true)}>
        Extend
      </button>
      {asks ? <ExtendDialog window={window} endsAt={endsAt} onClose={() => setAsks(false)} /> : null}
    </>
  );
}

function ExtendDialog({ window, endsAt, onClose }: ExtendWindowProps & { onClose: () => void }) {
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const [end, setEnd] = useState<NewEnd>(() => suggestedEnd(endsAt, timeZone));
  const [problems, setProblems] = useState<Partial<Record<keyof NewEnd, string>>>({});
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const change = (next: Partial<NewEnd>) => {
    setEnd({ ...end, ...next });
    setProblems({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = extensionProblems(window, endsAt, end, timeZone, now().getTime());
    setProblems(found);
    setFailure('');
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    const extension = extensionOf(window, endsAt, end, timeZone);
    try {
      await sendWindow(extension);
      const until = endOfExtension(extension, timeZone, now().getTime()) ?? endsAt;
      toast.success(`Extended until ${formatMoment(new Date(until), now(), timeZone)}.`);
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    }
    setBusy(false);
    await client.invalidateQueries({ queryKey: ['maintenance'] });
    await client.invalidateQueries({ queryKey: ['alarm'] });
  };
  return (
    <Dialog opened onClose={onClose} label={`Extend ${window.name}`} head={<h2>Extend “{window.name}”</h2>}>
      <form className={classes.extend} onSubmit={(event) => void submit(event)} noValidate>
        <p>
          The window ends <At at={endsAt} />. Choose a later end.
        </p>
        <FieldPair short>
          <DateField label="End day" value={end.day} error={problems.day} onChange={(day) => change({ day })} />
          <TimeField
            label="End time"
            value={end.time}
            error={problems.time}
            onChange={(time) => change({ time })}
            data-autofocus
          />
        </FieldPair>
        {window.repeats === 'once' ? null : (
          <p>The extension is a window of its own. Later occurrences keep their times.</p>
        )}
        {failure === '' ? null : (
          <p className={classes.failure} role="alert">
            {failure}
          </p>
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Extend window
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
