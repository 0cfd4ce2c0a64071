import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type DestinationKind, destinationKinds } from '../../../domain/destination/event.ts';
import { siteChoiceSource } from '../../kit/choices/choices.queries.ts';
import { LoadedPanel } from '../../kit/record/LoadedPanel.tsx';
import { Picker } from '../../kit/record/Picker.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { NEW } from '../../kit/record/useRecordAddress.ts';
import { useRecordForm } from '../../kit/record/useRecordForm.ts';
import { officeWords, UNIT_OFFICE } from '../../kit/session/group-words.ts';
import { Segmented } from '../../ui/Segmented.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { GroupPicker } from '../group/index.ts';
import { Deliveries } from './Deliveries.tsx';
import {
  type DestinationRecord,
  destinationQuery,
  fetchDestination,
  removeDestination,
  sendDestination,
} from './destination.queries.ts';
import {
  type DestinationValues,
  destinationInput,
  destinationProblems,
  emptyDestination,
  type PlaceKind,
  seenDestination,
} from './destination-values.ts';
import { kindLabels, urlHints } from './destination-words.ts';
import { NewSecret, RenewSecret } from './NewSecret.tsx';
import { SendTest } from './SendTest.tsx';

interface DestinationFormProps {
  /** The destination's uuid, or 'new'. */
  id: string;
  onClose: () => void;
}

export function DestinationForm({ id, onClose }: DestinationFormProps) {
  if (id === NEW) {
    return <DestinationPanel key={NEW} destination={null} onClose={onClose} />;
  }
  return (
    <LoadedPanel key={id} noun="Destination" query={destinationQuery(id)} onClose={onClose}>
      {(destination) => <DestinationPanel destination={destination} onClose={onClose} />}
    </LoadedPanel>
  );
}

const labels: Record<keyof DestinationValues, string> = {
  ...{ name: 'Name', kind: 'Kind', place: 'Alarms of', tocsinSiteUuid: 'Site', tocsinGroupUuid: 'Group', url: 'URL' },
  status: 'Active',
};

interface DestinationPanelProps {
  destination: DestinationRecord | null;
  onClose: () => void;
}

function DestinationPanel({ destination, onClose }: DestinationPanelProps) {
  const client = useQueryClient();
  /** Secret of a webhook that was just added. The panel stays open until the user has copied it. */
  const [secret, setSecret] = useState<string | null>(null);
  const [made, setMade] = useState(false);
  const record = useRecordForm<DestinationValues>({
    name: `destination ${destination?.uuid ?? NEW}`,
    seen: destination ? seenDestination(destination) : emptyDestination,
    validate: (values) => destinationProblems(values, !destination),
    save: async (values, mark) => {
      const created = await sendDestination(destinationInput(values, destination?.uuid, mark));
      await client.invalidateQueries({ queryKey: ['destination'] });
      toast.success(savedWords(values.name.trim(), !destination));
      if (created !== null) setSecret(created);
      setMade(true);
    },
    ...(destination
      ? {
          reload: async () => {
            const now = await fetchDestination(destination.uuid);
            return now && seenDestination(now);
          },
        }
      : {}),
  });
  const { form } = record;
  const values = form.getValues();
  const isWebhook = values.kind === 'webhook';
  if (secret !== null && made) return <NewSecret name={values.name.trim()} secret={secret} onClose={onClose} />;
  return (
    <RecordPanel
      title={destination?.name ?? 'New destination'}
      record={record}
      labels={labels}
      onClose={onClose}
      // A new webhook shows its secret before the panel closes.
      onSaved={() => (destination || !isWebhook ? onClose() : undefined)}
      deletion={
        destination && {
          noun: 'destination',
          uuid: destination.uuid,
          name: destination.name,
          remove: () => removeDestination(destination.uuid),
        }
      }
    >
      <TextInput label={labels.name} maxLength={200} {...form.getInputProps('name')} />
      <NativeSelect
        label={labels.kind}
        data={destinationKinds.map((value: DestinationKind) => ({ value, label: kindLabels[value] }))}
        disabled={destination !== null}
        {...form.getInputProps('kind')}
      />
      <Segmented<PlaceKind>
        label={labels.place}
        options={[
          { value: 'group', label: officeWords().one.replace(/^./, (letter) => letter.toUpperCase()) },
          { value: 'site', label: 'Site' },
        ]}
        value={values.place}
        onChange={(next) => form.setFieldValue('place', next as never)}
        wide
      />
      {values.place === 'site' ? (
        <Picker
          label={labels.tocsinSiteUuid}
          source={siteChoiceSource}
          value={values.tocsinSiteUuid}
          onChange={(next) => form.setFieldValue('tocsinSiteUuid', next as never)}
          error={form.errors.tocsinSiteUuid}
          path="tocsinSiteUuid"
          {...record.needed('tocsinSiteUuid')}
        />
      ) : (
        <GroupPicker
          level={UNIT_OFFICE}
          label={labels.tocsinGroupUuid}
          value={values.tocsinGroupUuid}
          onChange={(next) => form.setFieldValue('tocsinGroupUuid', next as never)}
          error={form.errors.tocsinGroupUuid}
          path="tocsinGroupUuid"
        />
      )}
      <TextInput
        label={labels.url}
        type="url"
        autoComplete="off"
        maxLength={2000}
        placeholder={destination ? `https://${destination.host}/…` : 'https://'}
        description={destination ? 'The stored URL is secret. Enter a URL only to replace it.' : urlHints[values.kind]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('url')}
      />
      <Checkbox
        label={labels.status}
        description="An inactive destination gets no alarms."
        {...form.getInputProps('status', { type: 'checkbox' })}
      />
      {destination ? (
        <>
          <SendTest destination={destination} />
          {destination.kind === 'webhook' ? <RenewSecret destination={destination} /> : null}
          <Deliveries destination={destination.uuid} />
        </>
      ) : null}
    </RecordPanel>
  );
}
