import { TextInput, type TextInputProps } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { afterPress } from './field/after-press.ts';
import { unusable } from './field/unusable.ts';
import { type NumberValue, numberProblem, plainText, readNumber } from './number-text.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value?: NumberValue;
  onChange?: (value: NumberValue) => void;
  /**
   * Minimum for the arrow keys. With a minimum of 0 or more, a phone shows a numeric keypad, which may have no minus
   * key.
   */
  least?: number;
}

/** Matches text that can become a number. It is not treated as an error while the user types. */
const BEGUN = /^\s*-?\.?$/;

/**
 * A number field. Invalid text stays in the field with an error. Removing characters, such as the x of 5x0, would
 * silently change the number.
 */
export function NumberField({ value = '', onChange, least, error, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState('');
  const [left, setLeft] = useState(false);
  // Keeps the typed text while it represents the same number. For example, 4.0 must stay while the user is typing 4.05.
  const text = readNumber(typed) === value ? typed : String(value);
  const problem = numberProblem(value);
  const change = (next: string) => {
    setTyped(next);
    setLeft(false);
    onChange?.(readNumber(next));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    rest.onKeyDown?.(event);
    if (event.key === 'Enter') setLeft(true);
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === 0 || problem !== null) return;
    event.preventDefault();
    const next = value === '' ? 0 : Number((Number(value) + step).toPrecision(15));
    change(String(Math.max(next, least ?? next)));
  };
  return (
    <TextInput
      inputMode={least !== undefined && least >= 0 ? 'decimal' : 'text'}
      autoComplete="off"
      {...rest}
      {...unusable(problem !== null)}
      error={error ?? (left || !BEGUN.test(text) ? problem : null)}
      value={text}
      onChange={({ currentTarget: field }) => {
        const plain = plainText(field.value);
        if (plain !== field.value) {
          const { selectionStart, selectionEnd } = field;
          field.value = plain;
          field.setSelectionRange(selectionStart, selectionEnd);
        }
        change(plain);
      }}
      onBlur={(event) => {
        afterPress(() => setLeft(true));
        setTyped(String(value));
        rest.onBlur?.(event);
      }}
      onKeyDown={onKeyDown}
    />
  );
}
