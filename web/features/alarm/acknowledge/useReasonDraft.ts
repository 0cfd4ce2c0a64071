import { useState } from 'react';
import { dropDraft, readDraft, writeDraft } from '../../../kit/record/draft.ts';
import { useUser } from '../../../kit/session/session.ts';

interface ReasonDraft {
  /** Those that it was chosen and written for. */
  alarms: string[];
  reason: string;
  /** Null where nobody wanted to write one. */
  note: string | null;
  /** A reason in one's own words, which stays beside one that is chosen out of a list. */
  own: string;
}

/** Under the person's own name: whoever signs in next in this browser finds nothing. */
const nameOf = (me: string) => `acknowledge ${me}`;

/** The alarms this person was about to acknowledge when their session ended. */
export function alarmsOfDraft(me: string): readonly string[] {
  return readDraft<ReasonDraft>(nameOf(me))?.alarms ?? [];
}

/** The reason and the note for these alarms: kept when the session ends or the dialog is closed by a slip, and gone once they were sent. */
export function useReasonDraft(uuids: readonly string[]) {
  const name = nameOf(useUser().uuid);
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
    /** As it stands now, also once the form is gone because somebody else was quicker. */
    written,
    keep(reason: string, note: string | null, own: string) {
      writeDraft(name, { alarms: uuids, reason, note, own });
      setWritten({ reason, note, own });
    },
    drop: () => dropDraft(name),
  };
}

export type KeptReason = Pick<ReturnType<typeof useReasonDraft>, 'reason' | 'note' | 'own' | 'written' | 'keep'>;
