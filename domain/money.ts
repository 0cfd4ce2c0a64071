/** What one SMS part costs. */
export interface SmsPrice {
  price: number;
  /** Its three letters, such as EUR. */
  currency: string;
}

/** A price has six figures after the point at most; what binary fractions add behind them is no money. */
const PRICE_FIGURES = 6;
/** Sums below one keep these, or a few parts at a fraction of a cent would cost nothing. */
const SMALL_FIGURES = 4;

export function costOf(parts: number, { price }: Pick<SmsPrice, 'price'>): number {
  return Number((parts * price).toFixed(PRICE_FIGURES));
}

/** What so many parts cost, in words: in a column and by itself alike, so that a sum reads the same wherever it stands. */
export function costWords(parts: number, price: SmsPrice, locale?: string): string {
  return writeMoney(costOf(parts, price), price.currency, locale, columnDecimals(price));
}

/**
 * How many figures after the point the lines of a column have, so that they add up to their sum: those of the price. A currency
 * without a point has none.
 */
export function columnDecimals({ price, currency }: SmsPrice): number | undefined {
  const usual = currencyDecimals(currency);
  const own = price.toFixed(PRICE_FIGURES).replace(/0+$/, '').split('.')[1]?.length ?? 0;
  return usual === 0 ? undefined : Math.max(usual, own);
}

/** `€0.149`, `¥5,468`: each currency with as many figures as it has. */
export function writeMoney(sum: number, currency: string, locale?: string, figures?: number): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...figuresOf(sum, currency, figures) }).format(
    sum,
  );
}

/** The same without its sign, for a column whose head names the currency. */
export function writeAmount(sum: number, currency: string, locale?: string, figures?: number): string {
  return new Intl.NumberFormat(locale, figuresOf(sum, currency, figures)).format(sum);
}

/** A price with every figure it was given: `¥7.5` is not ¥8. */
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

/** Two of most currencies, none of the yen, three of the Kuwaiti dinar. */
export function currencyDecimals(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

/** A price as it was typed, with a point or a comma: its number, or null where it is none. */
export function parsePrice(text: string): number | null {
  const number = /^\d{1,4}([.,]\d{1,6})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN;
  return number > 0 && number <= 1000 ? number : null;
}
