import { ActionIcon, Button, NativeSelect, TextInput, VisuallyHidden } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { conditionLimits } from '../../../domain/rule/conditions.ts';
import { type Operator, operatorNames, operators } from '../../../domain/rule/conditions-tree.ts';
import { Lookup } from '../../ui/Lookup.tsx';
import type { Option } from '../record/Picker.tsx';
import classes from './ConditionForm.module.css';
import { type ComparisonNode, type ConditionNode, type GroupNode, newComparison } from './condition-tree.ts';

interface ConditionGroupProps {
  group: GroupNode;
  datapoints: readonly Option[];
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
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange({ ...group, parts: [...group.parts, newComparison] })}
        >
          Condition
        </Button>
        {depth < conditionLimits.depth / 2 ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
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
  datapoints: readonly Option[];
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
      <TextInput
        aria-label="Value"
        placeholder={operators[comparison.operator].takesList ? '1, 2' : 'Value'}
        inputMode="decimal"
        value={comparison.value}
        onChange={(event) => onChange({ ...comparison, value: event.currentTarget.value })}
      />
      <Remove name="the condition" onClick={onRemove} />
    </div>
  );
}

function Remove({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" aria-label={`Remove ${name}`} onClick={onClick}>
      <IconX size={14} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
}
