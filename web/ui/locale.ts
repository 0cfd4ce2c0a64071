let chosen: string | undefined;

/** Returns the user's locale for dates and numbers; undefined for the browser's locale. */
export function currentLocale(): string | undefined {
  return chosen;
}

/** Sets the locale; an empty string means the browser's locale. Rendered texts change only with the next render. */
export function setLocale(locale: string): void {
  chosen = locale === '' || Intl.NumberFormat.supportedLocalesOf(locale).length === 0 ? undefined : locale;
}
