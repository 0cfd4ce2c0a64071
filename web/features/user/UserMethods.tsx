import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { METHOD, type MethodType } from '../../../domain/notification/methods.ts';
import { messageOf } from '../../api/http.ts';
import type { RecordForm } from '../../kit/record/useRecordForm.ts';
import { formatAge } from '../../ui/time/format.ts';
import { deliveryText } from '../notification/index.ts';
import classes from './UserForm.module.css';
import { type UserValues, userLabels } from './user-form.ts';
import { sendTest, testMessageQuery, type UserRecord } from './user-record.queries.ts';

const methods = [
  { flag: 'emailNotification', method: METHOD.email },
  { flag: 'smsNotification', method: METHOD.sms },
  { flag: 'whatsappNotification', method: METHOD.whatsapp },
  { flag: 'appsNotification', method: METHOD.push },
] as const;

interface UserMethodsProps {
  user: UserRecord | null;
  form: RecordForm<UserValues>['form'];
}

/** Fields for a user's notification methods, each with a test message. */
export function UserMethods({ user, form }: UserMethodsProps) {
  const saved = user !== null && !form.isDirty('email') && !form.isDirty('phoneNumber');
  return (
    <>
      <p className={classes.quiet}>Messages are sent by every method that is on and has an address.</p>
      {methods.map(({ flag, method }) => (
        <div key={flag} className={classes.channel}>
          <Checkbox label={userLabels[flag]} {...form.getInputProps(flag, { type: 'checkbox' })} />
          {user ? <TestMessage user={user} method={method} name={userLabels[flag]} /> : null}
        </div>
      ))}
      {user && !saved ? (
        <p className={classes.quiet}>Test messages go to the saved address. Save your changes first.</p>
      ) : null}
    </>
  );
}

function TestMessage({ user, method, name }: { user: UserRecord; method: MethodType; name: string }) {
  const [sent, setSent] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const message = useQuery({ ...testMessageQuery(sent ?? ''), enabled: sent !== null }).data;
  const send = async () => {
    setBusy(true);
    setProblem(null);
    try {
      setSent(await sendTest(user.uuid, method));
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={busy}
        aria-label={`Send test message by ${name}`}
        onClick={() => void send()}
      >
        {' '}
        Send test message{' '}
      </Button>
      <p className={classes.note} role="status">
        {problem ?? (message ? `Test ${deliveryText(message, formatAge)}.` : '')}
      </p>
    </>
  );
}
