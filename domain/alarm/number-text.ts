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

/** As it is shown on a screen, with a real minus sign. Not for an SMS: that sign makes it twice as long. */
export function shownNumber(value: number): string {
  return plainNumber(value).replace(/^-/, '\u2212');
}
