import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { removeOverride } from './change.queries.ts';
import classes from './Dialogs.module.css';
import type { ShownRota } from './on-call.queries.ts';
import { periodWords } from './words.ts';

/** Shows an override, and deletes it. */
export function OverrideDetail({ rota, uuid, onClose }: { rota: ShownRota; uuid: string; onClose: () => void }) {
  const client = useQueryClient();
  const [failure, setFailure] = useState('');
  const layer = rota.layers.find(({ overrides }) => overrides.some((override) => override.uuid === uuid));
  const override = layer?.overrides.find((one) => one.uuid === uuid);
  if (!layer || !override) return null;
  const { off, cover, reason } = override;
  const title = off ? `${off.name} is off` : `${cover?.name} covers`;
  const remove = async () => {
    try {
      await removeOverride(uuid);
      await client.invalidateQueries({ queryKey: ['on-call'] });
      toast.success('The override was deleted.');
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <Dialog opened onClose={onClose} label={title} head={<h2 className={classes.title}>{title}</h2>}>
      <p>
        {layer.name}, {periodWords(override, layer.timeZone)}
        {reason === '' ? '' : `. ${reason}`}
      </p>
      <p>{off ? (cover ? `${cover.name} covers.` : 'Nobody covers.') : 'Takes all shifts of this period.'}</p>
      {failure ? (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      ) : null}
      <div className={classes.buttons}>
        <span />
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button onClick={() => void remove()}>Delete override</Button>
      </div>
    </Dialog>
  );
}
