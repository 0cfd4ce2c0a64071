import { exactDuration } from '../../../domain/alarm/exact-duration.ts';
import { clearWords as wordsOfClear } from '../../../domain/rule/limits.ts';
import { formatLimit, withUnit } from '../../ui/formats.ts';
import { formatAge } from '../../ui/time/format.ts';

/** What an alarm was judged by, as it was frozen when it opened. */
export type JudgedBy =
  | {
      kind: 'limits';
      version: number | null;
      lower: number | null;
      upper: number | null;
      clearLower: number | null;
      clearUpper: number | null;
      debounce: number;
      unit: string;
    }
  | { kind: 'digital'; alarmState: 'low' | 'high'; lowText: string; highText: string; debounce: number }
  | {
      kind: 'conditions';
      version: number | null;
      words: string;
      /** What the data points by which they held were; empty in records from before it was kept. */
      measured: string;
      datapoints: readonly string[];
      /** The rule as it was; empty in records from before it was kept. */
      ruleJson: string;
      /** What each data point was, by its uuid; none in records from before it was kept. */
      values: Readonly<Record<string, number>>;
      debounce: number;
    }
  | { kind: 'silence'; hours: number };

/** Reads the record of the server; null where an alarm has none, because a person reported it or it is older than the record. */
export function readJudgedBy(json: unknown): JudgedBy | null {
  if (typeof json !== 'object' || json === null) {
    return null;
  }
  const record = json as Record<string, unknown>;
  const number = (name: string) => (typeof record[name] === 'number' ? record[name] : null);
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : '');
  const debounce = number('debounce') ?? 0;
  const version = number('version');
  switch (record.kind) {
    case 'limits':
      return {
        kind: 'limits',
        version,
        lower: number('lower'),
        upper: number('upper'),
        clearLower: number('clearLower'),
        clearUpper: number('clearUpper'),
        debounce,
        unit: text('unit'),
      };
    case 'digital':
      return {
        kind: 'digital',
        alarmState: record.alarmState === 'low' ? 'low' : 'high',
        lowText: text('lowText'),
        highText: text('highText'),
        debounce,
      };
    case 'conditions':
      return {
        kind: 'conditions',
        version,
        words: text('words'),
        measured: text('measured'),
        datapoints: Array.isArray(record.datapoints)
          ? record.datapoints.filter((datapoint) => typeof datapoint === 'string')
          : [],
        ruleJson: text('ruleJson'),
        values: numbersOf(record.values),
        debounce,
      };
    case 'silence':
      return { kind: 'silence', hours: number('hours') ?? 0 };
    default:
      return null;
  }
}

function numbersOf(json: unknown): Record<string, number> {
  const entries = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'number'));
}

/** What its value is compared with. */
export function limitsIn(judged: JudgedBy | null): readonly (number | null)[] {
  return judged?.kind === 'limits' ? [judged.lower, judged.upper] : [];
}

/** When it is an alarm: `above 4.2 m`, `below 0.8 or above 4.2 m`, `while Tripped`. */
export function limitWords(judged: JudgedBy, locale?: string): string {
  switch (judged.kind) {
    case 'limits': {
      const { lower, upper, unit } = judged;
      const sides = [
        lower === null ? '' : `below ${formatLimit(lower, locale)}`,
        upper === null ? '' : `above ${formatLimit(upper, locale)}`,
      ];
      return withUnit(sides.filter(Boolean).join(' or '), unit);
    }
    case 'digital':
      return `while ${(judged.alarmState === 'low' ? judged.lowText : judged.highText) || judged.alarmState}`;
    case 'conditions':
      return judged.words;
    case 'silence':
      return `nothing heard for ${exactDuration(judged.hours * 3_600_000)}`;
  }
}

/** The same beside a value that is back: `was above 4.2 m`, `was Tripped`. */
export function limitWordsOfBack(judged: JudgedBy, locale?: string): string {
  return `was ${limitWords(judged, locale).replace(/^while /, '')}`;
}

/** The same where there is little room and the value stands beside it: `above 4.2`, `outside 0.8 to 4.2`. Empty where the value says it all. */
export function limitInShort(judged: JudgedBy, locale?: string): string {
  switch (judged.kind) {
    case 'limits': {
      const { lower, upper } = judged;
      return lower !== null && upper !== null
        ? `outside ${formatLimit(lower, locale)} to ${formatLimit(upper, locale)}`
        : limitWords({ ...judged, unit: '' }, locale);
    }
    case 'silence':
      return `silent after ${formatAge(judged.hours * 3_600_000)}`;
    case 'digital':
    case 'conditions':
      return '';
  }
}

/** From where on it counts as over, where that differs from the limits; empty where it does not. */
export function clearWords(judged: JudgedBy, locale?: string): string {
  if (judged.kind !== 'limits') {
    return '';
  }
  return wordsOfClear(judged, judged.unit, (value) => formatLimit(value, locale));
}

/** How long it had to last; empty where no time was asked for. */
export function debounceWords(judged: JudgedBy): string {
  return judged.kind === 'silence' || judged.debounce === 0 ? '' : exactDuration(judged.debounce * 1000);
}
