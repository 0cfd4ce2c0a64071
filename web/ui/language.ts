/**
 * A browser on a system without a language names one that is none, such as `en-US@posix`, and whoever formats with it throws.
 * The chart library does so while it is loaded, so the console begins with this.
 */
export function usableLanguage(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

if (usableLanguage(navigator.language) !== navigator.language) {
  Object.defineProperty(navigator, 'language', { value: usableLanguage(navigator.language), configurable: true });
}
