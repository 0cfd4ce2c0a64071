import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import classes from './RecordSelect.module.css';

/** Something that can be chosen. */
export interface Choice {
  value: string;
  label: string;
  /** What it is or where, quietly below. */
  note?: string;
}

interface RecordSelectProps
  extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchable' | 'filter' | 'renderOption'> {
  value?: string | null | undefined;
  onChange?: (value: string | null, choice: Choice | undefined) => void;
  /** Asks the server for what fits the text. */
  find: (search: string) => UseQueryOptions<Choice[], Error, Choice[], readonly unknown[]>;
  /** What is chosen already: it may not be among what is found. */
  chosen?: Choice | undefined;
}

const PAUSE = 150;
const none: Choice[] = [];

/** One of many records, found on the server while typing. */
export function RecordSelect({ value = null, onChange, find, chosen, ...rest }: RecordSelectProps) {
  const [picked, setPicked] = useState<Choice | undefined>();
  const current = [picked, chosen].find((choice) => choice?.value === value);
  const [text, setText] = useState('');
  const [opened, setOpened] = useState(false);
  // The field shows what is chosen; that is no search.
  const [search] = useDebouncedValue(text === current?.label ? '' : text.trim(), PAUSE);
  const found = useQuery({ ...find(search), enabled: opened, placeholderData: keepPreviousData });
  const choices = found.data ?? none;
  const data = current && !choices.some((choice) => choice.value === current.value) ? [current, ...choices] : choices;
  const notes = new Map(data.map((choice) => [choice.value, choice.note]));
  return (
    <Select
      {...rest}
      searchable
      openOnFocus={false}
      value={value}
      data={data.map((choice) => ({ value: choice.value, label: choice.label }))}
      filter={({ options }) => options}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onKeyDown={(event) => {
        // Escape closes the list first, and only then what the field stands in.
        if (event.key === 'Escape' && opened) event.stopPropagation();
      }}
      maxDropdownHeight={280}
      nothingFoundMessage={found.isPending ? 'Searching…' : found.isError ? found.error.message : 'Nothing found'}
      comboboxProps={{ zIndex: 250 }}
      allowDeselect={false}
      withCheckIcon={false}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <span>{option.label}</span>
          {notes.get(option.value) ? <span className={classes.note}>{notes.get(option.value)}</span> : null}
        </span>
      )}
      onChange={(next) => {
        const choice = data.find((candidate) => candidate.value === next);
        setPicked(choice);
        onChange?.(next, choice);
      }}
    />
  );
}
