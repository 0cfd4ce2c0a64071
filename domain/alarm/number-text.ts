/**
 * A number as people write it: no exponent, no zeros at the end, at most six decimals, or six that mean something where it
 * is smaller than one. What is nearer to zero than 1e-15 reads as 0. Empty for what is no number.
 */
export function plainNumber(value: number): string {
  if (!Number.isFinite(value)) return '';
  const size = Math.abs(value);
  if (size < 1e-15) return '0';
  if (size >= 1e15) return String(value);
  const decimals = size >= 1 ? 6 : 5 - Math.floor(Math.log10(size));
  return value.toFixed(decimals).replace(/\.?0+$/, '');
}

/**
 * The text of a number as it is shown on a screen: with a real minus sign, that of a power of ten as well. Not for an SMS, which
 * that sign makes twice as long, and not for a file, whose numbers others read.
 */
export function withMinusSign(text: string): string {
  return text.replaceAll('-', '\u2212');
}

export function displayNumber(value: number): string {
  return withMinusSign(plainNumber(value));
}
