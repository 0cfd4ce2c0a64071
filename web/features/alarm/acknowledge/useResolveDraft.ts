import { useState } from 'react';
import { dropDraft, readDraft, writeDraft } from '../../../kit/record/draft.ts';
import { useUser } from '../../../kit/session/session.ts';
import type { AlarmToResolve } from './reasons.ts';

interface ResolveDraft {
  alarms: readonly AlarmToResolve[];
  note: string;
}

/** Under the person's own name, as the draft of an acknowledgement. */
const nameOf = (me: string) => `resolve ${me}`;

/** The alarms this person was about to resolve when their session ended. */
export function alarmsToResolveOfDraft(me: string): readonly AlarmToResolve[] {
  return readDraft<ResolveDraft>(nameOf(me))?.alarms ?? [];
}

/** The note for these alarms: kept when the session ends, and gone once it was sent or the dialog was closed. */
export function useResolveDraft(alarms: readonly AlarmToResolve[]) {
  const name = nameOf(useUser().uuid);
  const [note, setNote] = useState(() => {
    const draft = readDraft<ResolveDraft>(name);
    const isOfThese = draft?.alarms?.map(({ uuid }) => uuid).join() === alarms.map(({ uuid }) => uuid).join();
    return (isOfThese ? draft?.note : undefined) ?? '';
  });
  return {
    note,
    /** Also before anything is written: the dialog itself is to come back. */
    keep: (next: string) => {
      writeDraft(name, { alarms, note: next });
      setNote(next);
    },
    drop: () => dropDraft(name),
  };
}
