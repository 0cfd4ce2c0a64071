import { Checkbox, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { siteChoiceSource, userChoiceSource } from '../../../kit/choices/choices.queries.ts';
import { counted } from '../../../kit/format/number.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import { LinkList } from '../../../kit/record/LinkList.tsx';
import { LoadedPanel } from '../../../kit/record/LoadedPanel.tsx';
import { KeyPicker } from '../../../kit/record/Picker.tsx';
import { RecordPanel } from '../../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../../kit/record/saved-words.ts';
import { useRecordForm } from '../../../kit/record/useRecordForm.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { reasonUseQuery } from '../alert/rule-alert.queries.ts';
import {
  forgetReasons,
  type ReasonRecord,
  type ReasonValues,
  readReason,
  reasonRecordQuery,
  removeReason,
  ruleAlertSource,
  saveReason,
} from './reason.queries.ts';

const labels = { ruleUuid: 'Rule alert', reason: 'Reason', isNuisance: 'Nuisance', sites: 'Sites', people: 'People' };

function valuesOf(reason: ReasonRecord): ReasonValues {
  return {
    ruleUuid: reason.ruleUuid,
    reason: reason.reason,
    isNuisance: reason.isNuisance,
    sites: rowsOf(reason.siteReasons).flatMap(({ site }) => (site ? [{ value: site.uuid, label: site.name }] : [])),
    people: rowsOf(reason.userReasons).map(({ tocsinUserUuid, personName }) => ({
      value: tocsinUserUuid,
      label: personName ?? '',
    })),
  };
}

/** Form for one reason of a rule alert, with its sites and users. */
export default function ReasonForm({ uuid, onClose }: { uuid: string | null; onClose: () => void }) {
  if (uuid === null) return <Form reason={null} onClose={onClose} />;
  return (
    <LoadedPanel noun="Reason" query={reasonRecordQuery(uuid)} onClose={onClose}>
      {(reason) => <Form reason={reason} onClose={onClose} />}
    </LoadedPanel>
  );
}

function Form({ reason, onClose }: { reason: ReasonRecord | null; onClose: () => void }) {
  const client = useQueryClient();
  const made = useRef(reason?.uuid);
  const read = async () => (made.current ? await readReason(made.current) : null);
  const record = useRecordForm<ReasonValues>({
    name: `reason ${reason?.uuid ?? 'new'}`,
    seen: reason
      ? { values: valuesOf(reason), mark: reason.updatedAt }
      : { values: { ruleUuid: null, reason: '', isNuisance: false, sites: [], people: [] }, mark: undefined },
    validate: (values) => ({
      ruleUuid: !values.ruleUuid ? 'Choose the rule alert that offers the reason.' : null,
      reason: values.reason.trim() === '' ? 'Enter a reason, such as "Crew on the way".' : null,
    }),
    save: async (values, mark) => {
      try {
        await saveReason(values, mark, await read(), (uuid) => {
          made.current = uuid;
        });
      } finally {
        await forgetReasons(client);
      }
      toast.success(savedWords('The reason', !reason));
    },
    reload: async () => {
      const stored = await read();
      return stored && { values: valuesOf(stored), mark: stored.updatedAt };
    },
  });
  const { form } = record;
  const values = form.getValues();
  const alert = reason?.ruleAlert;
  const uses = useQuery(reasonUseQuery(alert?.site?.uuid ?? null, alert?.tocsinRuleName ?? '')).data;
  const used = reason ? uses?.get(reason.reason.trim().toLowerCase()) : undefined;
  return (
    <RecordPanel
      title={reason ? reason.reason : 'New reason'}
      record={record}
      labels={labels}
      onClose={onClose}
      deletion={
        reason && {
          noun: 'reason',
          uuid: reason.uuid,
          name: `“${reason.reason}”`,
          remove: () => removeReason(reason.uuid),
        }
      }
    >
      <KeyPicker
        label={labels.ruleUuid}
        hint="Rule or site"
        source={ruleAlertSource}
        chosen={
          reason && alert
            ? { value: reason.ruleUuid, label: `${alert.tocsinRuleName}, ${alert.site?.name}` }
            : undefined
        }
        disabled={reason !== null}
        {...form.getInputProps('ruleUuid')}
      />
      <TextInput
        label={labels.reason}
        maxLength={200}
        description={used ? `Used ${counted(used, 'time')} in the site’s last 500 acknowledgements.` : undefined}
        {...form.getInputProps('reason')}
      />
      <Checkbox
        label={labels.isNuisance}
        description="For alarms that require no action. Advice for a rule proposes limits and a debounce that avoid such alarms."
        {...form.getInputProps('isNuisance', { type: 'checkbox' })}
      />
      <LinkList
        label="Only at these sites"
        source={siteChoiceSource}
        value={values.sites}
        onChange={(sites) => form.setFieldValue('sites', sites)}
        empty="Not limited to certain sites."
      />
      <LinkList
        label="Only for these people"
        source={userChoiceSource}
        value={values.people}
        onChange={(people) => form.setFieldValue('people', people)}
        empty="Not limited to certain people."
      />
    </RecordPanel>
  );
}
