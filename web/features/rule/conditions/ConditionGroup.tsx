import { ActionIcon, Button, Input, NativeSelect, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { TbPlus, TbX } from 'react-icons/tb';
import { conditionLimits } from '../../../../domain/rule/conditions.ts';
import { type Operator, operatorNames, operators } from '../../../../domain/rule/conditions-tree.ts';
import { Lookup } from '../../../ui/Lookup.tsx';
import classes from './ConditionForm.module.css';
import { ConditionValue } from './ConditionValue.tsx';
import type { DatapointOption } from './condition.queries.ts';
import {
  type ComparisonNode,
  type ConditionNode,
  EMPTY_GROUP,
  type GroupNode,
  gapsOfComparison,
  newComparison,
  placeOf,
} from './condition-tree.ts';

interface ConditionGroupProps {
  group: GroupNode;
  datapoints: readonly DatapointOption[];
  depth: number;
  /** True after the user has tried to save. Each field then shows its error. */
  isAsked: boolean;
  onChange: (next: GroupNode) => void;
  onRemove?: () => void;
}

const modes = [
  { value: 'all', label: 'All of these are true' },
  { value: 'any', label: 'Any of these is true' },
  { value: 'none', label: 'None of these is true' },
];

/** Labels of the operators, without the value to compare with. */
const operatorChoices = operatorNames.map((name) => ({ value: name, label: operators[name].words('').trim() }));

/** Editor for a group of comparisons and nested groups. Nested groups are indented. */
export function ConditionGroup({ group, datapoints, depth, isAsked, onChange, onRemove }: ConditionGroupProps) {
  const replace = (index: number, part: ConditionNode | null) =>
    onChange({ ...group, parts: group.parts.flatMap((old, at) => (at === index ? (part ? [part] : []) : [old])) });
  const problem = useId();
  const { error, ...place } = placeOf(group.parts.length === 0 ? EMPTY_GROUP : null, isAsked);
  return (
    <fieldset className={classes.group}>
      <VisuallyHidden component="legend">Conditions, level {depth}</VisuallyHidden>
      <div className={classes.groupHead}>
        <NativeSelect
          aria-label={`Which conditions must be true, level ${depth}`}
          data={modes}
          value={group.mode}
          onChange={(event) => onChange({ ...group, mode: event.currentTarget.value as GroupNode['mode'] })}
        />
        {onRemove ? <Remove name="the group" onClick={onRemove} /> : null}
      </div>
      {group.parts.map((part, index) =>
        part.kind === 'group' ? (
          <ConditionGroup
            // biome-ignore lint/suspicious/noArrayIndexKey: only the index identifies a condition.
            key={index}
            group={part}
            datapoints={datapoints}
            depth={depth + 1}
            isAsked={isAsked}
            onChange={(next) => replace(index, next)}
            onRemove={() => replace(index, null)}
          />
        ) : (
          <Comparison
            // biome-ignore lint/suspicious/noArrayIndexKey: only the index identifies a condition.
            key={index}
            comparison={part}
            datapoints={datapoints}
            isAsked={isAsked}
            onChange={(next) => replace(index, next)}
            onRemove={() => replace(index, null)}
          />
        ),
      )}
      {error === null ? null : <Input.Error id={problem}>{error}</Input.Error>}
      <div className={classes.adds}>
        <Button
          {...place}
          aria-describedby={error === null ? undefined : problem}
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
  isAsked: boolean;
  onChange: (next: ComparisonNode) => void;
  onRemove: () => void;
}

function Comparison({ comparison, datapoints, isAsked, onChange, onRemove }: ComparisonProps) {
  const known = datapoints.find(({ value }) => value === comparison.datapoint);
  const gaps = gapsOfComparison(comparison);
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
        {...placeOf(gaps.datapoint, isAsked)}
      />
      <NativeSelect
        aria-label="Operator"
        data={operatorChoices}
        value={comparison.operator}
        onChange={(event) => onChange({ ...comparison, operator: event.currentTarget.value as Operator })}
      />
      <ConditionValue
        comparison={comparison}
        point={known?.point}
        gap={placeOf(gaps.value, isAsked)}
        onChange={(value) => onChange({ ...comparison, value })}
      />
      <Remove name="the condition" onClick={onRemove} />
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
