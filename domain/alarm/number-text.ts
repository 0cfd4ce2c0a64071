/**
 * Decimal text without trailing zeros: at most six decimals, or six significant digits below 1. Below 1e-15 it is 0; from 1e15
 * it may have an exponent. Empty for infinity and NaN.
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
 * Replaces hyphens by minus signs, for screens. Not for SMS, which would switch to UCS-2, and not for files, which other programs
 * read.
 */
export function withMinusSign(text: string): string {
  return text.replaceAll('-', '\u2212');
}

export function displayNumber(value: number): string {
  return withMinusSign(plainNumber(value));
}
