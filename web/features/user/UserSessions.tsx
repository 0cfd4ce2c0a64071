import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceWords } from '../../../domain/device-words.ts';
import { messageOf } from '../../api/http.ts';
import { counted } from '../../kit/format/number.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Age } from '../../ui/time/Age.tsx';
import { toast } from '../../ui/toast/toast.ts';
import classes from './UserForm.module.css';
import { endSessions, sessionsQuery, type UserRecord } from './user-record.queries.ts';

/** Lists a user's sessions, with a button to end them. */
export function UserSessions({ user }: { user: UserRecord }) {
  const sessions = useQuery(sessionsQuery(user.uuid));
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    try {
      toast.success(`${counted(await endSessions(user.uuid), 'session')} of ${user.displayName} ended.`);
    } catch (error) {
      toast.error(messageOf(error));
    }
    await client.invalidateQueries({ queryKey: ['user', 'sessions', user.uuid] });
    setBusy(false);
  };
  if (sessions.isError) {
    return (
      <ErrorState title="The sessions could not be loaded" onRetry={() => void sessions.refetch()}>
        {messageOf(sessions.error)}
      </ErrorState>
    );
  }
  if (sessions.data === undefined) {
    return <Skeleton width="60%" />;
  }
  if (sessions.data.length === 0) {
    return <p className={classes.quiet}>{user.displayName} is not signed in anywhere.</p>;
  }
  return (
    <>
      <ul className={classes.sessions}>
        {sessions.data.map((session) => (
          <li key={`${session.createdAt} ${session.address}`}>
            <b>{deviceWords(session.userAgent ?? '')}</b>
            <span>{session.address}</span>
            <span>
              Signed in <Age at={session.createdAt} /> ago, last seen <Age at={session.lastSeenAt} /> ago
            </span>
          </li>
        ))}
      </ul>
      <Button variant="default" loading={busy} onClick={() => void end()}>
        {sessions.data.length === 1 ? 'End this session' : `End all ${sessions.data.length} sessions`}
      </Button>
    </>
  );
}
