import { Autocomplete, Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SILENT_SITE } from '../../../../domain/alarm/texts.ts';
import { siteChoiceSource } from '../../../kit/choices/choices.queries.ts';
import { LoadedPanel } from '../../../kit/record/LoadedPanel.tsx';
import { KeyPicker } from '../../../kit/record/Picker.tsx';
import { RecordPanel } from '../../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../../kit/record/saved-words.ts';
import { useRecordForm } from '../../../kit/record/useRecordForm.ts';
import { offerStep } from '../../../kit/setup/offered-step.ts';
import { afterRuleAlert } from '../../../kit/setup/setup-steps.ts';
import { NumberField } from '../../../ui/NumberField.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { notEscalated } from '../rule-words.ts';
import { useTextParameter } from '../useTextParameter.ts';
import { AlertPeople, EscalatePeople } from './AlertPeople.tsx';
import { AlertReasons } from './AlertReasons.tsx';
import { PlanLink } from './PlanLink.tsx';
import classes from './RuleAlertForm.module.css';
import {
  forgetRuleAlerts,
  type RuleAlertRecord,
  readRuleAlert,
  reasonUseQuery,
  removeRuleAlert,
  ruleAlertRecordQuery,
  saveRuleAlert,
  sensorOfRule,
} from './rule-alert.queries.ts';
import {
  newRuleAlert,
  type RuleAlertValues,
  ruleAlertInput,
  ruleAlertLabels,
  ruleAlertProblems,
  ruleAlertValues,
} from './rule-alert-form.ts';
import { ruleNamesQuery } from './rule-names.queries.ts';
import { useReturnToRule } from './useReturnToRule.ts';

const NO_SUCH_RULE = 'No rule of the site has this name. Choose one from the list.';

interface RuleAlertFormProps {
  /** Uuid of the rule alert; null for a new one. */
  uuid: string | null;
  onClose: () => void;
}

/** Form for a rule alert: who is notified of a rule's alarms at a site, the escalation, and the acknowledgement. */
export default function RuleAlertForm({ uuid, onClose: close }: RuleAlertFormProps) {
  const onClose = useReturnToRule(close);
  if (uuid === null) return <Form alert={null} onClose={onClose} />;
  return (
    <LoadedPanel noun="Rule alert" query={ruleAlertRecordQuery(uuid)} onClose={onClose}>
      {(alert) => <Form alert={alert} onClose={onClose} />}
    </LoadedPanel>
  );
}

async function stepAfter({ tocsinSiteUuid, tocsinRuleName }: RuleAlertValues) {
  const name = tocsinRuleName.trim();
  return afterRuleAlert(name, await sensorOfRule(tocsinSiteUuid ?? '', name).catch(() => null));
}

