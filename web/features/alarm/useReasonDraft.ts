import { useState } from 'react';
import { useUser } from '../auth/session.ts';
import { dropDraft, readDraft, writeDraft } from '../record/draft.ts';

interface ReasonDraft {
  /** Those that it was chosen and written for. */
  alarms: string[];
  reason: string;
  /** Null where nobody wanted to write one. */
  note: string | null;
}

/** Under the person's own name: whoever signs in next in this browser finds nothing. */
const nameOf = (me: string) => `acknowledge ${me}`;

/** The alarms this person was about to acknowledge when their session ended. */
export function alarmsOfDraft(me: string): readonly string[] {
  return readDraft<ReasonDraft>(nameOf(me))?.alarms ?? [];
}

/** The reason and the note for these alarms: kept when the session ends, and gone once they were sent or the dialog was closed. */
export function useReasonDraft(uuids: readonly string[]) {
  const name = nameOf(useUser().uuid);
  const [kept] = useState(() => {
    const draft = readDraft<ReasonDraft>(name);
    return draft?.alarms?.join() === uuids.join() ? draft : null;
  });
  const [written, setWritten] = useState({ reason: kept?.reason ?? '', note: kept?.note ?? null });
  return {
    reason: kept?.reason ?? '',
    note: kept?.note ?? null,
    /** As it stands now, also once the form is gone because somebody else was quicker. */
    written,
    keep(reason: string, note: string | null) {
      writeDraft(name, { alarms: uuids, reason, note });
      setWritten({ reason, note });
    },
    drop: () => dropDraft(name),
  };
}

export type KeptReason = Pick<ReturnType<typeof useReasonDraft>, 'reason' | 'note' | 'written' | 'keep'>;
