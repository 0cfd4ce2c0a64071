let chosen: string | undefined;

/** The user's locale for dates and numbers; undefined for the browser's own. */
export function currentLocale(): string | undefined {
  return chosen;
}

/** Empty for the browser's own. Rendered texts change only with the next render. */
export function setLocale(locale: string): void {
  chosen = locale === '' || Intl.NumberFormat.supportedLocalesOf(locale).length === 0 ? undefined : locale;
}
