import { Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unknownPlaceholderWords, valuePlaceholders } from '../../../../domain/alarm/message.ts';
import { fieldSentences } from '../../../../domain/field-sentences.ts';
import { compileConditions } from '../../../../domain/rule/conditions.ts';
import { conditionsWords } from '../../../../domain/rule/conditions-words.ts';
import { priorityOf, ruleSeverities, severityNames, severityOf } from '../../../../domain/rule/priority.ts';
import { siteIdSource } from '../../../kit/choices/choices.queries.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import { LoadedPanel } from '../../../kit/record/LoadedPanel.tsx';
import { KeyPicker, type Option } from '../../../kit/record/Picker.tsx';
import { RecordPanel } from '../../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../../kit/record/saved-words.ts';
import { useRecordForm } from '../../../kit/record/useRecordForm.ts';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { CauseList, causeOptions } from '../../dependency/index.ts';
import { NoRecipients } from '../alert/NoRecipients.tsx';
import { RecipientsAfterRename } from '../alert/RecipientsAfterRename.tsx';
import { debounceProblem } from '../rule-form.ts';
import { durationWords } from '../rule-sentence.ts';
import { useConfirmDisable } from '../useConfirmDisable.tsx';
import classes from './ConditionForm.module.css';
import { ConditionGroup } from './ConditionGroup.tsx';
import {
  type ConditionRecord,
  conditionRecordQuery,
  datapointsOfSiteQuery,
  readCondition,
  removeCondition,
  saveCondition,
} from './condition.queries.ts';
import { type ConditionDraft, draftOf, gapIn, jsonOf, newDraft, placeOf } from './condition-tree.ts';

type ConditionValues = {
  ruleName: string;
  siteId: string | null;
  ruleJson: string;
  causes: Option[];
  enabled: boolean;
};

const labels = { ruleName: 'Name', siteId: 'Site', ruleJson: 'Rule', causes: 'Depends on', enabled: 'Enabled' };

const valuesOf = ({ ruleName, siteId, ruleJson, causes, enabled }: ConditionRecord): ConditionValues => ({
  ruleName,
  siteId,
  ruleJson: tidy(ruleJson),
  causes: causeOptions(rowsOf(causes)),
  enabled,
});

/** Form for a multi-condition rule, shown either in the editor or as JSON. */
export default function ConditionForm({ uuid, onClose }: { uuid: string | null; onClose: () => void }) {
  if (uuid === null) return <Form rule={null} onClose={onClose} />;
  return (
    <LoadedPanel noun="Multi-condition rule" query={conditionRecordQuery(uuid)} onClose={onClose}>
      {(rule) => <Form rule={rule} onClose={onClose} />}
    </LoadedPanel>
  );
}

