import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import { type BudgetTexts, budgetProblems, budgetTexts, readBudgets } from '../../../domain/notification/sms-budget.ts';
import { LoadedPanel } from '../../kit/record/LoadedPanel.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { NEW } from '../../kit/record/useRecordAddress.ts';
import { type Seen, useRecordForm } from '../../kit/record/useRecordForm.ts';
import { levelChoices, officeWords, UNIT_OFFICE } from '../../kit/session/group-words.ts';
import { toast } from '../../ui/toast/toast.ts';
import { SmsBudgetFields } from '../customer/index.ts';
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

type GroupValues = { name: string; level: string; status: boolean } & BudgetTexts;

const labels: Record<keyof GroupValues, string> = {
  ...{ name: 'Name', level: 'Level', status: 'Active' },
  ...{ smsDayBudget: 'SMS segments a day', smsMonthBudget: 'SMS segments a month' },
};

function seenGroup(group: GroupRecord): Seen<GroupValues> {
  return {
    mark: group.updatedAt,
    values: {
      ...{ name: group.name, level: String(group.level), status: group.status },
      ...budgetTexts(group),
    },
  };
}

/** Only unit offices have an SMS budget. */
const isOffice = ({ level }: Pick<GroupValues, 'level'>) => Number(level) === UNIT_OFFICE;

interface GroupPanelProps {
  group: GroupRecord | null;
  level: number;
  onClose: () => void;
}

function GroupPanel({ group, level, onClose }: GroupPanelProps) {
  const client = useQueryClient();
  const record = useRecordForm<GroupValues>({
    name: `group ${group?.uuid ?? NEW}`,
    seen: group
      ? seenGroup(group)
      : {
          mark: undefined,
          values: { name: '', level: String(level), status: true, smsDayBudget: '', smsMonthBudget: '' },
        },
    validate: (values) => ({
      ...(values.name.trim() === '' && { name: fieldSentences['name-missing'] }),
      ...(isOffice(values) && budgetProblems(values)),
    }),
    save: async (values, mark) => {
      const name = values.name.trim();
      const saved = { name, status: values.status, ...(isOffice(values) && readBudgets(values)) };
      if (group) await changeGroup(group.uuid, saved, mark);
      else await addGroup({ ...saved, level: Number(values.level) });
      // Refetch the sites too, because they show the names of their groups.
      await client.invalidateQueries({ queryKey: ['group'] });
      await client.invalidateQueries({ queryKey: ['site'] });
      await client.invalidateQueries({ queryKey: ['report', 'sms', 'budgets'] });
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
      {isOffice(form.getValues()) ? (
        <SmsBudgetFields
          labels={labels}
          description={`The SMS budget of this ${officeWords().one}. When it is used up, minor and silent alarms are sent by the recipients’ other methods.`}
          inputProps={(field) => form.getInputProps(field)}
        />
      ) : null}
    </RecordPanel>
  );
}
