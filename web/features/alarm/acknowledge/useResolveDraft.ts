import { useState } from 'react';
import { dropDraft, readDraft, writeDraft } from '../../../kit/record/draft.ts';
import { useUser } from '../../../kit/session/session.ts';
import type { AlarmToResolve } from './reasons.ts';

interface ResolveDraft {
  alarms: readonly AlarmToResolve[];
  note: string;
}

/**
 * Returns the storage name of the draft. The name contains the user's uuid, so that another user of this browser does
 * not see the draft.
 */
const draftName = (me: string) => `resolve ${me}`;

/** Returns the alarms in this user's saved resolve draft. */
export function draftAlarms(me: string): readonly AlarmToResolve[] {
  return readDraft<ResolveDraft>(draftName(me))?.alarms ?? [];
}

/** Saves the note for these alarms until it is sent or the dialog is closed, even if the session ends. */
export function useResolveDraft(alarms: readonly AlarmToResolve[]) {
  const name = draftName(useUser().uuid);
  const [note, setNote] = useState(() => {
    const draft = readDraft<ResolveDraft>(name);
    const isOfThese = draft?.alarms?.map(({ uuid }) => uuid).join() === alarms.map(({ uuid }) => uuid).join();
    return (isOfThese ? draft?.note : undefined) ?? '';
  });
  return {
    note,
    /** Saves the draft. An empty note must be saved too, because the dialog reopens only if a draft exists. */
    keep: (next: string) => {
      writeDraft(name, { alarms, note: next });
      setNote(next);
    },
    drop: () => dropDraft(name),
  };
}
