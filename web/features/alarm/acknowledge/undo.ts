import type { QueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../api/http.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { sendUndo } from './alarm-actions.queries.ts';

/** Time in milliseconds during which an acknowledgement can be undone. After that, the server refuses to undo it. */
const UNDO_FOR = 10_000;

/** Confirms an acknowledgement and offers to undo it for ten seconds. */
export function offerUndo(client: QueryClient, uuids: readonly string[], name: string): void {
  const undo = async () => {
    try {
      const refused = (await sendUndo(uuids)).filter(({ ok }) => !ok);
      if (refused.length < uuids.length) toast.info(name, 'Acknowledgement undone');
      for (const sentence of new Set(refused.map((result) => result.sentence))) toast.error(sentence);
    } catch (error) {
      toast.error(`The acknowledgement could not be undone. ${messageOf(error)}`);
    }
    await client.invalidateQueries({ queryKey: ['alarm'] });
  };
  toast.undoable(name, 'Acknowledged', { label: 'Undo', run: () => void undo() }, UNDO_FOR);
}
