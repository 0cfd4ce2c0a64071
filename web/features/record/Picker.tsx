import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/http.ts';

/** Something that can be chosen: its key, and what it is called. A form keeps both, so that it can say what was chosen. */
export interface Option {
  value: string;
  label: string;
}

/** Where a picker finds its options. There may be any number of them, so the server searches. */
export interface OptionSource {
  key: readonly unknown[];
  find: (text: string, signal: AbortSignal) => Promise<Option[]>;
}

interface PickerProps {
  label?: ReactNode;
  source: OptionSource;
  value: Option | null;
  onChange: (next: Option | null) => void;
  /** Makes a new one of what was typed; throws what the server said. Without it only what is there can be chosen. */
  create?: ((name: string) => Promise<Option>) | undefined;
  /** What stands in the empty field. */
  hint?: string;
  error?: ReactNode;
  description?: ReactNode;
  clearable?: boolean;
  disabled?: boolean;
  /** The field's name in its form, by which the form finds it. */
  path?: string;
  /** Options that are not offered, because they are chosen already. */
  without?: readonly string[];
  /** It stands in a row of filters, which has its frame and shows its name: a name to be read out is enough. */
  plain?: string;
  /** Its list stands inside of what holds the field, where a click outside of that would close it. */
  inside?: boolean;
}

/** No key of a record looks like this. */
const CREATE = '\u0000create';

/** One of many, found by typing. */
export function Picker(props: PickerProps) {
  const { source, value, onChange, create, without = [] } = props;
  const [search, setSearch] = useState(value?.label ?? '');
  const [opened, setOpened] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // The field holds the name of what is chosen; that is no search.
  const typed = search === (value?.label ?? '') ? '' : search.trim();
  const [text] = useDebouncedValue(typed, 150);
  const found = useQuery({
    queryKey: [...source.key, 'options', text],
    queryFn: ({ signal }) => source.find(text, signal),
    enabled: opened,
    placeholderData: keepPreviousData,
  });
  const options = (found.data ?? []).filter((option) => !without.includes(option.value));
  const known = value && !options.some((option) => option.value === value.value) ? [value] : [];
  const settled = found.data !== undefined && !found.isPlaceholderData && text === typed;
  const isNew = create && typed !== '' && settled && !options.some(({ label }) => sameName(label, typed));

  const choose = async (key: string | null, chosen: Option | null) => {
    setProblem(null);
    if (key !== CREATE) {
      onChange(chosen && { value: chosen.value, label: chosen.label });
      return;
    }
    try {
      onChange((await create?.(typed)) ?? null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Select
      label={props.plain === undefined ? props.label : undefined}
      {...(props.plain !== undefined && { 'aria-label': props.plain, variant: 'unstyled' })}
      description={props.description}
      error={problem ?? props.error}
      placeholder={props.hint ?? (create ? 'Choose or add' : 'Choose')}
      data={[...known, ...options, ...(isNew ? [{ value: CREATE, label: `Create “${typed}”` }] : [])]}
      filter={({ options: all }) => all}
      value={value?.value ?? null}
      onChange={(key, option) => void choose(key, option)}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onKeyDown={(event) => {
        // Escape closes the list first, and only then what the field stands in.
        if (event.key === 'Escape' && opened) event.stopPropagation();
      }}
      nothingFoundMessage={
        found.isError ? messageOf(found.error) : settled ? 'Nothing found. Check the spelling.' : 'Searching…'
      }
      clearable={props.clearable ?? false}
      clearButtonProps={{ 'aria-label': 'Clear' }}
      allowDeselect={false}
      disabled={props.disabled ?? false}
      withCheckIcon={false}
      maxDropdownHeight={260}
      comboboxProps={{ withinPortal: !props.inside }}
      data-path={props.path}
    />
  );
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