function Form({ alert, onClose }: { alert: RuleAlertRecord | null; onClose: () => void }) {
  const client = useQueryClient();
  const givenSite = useTextParameter('site') ?? null;
  const givenRule = useTextParameter('rule') ?? '';
  // Returns true if a new rule alert refers to a rule that does not exist. If the rule of a stored rule alert was
  // renamed, the form shows a note below the name instead.
  const isOrphan = ({ tocsinSiteUuid, tocsinRuleName }: RuleAlertValues) => {
    const known = client.getQueryData(ruleNamesQuery(tocsinSiteUuid).queryKey);
    return alert === null && known?.complete && !known.names.includes(tocsinRuleName.trim());
  };
  const record = useRecordForm<RuleAlertValues>({
    name: `rule_alert ${alert?.uuid ?? 'new'}`,
    seen: alert
      ? { values: ruleAlertValues(alert), mark: alert.updatedAt }
      : { values: newRuleAlert(givenSite, givenRule), mark: undefined },
    validate: (values) => ({ ...(isOrphan(values) && { tocsinRuleName: NO_SUCH_RULE }), ...ruleAlertProblems(values) }),
    save: async (values, mark) => {
      await saveRuleAlert(ruleAlertInput(values, alert?.uuid, mark));
      await forgetRuleAlerts(client);
      toast.success(savedWords(values.tocsinRuleName.trim(), !alert));
      if (!alert) offerStep(await stepAfter(values));
    },
    ...(alert
      ? {
          reload: async () => {
            const stored = await readRuleAlert(alert.uuid);
            return stored && { values: ruleAlertValues(stored), mark: stored.updatedAt };
          },
        }
      : {}),
  });
  const { form } = record;
  const values = form.getValues();
  const names = useQuery(ruleNamesQuery(values.tocsinSiteUuid)).data;
  const uses = useQuery(reasonUseQuery(values.tocsinSiteUuid, values.tocsinRuleName)).data;
  const site = alert?.site ? { value: alert.site.uuid, label: alert.site.name } : undefined;
  const free = (names?.names ?? []).filter((name) => !names?.joined.has(name));
  const noneLeft = alert === null && names?.complete === true && free.length === 0;
  const orphan = names && values.tocsinRuleName.trim() !== '' && !names.names.includes(values.tocsinRuleName.trim());
  const minutes = (field: 'escalateMinutes' | 'escalateIntervalMinutes') => (
    <NumberField
      label={ruleAlertLabels[field]}
      least={0}
      rightSection={<span className={classes.unit}>min</span>}
      rightSectionWidth={44}
      {...form.getInputProps(field)}
    />
  );
  return (
    <RecordPanel
      title={alert ? alert.tocsinRuleName : 'New rule alert'}
      record={record}
      labels={ruleAlertLabels}
      onClose={onClose}
      deletion={
        alert && {
          noun: 'rule_alert',
          uuid: alert.uuid,
          name: `Rule alert ${alert.tocsinRuleName}`,
          remove: () => removeRuleAlert(alert.uuid),
        }
      }
    >
      <KeyPicker
        label={ruleAlertLabels.tocsinSiteUuid}
        hint="Name or ID"
        source={siteChoiceSource}
        chosen={site}
        disabled={alert !== null}
        {...form.getInputProps('tocsinSiteUuid')}
      />
      <Autocomplete
        label={ruleAlertLabels.tocsinRuleName}
        placeholder="Name of a rule at this site"
        disabled={alert !== null}
        data={alert === null ? free : names?.names}
        // Enter selects the first option, as in every field with a list of options.
        selectFirstOptionOnChange
        comboboxProps={{ zIndex: 250 }}
        {...form.getInputProps('tocsinRuleName')}
      />
      {noneLeft ? (
        <p className={classes.hint} role="status">
          Every rule of this site already has a rule alert. To change a rule alert, open it in the list.
        </p>
      ) : null}
      {orphan && alert ? (
        <p className={classes.hint} role="status">
          No rule of this site has this name, so nobody is notified. Rename a rule to match, or delete this rule alert.
        </p>
      ) : null}
      <Switch label={ruleAlertLabels.indAck} {...form.getInputProps('indAck', { type: 'checkbox' })} />
      <AlertPeople
        people={values.people}
        error={form.errors.people}
        siteUuid={values.tocsinSiteUuid}
        ofSilence={values.tocsinRuleName === SILENT_SITE}
        onChange={(people) => form.setFieldValue('people', people)}
      />
      {values.indAck ? null : (
        <p className={classes.hint} role="status">
          {notEscalated}
        </p>
      )}
      <div className={classes.three}>
        {minutes('escalateMinutes')}
        {minutes('escalateIntervalMinutes')}
        <NumberField label={ruleAlertLabels.escalateCount} least={0} {...form.getInputProps('escalateCount')} />
      </div>
      <EscalatePeople
        people={values.escalates}
        error={form.errors.escalates}
        siteUuid={values.tocsinSiteUuid}
        onChange={(people) => form.setFieldValue('escalates', people)}
      />
      {alert ? <PlanLink uuid={alert.uuid} /> : null}
      <AlertReasons
        reasons={values.reasons}
        stored={alert?.reasons ?? []}
        uses={uses ?? new Map()}
        error={form.errors.reasons}
        onChange={(reasons) => form.setFieldValue('reasons', reasons)}
      />
    </RecordPanel>
  );
}
