import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { userChoiceSource } from '../../kit/choices/choices.queries.ts';
import { KeyPicker } from '../../kit/record/Picker.tsx';
import { useUser } from '../../kit/session/session.ts';
import { fieldNotUsable } from '../../ui/field/unusable.ts';
import classes from './SenderPage.module.css';
import { type SenderState, sendTestMessage, testMessageQuery } from './sender.queries.ts';
import { testMessageText } from './sender-words.ts';

/**
 * Form for sending a test message to the signed-in user, or to another user whom the signed-in user can see. Shows the
 * state of the message.
 */
export function TestMessage({ state }: { state: SenderState }) {
  const me = useUser();
  const [to, setTo] = useState<string | null>(me.uuid);
  const [sent, setSent] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const message = useQuery(testMessageQuery(sent, state.receiptAddress !== null && state.receiptProblem === null)).data;
  const send = async (within: ParentNode | null) => {
    // Do not send if the recipient field contains a typed name that was not chosen from the list.
    const unusable = within && fieldNotUsable(within);
    if (unusable) return unusable.focus();
    setBusy(true);
    setProblem(null);
    setSent(null);
    try {
      setSent(await sendTestMessage(to ?? me.uuid, state.methodType));
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes.test}>
      <KeyPicker
        aria-label={`Recipient of the test message by ${state.title}`}
        source={userChoiceSource}
        chosen={{ value: me.uuid, label: `${me.display_name} (you)` }}
        value={to}
        onChange={setTo}
      />
      <Button variant="default" loading={busy} onClick={(event) => void send(event.currentTarget.parentElement)}>
        {' '}
        Send test message{' '}
      </Button>
      <p className={classes.note} role={problem ? 'alert' : 'status'} data-problem={problem ? true : undefined}>
        {problem ?? (message ? testMessageText(message) : '')}
      </p>
    </div>
  );
}
