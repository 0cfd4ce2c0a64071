let chosen: string | undefined;

/** The locale that the person chose for dates and numbers; undefined for the browser's own. */
export function currentLocale(): string | undefined {
  return chosen;
}

/** Empty for the browser's own. What is drawn already keeps its writing until it is drawn again. */
export function setLocale(locale: string): void {
  chosen = locale === '' || Intl.NumberFormat.supportedLocalesOf(locale).length === 0 ? undefined : locale;
}
