import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { Lookup } from '../../ui/Lookup.tsx';
import classes from './Picker.module.css';
import type { NeededProps } from './useRecordForm.ts';

/** Something that can be chosen: its key, and what it is called. A form keeps both, so that it can say what was chosen. */
export interface Option {
  value: string;
  label: string;
  /** What it is or where, quietly below, while choosing. */
  note?: string;
  /** It is shown with its note and cannot be chosen. */
  disabled?: boolean;
}

/** Where a picker finds its options. There may be any number of them, so the server searches. */
export interface OptionSource {
  key: readonly unknown[];
  find: (text: string, signal: AbortSignal) => Promise<Option[]>;
  /** What a key stands for, for a form that has kept the key alone. */
  named?: (key: string, signal: AbortSignal) => Promise<Option | null>;
}

interface FieldProps extends NeededProps {
  label?: ReactNode;
  /** For a field that has no label of its own in view. */
  'aria-label'?: string;
  source: OptionSource;
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
  /** It stands in a row of filters, which has its frame and shows its name. */
  plain?: boolean;
  /** Its list stands inside of what holds the field, where a click outside of that would close it. */
  inside?: boolean;
}

interface PickerProps extends FieldProps {
  value: Option | null;
  onChange: (next: Option | null) => void;
}

interface KeyPickerProps extends FieldProps {
  value?: string | null;
  onChange?: (value: string | null, option: Option | null) => void;
  /** What the key stands for where it was not picked here. */
  chosen?: Option | null | undefined;
  'data-path'?: string;
}

/** No key of a record looks like this. */
const CREATE = '\u0000create';

/** One of many, found by typing. */
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
    // What is chosen keeps its name: another one would be put in the place of what is being typed.
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
    if (found.data.length > 0) return 'What was found is chosen already. Type another name.';
    if (typed !== '') return 'Nothing found. Check the spelling.';
    return create ? 'There is none yet. Type a name to add one.' : 'There is none yet.';
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
      // What is chosen is no answer to a search that did not find it.
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
      // A form that puts the cursor into its first field must not cover the others with a list.
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

/** The same for a form that keeps the key alone. */
export function KeyPicker({ value = null, onChange, chosen, 'data-path': path, ...field }: KeyPickerProps) {
  const [picked, setPicked] = useState<Option | null>(null);
  const known = [picked, chosen].find((option) => option?.value === value);
  // What was typed earlier comes back as keys.
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