function Form({ rule, onClose }: { rule: ConditionRecord | null; onClose: () => void }) {
  const client = useQueryClient();
  const [shown, setShown] = useState<'editor' | 'json'>('editor');
  const { agreed, question } = useConfirmDisable();
  const record = useRecordForm<ConditionValues>({
    name: `rules_json ${rule?.uuid ?? 'new'}`,
    seen: rule
      ? { values: valuesOf(rule), mark: rule.updatedAt }
      : {
          values: { ruleName: '', siteId: null, ruleJson: jsonOf(newDraft), causes: [], enabled: true },
          mark: undefined,
        },
    validate: (values) => {
      const answer = compileConditions(values.ruleJson);
      return {
        ruleName: values.ruleName.trim() === '' ? fieldSentences['name-missing'] : null,
        siteId: !values.siteId ? 'Choose the site.' : null,
        ruleJson: answer.ok ? null : (gapIn(values.ruleJson) ?? answer.sentence),
      };
    },
    agree: ({ enabled }) => agreed(rule?.enabled && !enabled ? [rule.uuid] : []),
    save: async (values, mark) => {
      const { causes, ...rest } = values;
      const input = { ...rest, ruleName: values.ruleName.trim(), siteId: values.siteId ?? '' };
      await saveCondition(
        rule?.uuid ?? null,
        input,
        causes.map(({ value }) => value),
        mark,
      );
      await client.invalidateQueries({ queryKey: ['rule'] });
      toast.success(savedWords(input.ruleName, !rule));
    },
    reload: async () => {
      const stored = rule && (await readCondition(rule.uuid));
      return stored ? { values: valuesOf(stored), mark: stored.updatedAt } : null;
    },
  });
  const { form } = record;
  const values = form.getValues();
  const datapoints = useQuery(datapointsOfSiteQuery(values.siteId)).data ?? [];
  const draft = draftOf(values.ruleJson);
  const compiled = compileConditions(values.ruleJson);
  const write = (next: Partial<ConditionDraft>) => {
    if (draft) form.setFieldValue('ruleJson', jsonOf({ ...draft, ...next }));
  };
  const held = compiled.ok ? durationWords(compiled.rule.holdMs / 1000) : '';
  const problem = form.errors.ruleJson;
  const gap = gapIn(values.ruleJson);
  const isAtField = gap !== null && values.siteId !== null;
  const [isAsked, setIsAsked] = useState(false);
  if (problem && !isAsked) setIsAsked(true);
  const asJson = shown === 'json' || !draft;
  return (
    <>
      <RecordPanel
        title={rule ? rule.ruleName : 'New multi-condition rule'}
        record={record}
        labels={labels}
        onClose={onClose}
        deletion={
          rule && {
            noun: 'rules_json',
            uuid: rule.uuid,
            name: rule.ruleName,
            remove: () => removeCondition(rule),
          }
        }
      >
        <div>
          <TextInput label={labels.ruleName} maxLength={120} {...form.getInputProps('ruleName')} />
          <RecipientsAfterRename sites={[rule?.site?.uuid]} stored={rule?.ruleName ?? ''} name={values.ruleName} />
        </div>
        <KeyPicker
          label={labels.siteId}
          hint="Name or ID"
          source={siteIdSource}
          chosen={rule ? { value: rule.siteId, label: rule.site?.name ?? rule.siteId } : undefined}
          {...form.getInputProps('siteId')}
        />
        <div>
          <Segmented
            wide
            label="Edit as"
            options={[
              { value: 'editor', label: 'Conditions' },
              { value: 'json', label: 'JSON' },
            ]}
            value={draft ? shown : 'json'}
            onChange={setShown}
          />
        </div>
        {asJson ? (
          <Textarea
            label="Rule as JSON"
            description={
              // The explanation is needed only if the rule is valid but the editor cannot show it.
              draft || !compiled.ok
                ? undefined
                : 'The editor cannot show everything in this rule, so the rule is shown as JSON.'
            }
            autosize
            minRows={8}
            maxRows={24}
            spellCheck={false}
            classNames={{ input: classes.json ?? '' }}
            {...form.getInputProps('ruleJson')}
          />
        ) : values.siteId === null ? (
          <p className={classes.hint}>Choose the site. Then add conditions for its data points.</p>
        ) : (
          <>
            <ConditionGroup
              group={draft.conditions}
              datapoints={datapoints}
              depth={1}
              isAsked={isAsked}
              onChange={(conditions) => write({ conditions })}
            />
            <NumberField
              label="Debounce"
              least={0}
              rightSection={<span className={classes.unit}>seconds</span>}
              rightSectionWidth={76}
              value={draft.debounce}
              onChange={(debounce) => write({ debounce })}
              {...placeOf(debounceProblem(draft.debounce), true)}
            />
            <div>
              <div className={classes.label}>Severity</div>
              <Segmented
                wide
                label="Severity"
                options={ruleSeverities.map((value) => ({ value, label: severityNames[value] }))}
                value={severityOf(draft.priority)}
                onChange={(severity) => write({ priority: priorityOf(severity) })}
              />
            </div>
            <Textarea
              label="Message"
              description={<span role="status">{messageWords(draft.message)}</span>}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder="Default message, or the rule’s name"
              autosize
              minRows={2}
              maxLength={500}
              value={draft.message}
              onChange={(event) => write({ message: event.currentTarget.value })}
            />
          </>
        )}
        {compiled.ok ? (
          <p className={classes.words} aria-live="polite">
            {`Opens when ${conditionsWords(compiled.rule.tree, (key) => datapoints.find(({ value }) => value === key)?.point)}${
              held === '' ? '' : ` for ${held}`
            }.`}
          </p>
        ) : problem || asJson || (isAsked && isAtField) ? null : (
          <p className={classes.words} aria-live="polite">
            {gap ?? compiled.sentence}
          </p>
        )}
        {asJson && compiled.ok && messageWords(compiled.rule.message) !== '' ? (
          <p className={classes.hint} role="status">
            {messageWords(compiled.rule.message)}
          </p>
        ) : null}
        {problem && !asJson && !isAtField ? (
          <p ref={show} className={classes.problem} role="alert">
            {problem}
          </p>
        ) : null}
        <CauseList
          self={rule?.uuid}
          siteUuid={rule?.site?.uuid}
          value={values.causes}
          onChange={(next) => form.setFieldValue('causes', next)}
          dependent="this rule"
          error={form.errors.causes}
        />
        <Switch label={labels.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
        {rule ? <NoRecipients siteUuid={rule.site?.uuid} name={rule.ruleName} /> : null}
      </RecordPanel>
      {question}
    </>
  );
}

/** Scrolls the error into view, because the panel is taller than most windows. */
const show = (line: HTMLElement | null) => line?.scrollIntoView({ block: 'nearest' });

/** Returns a warning about parts of the alarm message that are not sent as typed. */
function messageWords(message: string): string {
  const left = valuePlaceholders(message);
  const leftOut =
    left.length > 0
      ? `${left.join(', ')} ${left.length === 1 ? 'is' : 'are'} removed from the message, because these conditions have no single value. The notification lists all values that opened the alarm. `
      : '';
  return leftOut + unknownPlaceholderWords(message);
}

/** Formats the JSON with indentation. Returns invalid JSON unchanged. */
function tidy(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
