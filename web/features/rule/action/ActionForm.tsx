import { NativeSelect, Switch, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { fieldSentences } from '../../../../domain/field-sentences.ts';
import { assetChoiceSource, userChoiceSource } from '../../../kit/choices/choices.queries.ts';
import { LinkList } from '../../../kit/record/LinkList.tsx';
import { LoadedPanel } from '../../../kit/record/LoadedPanel.tsx';
import { KeyPicker } from '../../../kit/record/Picker.tsx';
import { RecordPanel } from '../../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../../kit/record/saved-words.ts';
import { useRecordForm } from '../../../kit/record/useRecordForm.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { PersonUnreached, useUnreachedPeople } from '../../notification/index.ts';
import {
  type ActionRecord,
  actionAssetQuery,
  actionRecordQuery,
  forgetActions,
  peopleByKeyQuery,
  readAction,
  saveAction,
} from './action.queries.ts';
import { actionNames, listedPeople } from './action-words.ts';

type ActionValues = {
  tocsinAssetUuid: string | null;
  tocsinDatapointUuid: string;
  action: string;
  notifyTo: string | null;
  /** Uuids of the users as stored, separated by commas. */
  tocsinUsers: string;
  replyCommand: string;
  acknowledge: boolean;
  escalate: boolean;
};

const labels: Record<keyof ActionValues, string> = {
  tocsinAssetUuid: 'Asset',
  tocsinDatapointUuid: 'Data point',
  action: 'Effect',
  notifyTo: 'Person',
  tocsinUsers: 'People',
  replyCommand: 'Command',
  acknowledge: 'The alarm must be acknowledged',
  escalate: 'Notify again if nobody acknowledges',
};

const newAction: ActionValues = {
  tocsinAssetUuid: null,
  tocsinDatapointUuid: '',
  action: '1',
  notifyTo: null,
  tocsinUsers: '',
  replyCommand: '',
  acknowledge: false,
  escalate: false,
};

function valuesOf(action: ActionRecord): ActionValues {
  return {
    tocsinAssetUuid: action.tocsinAssetUuid,
    tocsinDatapointUuid: action.tocsinDatapointUuid ?? '',
    action: String(action.action),
    notifyTo: action.notifyTo,
    tocsinUsers: listedPeople(action.tocsinUsers).join(','),
    replyCommand: action.replyCommand,
    acknowledge: action.acknowledge,
    escalate: action.escalate,
  };
}

/** Form for an action that is triggered by the alarms of an asset or data point. */
export default function ActionForm({ uuid, onClose }: { uuid: string | null; onClose: () => void }) {
  if (uuid === null) return <Form action={null} onClose={onClose} />;
  return (
    <LoadedPanel noun="Action" query={actionRecordQuery(uuid)} onClose={onClose}>
      {(action) => <Form action={action} onClose={onClose} />}
    </LoadedPanel>
  );
}

function Form({ action, onClose }: { action: ActionRecord | null; onClose: () => void }) {
  const client = useQueryClient();
  const record = useRecordForm<ActionValues>({
    name: `action ${action?.uuid ?? 'new'}`,
    seen: action ? { values: valuesOf(action), mark: action.updatedAt } : { values: newAction, mark: undefined },
    validate: (values) => ({
      tocsinAssetUuid: !values.tocsinAssetUuid ? 'Choose the asset whose alarms trigger the action.' : null,
      notifyTo: values.action === '1' && !values.notifyTo ? fieldSentences['recipient-missing'] : null,
      tocsinUsers: values.action === '2' && values.tocsinUsers === '' ? fieldSentences['recipients-missing'] : null,
      replyCommand:
        values.action === '3' && values.replyCommand.trim() === '' ? fieldSentences['command-missing'] : null,
    }),
    save: async (values, mark) => {
      const asset = await client.fetchQuery(actionAssetQuery(values.tocsinAssetUuid));
      if (!asset?.site) throw new Error('The asset was deleted. Choose another one.');
      const input = {
        tocsinSiteUuid: asset.site.uuid,
        tocsinAssetUuid: asset.uuid,
        tocsinDatapointUuid: values.tocsinDatapointUuid || null,
        action: Number(values.action),
        notifyTo: values.action === '1' ? values.notifyTo : null,
        tocsinUsers: values.action === '2' ? values.tocsinUsers : '',
        replyCommand: values.action === '3' ? values.replyCommand.trim() : '',
        acknowledge: values.acknowledge,
        escalate: values.action === '3' ? false : values.escalate,
      };
      await saveAction(action?.uuid ?? null, input, mark);
      await forgetActions(client);
      toast.success(savedWords('The action', !action));
    },
    reload: async () => {
      const stored = action && (await readAction(action.uuid));
      return stored ? { values: valuesOf(stored), mark: stored.updatedAt } : null;
    },
  });
  const { form } = record;
  const values = form.getValues();
  const asset = useQuery(actionAssetQuery(values.tocsinAssetUuid)).data;
  const listed = listedPeople(values.tocsinUsers);
  const names = useQuery(peopleByKeyQuery(listed)).data;
  const unreached = useUnreachedPeople([...listed, ...(values.notifyTo ? [values.notifyTo] : [])]);
  return (
    <RecordPanel
      title={action ? (actionNames[action.action] ?? 'Action') : 'New action'}
      record={record}
      labels={labels}
      onClose={onClose}
    >
      <KeyPicker
        label={labels.tocsinAssetUuid}
        hint="Asset or site"
        source={assetChoiceSource}
        chosen={action?.asset ? { value: action.tocsinAssetUuid, label: action.asset.name } : undefined}
        description={asset?.site?.name}
        {...form.getInputProps('tocsinAssetUuid')}
        onChange={(value) => form.setValues({ tocsinAssetUuid: value, tocsinDatapointUuid: '' })}
      />
      <NativeSelect
        label={labels.tocsinDatapointUuid}
        data={[
          { value: '', label: 'All data points of the asset' },
          ...(asset?.datapoints ?? []).map(({ uuid, tocsinDatapointName }) => ({
            value: uuid,
            label: tocsinDatapointName,
          })),
        ]}
        {...form.getInputProps('tocsinDatapointUuid')}
      />
      <NativeSelect
        label={labels.action}
        data={Object.entries(actionNames).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('action')}
      />
      {values.action === '1' ? (
        <>
          <KeyPicker
            label={labels.notifyTo}
            hint="Name"
            source={userChoiceSource}
            chosen={action?.notifyTo ? { value: action.notifyTo, label: action.personName ?? '' } : undefined}
            {...form.getInputProps('notifyTo')}
          />
          <PersonUnreached words={values.notifyTo ? unreached?.get(values.notifyTo) : undefined} />
        </>
      ) : values.action === '2' ? (
        <div data-path="tocsinUsers">
          <LinkList
            label="Add a person"
            source={userChoiceSource}
            value={listed.map((value) => ({
              value,
              label: names ? listedName(names.get(value), unreached?.get(value)) : '…',
            }))}
            onChange={(people) => form.setFieldValue('tocsinUsers', people.map(({ value }) => value).join(','))}
            empty={typeof form.errors.tocsinUsers === 'string' ? form.errors.tocsinUsers : 'No people added yet.'}
          />
        </div>
      ) : (
        <Textarea
          label={labels.replyCommand}
          description="Sent when the data point’s sensor connects."
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('replyCommand')}
        />
      )}
      <Switch label={labels.acknowledge} {...form.getInputProps('acknowledge', { type: 'checkbox' })} />
      {values.action === '3' ? null : (
        <Switch label={labels.escalate} {...form.getInputProps('escalate', { type: 'checkbox' })} />
      )}
    </RecordPanel>
  );
}

/** Returns the name of a user, with a note if no notification can reach the user. */
function listedName(name: string | null | undefined, unreached: string | undefined): string {
  if (!name) return 'Deleted user';
  return unreached === undefined ? name : `${name} (${unreached.replace(/\.$/, '').toLowerCase()})`;
}
