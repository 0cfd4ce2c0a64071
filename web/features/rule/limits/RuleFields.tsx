import { Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { placeholders } from '../../../../domain/alarm/message.ts';
import {
  type Priority,
  priorityOf,
  ruleSeverities,
  severityNames,
  severityOf,
} from '../../../../domain/rule/priority.ts';
import { datapointLabel, datapointSourceAt } from '../../../kit/choices/choices.queries.ts';
import { FieldPair } from '../../../kit/record/FieldPair.tsx';
import { KeyPicker } from '../../../kit/record/Picker.tsx';
import type { RecordForm } from '../../../kit/record/useRecordForm.ts';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { PlaceholderButtons } from '../../alarm-default-message/index.ts';
import { CauseList } from '../../dependency/index.ts';
import classes from '../RuleEditor.module.css';
import { type Preview, type RuleValues, ruleLabels } from '../rule-form.ts';
import type { RuleDatapoint } from '../rule-record.queries.ts';
import { ruleSummary } from '../rule-sentence.ts';

interface RuleFieldsProps {
  record: RecordForm<RuleValues>;
  datapoint: RuleDatapoint | null;
  /** Site whose data points can be chosen; undefined for all sites. */
  siteUuid?: string | undefined;
  /** Uuid of the rule; undefined for a new rule. */
  ruleUuid: string | undefined;
  preview: Preview;
  /** Notes to show below the name field. */
  belowName: ReactNode;
}

const severityOptions = ruleSeverities.map((value) => ({ value, label: severityNames[value] }));

const isLimit = (field: string) => field === 'valueLower' || field === 'valueUpper';

export function RuleFields({ record: { form }, datapoint, siteUuid, ruleUuid, preview, belowName }: RuleFieldsProps) {
  const values = form.getValues();
  const message = useRef<HTMLTextAreaElement>(null);
  const unit = datapoint?.uom ?? '';
  const summary = ruleSummary(datapoint?.tocsinDatapointName ?? '', values, unit);
  const chosen = datapoint && {
    value: datapoint.uuid,
    label: datapointLabel(datapoint.asset?.name, datapoint.tocsinDatapointName, unit),
  };
  const severity = severityOf(values.priority as Priority);
  const major = datapoint?.sensorChannel?.channelMajorAlarmStatus ?? false;
  const number = (field: 'valueLower' | 'valueUpper' | 'clearLower' | 'clearUpper') => (
    <NumberField
      label={ruleLabels[field]}
      rightSection={unit === '' ? null : <span className={classes.unit}>{unit}</span>}
      rightSectionWidth={unit === '' ? 0 : Math.max(36, unit.length * 8 + 16)}
      rightSectionPointerEvents="none"
      {...form.getInputProps(field)}
      // A rule needs only one limit, so neither limit field is marked as required.
      {...(isLimit(field) && { labelProps: {}, 'aria-required': undefined })}
    />
  );
  return (
    <>
      <TextInput label={ruleLabels.name} maxLength={120} {...form.getInputProps('name')} />
      {belowName}
      <KeyPicker
        label={ruleLabels.tocsinDatapointUuid}
        hint="Data point, asset or site"
        source={datapointSourceAt(siteUuid)}
        chosen={chosen || undefined}
        description={
          datapoint
            ? `${datapoint.asset?.site?.name}, sensor ${datapoint.sensor?.uid}, channel ${datapoint.sensorChannel?.channelNumber}`
            : undefined
        }
        {...form.getInputProps('tocsinDatapointUuid')}
      />
      <FieldPair short>
        {number('valueLower')}
        {number('valueUpper')}
      </FieldPair>
      <p className={classes.hint}>Set one limit or both.</p>
      <FieldPair short>
        {number('clearLower')}
        {number('clearUpper')}
      </FieldPair>
      <p className={classes.hint}>
        Hysteresis: the alarm clears only after the value has passed the number you enter here. Leave a field empty to
        clear at the limit itself.
      </p>
      <NumberField
        label={ruleLabels.debounce}
        least={0}
        rightSection={<span className={classes.unit}>seconds</span>}
        rightSectionWidth={76}
        rightSectionPointerEvents="none"
        {...form.getInputProps('debounce')}
      />
      <p className={classes.sentence} aria-live="polite">
        {summary.before}
        <b>{summary.condition}</b>
        {summary.after}
      </p>
      <div>
        <div className={classes.label}>{ruleLabels.priority}</div>
        <Segmented
          wide
          label={ruleLabels.priority}
          options={severityOptions}
          value={severity}
          onChange={(chosen) => form.setFieldValue('priority', priorityOf(chosen))}
        />
        {major && severity === 'minor' ? (
          <p className={classes.hint}>Alarms of this channel are always major.</p>
        ) : null}
      </div>
      <div>
        <Textarea
          ref={message}
          label={ruleLabels.message}
          placeholder={datapoint?.defaultMessage ?? 'The name of the rule'}
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('message')}
        />
        <PlaceholderButtons
          names={placeholders}
          field={message}
          onInsert={(added) => form.setFieldValue('message', added)}
        />
        {preview.unknown ? (
          <p className={classes.warning} role="status">
            {preview.unknown}
          </p>
        ) : null}
        <p className={classes.hint}>
          {preview.text === null
            ? 'Enter a limit to preview the SMS.'
            : `SMS: “${preview.text}”. ${preview.units} characters, ${preview.segments === 1 ? '1 segment' : `${preview.segments} segments`}, plus a link if the alarm must be acknowledged.`}
        </p>
      </div>
      <CauseList
        self={ruleUuid}
        siteUuid={datapoint?.asset?.site?.uuid}
        value={values.causes}
        onChange={(next) => form.setFieldValue('causes', next)}
        dependent="this rule"
        error={form.errors.causes}
      />
      <Switch label="Enabled" {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </>
  );
}
