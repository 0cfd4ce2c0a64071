import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { useActor } from '../auth/actor.ts';
import { BulkActions } from '../list/BulkActions.tsx';
import { BulkDialog } from '../list/BulkDialog.tsx';
import { counted } from '../list/number.ts';
import { BulkDelete } from '../record/BulkDelete.tsx';
import type { AssetRow } from './asset.queries.ts';
import { changeAsset, removeAsset } from './asset-record.queries.ts';

interface AssetBulkProps {
  assets: readonly AssetRow[];
  /** Which stay chosen; none clears the selection. */
  onSelect: (assets: readonly AssetRow[]) => void;
}

const nameOf = (asset: AssetRow) => [asset.name, asset.site?.name].filter(Boolean).join(', ');

/** What can be done with many assets at once. */
export function AssetBulk({ assets, onSelect }: AssetBulkProps) {
  const actor = useActor();
  const [task, setTask] = useState<'use' | 'rest' | 'delete' | null>(null);
  const close = () => setTask(null);
  const words = task === 'use' ? 'into use' : 'out of use';
  return (
    <>
      <BulkActions count={assets.length} onClear={() => onSelect([])}>
        {can(actor, 'asset.update') ? (
          <>
            <button type="button" onClick={() => setTask('use')}>
              Take into use
            </button>
            <button type="button" onClick={() => setTask('rest')}>
              Take out of use
            </button>
          </>
        ) : null}
        {can(actor, 'asset.delete') ? (
          <button type="button" onClick={() => setTask('delete')}>
            <IconTrash size={16} stroke={1.75} aria-hidden /> Delete
          </button>
        ) : null}
      </BulkActions>
      {task === 'use' || task === 'rest' ? (
        <BulkDialog
          title={`Take ${counted(assets.length, 'asset')} ${words}`}
          items={assets}
          nameOf={nameOf}
          act={(asset) => changeAsset(asset.uuid, { status: task === 'use' })}
          done={(count) => `${counted(count, 'asset')} taken ${words}.`}
          button={`Take ${words}`}
          onClose={close}
          onDone={onSelect}
        />
      ) : null}
      {task === 'delete' ? (
        <BulkDelete
          noun="asset"
          one="asset"
          records={assets}
          nameOf={nameOf}
          remove={removeAsset}
          onClose={close}
          onDone={onSelect}
        />
      ) : null}
    </>
  );
}
