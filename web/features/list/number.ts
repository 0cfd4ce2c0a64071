import { plural } from '../../../domain/plural.ts';
import { numberFormat } from '../../ui/formats.ts';

/** A number as it is read: at most three decimals, in the locale's own writing, with a true minus. */
export function formatNumber(value: number, locale?: string): string {
  return numberFormat(locale, { maximumFractionDigits: 3 }).format(value).replace('-', '−');
}

/** `1 site`, `2 sites`. */
export function counted(count: number, one: string, many?: string): string {
  return `${formatNumber(count)} ${plural(count, one, many)}`;
}
