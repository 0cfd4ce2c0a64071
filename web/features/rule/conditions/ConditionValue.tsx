import { Checkbox, Input, NativeSelect, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { operators } from '../../../../domain/rule/conditions-tree.ts';
import { namedStates, type PointWords } from '../../../../domain/rule/conditions-words.ts';
import { NumberField } from '../../../ui/NumberField.tsx';
import { readNumber } from '../../../ui/number-text.ts';
import classes from './ConditionForm.module.css';
import { type ComparisonNode, listText, type PlaceOfGap } from './condition-tree.ts';

interface ConditionValueProps {
  comparison: ComparisonNode;
  point: PointWords | undefined;
  gap: PlaceOfGap;
  onChange: (value: string) => void;
}

/** Field for the value to compare with: a named state of a digital channel, or a number. */
export function ConditionValue({ comparison: { operator, value }, point, gap, onChange }: ConditionValueProps) {
  const { takesList, ofStates } = operators[operator];
  const states = ofStates ? namedStates(point) : [];
  const chosen = value.split(',').flatMap((part) => part.trim() || []);
  const isState = (one: string) => states.some((state) => state.value === one);
  if (states.length === 0 || !chosen.every(isState)) {
    return takesList ? (
      <ListField value={value} gap={gap} onChange={onChange} />
    ) : (
      <NumberField
        aria-label="Value"
        placeholder="Value"
        value={readNumber(value)}
        onChange={(number) => onChange(String(number))}
        {...gap}
      />
    );
  }
  if (!takesList) {
    return (
      <NativeSelect
        aria-label="Value"
        data={[{ value: '', label: 'State' }, ...states]}
        value={chosen[0] ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...gap}
      />
    );
  }
  return <StateChoice states={states} chosen={chosen} gap={gap} onChange={onChange} />;
}

interface ListFieldProps {
  value: string;
  gap: PlaceOfGap;
  onChange: (value: string) => void;
}

/**
 * Field for numbers separated by commas. Keeps the text as typed as long as it represents the same numbers, so that the
 * user can type `4.` before `4.5`.
 */
function ListField({ value, gap, onChange }: ListFieldProps) {
  const [typed, setTyped] = useState('');
  return (
    <TextInput
      aria-label="Value"
      placeholder="1, 2"
      inputMode="text"
      autoComplete="off"
      value={listText(typed) === value ? typed : value}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(event.currentTarget.value);
      }}
      {...gap}
    />
  );
}

interface StateChoiceProps {
  states: readonly { value: string; label: string }[];
  chosen: readonly string[];
  gap: PlaceOfGap;
  onChange: (value: string) => void;
}

function StateChoice({ states, chosen, gap: { error, ...place }, onChange }: StateChoiceProps) {
  const problem = useId();
  return (
    <div className={classes.states} {...place}>
      {states.map((state) => (
        <Checkbox
          key={state.value}
          size="xs"
          label={state.label}
          checked={chosen.includes(state.value)}
          error={error !== null}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : problem}
          onChange={(event) => {
            const others = chosen.filter((one) => one !== state.value);
            onChange((event.currentTarget.checked ? [...others, state.value] : others).toSorted().join(', '));
          }}
        />
      ))}
      {error === null ? null : <Input.Error id={problem}>{error}</Input.Error>}
    </div>
  );
}
