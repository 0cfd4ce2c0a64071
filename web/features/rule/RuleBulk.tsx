import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, Suspense, useState } from 'react';
import { plural } from '../../../domain/plural.ts';
import { messageOf } from '../../api/http.ts';
import { counted } from '../../kit/format/number.ts';
import { BulkActions } from '../../kit/list/BulkActions.tsx';
import { runAll } from '../../kit/list/run-all.ts';
import { BulkDelete } from '../../kit/record/BulkDelete.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { useConfirmDisable } from './useConfirmDisable.tsx';

interface RuleBulkProps<T extends { uuid: string }> {
  /** Name of the records' table on the server. */
  noun: string;
  one: string;
  chosen: readonly T[];
  nameOf: (row: T) => string;
  remove: (uuid: string) => Promise<unknown>;
  /** Enables or disables one row; omitted if the rows cannot be enabled and disabled. */
  enable?: (row: T, enabled: boolean) => Promise<unknown>;
  /** Form that makes the same change to all chosen rows; omitted if there is none. */
  form?: ComponentType<{ rules: readonly T[]; onClose: () => void; onDone: (left: readonly T[]) => void }>;
  /** Called after an action with the rows that remain selected. */
  onChoose: (rows: readonly T[]) => void;
}

/**
 * Bulk actions for rules or rule alerts. Rows for which the action failed stay selected, and the dialog shows the
 * reason.
 */
export function RuleBulk<T extends { uuid: string }>(props: RuleBulkProps<T>) {
  const { noun, one, chosen, nameOf, remove, enable, form: Form, onChoose } = props;
  const client = useQueryClient();
  const [changing, setChanging] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [busy, setBusy] = useState(false);
  const { agreed, question } = useConfirmDisable();
  const finish = async (left: readonly T[]) => {
    onChoose(left);
    await client.invalidateQueries({ queryKey: ['rule'] });
  };
  const turn = async (enabled: boolean) => {
    setBusy(true);
    try {
      if (!enabled && !(await agreed(chosen.map(({ uuid }) => uuid)))) return setBusy(false);
    } catch (error) {
      setBusy(false);
      return toast.error(messageOf(error));
    }
    const { done, failed } = await runAll(chosen, (row) => enable?.(row, enabled) ?? Promise.resolve());
    setBusy(false);
    const state = enabled ? 'enabled' : 'disabled';
    if (done.length > 0) toast.success(`${counted(done.length, one)} ${plural(done.length, 'was', 'were')} ${state}.`);
    if (failed[0]) toast.error(`${counted(failed.length, one)} could not be ${state}. ${failed[0].problem}`);
    await finish(failed.map(({ item }) => item));
  };
  return (
    <BulkActions count={chosen.length} onClear={() => onChoose([])}>
      {enable ? (
        <>
          <button type="button" disabled={busy} onClick={() => void turn(true)}>
            Enable
          </button>
          <button type="button" disabled={busy} onClick={() => void turn(false)}>
            Disable
          </button>
        </>
      ) : null}
      {Form ? (
        <button type="button" disabled={busy} onClick={() => setChanging(true)}>
          Change
        </button>
      ) : null}
      <button type="button" disabled={busy} onClick={() => setDeleting(true)}>
        Delete
      </button>
      {question}
      {Form && changing ? (
        <Suspense>
          <Form rules={chosen} onClose={() => setChanging(false)} onDone={(left) => void finish(left)} />
        </Suspense>
      ) : null}
      {deleting ? (
        <BulkDelete
          noun={noun}
          one={one}
          records={chosen}
          nameOf={nameOf}
          remove={remove}
          onClose={() => setDeleting(false)}
          onDone={(failed) => {
            setDeleting(false);
            void finish(failed);
          }}
        />
      ) : null}
    </BulkActions>
  );
}
