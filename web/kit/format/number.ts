import { plural } from '../../../domain/plural.ts';
import { writeNumber } from '../../ui/formats.ts';

/** A number as it is read: at most three decimals, in the locale's own writing, with a true minus. */
export function formatNumber(value: number, locale?: string): string {
  return writeNumber(value, locale, { maximumFractionDigits: 3 });
}

/** `1 site`, `2 sites`. */
export function counted(count: number, one: string, many?: string): string {
  return `${formatNumber(count)} ${plural(count, one, many)}`;
}
