import { currentLocale } from './locale.ts';

/**
 * Returns the language in canonical form, or `en` for an invalid one such as `en-US@posix`, for which Intl throws. This
 * module must load before uPlot, because uPlot creates formats while loading.
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

/**
 * Makes Intl formats that are created without a locale use the locale chosen by the user. A page cannot set the
 * browser's default locale, so this function replaces the constructors.
 */
function followChoice<F extends typeof Intl.NumberFormat | typeof Intl.DateTimeFormat>(format: F): F {
  const withLocale = (args: unknown[]) => [args[0] ?? currentLocale(), ...args.slice(1)];
  return new Proxy(format, {
    construct: (target, args, newTarget) => Reflect.construct(target, withLocale(args), newTarget),
    apply: (target, self, args) => Reflect.apply(target, self, withLocale(args)),
  });
}

Intl.NumberFormat = followChoice(Intl.NumberFormat);
Intl.DateTimeFormat = followChoice(Intl.DateTimeFormat);
const writeNumber = Number.prototype.toLocaleString;
Number.prototype.toLocaleString = function (this: number, locale, options) {
  return writeNumber.call(this, locale ?? currentLocale(), options);
};
for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const) {
  const writeDate = Date.prototype[name];
  Date.prototype[name] = function (this: Date, locale?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) {
    return writeDate.call(this, locale ?? currentLocale(), options);
  };
}
