import { type ReactNode, useState } from 'react';
import { TbTrash } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { counted } from '../format/number.ts';
import { BulkActions } from '../list/BulkActions.tsx';
import { BulkDialog } from '../list/BulkDialog.tsx';
import { useActor } from '../session/actor.ts';
import { BulkDelete } from './BulkDelete.tsx';

interface EnableBulkProps<T extends { uuid: string }> {
  noun: 'asset' | 'group';
  records: readonly T[];
  /** Called after an action with the records that remain selected; an empty list clears the selection. */
  onSelect: (records: readonly T[]) => void;
  nameOf: (record: T) => string;
  /** Activates or deactivates one record. */
  change: (uuid: string, patch: { status: boolean }) => Promise<unknown>;
  remove: (uuid: string) => Promise<unknown>;
  /** Explains the effect of deactivating if it is not obvious. */
  note?: ReactNode;
}

/** Bulk actions for records that can be active or inactive. */
export function EnableBulk<T extends { uuid: string }>(props: EnableBulkProps<T>) {
  const { noun, records, onSelect, nameOf, change, remove, note } = props;
  const actor = useActor();
  const [task, setTask] = useState<'use' | 'rest' | 'delete' | null>(null);
  const close = () => setTask(null);
  const verb = task === 'use' ? 'Activate' : 'Deactivate';
  return (
    <>
      <BulkActions count={records.length} onClear={() => onSelect([])}>
        {can(actor, `${noun}.update`) ? (
          <>
            <button type="button" onClick={() => setTask('use')}>
              Activate
            </button>
            <button type="button" onClick={() => setTask('rest')}>
              Deactivate
            </button>
          </>
        ) : null}
        {can(actor, `${noun}.delete`) ? (
          <button type="button" onClick={() => setTask('delete')}>
            <TbTrash size={16} strokeWidth={1.75} aria-hidden /> Delete
          </button>
        ) : null}
      </BulkActions>
      {task === 'use' || task === 'rest' ? (
        <BulkDialog
          title={`${verb} ${counted(records.length, noun)}`}
          items={records}
          nameOf={nameOf}
          act={({ uuid }) => change(uuid, { status: task === 'use' })}
          done={(count) => `${counted(count, noun)} ${verb.toLowerCase()}d.`}
          button={verb}
          onClose={close}
          onDone={onSelect}
        >
          {note}
        </BulkDialog>
      ) : null}
      {task === 'delete' ? (
        <BulkDelete
          noun={noun}
          one={noun}
          records={records}
          nameOf={nameOf}
          remove={remove}
          onClose={close}
          onDone={onSelect}
        />
      ) : null}
    </>
  );
}
