/** Making a format costs far more than using it, and live pages write hundreds of numbers and times a second. */
const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

export function numberFormat(locale: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(numbers, locale, options, () => new Intl.NumberFormat(locale, options));
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
