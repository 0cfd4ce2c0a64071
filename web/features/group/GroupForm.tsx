import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import { LoadedPanel } from '../../kit/record/LoadedPanel.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { NEW } from '../../kit/record/useRecordAddress.ts';
import { type Seen, useRecordForm } from '../../kit/record/useRecordForm.ts';
import { levelChoices, officeWords } from '../../kit/session/group-words.ts';
import { toast } from '../../ui/toast/toast.ts';
import {
  addGroup,
  changeGroup,
  fetchGroup,
  type GroupRecord,
  groupQuery,
  removeGroup,
} from './group-record.queries.ts';

interface GroupFormProps {
  /** The group's uuid, or 'new'. */
  id: string;
  /** Initial level of a new group. */
  level: number;
  onClose: () => void;
}

export function GroupForm({ id, level, onClose }: GroupFormProps) {
  if (id === NEW) {
    return <GroupPanel key={NEW} group={null} level={level} onClose={onClose} />;
  }
  return (
    <LoadedPanel key={id} noun="Group" query={groupQuery(id)} onClose={onClose}>
      {(group) => <GroupPanel group={group} level={group.level} onClose={onClose} />}
    </LoadedPanel>
  );
}

type GroupValues = { name: string; level: string; status: boolean };

const labels: Record<keyof GroupValues, string> = { name: 'Name', level: 'Level', status: 'Active' };

function seenGroup(group: GroupRecord): Seen<GroupValues> {
  return {
    mark: group.updatedAt,
    values: { name: group.name, level: String(group.level), status: group.status },
  };
}

interface GroupPanelProps {
  group: GroupRecord | null;
  level: number;
  onClose: () => void;
}

function GroupPanel({ group, level, onClose }: GroupPanelProps) {
  const client = useQueryClient();
  const record = useRecordForm<GroupValues>({
    name: `group ${group?.uuid ?? NEW}`,
    seen: group ? seenGroup(group) : { mark: undefined, values: { name: '', level: String(level), status: true } },
    validate: ({ name }) => (name.trim() === '' ? { name: fieldSentences['name-missing'] } : {}),
    save: async (values, mark) => {
      const name = values.name.trim();
      if (group) await changeGroup(group.uuid, { name, status: values.status }, mark);
      else await addGroup({ name, level: Number(values.level), status: values.status });
      // Refetch the sites too, because they show the names of their groups.
      await client.invalidateQueries({ queryKey: ['group'] });
      await client.invalidateQueries({ queryKey: ['site'] });
      toast.success(savedWords(name, !group));
    },
    ...(group
      ? {
          reload: async () => {
            const now = await fetchGroup(group.uuid);
            return now && seenGroup(now);
          },
        }
      : {}),
  });
  const { form } = record;
  return (
    <RecordPanel
      title={group?.name ?? 'New group'}
      record={record}
      labels={labels}
      onClose={onClose}
      deletion={
        group && {
          noun: 'group',
          uuid: group.uuid,
          name: group.name,
          remove: () => removeGroup(group.uuid),
        }
      }
    >
      <TextInput label={labels.name} maxLength={200} {...form.getInputProps('name')} />
      <NativeSelect
        label={labels.level}
        data={levelChoices()}
        disabled={group !== null}
        description={
          group
            ? 'The level cannot be changed, because sites already use the group at this level.'
            : `Level 1 is the company itself. Reports show totals for each ${officeWords().one} (level 5).`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('level')}
      />
      <Checkbox
        label={labels.status}
        description="An inactive group cannot be chosen for sites. Sites that already have the group keep it."
        {...form.getInputProps('status', { type: 'checkbox' })}
      />
    </RecordPanel>
  );
}
