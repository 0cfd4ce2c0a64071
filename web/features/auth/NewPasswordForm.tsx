import { Button, TextInput, VisuallyHidden } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { checkPassword, PASSWORD_LENGTH } from '../../../domain/password.ts';
import { type Answer, isAboutPassword } from '../../api/auth.ts';
import { messageOf } from '../../api/http.ts';
import { afterPress } from '../../ui/field/after-press.ts';
import { toast } from '../../ui/toast/toast.ts';
import classes from './auth.module.css';
import { nextSignIn } from './next-sign-in.ts';
import { PasswordField } from './PasswordField.tsx';
import { canSubmit } from './password-mode.ts';
import { useReturnToLogin } from './useReturnToLogin.ts';

interface FirstField {
  label: string;
  kind: 'code' | 'link' | 'password';
  value?: string;
  /** Validates the input. Returns the error text, or null if the input is valid. */
  check?: (text: string) => string | null;
}

interface NewPasswordFormProps {
  /** The user's e-mail address, for password managers. */
  account?: string | undefined;
  first: FirstField;
  button: string;
  onSubmit: (fields: { first: string; password: string; confirmation: string }) => Promise<Answer>;
  /** Called after the password was set, if the user must sign in under a different host name. */
  onOtherHost?: (answer: Answer) => void;
}

export function NewPasswordForm({ account, first, button, onSubmit, onOtherHost }: NewPasswordFormProps) {
  const [fields, setFields] = useState({ first: first.value ?? '', password: '', confirmation: '' });
  const [state, setState] = useState<'editing' | 'busy' | 'done'>('editing');
  const [firstError, setFirstError] = useState<string | null>(null);
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const returnToLogin = useReturnToLogin();

  const set = (name: keyof typeof fields) => (event: { currentTarget: HTMLInputElement }) => {
    const { value } = event.currentTarget;
    setFields((before) => ({ ...before, [name]: value }));
    if (name === 'first') {
      setFirstError(null);
    }
    if (name === 'password') {
      setPasswordError(null);
    }
  };

  /** Validates the new password and shows the error. Called on blur and on submit. */
  const checkNewPassword = (): boolean => {
    const current = first.kind === 'password' ? fields.first : undefined;
    const verdict = checkPassword(fields.password, { email: account, current });
    setPasswordError(verdict.ok ? null : verdict.sentence);
    return verdict.ok;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = first.check?.(fields.first) ?? null;
    setFirstError(wrong);
    const good = checkNewPassword();
    if (wrong !== null || !good || state !== 'editing' || !canSubmit(fields)) {
      return;
    }
    setState('busy');
    try {
      const typed = first.kind === 'password' ? fields.first : fields.first.trim();
      const answer = await onSubmit({ ...fields, first: typed });
      if (onOtherHost && answer.sign_in_url !== undefined) {
        onOtherHost(answer);
        return;
      }
      toast.success(answer.message);
      nextSignIn.set(answer.email ?? account ?? '');
      setState('done');
      returnToLogin();
    } catch (error) {
      if (isAboutPassword(error)) setPasswordError(messageOf(error));
      else toast.error(messageOf(error));
      setState('editing');
    }
  };

  const differ = fields.confirmation !== '' && fields.password !== '' && fields.password !== fields.confirmation;
  return (
    <form className={classes.form} onSubmit={submit}>
      {account ? (
        <VisuallyHidden>
          <input
            type="email"
            name="username"
            autoComplete="username"
            value={account}
            readOnly
            tabIndex={-1}
            aria-hidden
          />
        </VisuallyHidden>
      ) : null}
      {first.kind === 'password' ? (
        <PasswordField
          label={first.label}
          name="current-password"
          autoComplete="current-password"
          value={fields.first}
          onChange={set('first')}
        />
      ) : (
        <TextInput
          label={first.label}
          name="code"
          size="md"
          autoComplete={first.kind === 'code' ? 'one-time-code' : 'off'}
          spellCheck={false}
          required
          withAsterisk={false}
          value={fields.first}
          error={firstError}
          onChange={set('first')}
        />
      )}
      <PasswordField
        label="New password"
        name="new-password"
        autoComplete="new-password"
        description={`At least ${PASSWORD_LENGTH.least} characters. Several words work best.`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={fields.password}
        error={passwordError}
        onChange={set('password')}
        onBlur={() => {
          if (fields.password !== '') afterPress(checkNewPassword);
        }}
      />
      <PasswordField
        label="Confirm password"
        name="confirm-password"
        autoComplete="new-password"
        value={fields.confirmation}
        error={differ ? 'Enter the same password in both fields.' : undefined}
        onChange={set('confirmation')}
      />
      <Button
        className={classes.submit}
        type="submit"
        size="md"
        loading={state === 'busy'}
        disabled={state === 'done' || !canSubmit(fields)}
      >
        {button}
      </Button>
    </form>
  );
}
