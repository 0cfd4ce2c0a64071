import { plural } from '../../../domain/plural.ts';
import { writeNumber } from '../../ui/formats.ts';

/** Formats a number for the locale with at most three decimals and a typographic minus sign. */
export function formatNumber(value: number, locale?: string): string {
  return writeNumber(value, locale, { maximumFractionDigits: 3 });
}

/** Returns a count with its noun: `1 site`, `2 sites`. */
export function counted(count: number, one: string, many?: string): string {
  return `${formatNumber(count)} ${plural(count, one, many)}`;
}
