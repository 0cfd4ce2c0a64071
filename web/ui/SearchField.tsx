import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { TbSearch } from 'react-icons/tb';
import classes from './SearchField.module.css';

const PAUSE = 250;

interface SearchFieldProps {
  className?: string | undefined;
  hint: string;
  value: string;
  onChange: (text: string) => void;
}

/** A search field that searches when typing pauses, and immediately on Enter. */
export function SearchField({ className, hint, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  // Updates the field if something else changed the URL, such as the Back button.
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  const search = () => {
    if (typed.trim() !== value) {
      onChange(typed.trim());
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the delay.
  useEffect(() => {
    const timer = setTimeout(search, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      className={className ? `${classes.field} ${className}` : classes.field}
      type="search"
      aria-label={hint}
      placeholder={hint}
      leftSection={<TbSearch size={16} strokeWidth={1.75} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          search();
        }
      }}
    />
  );
}
