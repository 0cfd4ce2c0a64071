import { useEffect, useRef, useState } from 'react';
import { type UnverifiedUser, verify } from '../../api/auth.ts';
import { messageOf } from '../../api/http.ts';
import { usePublicConfig } from '../../kit/session/public-config.ts';
import { toast } from '../../ui/toast/toast.ts';
import classes from './auth.module.css';

/** Sends a code when the page opens, and again each time the user clicks the button. */
export function VerifyCode({ person }: { person: UnverifiedUser }) {
  const { customer } = usePublicConfig();
  const [state, setState] = useState<'sending' | 'sent' | 'failed'>('sending');
  const opened = useRef(false);

  const send = async () => {
    setState('sending');
    try {
      const answer = await verify(person, customer?.id ?? null);
      if (answer?.message) {
        toast.success(answer.message);
      }
      setState('sent');
    } catch (error) {
      toast.error(messageOf(error));
      setState('failed');
    }
  };

  // Each call sends an e-mail, so call it only once. In development, React mounts components twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on opening, not on a change of inputs.
  useEffect(() => {
    if (!opened.current) {
      opened.current = true;
      void send();
    }
  }, []);

  return (
    <p className={classes.text}>
      {state === 'failed' ? (
        <>
          The code could not be sent to <b>{person.email}</b>. Try again in a few minutes, or ask a manager to check
          your address.{' '}
        </>
      ) : (
        <>
          Enter the code sent to <b>{person.email}</b>, then choose a password.{' '}
        </>
      )}
      <button
        type="button"
        className={`${classes.link} ${classes.linkButton}`}
        disabled={state === 'sending'}
        onClick={send}
      >
        Send the code again
      </button>
    </p>
  );
}
