import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { Lookup } from '../../ui/Lookup.tsx';
import classes from './Picker.module.css';
import type { NeededProps } from './useRecordForm.ts';

/** An option with its key and label. A form stores both, so that it can show the label. */
export interface Option {
  value: string;
  label: string;
  /** Muted second line in the list of options. */
  note?: string;
  /** True if the option is listed with its note but cannot be chosen. */
  disabled?: boolean;
}

/** Searches options on the server, because there can be any number of them. */
export interface OptionSource {
  key: readonly unknown[];
  find: (text: string, signal: AbortSignal) => Promise<Option[]>;
  /** Looks up the option for a key, for a form that stores only the key. */
  named?: (key: string, signal: AbortSignal) => Promise<Option | null>;
}

interface FieldProps extends NeededProps {
  label?: ReactNode;
  /** Label for a field without a visible label. */
  'aria-label'?: string;
  source: OptionSource;
  /**
   * Creates an option from the typed text. Throws the server's error if that fails. If omitted, only existing options
   * can be chosen.
   */
  create?: ((name: string) => Promise<Option>) | undefined;
  /** Placeholder of the field. */
  hint?: string;
  error?: ReactNode;
  description?: ReactNode;
  clearable?: boolean;
  disabled?: boolean;
  /** The field's name in its form. */
  path?: string;
  /** Keys that are already chosen and therefore not offered. */
  without?: readonly string[];
  /** True to hide the field's frame, for a row of filters. */
  plain?: boolean;
  /** True to render the list inside the parent element. Needed if a click outside the parent closes the parent. */
  inside?: boolean;
}

interface PickerProps extends FieldProps {
  value: Option | null;
  onChange: (next: Option | null) => void;
}

interface KeyPickerProps extends FieldProps {
  value?: string | null;
  onChange?: (value: string | null, option: Option | null) => void;
  /** The option for the stored key. Needed if the user has not chosen the option in this field. */
  chosen?: Option | null | undefined;
  'data-path'?: string;
}

/** Key of the entry that creates an option. It cannot be equal to a record's key. */
const CREATE = '\u0000create';

/** A field in which the user searches options and chooses one of them. */
export function Picker(props: PickerProps) {
  const { source, value, onChange, create, without = [] } = props;
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [text] = useDebouncedValue(typed, 150);
  const found = useQuery({
    queryKey: [...source.key, 'options', text],
    queryFn: ({ signal }) => source.find(text, signal),
    enabled: opened,
    placeholderData: keepPreviousData,
  });
  const options = (found.data ?? [])
    .filter((option) => !without.includes(option.value))
    // Keeps the label of the chosen option. A changed label would overwrite the text that the user is typing.
    .map((option) => (option.value === value?.value && value.label !== '' ? { ...option, label: value.label } : option))
    .sort((one, other) => Number(sameName(other.label, typed)) - Number(sameName(one.label, typed)));
  const known = value && !options.some((option) => option.value === value.value) ? [value] : [];
  const offered = [...known, ...options];
  const settled = found.data !== undefined && !found.isPlaceholderData && text === typed;
  const isNew = create && typed !== '' && settled && !options.some(({ label }) => sameName(label, typed));

  const choose = async (key: string | null) => {
    setProblem(null);
    if (key !== CREATE) {
      const chosen = offered.find((option) => option.value === key);
      onChange(chosen ? { value: chosen.value, label: chosen.label } : null);
      return;
    }
    try {
      onChange((await create?.(typed)) ?? null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const none = () => {
    if (found.isError) return messageOf(found.error);
    if (!settled) return 'Searching…';
    if (found.data.length > 0) return 'All matches are already selected. Type another name.';
    if (typed !== '') return 'Nothing found. Check the spelling.';
    return create ? 'No entries yet. Type a name to add an entry.' : 'No entries yet.';
  };
  return (
    <Lookup
      label={props.label}
      {...(props.labelProps && { labelProps: props.labelProps })}
      {...(props['aria-required'] && { 'aria-required': true })}
      aria-label={props['aria-label']}
      {...(props.plain && { variant: 'unstyled' })}
      description={props.description}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      error={problem ?? props.error}
      placeholder={props.hint ?? (create ? 'Choose or add' : 'Choose')}
      data={[...offered, ...(isNew ? [{ value: CREATE, label: `Create “${typed}”` }] : [])].map(
        ({ value: key, label, disabled = false }: Option) => ({ value: key, label, disabled }),
      )}
      // Hides the chosen option if it is not among the search results.
      filter={({ options: all }) =>
        typed === ''
          ? all
          : all.filter((option) => !('value' in option && known.some(({ value: key }) => key === option.value)))
      }
      chosen={offered.find((option) => option.value === value?.value)?.label ?? ''}
      value={value?.value ?? null}
      onChange={(key) => void choose(key)}
      onTyped={setTyped}
      settled={settled}
      forgets={props.plain || props.inside || false}
      // The list does not open on focus. A form focuses its first field, and the list would cover the other fields.
      openOnFocus={false}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      nothingFoundMessage={none()}
      clearable={props.clearable ?? false}
      clearButtonProps={{ 'aria-label': 'Clear' }}
      disabled={props.disabled ?? false}
      maxDropdownHeight={260}
      comboboxProps={{ withinPortal: !props.inside }}
      renderOption={({ option: { value: key, label } }) => {
        const note = offered.find((option) => option.value === key)?.note;
        return (
          <span className={classes.option}>
            <span>{label}</span>
            {note ? <span className={classes.note}>{note}</span> : null}
          </span>
        );
      }}
      data-path={props.path}
    />
  );
}

/** A picker for a form that stores only the key of the option. */
export function KeyPicker({ value = null, onChange, chosen, 'data-path': path, ...field }: KeyPickerProps) {
  const [picked, setPicked] = useState<Option | null>(null);
  const known = [picked, chosen].find((option) => option?.value === value);
  // Looks up the label, because a restored draft contains only the key.
  const { source } = field;
  const named = useQuery({
    queryKey: [...source.key, 'named', value],
    queryFn: ({ signal }) => source.named?.(value ?? '', signal) ?? null,
    enabled: value !== null && !known && source.named !== undefined,
    staleTime: 30_000,
  }).data;
  return (
    <Picker
      {...field}
      {...(path !== undefined && { path })}
      value={value === null ? null : (known ?? named ?? { value, label: '' })}
      onChange={(next) => {
        setPicked(next);
        onChange?.(next?.value ?? null, next);
      }}
    />
  );
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
