import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { emailKey } from '../../../domain/email-key.ts';
import { METHOD } from '../../../domain/notification/methods.ts';
import { type Actor, can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import type { RecordForm } from '../../kit/record/useRecordForm.ts';
import { useActor } from '../../kit/session/actor.ts';
import { toast } from '../../ui/toast/toast.ts';
import { DisableEffects } from '../notification/index.ts';
import { senderStatesQuery } from '../sender/index.ts';
import classes from './UserForm.module.css';
import { grantableLevels, mayMakeServiceAccounts, type UserValues, userLabels, usernameFor } from './user-form.ts';
import { inviteAgain, type UserRecord } from './user-record.queries.ts';

interface UserDetailsProps {
  user: UserRecord | null;
  form: RecordForm<UserValues>['form'];
}

/** Form fields for a user's identity and permissions. */
export function UserDetails({ user, form }: UserDetailsProps) {
  const actor = useActor();
  const inOutbox = useMailInOutbox();
  const otherAddress = user !== null && emailKey(form.values.email) !== emailKey(user.email);
  return (
    <>
      {user && !user.varified ? (
        <LinkByMail
          user={user}
          words="Invited, not accepted yet. The invitation is valid for 7 days."
          button="Send again"
          sent="invitation"
        />
      ) : null}
      <TextInput label={userLabels.displayName} maxLength={200} {...form.getInputProps('displayName')} />
      <TextInput
        label={userLabels.email}
        type="email"
        maxLength={254}
        autoComplete="off"
        description={
          user === null
            ? inOutbox
              ? `E-mail is not configured, so the invitation stays in the outbox${outboxHint(actor)}.`
              : 'An invitation with a link to set a password is sent to this address.'
            : otherAddress
              ? 'The new address must be verified, and the user is signed out everywhere.'
              : null
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('email')}
        onChange={(event) => {
          const email = event.currentTarget.value;
          if (user === null) {
            form.setFieldValue('username', usernameFor(form.values.username, form.values.email, email));
          }
          form.setFieldValue('email', email);
        }}
      />
      <FieldPair>
        <TextInput
          label={userLabels.username}
          maxLength={100}
          autoComplete="off"
          description="Users sign in with their e-mail address."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('username')}
        />
        <TextInput
          label={userLabels.phoneNumber}
          type="tel"
          placeholder="+49 151 23456789"
          maxLength={32}
          autoComplete="off"
          {...form.getInputProps('phoneNumber')}
        />
      </FieldPair>
      <NativeSelect
        label={userLabels.level}
        data={grantableLevels(actor, user?.level ?? null)}
        description="You can assign levels below your own (higher numbers). Managers (1 to 9) see all sites, operators (10 and above) only linked sites."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('level')}
      />
      {mayMakeServiceAccounts(actor) ? (
        <Checkbox
          label={userLabels.tocsinPartnerAccount}
          description="Can manage sites and sensors only."
          {...form.getInputProps('tocsinPartnerAccount', { type: 'checkbox' })}
        />
      ) : null}
      <Checkbox
        label={userLabels.status}
        description="A disabled account is signed out, cannot sign in and gets no notifications."
        {...form.getInputProps('status', { type: 'checkbox' })}
      />
      {user?.status && !form.values.status ? (
        <DisableEffects
          people={[user.uuid]}
          replacement={form.values.replacement}
          onReplacement={(uuid) => form.setFieldValue('replacement', uuid)}
          error={typeof form.errors.replacement === 'string' ? form.errors.replacement : undefined}
        />
      ) : null}
      {user?.varified && user.status && can(actor, 'user.update') && user.level > actor.level ? (
        <LinkByMail
          user={user}
          words="The reset link is valid for 7 days. The old password works until the link is used."
          button="Send reset link"
          sent="link"
        />
      ) : null}
    </>
  );
}

/** Returns a hint that tells the user where to find the outbox, or whom to ask if the user cannot open it. */
function outboxHint(actor: Actor): string {
  return can(actor, 'outbox.read') ? ', on the Senders page' : '. Ask an owner to pass the link on';
}

/** Returns true if e-mails go to the outbox because no mail server is configured. */
export function useMailInOutbox(): boolean {
  const states = useQuery({ ...senderStatesQuery, refetchInterval: false }).data;
  return states?.find(({ methodType }) => methodType === METHOD.email)?.isConfigured === false;
}

interface LinkByMailProps {
  user: UserRecord;
  words: string;
  button: string;
  sent: 'invitation' | 'link';
}

/** Button that sends a user a link for setting the first password or a new one. */
function LinkByMail({ user, words, button, sent }: LinkByMailProps) {
  const actor = useActor();
  const readsOutbox = can(actor, 'outbox.read');
  const inOutbox = useMailInOutbox();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await inviteAgain(user.uuid);
      toast.success(
        inOutbox
          ? `The ${sent} for ${user.email} will be in the outbox in a few seconds.`
          : `The ${sent} is on its way to ${user.email}.`,
      );
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes.invitation}>
      <p>
        {words}
        {inOutbox ? (
          <>
            {' '}
            E-mail is not configured: links stay in the{' '}
            {readsOutbox ? <Link to="/admin/channels">outbox</Link> : <>outbox{outboxHint(actor)}</>}.
          </>
        ) : null}
      </p>
      <Button variant="default" size="xs" loading={busy} onClick={() => void send()}>
        {button}
      </Button>
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
