import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { TbTrash } from 'react-icons/tb';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import { can } from '../../../domain/permission.ts';
import { plural } from '../../../domain/plural.ts';
import { linkUsersToSites } from '../../kit/choices/site-links.queries.ts';
import { UserLinks } from '../../kit/choices/UserLinks.tsx';
import { counted } from '../../kit/format/number.ts';
import { BulkActions } from '../../kit/list/BulkActions.tsx';
import { BulkDialog } from '../../kit/list/BulkDialog.tsx';
import { BulkDelete } from '../../kit/record/BulkDelete.tsx';
import type { Option } from '../../kit/record/Picker.tsx';
import { useActor } from '../../kit/session/actor.ts';
import { levelChoices } from '../../kit/session/group-words.ts';
import { GroupPicker } from '../group/index.ts';
import type { SiteRow } from './site.queries.ts';
import { currentDurations, hoursOf } from './site-form.ts';
import { changeSite, removeSite } from './site-record.queries.ts';

interface SiteBulkProps {
  sites: readonly SiteRow[];
  /** Called after an action with the sites that remain selected. An empty list clears the selection. */
  onSelect: (sites: readonly SiteRow[]) => void;
}

type Task = 'move' | 'link' | 'silent' | 'delete';

export function SiteBulk({ sites, onSelect }: SiteBulkProps) {
  const actor = useActor();
  const [task, setTask] = useState<Task | null>(null);
  const dialog = { sites, onClose: () => setTask(null), onSelect };
  return (
    <>
      <BulkActions count={sites.length} onClear={() => onSelect([])}>
        {can(actor, 'site.update') ? (
          <button type="button" onClick={() => setTask('move')}>
            Move to group
          </button>
        ) : null}
        {can(actor, 'site_user.create') ? (
          <button type="button" onClick={() => setTask('link')}>
            Link users
          </button>
        ) : null}
        {can(actor, 'site.update') ? (
          <button type="button" onClick={() => setTask('silent')}>
            Set silent after
          </button>
        ) : null}
        {can(actor, 'site.delete') ? (
          <button type="button" onClick={() => setTask('delete')}>
            <TbTrash size={16} strokeWidth={1.75} aria-hidden /> Delete
          </button>
        ) : null}
      </BulkActions>
      {task === 'move' ? <MoveSites {...dialog} /> : null}
      {task === 'link' ? <LinkUsers {...dialog} /> : null}
      {task === 'silent' ? <SetSilentAfter {...dialog} /> : null}
      {task === 'delete' ? (
        <BulkDelete
          noun="site"
          one="site"
          records={sites}
          nameOf={nameOf}
          typedIdOf={(site) => site.siteId}
          remove={removeSite}
          onClose={dialog.onClose}
          onDone={onSelect}
        />
      ) : null}
    </>
  );
}

interface TaskProps extends SiteBulkProps {
  onClose: () => void;
}

const nameOf = (site: SiteRow) => site.name;
const countedResult = (count: number, done: string) =>
  `${counted(count, 'site')} ${plural(count, 'was', 'were')} ${done}.`;

/**
 * Dialog that moves sites to another group. Removing sites from their group is a separate option, so that leaving the
 * field empty does not remove them.
 */
function MoveSites({ sites, onClose, onSelect }: TaskProps) {
  const [level, setLevel] = useState<2 | 3 | 4 | 5>(5);
  const [group, setGroup] = useState<Option | null>(null);
  const [out, setOut] = useState(false);
  return (
    <BulkDialog
      title={`Move ${counted(sites.length, 'site')}`}
      items={sites}
      nameOf={nameOf}
      act={(site) => changeSite(site.uuid, { [`tocsinGroup${level}Uuid`]: group?.value ?? null })}
      done={(count) =>
        group ? countedResult(count, `moved to ${group.label}`) : countedResult(count, `removed from their group`)
      }
      button={out ? 'Remove from group' : 'Move'}
      disabled={group === null && !out}
      onClose={onClose}
      onDone={onSelect}
    >
      <NativeSelect
        label="Level"
        data={levelChoices()}
        value={String(level)}
        onChange={(event) => {
          setLevel(Number(event.currentTarget.value) as 2 | 3 | 4 | 5);
          setGroup(null);
        }}
      />
      <GroupPicker
        key={level}
        level={level}
        label="Group"
        value={group}
        onChange={(next) => {
          setGroup(next);
          if (next) setOut(false);
        }}
      />
      <Checkbox
        label="Remove the sites from their group on this level"
        checked={out}
        onChange={(event) => {
          setOut(event.currentTarget.checked);
          setGroup(null);
        }}
      />
    </BulkDialog>
  );
}

function LinkUsers({ sites, onClose, onSelect }: TaskProps) {
  const [users, setUsers] = useState<Option[]>([]);
  return (
    <BulkDialog
      title={`Link users to ${counted(sites.length, 'site')}`}
      items={sites}
      nameOf={nameOf}
      act={(site) =>
        linkUsersToSites(
          [site.uuid],
          users.map(({ value }) => value),
        )
      }
      done={(count) => `${counted(users.length, 'user')} linked to ${counted(count, 'site')}.`}
      button="Link"
      disabled={users.length === 0}
      onClose={onClose}
      onDone={onSelect}
    >
      <UserLinks value={users} onChange={setUsers} empty="Choose the users to link to these sites." />
    </BulkDialog>
  );
}

function SetSilentAfter({ sites, onClose, onSelect }: TaskProps) {
  const [hours, setHours] = useState('');
  const whole = hoursOf(hours);
  return (
    <BulkDialog
      title={`Set “Silent after” for ${counted(sites.length, 'site')}`}
      items={sites}
      nameOf={nameOf}
      act={(site) => changeSite(site.uuid, { tocsinHealthDurationHours: whole })}
      done={(count) => `“Silent after” was set to ${counted(whole ?? 0, 'hour')} for ${counted(count, 'site')}.`}
      button="Set"
      disabled={whole === null}
      onClose={onClose}
      onDone={onSelect}
    >
      <TextInput
        label="Silent after"
        description={currentDurations(sites)}
        inputMode="numeric"
        maxLength={3}
        rightSection="hours"
        rightSectionWidth={52}
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        error={hours !== '' && whole === null ? fieldSentences['health-duration'] : null}
      />
    </BulkDialog>
  );
}
