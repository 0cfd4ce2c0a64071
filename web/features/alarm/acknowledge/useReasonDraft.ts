import { useState } from 'react';
import { dropDraft, readDraft, writeDraft } from '../../../kit/record/draft.ts';
import { useUser } from '../../../kit/session/session.ts';

interface ReasonDraft {
  /** Uuids of the alarms the draft is for. */
  alarms: string[];
  reason: string;
  /** Null until the user opens the note field. */
  note: string | null;
  /** The reason that the user has typed. It is kept while the user chooses a listed reason instead. */
  own: string;
}

/**
 * Returns the storage name of the draft. The name contains the user's uuid, so that another user of this browser does
 * not see the draft.
 */
const draftName = (me: string) => `acknowledge ${me}`;

/** Returns the uuids of the alarms in this user's saved acknowledge draft. */
export function draftAlarmUuids(me: string): readonly string[] {
  return readDraft<ReasonDraft>(draftName(me))?.alarms ?? [];
}

/**
 * Keeps the reason and the note for these alarms until they are sent. The draft survives a closed dialog and the end of
 * the session.
 */
export function useReasonDraft(uuids: readonly string[]) {
  const name = draftName(useUser().uuid);
  const [kept] = useState(() => {
    const draft = readDraft<ReasonDraft>(name);
    return draft?.alarms?.join() === uuids.join() ? draft : null;
  });
  const [written, setWritten] = useState({
    reason: kept?.reason ?? '',
    note: kept?.note ?? null,
    own: kept?.own ?? '',
  });
  return {
    reason: kept?.reason ?? '',
    note: kept?.note ?? null,
    own: kept?.own ?? '',
    /** The current texts. They remain available if the form disappears because another user acknowledged first. */
    written,
    keep(reason: string, note: string | null, own: string) {
      writeDraft(name, { alarms: uuids, reason, note, own });
      setWritten({ reason, note, own });
    },
    drop: () => dropDraft(name),
  };
}

export type ReasonDraftState = Pick<ReturnType<typeof useReasonDraft>, 'reason' | 'note' | 'own' | 'written' | 'keep'>;
