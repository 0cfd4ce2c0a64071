import { Button, Textarea, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TbCheck, TbPencil } from 'react-icons/tb';
import { useUser } from '../../../kit/session/session.ts';
import { nextRow } from '../../../ui/table/row-keys.ts';
import { isInDialog } from '../useRowFocus.ts';
import classes from './AlarmDialog.module.css';
import { countAndNames, type NamedAlarm, offerReasons, type UnacknowledgedAlarm } from './reasons.ts';
import type { ReasonDraftState } from './useReasonDraft.ts';

const MAX_REASON = 500;
const MAX_NOTE = 2000;

interface ReasonFormProps {
  alarms: readonly (UnacknowledgedAlarm & NamedAlarm)[];
  busy: boolean;
  /** Input that was saved before the session ended or the dialog was closed. */
  draft: ReasonDraftState;
  onAcknowledge: (reason: string, text: string, acceptedBy: readonly string[]) => Promise<void>;
}

/**
 * Form for acknowledging alarms with a reason and an optional note. If no rule has a list of reasons, the user types
 * the reason.
 */
export function ReasonForm({ alarms, busy, draft, onAcknowledge }: ReasonFormProps) {
  const me = useUser();
  const offer = offerReasons(alarms);
  const before = offer.kind === 'choice' ? offer.reasons.findIndex(({ reason }) => reason === draft.reason) : -1;
  const [chosen] = useState(before < 0 ? '' : draft.reason);
  const [own, setOwn] = useState(draft.own);
  const [note, setNote] = useState(draft.note);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is saved only when a text changes.
  useEffect(() => draft.keep(chosen, note, own), [own, note]);
  const text = note?.trim() ?? '';
  const noteRef = useRef<HTMLTextAreaElement>(null);
  // If the user types while a reason button has the focus, the text goes to the note, which then receives the focus.
  // Otherwise, a space would choose the reason and send it.
  const beginNote = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.length > 1 || key === ' ' || ctrlKey || metaKey || altKey || event.defaultPrevented || busy) return;
    event.preventDefault();
    setNote(`${note ?? ''}${key}`);
    noteRef.current?.focus();
  };
  const focusTarget = useFocusInside(busy);
  // Keeps the note, because the alarms that are still to be acknowledged may need a different reason but the same note.
  const acknowledge = (reason: string, acceptedBy: readonly string[]) => void onAcknowledge(reason, text, acceptedBy);
  // True for the chosen reason while the request runs. The reason then shows a check mark.
  const isSending = (reason: string) => busy && reason === draft.written.reason;
  const writtenFor = offer.kind === 'choice' ? offer.withoutList : alarms.map(({ uuid }) => uuid);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (own.trim() === '' || busy) return;
    draft.keep(own, note, own);
    acknowledge(own.trim(), writtenFor);
  };
  // A listed reason does not apply to alarms for which the user has typed a reason.
  const targetsOf = (acceptedBy: readonly string[]) =>
    own.trim() === '' ? acceptedBy : acceptedBy.filter((uuid) => !writtenFor.includes(uuid));
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
  const foot = (
    <p className={classes.foot}>Recorded as {me.display_name}. You can undo the acknowledgement for ten seconds.</p>
  );

  if (offer.kind === 'own-words') {
    return (
      <form onSubmit={submit}>
        <div className={classes.fields}>
          <TextInput
            label="Reason"
            description={alarms.length > 1 ? 'Applies to all of these alarms.' : undefined}
            ref={focusTarget}
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
      {/* Choosing a reason sends at once, so the note comes first. The note field replaces its button, so that a double
          tap on the button hits no reason. */}
      {noteField ?? noteButton}
      <h3 className={classes.ask} id="reasons">
        Choose a reason to acknowledge
      </h3>
      <fieldset className={classes.group} aria-labelledby="reasons">
        <div className={classes.reasons}>
          {offer.reasons.map(({ reason, acceptedBy: all }, index) => {
            const acceptedBy = targetsOf(all);
            return (
              <button
                key={reason}
                type="button"
                className={classes.reason}
                // Use aria-disabled, because a disabled button would lose the focus while the request is running.
                aria-disabled={busy}
                data-sending={isSending(reason) || undefined}
                ref={index === Math.max(before, 0) ? focusTarget : undefined}
                onKeyDown={(event) => {
                  moveFocus(event);
                  beginNote(event);
                }}
                onClick={() => {
                  if (busy) return;
                  draft.keep(reason, note, own);
                  acknowledge(reason, acceptedBy);
                }}
              >
                {reason}
                {index === before ? <span>previous choice</span> : null}
                {isSending(reason) ? <TbCheck size={16} strokeWidth={1.75} aria-hidden /> : null}
                {acceptedBy.length < alarms.length ? (
                  <span className={classes.taken}>for {countAndNames(acceptedBy, alarms)}</span>
                ) : null}
              </button>
            );
          })}
        </div>
      </fieldset>
      {writtenFor.length > 0 ? (
        <form className={classes.own} onSubmit={submit}>
          <TextInput label="Or enter a reason" description={`for ${countAndNames(writtenFor, alarms)}`} {...ownWords} />
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
 * Focuses the first reason once the reasons have loaded, because the dialog opens before they do. Sets the focus again
 * if the focused reason disappears.
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

/** Moves the focus between the reasons on arrow keys, j and k. */
function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  const all = [...(event.currentTarget.parentElement?.querySelectorAll('button') ?? [])];
  const next = nextRow(event.key, all.indexOf(event.currentTarget), all.length);
  if (next !== null) {
    all[next]?.focus();
    event.preventDefault();
  }
}
