/** Price of one SMS segment. */
export interface SmsPrice {
  price: number;
  /** ISO 4217 code, such as EUR. */
  currency: string;
}

/** Maximum number of decimals in a price. Rounding costs to this number of decimals removes floating-point errors. */
const PRICE_FIGURES = 6;
/**
 * Maximum number of decimals in sums below 1. With fewer decimals, a few segments at a fraction of a cent would appear
 * as 0.
 */
const SMALL_FIGURES = 4;

export function costOf(segments: number, { price }: Pick<SmsPrice, 'price'>): number {
  return Number((segments * price).toFixed(PRICE_FIGURES));
}

/** Formats the cost of a number of segments. The number of decimals is the same in columns and in sentences. */
export function costWords(segments: number, price: SmsPrice, locale?: string): string {
  return writeMoney(costOf(segments, price), price.currency, locale, columnDecimals(price));
}

/**
 * Returns the number of decimals in a cost column. A cost has at least as many decimals as the price, so that the rows
 * add up to the total. Returns undefined for a currency without decimals.
 */
export function columnDecimals({ price, currency }: SmsPrice): number | undefined {
  const usual = currencyDecimals(currency);
  const own = price.toFixed(PRICE_FIGURES).replace(/0+$/, '').split('.')[1]?.length ?? 0;
  return usual === 0 ? undefined : Math.max(usual, own);
}

/**
 * Formats a sum with its currency: `€0.149`, `¥5,468`. By default, a sum has as many decimals as its currency. A sum
 * below 1 can have up to four.
 */
export function writeMoney(sum: number, currency: string, locale?: string, figures?: number): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...figuresOf(sum, currency, figures) }).format(
    sum,
  );
}

/** Formats an amount without a currency sign, for a column whose heading shows the currency. */
export function writeAmount(sum: number, currency: string, locale?: string, figures?: number): string {
  return new Intl.NumberFormat(locale, figuresOf(sum, currency, figures)).format(sum);
}

/** Formats a price with all its decimals: `¥7.5`, not `¥8`. */
export function writePrice({ price, currency }: SmsPrice, locale?: string): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: currencyDecimals(currency),
    maximumFractionDigits: PRICE_FIGURES,
  }).format(price);
}

function figuresOf(sum: number, currency: string, figures: number | undefined) {
  if (figures !== undefined) return { minimumFractionDigits: figures, maximumFractionDigits: figures };
  const usual = currencyDecimals(currency);
  const small = sum < 1;
  return { minimumFractionDigits: usual, maximumFractionDigits: small ? Math.max(usual, SMALL_FIGURES) : usual };
}

/** Returns the number of decimals for a currency: usually two, none for the yen, three for the Kuwaiti dinar. */
export function currencyDecimals(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

/** Parses a price that a user typed, with a decimal point or comma. Returns null if it is invalid. */
export function parsePrice(text: string): number | null {
  const number = /^\d{1,4}([.,]\d{1,6})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN;
  return number > 0 && number <= 1000 ? number : null;
}
