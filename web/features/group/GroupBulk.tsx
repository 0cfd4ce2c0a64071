import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { useActor } from '../auth/actor.ts';
import { BulkActions } from '../list/BulkActions.tsx';
import { BulkDialog } from '../list/BulkDialog.tsx';
import { counted } from '../list/number.ts';
import { BulkDelete } from '../record/BulkDelete.tsx';
import type { GroupRow } from './group.queries.ts';
import { changeGroup, removeGroup } from './group-record.queries.ts';

interface GroupBulkProps {
  groups: readonly GroupRow[];
  /** Which stay chosen; none clears the selection. */
  onSelect: (groups: readonly GroupRow[]) => void;
}

const nameOf = (group: GroupRow) => group.name;

/** What can be done with many groups at once. */
export function GroupBulk({ groups, onSelect }: GroupBulkProps) {
  const actor = useActor();
  const [task, setTask] = useState<'use' | 'rest' | 'delete' | null>(null);
  const close = () => setTask(null);
  const words = task === 'use' ? 'into use' : 'out of use';
  return (
    <>
      <BulkActions count={groups.length} onClear={() => onSelect([])}>
        {can(actor, 'group.update') ? (
          <>
            <button type="button" onClick={() => setTask('use')}>
              Take into use
            </button>
            <button type="button" onClick={() => setTask('rest')}>
              Take out of use
            </button>
          </>
        ) : null}
        {can(actor, 'group.delete') ? (
          <button type="button" onClick={() => setTask('delete')}>
            <IconTrash size={16} stroke={1.75} aria-hidden /> Delete
          </button>
        ) : null}
      </BulkActions>
      {task === 'use' || task === 'rest' ? (
        <BulkDialog
          title={`Take ${counted(groups.length, 'group')} ${words}`}
          items={groups}
          nameOf={nameOf}
          act={(group) => changeGroup(group.uuid, { status: task === 'use' })}
          done={(count) => `${counted(count, 'group')} taken ${words}.`}
          button={`Take ${words}`}
          onClose={close}
          onDone={onSelect}
        >
          <p>A group out of use is not offered for sites any more. Those that have it keep it.</p>
        </BulkDialog>
      ) : null}
      {task === 'delete' ? (
        <BulkDelete
          noun="group"
          one="group"
          records={groups}
          nameOf={nameOf}
          remove={removeGroup}
          onClose={close}
          onDone={onSelect}
        />
      ) : null}
    </>
  );
}
