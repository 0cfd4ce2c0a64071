/**
 * Formats a number in decimals without trailing zeros: at most six decimals, or six significant digits below 1. Numbers
 * below 1e-15 become 0; numbers from 1e15 may have an exponent. Returns empty text for infinity and NaN.
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
 * Replaces hyphens with minus signs, for screens. Do not use it for SMS, which would switch to UCS-2, or for files,
 * which other programs read.
 */
export function withMinusSign(text: string): string {
  return text.replaceAll('-', '\u2212');
}

export function displayNumber(value: number): string {
  return withMinusSign(plainNumber(value));
}
