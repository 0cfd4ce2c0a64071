import { Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { priorityOf, ruleSeverities, severityNames } from '../../../../domain/rule/priority.ts';
import { counted } from '../../../kit/format/number.ts';
import { BulkDialog } from '../../../kit/list/BulkDialog.tsx';
import { FieldPair } from '../../../kit/record/FieldPair.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import classes from '../RuleEditor.module.css';
import type { RuleRow } from '../rule.queries.ts';
import { debounceProblem, ruleLabels } from '../rule-form.ts';
import { changeRules } from '../rule-record.queries.ts';
import {
  type CommonValues,
  changeIn,
  type LimitField,
  nothingCommon,
  nowOf,
  unitsOf,
  unitWords,
} from './bulk-change.ts';

interface BulkChangeFormProps {
  rules: readonly RuleRow[];
  onClose: () => void;
  onDone: (left: readonly RuleRow[]) => void;
}

const severityChoices = [
  { value: '', label: 'Unchanged' },
  ...ruleSeverities.map((severity) => ({ value: priorityOf(severity), label: severityNames[severity] })),
];

const withoutLimit: Readonly<Record<LimitField, string>> = {
  valueLower: 'No lower limit',
  valueUpper: 'No upper limit',
  clearLower: 'Clear at the lower limit',
  clearUpper: 'Clear at the upper limit',
};

/** Form that makes the same change to many rules. The server changes either all of them or none. */
export function BulkChangeForm({ rules, onClose, onDone }: BulkChangeFormProps) {
  const [values, setValues] = useState<CommonValues>(nothingCommon);
  const set = (more: Partial<CommonValues>) => setValues((before) => ({ ...before, ...more }));
  const units = unitsOf(rules);
  const unit = units[0] ?? '';
  const change = changeIn(values);
  // The form cannot check limits, because their validity depends on each rule. The server lists the rules that it
  // rejects.
  const problem = values.debounce === '' ? null : debounceProblem(values.debounce);
  const limit = (field: LimitField) => (
    <div className={classes.limit}>
      <NumberField
        label={ruleLabels[field]}
        description={nowOf(rules, field)}
        rightSection={unit === '' ? null : <span className={classes.unit}>{unit}</span>}
        rightSectionWidth={unit === '' ? 0 : Math.max(36, unit.length * 8 + 16)}
        rightSectionPointerEvents="none"
        disabled={values[field] === null}
        value={values[field] ?? ''}
        onChange={(value) => set({ [field]: value })}
      />
      {values[field] === null || rules.some((rule) => rule[field] !== null) ? (
        <Checkbox
          label={withoutLimit[field]}
          checked={values[field] === null}
          onChange={(event) => set({ [field]: event.currentTarget.checked ? null : '' })}
        />
      ) : null}
    </div>
  );
  return (
    <BulkDialog
      title={`Change ${counted(rules.length, 'rule')}`}
      items={rules}
      nameOf={(rule) => rule.name}
      actOnAll={(all) => changeRules(all, change)}
      done={(count) =>
        count === 0 ? 'Nothing changed: all rules already have these values.' : `${counted(count, 'rule')} changed.`
      }
      button="Change"
      disabled={Object.keys(change).length === 0 || problem !== null}
      onClose={onClose}
      onDone={onDone}
    >
      <p className={classes.hint}>
        Empty fields keep the current value of each rule. If one rule cannot be changed, no rule is changed.
      </p>
      <NativeSelect
        label={ruleLabels.priority}
        description={nowOf(rules, 'priority')}
        data={severityChoices}
        value={values.priority}
        onChange={(event) => set({ priority: event.currentTarget.value })}
      />
      <NumberField
        label={ruleLabels.debounce}
        least={0}
        description={nowOf(rules, 'debounce')}
        rightSection={<span className={classes.unit}>seconds</span>}
        rightSectionWidth={76}
        rightSectionPointerEvents="none"
        value={values.debounce}
        onChange={(debounce) => set({ debounce })}
        error={problem}
      />
      {units.length > 1 ? (
        <p className={classes.hint}>
          These rules have different units: {unitWords(units)}. To set limits, select rules with the same unit.
        </p>
      ) : (
        <>
          <FieldPair short>
            {limit('valueLower')}
            {limit('valueUpper')}
          </FieldPair>
          <FieldPair short>
            {limit('clearLower')}
            {limit('clearUpper')}
          </FieldPair>
        </>
      )}
    </BulkDialog>
  );
}
