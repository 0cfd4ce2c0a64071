import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { deletionWords, endsWatch } from './deletion-words.ts';
import classes from './RecordPanel.module.css';
import { Failure } from './RecordParts.tsx';
import { deletionEffectsQuery } from './record.queries.ts';

interface DeleteDialogProps {
  /** The table's name on the server: 'site', 'sensor_channel'. */
  noun: string;
  uuid: string;
  name: string;
  /** The ID that the user must type to delete a record with rules or open alarms. If omitted, no ID is required. */
  typedId?: string | undefined;
  /** Deletes the record. Throws the server's error if that fails. */
  remove: () => Promise<unknown>;
  onClose: () => void;
  onDeleted: () => void;
}

/** Confirms a deletion and lists the related records that are deleted with the record. */
export function DeleteDialog({ noun, uuid, name, typedId, remove, onClose, onDeleted }: DeleteDialogProps) {
  const effects = useQuery(deletionEffectsQuery(noun, uuid));
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  // The user must also type the ID if the effects could not be loaded.
  const asks = typedId !== undefined && (effects.isError || endsWatch(effects.data ?? []));
  const isTyped = !asks || typed.trim() === typedId;
  const { goes, stays } = deletionWords(effects.data ?? []);
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await remove();
      await client.invalidateQueries();
      toast.success(`${name} was deleted.`);
      onDeleted();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      label={`Delete ${name}?`}
      head={<h2 className={classes.question}>Delete {name}?</h2>}
    >
      {effects.isPending ? (
        <Skeleton width="70%" />
      ) : effects.isError ? (
        <p role="alert">The effects could not be loaded: {messageOf(effects.error)}</p>
      ) : (
        <>
          <p>{goes.length === 0 ? 'Nothing else is deleted with it.' : 'This also deletes:'}</p>
          {goes.length > 0 ? <Lines lines={goes} /> : null}
          {stays.length > 0 ? <Lines lines={stays} /> : null}
        </>
      )}
      {asks ? (
        <TextInput
          mt="md"
          label={`Type ${typedId} to delete the ${noun}`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
      <Failure>{failure}</Failure>
      <div className={classes.choices}>
        <Button variant="default" onClick={onClose}>
          Keep
        </Button>
        <Button loading={busy} disabled={effects.isPending || !isTyped} onClick={() => void confirm()}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className={classes.effects}>
      {lines.map((line) => {
        const [count, ...words] = line.split(' ');
        return (
          <li key={line}>
            <b>{count}</b> <span>{words.join(' ')}</span>
          </li>
        );
      })}
    </ul>
  );
}
