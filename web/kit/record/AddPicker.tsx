import { type ReactNode, useEffect, useRef } from 'react';
import { type Option, type OptionSource, Picker } from './Picker.tsx';

interface AddPickerProps {
  label: string;
  /** True to show the label inside the field. */
  inField?: boolean;
  source: OptionSource;
  /** Keys that are already added and therefore not offered. */
  taken: readonly string[];
  onAdd: (option: Option) => void;
  /** Error from the server about the added items. */
  error?: ReactNode;
}

/** Adds items one by one. After each item, the field is cleared and keeps the focus. */
export function AddPicker({ label, inField = false, source, taken, onAdd, error }: AddPickerProps) {
  const place = useRef<HTMLDivElement>(null);
  const goesOn = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each added item.
  useEffect(() => {
    if (goesOn.current) place.current?.querySelector('input')?.focus();
    goesOn.current = false;
  }, [taken.length]);
  return (
    <div ref={place}>
      <Picker
        // The key changes with each added item, which clears the field.
        key={taken.length}
        {...(inField ? { 'aria-label': label } : { label })}
        hint={inField ? label : 'Type a name'}
        source={source}
        value={null}
        without={taken}
        error={error}
        onChange={(option) => {
          if (option === null || taken.includes(option.value)) return;
          goesOn.current = true;
          onAdd(option);
        }}
      />
    </div>
  );
}
