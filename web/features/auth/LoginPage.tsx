import { Button, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { usePublicConfig } from '../../kit/session/public-config.ts';
import { signIn } from '../../kit/session/session.ts';
import { useStore } from '../../ui/store.ts';
import { AuthFrame } from './AuthFrame.tsx';
import classes from './auth.module.css';
import { DemoSignIns } from './DemoSignIns.tsx';
import { nextSignIn } from './next-sign-in.ts';
import { PasswordField } from './PasswordField.tsx';
import { unfinishedAction } from './unfinished-action.ts';
import { useBackTrap } from './useBackTrap.ts';

export function LoginPage() {
  const config = usePublicConfig();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  useBackTrap();

  const known = nextSignIn.get();
  const undone = useStore(unfinishedAction);
  useEffect(() => (nextSignIn.get() === '' ? email : password).current?.focus(), []);

  // Read the values from the input elements, because browser autofill fires no change event.
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const typed = { email: email.current?.value.trim() ?? '', password: password.current?.value ?? '' };
    if (typed.email === '' || typed.password === '' || busy) {
      return;
    }
    setBusy(true);
    const outcome = await signIn(typed.email, typed.password);
    setBusy(false);
    if (outcome === 'unverified') {
      await navigate({ to: '/auth/verify' });
    } else if (outcome === 'refused') {
      password.current?.select();
    }
  };

  const fill = (address: string, secret: string) => {
    if (email.current && password.current) {
      email.current.value = address;
      password.current.value = secret;
      form.current?.querySelector<HTMLButtonElement>('button[type=submit]')?.focus();
    }
  };

  return (
    <AuthFrame
      tab="Sign in"
      title="Welcome,Please Login"
      aside={config.demo ? <DemoSignIns onChoose={fill} /> : undefined}
    >
      {undone ? (
        <p className={classes.undone} role="alert">
          {undone} Sign in to continue.
        </p>
      ) : null}
      <form ref={form} className={classes.form} onSubmit={submit}>
        <TextInput
          ref={email}
          label="User Name"
          name="username"
          type="email"
          placeholder="name@company.com"
          defaultValue={known}
          size="md"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
        />
        <PasswordField ref={password} label="Password" name="password" autoComplete="current-password" />
        <Button className={classes.submit} type="submit" size="md" loading={busy}>
          Sign In
        </Button>
        <Link className={classes.link} to="/auth/forgot">
          Forgot Password?
        </Link>
      </form>
    </AuthFrame>
  );
}
