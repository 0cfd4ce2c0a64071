/** Value of a number field: its number, '' if empty, or the typed text if it is not a number. */
export type NumberValue = number | string;

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Normalizes the minus sign and the decimal point: other dashes become a minus, and a comma becomes a point. The comma
 * of 1,250 stays, because it is ambiguous.
 */
export function plainText(text: string): string {
  const plain = text.replace(/[\u2212\u2013]/g, '-');
  const isThousands = /^\s*-?[1-9]\d{0,2},\d{3}\s*$/.test(plain);
  return /^\s*-?\d*,\d*\s*$/.test(plain) && !isThousands ? plain.replace(',', '.') : plain;
}

export function readNumber(text: string): NumberValue {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const number = Number(trimmed);
  return NUMBER.test(trimmed) && Number.isFinite(number) ? number : text;
}

/** Returns the error of a number field's value; null for a number or an empty field. */
export function numberProblem(value: NumberValue): string | null {
  const number = typeof value === 'string' ? readNumber(value) : value;
  return number === '' || typeof number === 'number' ? null : 'Enter a number, such as 1250 or 4.2.';
}
