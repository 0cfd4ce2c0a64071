import { VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import classes from './Segmented.module.css';

interface SegmentedProps<V extends string> {
  /** The name of the choice for a screen reader. */
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
  /** Fills the line it stands in, each part equally wide. */
  wide?: boolean;
}

/** One of a few, side by side. A group of radio buttons in looks and keys. */
export function Segmented<V extends string>({ label, options, value, onChange, wide = false }: SegmentedProps<V>) {
  const name = useId();
  return (
    <fieldset className={classes.track} data-wide={wide || undefined}>
      <VisuallyHidden component="legend">{label}</VisuallyHidden>
      {options.map((option) => (
        <label key={option.value} className={classes.part}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
