import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { TbPencil } from 'react-icons/tb';
import { refuseName } from '../../../../domain/on-call/refusals.ts';
import { messageOf } from '../../../api/http.ts';
import { DeleteDialog } from '../../../kit/record/DeleteDialog.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { removeRota, sendRotaName } from '../change.queries.ts';
import classes from '../Dialogs.module.css';

/** Renames or deletes a rota. */
export function RotaNameButton({ rota }: { rota: { uuid: string; name: string } }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'rename' | 'delete' | null>(null);
  const [name, setName] = useState(rota.name);
  const [failure, setFailure] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refused = refuseName(name);
    if (refused) return setFailure(refused.sentence);
    try {
      await sendRotaName(rota.uuid, name);
      await client.invalidateQueries({ queryKey: ['on-call'] });
      toast.success(`${name.trim()} was saved.`);
      setOpened(null);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <>
      <ActionIcon
        variant="subtle"
        aria-label={`Rename or delete ${rota.name}`}
        onClick={() => {
          setName(rota.name);
          setFailure('');
          setOpened('rename');
        }}
      >
        <TbPencil size={16} strokeWidth={1.75} aria-hidden />
      </ActionIcon>
      <Dialog
        opened={opened === 'rename'}
        onClose={() => setOpened(null)}
        label="Rename the rota"
        head={<h2 className={classes.title}>Rename the rota</h2>}
      >
        <form onSubmit={(event) => void submit(event)}>
          <TextInput
            label="Name"
            maxLength={200}
            value={name}
            error={failure || null}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <div className={classes.buttons}>
            <Button variant="subtle" onClick={() => setOpened('delete')}>
              Delete rota
            </Button>
            <span />
            <Button variant="default" onClick={() => setOpened(null)}>
              Cancel
            </Button>
            <Button type="submit">Save name</Button>
          </div>
        </form>
      </Dialog>
      {opened === 'delete' ? (
        <DeleteDialog
          noun="rota"
          uuid={rota.uuid}
          name={rota.name}
          remove={() => removeRota(rota.uuid)}
          onClose={() => setOpened(null)}
          onDeleted={() => void navigate({ to: '/admin/on-call' })}
        />
      ) : null}
    </>
  );
}
