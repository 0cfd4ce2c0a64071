import { exactDuration } from '../../../domain/alarm/exact-duration.ts';
import { clearWords as wordsOfClear } from '../../../domain/rule/limits.ts';
import { formatLimit, withUnit } from '../../ui/formats.ts';
import { formatAge } from '../../ui/time/format.ts';

/** The limits, state or conditions that opened the alarm, as stored when it opened. */
export type Criteria =
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
      /** Values of the data points that met the conditions, as text; empty if not stored. */
      measured: string;
      datapoints: readonly string[];
      /** The rule's JSON at the time the alarm opened; empty if not stored. */
      ruleJson: string;
      /** Value of each data point, keyed by its uuid; empty if not stored. */
      values: Readonly<Record<string, number>>;
      debounce: number;
    }
  | { kind: 'silence'; hours: number };

/** Parses the stored criteria. Returns null for an alarm without criteria, such as one reported by a person. */
export function readCriteria(json: unknown): Criteria | null {
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

/** Returns the lower and upper limit; an empty list for criteria without limits. */
export function limitValues(criteria: Criteria | null): readonly (number | null)[] {
  return criteria?.kind === 'limits' ? [criteria.lower, criteria.upper] : [];
}

/** Returns the condition that raised the alarm as text: `above 4.2 m`, `below 0.8 or above 4.2 m`, `while Tripped`. */
export function limitWords(criteria: Criteria, locale?: string): string {
  switch (criteria.kind) {
    case 'limits': {
      const { lower, upper, unit } = criteria;
      const sides = [
        lower === null ? '' : `below ${formatLimit(lower, locale)}`,
        upper === null ? '' : `above ${formatLimit(upper, locale)}`,
      ];
      return withUnit(sides.filter(Boolean).join(' or '), unit);
    }
    case 'digital':
      return `while ${(criteria.alarmState === 'low' ? criteria.lowText : criteria.highText) || criteria.alarmState}`;
    case 'conditions':
      return criteria.words;
    case 'silence':
      return `no data for ${exactDuration(criteria.hours * 3_600_000)}`;
  }
}

/**
 * Returns the condition that raised the alarm in the past tense, for a value that is back to normal: `was above 4.2 m`,
 * `was Tripped`.
 */
export function pastLimitWords(criteria: Criteria, locale?: string): string {
  return `was ${limitWords(criteria, locale).replace(/^while /, '')}`;
}

/** Returns the limit in short form: `above 4.2`, `outside 0.8 to 4.2`. Empty for states and conditions. */
export function shortLimitWords(criteria: Criteria, locale?: string): string {
  switch (criteria.kind) {
    case 'limits': {
      const { lower, upper } = criteria;
      return lower !== null && upper !== null
        ? `outside ${formatLimit(lower, locale)} to ${formatLimit(upper, locale)}`
        : limitWords({ ...criteria, unit: '' }, locale);
    }
    case 'silence':
      return `silent after ${formatAge(criteria.hours * 3_600_000)}`;
    case 'digital':
    case 'conditions':
      return '';
  }
}

/** Returns the clear limits as text; empty if they are the same as the limits. */
export function clearWords(criteria: Criteria, locale?: string): string {
  if (criteria.kind !== 'limits') {
    return '';
  }
  return wordsOfClear(criteria, criteria.unit, (value) => formatLimit(value, locale));
}

/** Returns the debounce as text; empty if there is none. */
export function debounceWords(criteria: Criteria): string {
  return criteria.kind === 'silence' || criteria.debounce === 0 ? '' : exactDuration(criteria.debounce * 1000);
}
