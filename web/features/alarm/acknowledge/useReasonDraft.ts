import { useState } from 'react';
import { dropDraft, readDraft, writeDraft } from '../../../kit/record/draft.ts';
import { useUser } from '../../../kit/session/session.ts';

interface ReasonDraft {
  /** Uuids of the alarms the draft is for. */
  alarms: string[];
  reason: string;
  /** Null until the user opens the note field. */
  note: string | null;
  /** A typed reason; kept when the user chooses a listed reason for other alarms. */
  own: string;
}

/** Drafts are stored per user, so that the next user of this browser does not see them. */
const draftName = (me: string) => `acknowledge ${me}`;

/** Uuids of the alarms this user was acknowledging when the session ended. */
export function draftAlarmUuids(me: string): readonly string[] {
  return readDraft<ReasonDraft>(draftName(me))?.alarms ?? [];
}

/** Keeps reason and note for these alarms if the session ends or the dialog is closed, until they are sent. */
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
    /** The current texts; available even after another user's acknowledgement has replaced the form. */
    written,
    keep(reason: string, note: string | null, own: string) {
      writeDraft(name, { alarms: uuids, reason, note, own });
      setWritten({ reason, note, own });
    },
    drop: () => dropDraft(name),
  };
}

export type ReasonDraftState = Pick<ReturnType<typeof useReasonDraft>, 'reason' | 'note' | 'own' | 'written' | 'keep'>;
