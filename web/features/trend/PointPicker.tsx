import { Button, Popover, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TbCheck, TbPlus, TbSearch } from 'react-icons/tb';
import { messageOf } from '../../api/http.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import classes from './PointPicker.module.css';
import { findPointsQuery } from './trend.queries.ts';

export interface PickerAsset {
  name: string;
  points: readonly { uuid: string; tocsinDatapointName: string; uom: string }[];
}

interface PointPickerProps {
  chosen: readonly string[];
  onToggle: (uuid: string) => void;
  /** Assets whose data points are listed before the user types anything. */
  offered: readonly PickerAsset[];
}

/**
 * Lets the user add data points to a trend. The list starts with the data points of this page; all others can be found
 * by searching.
 */
export function PointPicker({ chosen, onToggle, offered }: PointPickerProps) {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), 150);
  const searching = text !== '' || offered.length === 0;
  const found = useQuery({ ...findPointsQuery(text), enabled: opened && searching });
  const groups: PickerAsset[] = searching
    ? [
        ...Map.groupBy(found.data ?? [], ({ asset }) => [asset?.site?.name, asset?.name].filter(Boolean).join(', ')),
      ].map(([name, points]) => ({ name, points }))
    : offered.filter(({ points }) => points.length > 0);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus width={320}>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          Add value
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        <TextInput
          aria-label="Find a data point"
          placeholder="Data point, asset or site"
          leftSection={<TbSearch size={14} strokeWidth={1.75} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        {found.isError && searching ? (
          <ErrorState title="The data points could not be loaded" onRetry={() => void found.refetch()}>
            {messageOf(found.error)}
          </ErrorState>
        ) : groups.length === 0 && !found.isPending ? (
          <EmptyState title="No data point matches">Try fewer words.</EmptyState>
        ) : (
          <div className={classes.groups}>
            {groups.map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot have the layout of a list.
              <div key={group.name} role="group" aria-label={group.name}>
                <h3>{group.name}</h3>
                {group.points.map(({ uuid, tocsinDatapointName, uom }) => (
                  <button key={uuid} type="button" aria-pressed={chosen.includes(uuid)} onClick={() => onToggle(uuid)}>
                    <span>{tocsinDatapointName}</span>
                    <small>{uom}</small>
                    {chosen.includes(uuid) ? <TbCheck size={14} strokeWidth={2} aria-hidden /> : null}
                  </button>
                ))}
              </div>
            ))}
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
