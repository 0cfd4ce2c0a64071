import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './ColorField.module.css';

interface ColorFieldProps {
  label: string;
  value?: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  onBlur?: () => void;
  error?: ReactNode;
  'data-path'?: string;
}

/** Returns true if the text is a colour in the stored format: `#c6162b`. */
export function isColor(value: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(value);
}

/** Field for a colour. The user enters it as hex or chooses it with the browser's colour picker. */
export function ColorField({ label, value = '', onChange, ...rest }: ColorFieldProps) {
  return (
    <TextInput
      {...rest}
      label={label}
      value={value}
      maxLength={7}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={
        <input
          type="color"
          className={classes.swatch}
          aria-label={`Choose a colour: ${label}`}
          value={isColor(value) ? value.toLowerCase() : '#000000'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
      leftSectionPointerEvents="all"
    />
  );
}
