/** Making a format costs far more than using it, and live pages write hundreds of numbers and times a second. */
const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

export function numberFormat(locale: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(numbers, locale, options, () => new Intl.NumberFormat(locale, options));
}

/** From here on the figures would fill the page; a plant measures nothing so large, but a broken device may say it. */
const TOO_LONG = 1e12;

/** A number in the locale's own writing, with a true minus; a very large one by its power of ten, as in `3.4e+38`. */
export function writeNumber(value: number, locale: string | undefined, options: Intl.NumberFormatOptions): string {
  const text =
    Math.abs(value) >= TOO_LONG && Number.isFinite(value)
      ? value.toExponential(3).replace(/\.?0+e/, 'e')
      : numberFormat(locale, options).format(value);
  return text.replace('-', '\u2212');
}

export function dateFormat(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, locale, options, () => new Intl.DateTimeFormat(locale, options));
}

function kept<T>(formats: Map<string, T>, locale: string | undefined, options: object, make: () => T): T {
  const name = `${locale ?? ''} ${JSON.stringify(options)}`;
  let format = formats.get(name);
  if (!format) {
    format = make();
    formats.set(name, format);
  }
  return format;
}
