import { Button, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldSentences } from '../../../../domain/field-sentences.ts';
import { can } from '../../../../domain/permission.ts';
import { messageOf } from '../../../api/http.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { sendNote } from './alarm-actions.queries.ts';
import classes from './NoteForm.module.css';

const MAX_NOTE = 1000;

/** Adds a note to an alarm, even after it was acknowledged or resolved. */
export function NoteForm({ uuid }: { uuid: string }) {
  const client = useQueryClient();
  const mayAdd = can(useActor(), 'alarm.update');
  const [note, setNote] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  if (!mayAdd) return null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (note.trim() === '') {
      setError(fieldSentences['note-missing']);
      return;
    }
    setBusy(true);
    try {
      await sendNote(uuid, note);
      setNote('');
      setError('');
      await client.invalidateQueries({ queryKey: ['alarm'] });
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  };
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <Textarea
        label="Note"
        placeholder="What you found or did"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={MAX_NOTE}
        value={note}
        error={error || null}
        onChange={(event) => {
          setNote(event.currentTarget.value);
          setError('');
        }}
      />
      <Button type="submit" variant="default" size="xs" loading={busy}>
        Add note
      </Button>
    </form>
  );
}
