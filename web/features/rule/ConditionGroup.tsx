import { ActionIcon, Button, Checkbox, NativeSelect, TextInput, VisuallyHidden } from '@mantine/core';
import { TbPlus, TbX } from 'react-icons/tb';
import { conditionLimits } from '../../../domain/rule/conditions.ts';
import { type Operator, operatorNames, operators } from '../../../domain/rule/conditions-tree.ts';
import { type PointWords, statesOf } from '../../../domain/rule/conditions-words.ts';
import { Lookup } from '../../ui/Lookup.tsx';
import classes from './ConditionForm.module.css';
import type { DatapointOption } from './condition.queries.ts';
import { type ComparisonNode, type ConditionNode, type GroupNode, newComparison } from './condition-tree.ts';

interface ConditionGroupProps {
  group: GroupNode;
  datapoints: readonly DatapointOption[];
  depth: number;
  onChange: (next: GroupNode) => void;
  onRemove?: () => void;
}

const modes = [
  { value: 'all', label: 'All of these hold' },
  { value: 'any', label: 'Any of these holds' },
  { value: 'none', label: 'None of these holds' },
];

/** The words of an operator, without its value. */
const operatorChoices = operatorNames.map((name) => ({ value: name, label: operators[name].words('').trim() }));

/** Comparisons and groups of them; a group in a group stands further in. */
export function ConditionGroup({ group, datapoints, depth, onChange, onRemove }: ConditionGroupProps) {
  const replace = (index: number, part: ConditionNode | null) =>
    onChange({ ...group, parts: group.parts.flatMap((old, at) => (at === index ? (part ? [part] : []) : [old])) });
  return (
    <fieldset className={classes.group}>
      <VisuallyHidden component="legend">Conditions, level {depth}</VisuallyHidden>
      <div className={classes.groupHead}>
        <NativeSelect
          aria-label={`Which must hold, level ${depth}`}
          data={modes}
          value={group.mode}
          onChange={(event) => onChange({ ...group, mode: event.currentTarget.value as GroupNode['mode'] })}
        />
        {onRemove ? <Remove name="the group" onClick={onRemove} /> : null}
      </div>
      {group.parts.map((part, index) =>
        part.kind === 'group' ? (
          <ConditionGroup
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place.
            key={index}
            group={part}
            datapoints={datapoints}
            depth={depth + 1}
            onChange={(next) => replace(index, next)}
            onRemove={() => replace(index, null)}
          />
        ) : (
          <Comparison
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place.
            key={index}
            comparison={part}
            datapoints={datapoints}
            onChange={(next) => replace(index, next)}
            onRemove={() => replace(index, null)}
          />
        ),
      )}
      <div className={classes.adds}>
        <Button
          variant="default"
          size="xs"
          leftSection={<TbPlus size={14} aria-hidden />}
          onClick={() => onChange({ ...group, parts: [...group.parts, newComparison] })}
        >
          Condition
        </Button>
        {depth < conditionLimits.depth / 2 ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<TbPlus size={14} aria-hidden />}
            onClick={() =>
              onChange({
                ...group,
                parts: [
                  ...group.parts,
                  { kind: 'group', mode: group.mode === 'all' ? 'any' : 'all', parts: [newComparison] },
                ],
              })
            }
          >
            Group
          </Button>
        ) : null}
      </div>
    </fieldset>
  );
}

interface ComparisonProps {
  comparison: ComparisonNode;
  datapoints: readonly DatapointOption[];
  onChange: (next: ComparisonNode) => void;
  onRemove: () => void;
}

function Comparison({ comparison, datapoints, onChange, onRemove }: ComparisonProps) {
  const known = datapoints.find(({ value }) => value === comparison.datapoint);
  return (
    <div className={classes.comparison}>
      <Lookup
        aria-label="Data point"
        placeholder="Data point"
        comboboxProps={{ zIndex: 250 }}
        data={datapoints.map(({ value, label }) => ({ value, label }))}
        chosen={known?.label ?? ''}
        value={known?.value ?? null}
        onChange={(datapoint) => onChange({ ...comparison, datapoint: datapoint ?? '' })}
      />
      <NativeSelect
        aria-label="Operator"
        data={operatorChoices}
        value={comparison.operator}
        onChange={(event) => onChange({ ...comparison, operator: event.currentTarget.value as Operator })}
      />
      <Value comparison={comparison} point={known?.point} onChange={(value) => onChange({ ...comparison, value })} />
      <Remove name="the condition" onClick={onRemove} />
    </div>
  );
}

interface ValueProps {
  comparison: ComparisonNode;
  point: PointWords | undefined;
  onChange: (value: string) => void;
}

/** What it is compared with: a state of a digital channel by its name, or a number. */
function Value({ comparison: { operator, value }, point, onChange }: ValueProps) {
  const { takesList, ofStates } = operators[operator];
  const states = ofStates ? statesOf(point) : [];
  const chosen = value.split(',').flatMap((part) => part.trim() || []);
  const isState = (one: string) => states.some((state) => state.value === one);
  if (states.length === 0 || !chosen.every(isState)) {
    return (
      <TextInput
        aria-label="Value"
        placeholder={takesList ? '1, 2' : 'Value'}
        inputMode="decimal"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
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
      />
    );
  }
  return (
    <div className={classes.states}>
      {states.map((state) => (
        <Checkbox
          key={state.value}
          size="xs"
          label={state.label}
          checked={chosen.includes(state.value)}
          onChange={(event) => {
            const others = chosen.filter((one) => one !== state.value);
            onChange((event.currentTarget.checked ? [...others, state.value] : others).toSorted().join(', '));
          }}
        />
      ))}
    </div>
  );
}

function Remove({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" aria-label={`Remove ${name}`} onClick={onClick}>
      <TbX size={14} strokeWidth={1.75} aria-hidden />
    </ActionIcon>
  );
}
