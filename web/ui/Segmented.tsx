import { VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import classes from './Segmented.module.css';

interface SegmentedProps<V extends string> {
  /** Name for screen readers. */
  label: string;
  options: readonly { value: V; label: string; count?: number | undefined }[];
  value: V;
  onChange: (value: V) => void;
  /** True to fill the line with options of equal width. */
  wide?: boolean;
}

/** A choice between a few options side by side. It behaves like radio buttons. */
export function Segmented<V extends string>({ label, options, value, onChange, wide = false }: SegmentedProps<V>) {
  const name = useId();
  return (
    <fieldset className={classes.track} data-wide={wide || undefined}>
      <VisuallyHidden component="legend">{label}</VisuallyHidden>
      {options.map((option) => (
        <label key={option.value} className={classes.part}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
          {option.count === undefined ? null : <span>{option.count.toLocaleString()}</span>}
        </label>
      ))}
    </fieldset>
  );
}
