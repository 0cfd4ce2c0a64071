import { localTime } from '../week.ts';
import { plainNumber } from './number-text.ts';

export interface MessageFacts {
  site: string;
  asset: string;
  datapoint: string;
  value: number | null;
  /** The limits, as formatted by `limitText`. */
  limit: string;
  unit: string;
  time: Date;
  timeZone: string;
}

type Placeholder = 'site' | 'asset' | 'datapoint' | 'value' | 'limit' | 'unit' | 'time';

export const placeholders: readonly { name: Placeholder; description: string }[] = [
  { name: 'site', description: 'The name of the site' },
  { name: 'asset', description: 'The name of the asset' },
  { name: 'datapoint', description: 'The name of the data point' },
  { name: 'value', description: 'The value that opened the alarm' },
  { name: 'limit', description: 'The alarm condition, such as "below 2 or above 8 °C"' },
  { name: 'unit', description: 'The unit of the value' },
  { name: 'time', description: 'The local time of the alarm, such as "2026-11-15 08:20"' },
];

/**
 * Templates that are used if neither the rule nor the customer has a message. They omit the time, because every
 * notification contains it. Repeated alarms therefore have the same message and can be recognised as repeats.
 */
export const defaultTemplate = {
  alarm: '{site}: {asset} {datapoint} is {value} {unit} (alarm {limit})',
  silence: '{site}: no sensor sends data',
} as const;

export const longestMessage = 600;

/**
 * Fills in a template and returns one line. If a fact is empty, the space before its placeholder is also removed.
 * Placeholders inside facts are not expanded. Unknown placeholders stay as written.
 */
export function renderMessage(template: string, facts: MessageFacts): string {
  const text = template.replace(/( ?)\{(\w+)\}/g, (whole, blank: string, name: string) => {
    const fact = factOf(name, facts);
    if (fact === undefined) return whole;
    return fact === '' ? '' : blank + fact;
  });
  return cut(oneLine(text), longestMessage);
}

const ofOneValue = /\{(asset|datapoint|value|limit|unit)\}/g;

/**
 * Returns whether the template has placeholders for a single value. They stay empty for an alarm with several values.
 */
export function hasValuePlaceholder(template: string): boolean {
  return valuePlaceholders(template).length > 0;
}

/** Returns the placeholders that stay empty for an alarm with several values, in order of appearance. */
export function valuePlaceholders(template: string): string[] {
  return [...new Set(template.match(ofOneValue))];
}

/** Returns the unknown placeholders in order of appearance. The database refuses them in new templates. */
export function unknownPlaceholders(template: string): string[] {
  const names = [...template.matchAll(/\{([^{}\s][^{}]*)\}/g)].map((match) => match[1] as string);
  return [...new Set(names.filter((name) => !placeholders.some((placeholder) => placeholder.name === name)))];
}

/** Returns an error text about unknown placeholders; empty if there are none. */
export function unknownPlaceholderWords(template: string): string {
  const unknown = unknownPlaceholders(template).map((name) => `{${name}}`);
  if (unknown.length === 0) return '';
  const known = placeholders.map(({ name }) => `{${name}}`);
  const all = `${known.slice(0, -1).join(', ')} and ${known.at(-1)}`;
  return `${unknown.join(', ')} ${unknown.length === 1 ? 'is not a placeholder' : 'are not placeholders'}. Use ${all}.`;
}

/** Formats the limits: `below 2 or above 8 °C`. Returns an empty text if both limits are null. */
export function limitText(lower: number | null, upper: number | null, unit: string, figure = plainNumber): string {
  const parts = [
    ...(lower === null ? [] : [`below ${figure(lower)}`]),
    ...(upper === null ? [] : [`above ${figure(upper)}`]),
  ];
  return parts.length === 0 ? '' : `${parts.join(' or ')} ${unit}`.trimEnd();
}

function factOf(name: string, facts: MessageFacts): string | undefined {
  switch (name) {
    case 'site':
    case 'asset':
    case 'datapoint':
    case 'limit':
    case 'unit':
      return facts[name];
    case 'value':
      return facts.value === null ? '' : plainNumber(facts.value);
    case 'time':
      return timeText(facts.time, facts.timeZone);
    default:
      return undefined;
  }
}

/**
 * Formats a time as local time. If the time zone is unknown, the function uses UTC and states this in the text, because
 * the notification must still be sent.
 */
export function timeText(time: Date, timeZone: string): string {
  if (Number.isNaN(time.getTime())) return '';
  try {
    return wallClock(time, timeZone);
  } catch {
    return `${wallClock(time, 'UTC')} UTC`;
  }
}

function wallClock(time: Date, timeZone: string): string {
  const { year, month, day, hour, minute } = localTime(time, timeZone);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Truncates text to `most` UTF-16 units, including the ellipsis, without splitting a grapheme. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  // Looks for graphemes only in the part that fits, because segmenting a grapheme with thousands of combining marks is
  // slow.
  for (const { index } of letters.segment(text.slice(0, most + 1))) {
    if (index > most - 1) break;
    end = index;
  }
  return `${text
    .slice(0, end === 0 ? most - 1 : end)
    .trimEnd()
    .toWellFormed()}…`;
}
