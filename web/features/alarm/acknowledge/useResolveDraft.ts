import { useState } from 'react';
import { dropDraft, readDraft, writeDraft } from '../../../kit/record/draft.ts';
import { useUser } from '../../../kit/session/session.ts';
import type { AlarmToResolve } from './reasons.ts';

interface ResolveDraft {
  alarms: readonly AlarmToResolve[];
  note: string;
}

/** Drafts are stored per user, so that the next user of this browser does not see them. */
const draftName = (me: string) => `resolve ${me}`;

/** The alarms this user was resolving when the session ended. */
export function draftAlarms(me: string): readonly AlarmToResolve[] {
  return readDraft<ResolveDraft>(draftName(me))?.alarms ?? [];
}

/** Keeps the note for these alarms if the session ends, until it is sent or the dialog is closed. */
export function useResolveDraft(alarms: readonly AlarmToResolve[]) {
  const name = draftName(useUser().uuid);
  const [note, setNote] = useState(() => {
    const draft = readDraft<ResolveDraft>(name);
    const isOfThese = draft?.alarms?.map(({ uuid }) => uuid).join() === alarms.map(({ uuid }) => uuid).join();
    return (isOfThese ? draft?.note : undefined) ?? '';
  });
  return {
    note,
    /** Stores the draft. Call this with an empty note too: the dialog reopens only if a draft exists. */
    keep: (next: string) => {
      writeDraft(name, { alarms, note: next });
      setNote(next);
    },
    drop: () => dropDraft(name),
  };
}
