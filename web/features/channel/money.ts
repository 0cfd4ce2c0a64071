/** What one SMS part costs. */
export interface SmsPrice {
  price: number;
  /** Its three letters, such as EUR. */
  currency: string;
}

/** What so many parts cost, as money: `€0.15`. Small sums keep the figures that a price has. */
export function costOf(parts: number, { price, currency }: SmsPrice, locale?: string): string {
  const sum = parts * price;
  const digits = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    maximumFractionDigits: sum < 1 ? Math.max(digits ?? 2, 4) : (digits ?? 2),
    minimumFractionDigits: digits ?? 2,
  }).format(sum);
}

/** A price as it was typed, with a point or a comma: its number, or null where it is none. */
export function priceOf(text: string): number | null {
  const number = /^\d{1,4}([.,]\d{1,6})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN;
  return number > 0 && number <= 1000 ? number : null;
}
