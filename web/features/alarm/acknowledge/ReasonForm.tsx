import { Button, Textarea, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TbCheck, TbPencil } from 'react-icons/tb';
import { useUser } from '../../../kit/session/session.ts';
import { nextRow } from '../../../ui/table/row-keys.ts';
import { isInDialog } from '../useRowFocus.ts';
import classes from './AlarmDialog.module.css';
import { type NamedAlarm, offerReasons, someOf, type Waiting } from './reasons.ts';
import type { KeptReason } from './useReasonDraft.ts';

const MAX_REASON = 500;
const MAX_NOTE = 2000;

interface ReasonFormProps {
  alarms: readonly (Waiting & NamedAlarm)[];
  busy: boolean;
  /** What was chosen and written before, where a session ended in between. */
  draft: KeptReason;
  onAcknowledge: (reason: string, text: string, takenBy: readonly string[]) => Promise<void>;
}

/** The reasons to choose from, or a field for one's own words where a rule has no list; and a note for whoever has more to say. */
export function ReasonForm({ alarms, busy, draft, onAcknowledge }: ReasonFormProps) {
  const me = useUser();
  const offer = offerReasons(alarms);
  const before = offer.kind === 'choice' ? offer.reasons.findIndex(({ reason }) => reason === draft.reason) : -1;
  const [chosen] = useState(before < 0 ? '' : draft.reason);
  const [own, setOwn] = useState(draft.own);
  const [note, setNote] = useState(draft.note);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was written is what is kept.
  useEffect(() => draft.keep(chosen, note, own), [own, note]);
  const text = note?.trim() ?? '';
  const noteRef = useRef<HTMLTextAreaElement>(null);
  // Whoever begins to type means to write: a blank among the words would send the reason that has the focus.
  const beginNote = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.length > 1 || key === ' ' || ctrlKey || metaKey || altKey || event.defaultPrevented || busy) return;
    event.preventDefault();
    setNote(`${note ?? ''}${key}`);
    noteRef.current?.focus();
  };
  const start = useFocusInside(busy);
  // The note stays in its field for those that need another reason.
  const acknowledge = (reason: string, takenBy: readonly string[]) => void onAcknowledge(reason, text, takenBy);
  // Only the one that was tapped has a tick: before, none of them is chosen.
  const isSending = (reason: string) => busy && reason === draft.written.reason;
  const writtenFor = offer.kind === 'choice' ? offer.withoutList : alarms.map(({ uuid }) => uuid);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (own.trim() === '' || busy) return;
    draft.keep(own, note, own);
    acknowledge(own.trim(), writtenFor);
  };
  // Words that were written for them are not thrown away by a tap on a reason for the others.
  const takers = (takenBy: readonly string[]) =>
    own.trim() === '' ? takenBy : takenBy.filter((uuid) => !writtenFor.includes(uuid));
  const ownWords = {
    maxLength: MAX_REASON,
    value: own,
    required: true,
    withAsterisk: false,
    autoComplete: 'off',
    onChange: (event: ChangeEvent<HTMLInputElement>) => setOwn(event.currentTarget.value),
  };
  const noteField =
    note === null ? null : (
      <Textarea
        className={offer.kind === 'choice' ? classes.noteBefore : undefined}
        label="Note"
        rows={3}
        maxLength={MAX_NOTE}
        value={note}
        autoFocus={draft.note === null}
        ref={noteRef}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(note.length, note.length)}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    );
  const noteButton =
    note === null ? (
      <button type="button" className={classes.more} onClick={() => setNote('')}>
        <TbPencil size={16} strokeWidth={1.75} aria-hidden />
        Write a note first
      </button>
    ) : null;
  const foot = <p className={classes.foot}>Recorded as {me.display_name}. You can undo it for ten seconds.</p>;

  if (offer.kind === 'own-words') {
    return (
      <form onSubmit={submit}>
        <div className={classes.fields}>
          <TextInput
            label="Reason"
            description={alarms.length > 1 ? 'The same for all of them.' : undefined}
            ref={start}
            {...ownWords}
          />
          {noteField}
        </div>
        {noteButton}
        <div className={classes.buttons}>
          <Button type="submit" loading={busy} disabled={own.trim() === ''}>
            Acknowledge
          </Button>
        </div>
        {foot}
      </form>
    );
  }
  return (
    <>
      {/* A reason sends it, so what goes along is written before. Where the button was, the note stands: a second tap sends nothing. */}
      {noteField ?? noteButton}
      <h3 className={classes.ask} id="reasons">
        Choose a reason to acknowledge
      </h3>
      <fieldset className={classes.group} aria-labelledby="reasons">
        <div className={classes.reasons}>
          {offer.reasons.map(({ reason, takenBy: all }, index) => {
            const takenBy = takers(all);
            return (
              <button
                key={reason}
                type="button"
                className={classes.reason}
                // Not disabled: that would let go of the focus while it is sent.
                aria-disabled={busy}
                data-sending={isSending(reason) || undefined}
                ref={index === Math.max(before, 0) ? start : undefined}
                onKeyDown={(event) => {
                  moveFocus(event);
                  beginNote(event);
                }}
                onClick={() => {
                  if (busy) return;
                  draft.keep(reason, note, own);
                  acknowledge(reason, takenBy);
                }}
              >
                {reason}
                {index === before ? <span>chosen before</span> : null}
                {isSending(reason) ? <TbCheck size={16} strokeWidth={1.75} aria-hidden /> : null}
                {takenBy.length < alarms.length ? (
                  <span className={classes.taken}>for {someOf(takenBy, alarms)}</span>
                ) : null}
              </button>
            );
          })}
        </div>
      </fieldset>
      {writtenFor.length > 0 ? (
        <form className={classes.own} onSubmit={submit}>
          <TextInput label="Or write a reason" description={`for ${someOf(writtenFor, alarms)}`} {...ownWords} />
          <div className={classes.buttons}>
            <Button
              type="submit"
              variant="default"
              loading={busy && own === draft.written.reason}
              disabled={own.trim() === '' || busy}
            >
              Acknowledge {writtenFor.length.toLocaleString()} of {alarms.length.toLocaleString()}
            </Button>
          </div>
        </form>
      ) : null}
      {foot}
    </>
  );
}

/**
 * The dialog opens before the reasons are here, so they take the focus themselves when they come; and again when the reason
 * that had it is gone, because others are asked for.
 */
function useFocusInside(busy: boolean) {
  const first = useRef<HTMLElement>(null);
  const focus = () => first.current?.focus({ preventScroll: true });
  useEffect(focus, []);
  useEffect(() => {
    if (!busy && !isInDialog(document.activeElement)) focus();
  });
  return (element: HTMLElement | null) => {
    first.current = element;
  };
}

/** Arrows, j and k go from reason to reason. */
function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  const all = [...(event.currentTarget.parentElement?.querySelectorAll('button') ?? [])];
  const next = nextRow(event.key, all.indexOf(event.currentTarget), all.length);
  if (next !== null) {
    all[next]?.focus();
    event.preventDefault();
  }
}
