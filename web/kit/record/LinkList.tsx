import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { TbX } from 'react-icons/tb';
import { AddPicker } from './AddPicker.tsx';
import classes from './LinkList.module.css';
import type { Option, OptionSource } from './Picker.tsx';

interface LinkListProps {
  /** The label of the field that adds a link: 'Link a user'. */
  label: string;
  source: OptionSource;
  value: readonly Option[];
  onChange: (next: Option[]) => void;
  /** Text shown if there are no links. */
  empty: string;
  /** Error from the server about the links. */
  error?: ReactNode;
  /** Returns additional content to show in the row of an option. */
  note?: (option: Option) => ReactNode;
}

/** Shows the linked records, with a button to remove each of them and a field to add one. */
export function LinkList({ label, source, value, onChange, empty, error, note }: LinkListProps) {
  return (
    <div className={classes.links}>
      <AddPicker
        label={label}
        source={source}
        error={error}
        taken={value.map((option) => option.value)}
        onAdd={(option) => onChange([...value, option].sort(byLabel))}
      />
      {value.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <ul className={classes.list}>
          {value.map((option) => (
            <li key={option.value}>
              <span className={classes.name}>{option.label}</span>
              {note?.(option)}
              <ActionIcon
                variant="subtle"
                aria-label={`Remove ${option.label}`}
                onClick={() => onChange(value.filter(({ value: key }) => key !== option.value))}
              >
                <TbX size={14} strokeWidth={1.75} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function byLabel(one: Option, other: Option): number {
  return one.label.localeCompare(other.label);
}
