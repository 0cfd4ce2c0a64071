import { useState } from 'react';
import { TbTrash } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { ApiError } from '../../api/http.ts';
import { SiteLinks } from '../../kit/choices/SiteLinks.tsx';
import { linkUsersToSites } from '../../kit/choices/site-links.queries.ts';
import { counted } from '../../kit/format/number.ts';
import { BulkActions } from '../../kit/list/BulkActions.tsx';
import { BulkDialog } from '../../kit/list/BulkDialog.tsx';
import { BulkDelete } from '../../kit/record/BulkDelete.tsx';
import type { Option } from '../../kit/record/Picker.tsx';
import { useActor } from '../../kit/session/actor.ts';
import { DisableEffects, disableUsers, useDisableChoice } from '../notification/index.ts';
import type { UserRow } from './user.queries.ts';
import { changeUser, inviteAgain, removeUser } from './user-record.queries.ts';

interface UserBulkProps {
  users: readonly UserRow[];
  /** Called after an action with the users who remain selected. An empty list clears the selection. */
  onSelect: (users: readonly UserRow[]) => void;
}

type Task = 'enable' | 'disable' | 'invite' | 'link' | 'delete';

const nameOf = (user: UserRow) => user.displayName;
const uuidsOf = (users: readonly UserRow[]) => users.map(({ uuid }) => uuid);

const tasks = {
  enable: {
    button: 'Enable',
    title: (users: string) => `Enable ${users}?`,
    words: 'These users can sign in again. Users who have not accepted an invitation get a new one.',
    done: 'enabled',
  },
  invite: {
    button: 'Invite again',
    title: (users: string) => `Invite ${users} again?`,
    words: 'Sends a new invitation to each user. Users who already have a password are skipped and listed.',
    done: 'invited again',
  },
} as const;

/**
 * Invites a user who has not set a password yet. Throws an error for other users, so that a bulk action does not send
 * reset links to many people by mistake.
 */
async function inviteIfNew(user: UserRow): Promise<unknown> {
  if (!user.varified) return inviteAgain(user.uuid);
  throw new ApiError(0, 'This user already has a password. To send a reset link, open the user.');
}

export function UserBulk({ users, onSelect }: UserBulkProps) {
  const actor = useActor();
  const [task, setTask] = useState<Task | null>(null);
  const [sites, setSites] = useState<Option[]>([]);
  const close = () => setTask(null);
  const plain = task === 'enable' || task === 'invite' ? tasks[task] : null;
  const act = (user: UserRow) => (task === 'invite' ? inviteIfNew(user) : changeUser(user.uuid, { status: true }));
  return (
    <>
      <BulkActions count={users.length} onClear={() => onSelect([])}>
        {can(actor, 'user.update') ? (
          <>
            <button type="button" onClick={() => setTask('enable')}>
              Enable
            </button>
            <button type="button" onClick={() => setTask('disable')}>
              Disable
            </button>
            <button type="button" onClick={() => setTask('invite')}>
              Invite again
            </button>
          </>
        ) : null}
        {can(actor, 'site_user.create') ? (
          <button type="button" onClick={() => setTask('link')}>
            Link sites
          </button>
        ) : null}
        {can(actor, 'user.delete') ? (
          <button type="button" onClick={() => setTask('delete')}>
            <TbTrash size={16} strokeWidth={1.75} aria-hidden /> Delete
          </button>
        ) : null}
      </BulkActions>
      {plain ? (
        <BulkDialog
          title={plain.title(counted(users.length, 'user'))}
          items={users}
          nameOf={nameOf}
          act={act}
          done={(count) => `${counted(count, 'user')} ${plain.done}.`}
          button={plain.button}
          onClose={close}
          onDone={onSelect}
        >
          <p>{plain.words}</p>
        </BulkDialog>
      ) : null}
      {task === 'disable' ? <DisableDialog users={users} onClose={close} onDone={onSelect} /> : null}
      {task === 'link' ? (
        <BulkDialog
          title={`Link sites to ${counted(users.length, 'user')}`}
          items={users}
          nameOf={nameOf}
          act={(user) =>
            linkUsersToSites(
              sites.map(({ value }) => value),
              [user.uuid],
            )
          }
          done={(count) => `${counted(sites.length, 'site')} linked to ${counted(count, 'user')}.`}
          button="Link"
          disabled={sites.length === 0}
          onClose={close}
          onDone={onSelect}
        >
          <SiteLinks value={sites} onChange={setSites} empty="Choose the sites to link to these users." />
        </BulkDialog>
      ) : null}
      {task === 'delete' ? (
        <BulkDelete
          noun="user"
          one="user"
          records={users}
          nameOf={nameOf}
          remove={removeUser}
          onClose={close}
          onDone={onSelect}
        />
      ) : null}
    </>
  );
}

interface DisableDialogProps {
  users: readonly UserRow[];
  onClose: () => void;
  onDone: (failed: readonly UserRow[]) => void;
}

function DisableDialog({ users, onClose, onDone }: DisableDialogProps) {
  const choice = useDisableChoice(uuidsOf(users));
  return (
    <BulkDialog
      title={`Disable ${counted(users.length, 'user')}?`}
      items={users}
      nameOf={nameOf}
      actOnAll={(chosen) => disableUsers(uuidsOf(chosen), choice.replacement)}
      done={(count) => `${counted(count, 'user')} disabled.`}
      button="Disable"
      disabled={!choice.isMade}
      onClose={onClose}
      onDone={onDone}
    >
      <p>Disabled accounts are signed out, cannot sign in and get no notifications.</p>
      <DisableEffects {...choice.effects} />
    </BulkDialog>
  );
}
