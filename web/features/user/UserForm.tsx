import { Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { SiteLinks } from '../../kit/choices/SiteLinks.tsx';
import { LoadedPanel } from '../../kit/record/LoadedPanel.tsx';
import { PanelTab, PanelTabs, usePanelTabs } from '../../kit/record/PanelTabs.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { NEW } from '../../kit/record/useRecordAddress.ts';
import { useRecordForm } from '../../kit/record/useRecordForm.ts';
import { toast } from '../../ui/toast/toast.ts';
import { UserDetails, useMailInOutbox } from './UserDetails.tsx';
import { UserMethods } from './UserMethods.tsx';
import { UserSessions } from './UserSessions.tsx';
import { useBeforeDisablingUser } from './useBeforeDisablingUser.tsx';
import { emptyUser, seenUser, type UserValues, userErrors, userInput, userLabels } from './user-form.ts';
import { fetchUser, removeUser, saveUser, type UserRecord, userQuery } from './user-record.queries.ts';

interface UserFormProps {
  /** The user's uuid, or 'new'. */
  id: string;
  onClose: () => void;
}

export function UserForm({ id, onClose }: UserFormProps) {
  if (id === NEW) {
    return <UserPanel key={NEW} user={null} onClose={onClose} />;
  }
  return (
    <LoadedPanel key={id} noun="User" query={userQuery(id)} onClose={onClose}>
      {(user) => <UserPanel user={user} onClose={onClose} />}
    </LoadedPanel>
  );
}

function UserPanel({ user, onClose }: { user: UserRecord | null; onClose: () => void }) {
  const client = useQueryClient();
  const inOutbox = useMailInOutbox();
  const seen = user ? seenUser(user) : emptyUser;
  const { agree, question } = useBeforeDisablingUser(user);
  const stored = useRecordForm<UserValues>({
    name: `user ${user?.uuid ?? NEW}`,
    seen,
    validate: userErrors,
    agree,
    save: async (values, mark) => {
      await saveUser(userInput(seen.values, values, user?.uuid, mark));
      await client.invalidateQueries({ queryKey: ['user'] });
      const name = values.displayName.trim();
      toast.success(
        user
          ? `${name} was saved.`
          : inOutbox
            ? `The invitation for ${name} will be in the outbox in a few seconds.`
            : `The invitation for ${name} is being sent.`,
      );
    },
    ...(user
      ? {
          reload: async () => {
            const now = await fetchUser(user.uuid);
            return now && seenUser(now);
          },
        }
      : {}),
  });
  const { tabs, record } = usePanelTabs(stored, 'details', ['sites']);
  const { form } = record;
  return (
    <Tabs {...tabs}>
      <RecordPanel
        title={user?.displayName ?? 'New user'}
        record={record}
        labels={userLabels}
        onClose={onClose}
        deletion={
          user && {
            noun: 'user',
            uuid: user.uuid,
            name: user.displayName,
            remove: () => removeUser(user.uuid),
          }
        }
        saveLabel={user ? 'Save' : 'Invite'}
        head={
          <PanelTabs
            tabs={[
              { value: 'details', label: 'Details' },
              { value: 'channels', label: 'Notifications' },
              { value: 'sites', label: 'Sites', count: form.values.sites.length },
              ...(user ? [{ value: 'sessions', label: 'Sessions' }] : []),
            ]}
          />
        }
      >
        <PanelTab value="details">
          <UserDetails user={user} form={form} />
        </PanelTab>
        <PanelTab value="channels">
          <UserMethods user={user} form={form} />
        </PanelTab>
        <PanelTab value="sites">
          <SiteLinks
            value={form.values.sites}
            onChange={(next) => form.setFieldValue('sites', next)}
            error={form.errors.sites}
            empty="No site is linked. Operators see only linked sites; owners and managers see all sites."
          />
        </PanelTab>
        {user ? (
          <PanelTab value="sessions">{tabs.value === 'sessions' ? <UserSessions user={user} /> : null}</PanelTab>
        ) : null}
      </RecordPanel>
      {question}
    </Tabs>
  );
}
