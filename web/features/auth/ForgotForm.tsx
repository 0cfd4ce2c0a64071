import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { checkPassword } from '../../../domain/password.ts';
import { forgot, isAboutPassword, update } from '../../api/auth.ts';
import { messageOf } from '../../api/http.ts';
import { toast } from '../../ui/toast/toast.ts';
import classes from './auth.module.css';
import { PasswordField } from './PasswordField.tsx';
import { useReturnToLogin } from './useReturnToLogin.ts';

/** Form for a forgotten password: first the e-mail, then the code and the new password. */
export function ForgotForm() {
  const [sent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [email, setEmail] = useState('');
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const returnToLogin = useReturnToLogin();

  const ask = async () => {
    if (await forgot(email.trim())) {
      setSent(true);
      toast.success('Otp sent to email sent please verify');
    } else {
      toast.error('Failed to find details please contact admin');
    }
  };

  const reset = async (fields: FormData) => {
    const password = String(fields.get('password'));
    const verdict = checkPassword(password, { email: email.trim() });
    if (!verdict.ok) {
      setPasswordError(verdict.sentence);
      return;
    }
    const answer = await update(email.trim(), String(fields.get('code')).trim(), password);
    toast.success(answer.message);
    setDone(true);
    returnToLogin();
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    try {
      await (sent ? reset(fields) : ask());
    } catch (error) {
      if (isAboutPassword(error)) setPasswordError(messageOf(error));
      else toast.error(messageOf(error));
    }
    setBusy(false);
  };

  return (
    <form className={`${classes.form} ${classes.section}`} onSubmit={submit}>
      <TextInput
        label="E-mail"
        description={sent ? undefined : 'You will receive an e-mail with a code to set a new password.'}
        inputWrapperOrder={['label', 'input', 'description']}
        name="email"
        type="email"
        size="md"
        autoComplete="username"
        required
        withAsterisk={false}
        readOnly={sent}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {sent ? (
        <>
          <TextInput
            label="Code"
            name="code"
            size="md"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            withAsterisk={false}
            data-autofocus
          />
          <PasswordField
            label="New password"
            name="password"
            autoComplete="new-password"
            error={passwordError}
            onChange={() => setPasswordError(null)}
          />
        </>
      ) : null}
      <Button type="submit" size="md" loading={busy} disabled={done}>
        {sent ? 'Submit' : 'Send code'}
      </Button>
    </form>
  );
}
