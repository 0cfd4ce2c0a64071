import type { SyntheticEvent } from 'react';

/**
 * Turns the minus that the console writes (and the dash that a phone or a text program makes of one) into the one that a
 * number field reads, before it reads it. Left as it is the field would drop it, and a limit would change its side unseen.
 */
export function plainMinus({ currentTarget: field }: SyntheticEvent<HTMLInputElement>): void {
  const text = field.value.replace(/[\u2212\u2013]/g, '-');
  if (text === field.value) return;
  const { selectionStart, selectionEnd } = field;
  field.value = text;
  field.setSelectionRange(selectionStart, selectionEnd);
}
