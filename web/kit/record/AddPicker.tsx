import { type ReactNode, useEffect, useRef } from 'react';
import { type Option, type OptionSource, Picker } from './Picker.tsx';

interface AddPickerProps {
  label: string;
  /** The label is in the field and not above it. */
  inField?: boolean;
  source: OptionSource;
  /** What was added already, which is not offered again. */
  taken: readonly string[];
  onAdd: (option: Option) => void;
  /** What the server says about those that were added. */
  error?: ReactNode;
}

/** One more of many, found by typing; then the field is empty for the next, and whoever types goes on in it. */
export function AddPicker({ label, inField = false, source, taken, onAdd, error }: AddPickerProps) {
  const place = useRef<HTMLDivElement>(null);
  const goesOn = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that was added.
  useEffect(() => {
    if (goesOn.current) place.current?.querySelector('input')?.focus();
    goesOn.current = false;
  }, [taken.length]);
  return (
    <div ref={place}>
      <Picker
        // A new field is an empty one.
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
