import { withMinusSign } from '../../domain/alarm/number-text.ts';
import { currentLocale } from './locale.ts';

/** Cache of formats. Creating a format is slow, and live pages format hundreds of numbers and times per second. */
const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

export function numberFormat(locale: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(numbers, locale, options, () => new Intl.NumberFormat(locale ?? currentLocale(), options));
}

/** Numbers with at least this absolute value are written as powers of ten. Only faulty devices send such values. */
const TOO_LONG = 1e12;

/** Numbers with a smaller absolute value are floating-point errors and are written as 0. */
const NOTHING = 1e-15;
/** Minimum number of significant digits of a number below one. */
const FIGURES = 3;

/**
 * Formats a number for the locale with a typographic minus sign. A very large number becomes a power of ten, `3.4e+38`.
 * A small number keeps three significant digits unless the decimals are fixed.
 */
export function writeNumber(value: number, locale: string | undefined, options: Intl.NumberFormatOptions): string {
  const text =
    Math.abs(value) >= TOO_LONG && Number.isFinite(value)
      ? value.toExponential(3).replace(/\.?0+e/, 'e')
      : numberFormat(locale, withFigures(value, options)).format(value);
  return withMinusSign(text);
}

function withFigures(value: number, options: Intl.NumberFormatOptions): Intl.NumberFormatOptions {
  const size = Math.abs(value);
  const { minimumFractionDigits, maximumFractionDigits } = options;
  if (!(size >= NOTHING && size < 1) || minimumFractionDigits !== undefined || maximumFractionDigits === undefined)
    return options;
  const needed = FIGURES - 1 - Math.floor(Math.log10(size));
  return needed <= maximumFractionDigits ? options : { ...options, maximumFractionDigits: needed };
}

/** Joins a number and its unit with a no-break space, which `plainWords` replaces in exported files. */
export function withUnit(number: string, unit: string): string {
  return unit === '' ? number : `${number}\u00a0${unit}`;
}

/** Maximum number of decimals in a limit. */
export const LIMIT_DECIMALS = 6;

/** Formats a limit exactly as it was set. */
export function formatLimit(value: number, locale?: string): string {
  return writeNumber(value, locale, { maximumFractionDigits: LIMIT_DECIMALS });
}

/** Formats a number with all its digits, for checking the value that a device sent. */
export function writeExactly(value: number, locale?: string): string {
  const size = Math.abs(value);
  const isWritten = size === 0 || (size >= 1e-6 && size < 1e15);
  const text = isWritten ? numberFormat(locale, { maximumSignificantDigits: 15 }).format(value) : String(value);
  return withMinusSign(text);
}

export function dateFormat(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, locale, options, () => new Intl.DateTimeFormat(locale ?? currentLocale(), options));
}

function kept<T>(formats: Map<string, T>, locale: string | undefined, options: object, make: () => T): T {
  const name = `${locale ?? currentLocale() ?? ''} ${JSON.stringify(options)}`;
  let format = formats.get(name);
  if (!format) {
    format = make();
    formats.set(name, format);
  }
  return format;
}
