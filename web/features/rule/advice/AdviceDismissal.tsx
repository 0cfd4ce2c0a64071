import { Button, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldSentences } from '../../../../domain/field-sentences.ts';
import { messageOf } from '../../../api/http.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { formatDate } from '../../../ui/time/format.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import classes from './Advice.module.css';
import { adviceDismissalQuery, dismissAdvice, resumeAdvice } from './dismissal.queries.ts';

const MAX_NOTE = 500;

/** Button and dialog that dismiss the advice for a rule. Shows nothing while the advice is dismissed. */
export function DismissAdvice({ uuid }: { uuid: string }) {
  const dismissal = useQuery(adviceDismissalQuery(uuid)).data;
  const [opened, setOpened] = useState(false);
  if (dismissal !== null) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Dismiss advice
      </Button>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        label="Dismiss advice"
        head={<h2 className={classes.title}>Dismiss advice</h2>}
      >
        <DismissForm uuid={uuid} onClose={() => setOpened(false)} />
      </Dialog>
    </>
  );
}

/**
 *  Shows who dismissed the advice and why, with a button that shows the advice again. Shows nothing if the advice is
 * not dismissed.
 */
export function DismissedAdvice({ uuid }: { uuid: string }) {
  const dismissal = useQuery(adviceDismissalQuery(uuid)).data;
  const timeZone = useTimeZone();
  const reload = useReload(uuid);
  if (!dismissal) return null;
  const resume = async () => {
    try {
      await resumeAdvice(uuid);
      toast.success('The advice is shown again.');
    } catch (error) {
      toast.error(messageOf(error));
    }
    await reload();
  };
  return (
    <section className={classes.dismissed} aria-label="Dismissed advice">
      <span>
        {dismissal.userName} dismissed this advice on {formatDate(new Date(dismissal.dismissedAt), timeZone)}:{' '}
        {dismissal.note}
      </span>
      <Button variant="default" onClick={() => void resume()}>
        Take up again
      </Button>
    </section>
  );
}

function useReload(uuid: string) {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: adviceDismissalQuery(uuid).queryKey });
    await client.invalidateQueries({ queryKey: ['report', 'performance'] });
  };
}

function DismissForm({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const reload = useReload(uuid);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || note.trim() === '') return;
    setBusy(true);
    try {
      await dismissAdvice(uuid, note);
      toast.success('The advice was dismissed.');
      onClose();
    } catch (error) {
      toast.error(messageOf(error));
      setBusy(false);
    }
    await reload();
  };
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <Textarea
        label="Note"
        description="The top ten rules do not offer this advice again until the settings of the rule change, or as many new nuisance alarms as before have opened."
        rows={3}
        maxLength={MAX_NOTE}
        value={note}
        error={tried && note.trim() === '' ? fieldSentences['advice-note'] : null}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Button type="submit" disabled={busy}>
        Dismiss advice
      </Button>
    </form>
  );
}
