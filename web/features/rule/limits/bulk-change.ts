import { priorityName } from '../../../../domain/rule/priority.ts';
import { currentValues } from '../../../kit/format/current-values.ts';
import { formatLimit } from '../../../ui/formats.ts';
import type { NumberValue } from '../../../ui/number-text.ts';
import type { RuleRow } from '../rule.queries.ts';
import { numberOf } from '../rule-form.ts';
import type { RuleChange } from '../rule-record.queries.ts';
import { debounceWords } from '../rule-words.ts';

export const limitFields = ['valueLower', 'valueUpper', 'clearLower', 'clearUpper'] as const;

export type LimitField = (typeof limitFields)[number];

/** Values to set in many rules. If a field is empty, each rule keeps its own value. Null removes a limit. */
export type CommonValues = Record<LimitField, NumberValue | null> & { debounce: NumberValue; priority: string };

export const nothingCommon: CommonValues = {
  priority: '',
  debounce: '',
  valueLower: '',
  valueUpper: '',
  clearLower: '',
  clearUpper: '',
};

/** Returns the change that the filled-in fields describe. */
export function changeIn({ priority, ...numbers }: CommonValues): RuleChange {
  const given = Object.entries(numbers).flatMap(([field, value]) => {
    const number = value === null ? null : numberOf(value);
    return number === null && value !== null ? [] : [[field, number]];
  });
  return { ...(priority !== '' && { priority }), ...Object.fromEntries(given) };
}

/** Returns the current values of a field in these rules as text, most frequent first. */
export function nowOf(rules: readonly RuleRow[], field: LimitField | 'debounce' | 'priority'): string {
  const words = rules.map((rule) => {
    if (field === 'priority') return priorityName(rule.priority).toLowerCase();
    if (field === 'debounce') return debounceWords(rule.debounce).replace(/^For /, '').toLowerCase();
    const limit = rule[field];
    return limit === null ? 'none' : formatLimit(limit);
  });
  return currentValues(words);
}

/**
 * Returns the distinct units of the rules. Setting the same limit in all rules makes sense only if they have one unit.
 */
export function unitsOf(rules: readonly RuleRow[]): string[] {
  return [...new Set(rules.map((rule) => rule.datapoint?.uom ?? ''))].sort();
}

/** Joins the units: `m and °C`. A missing unit becomes `no unit`. */
export function unitWords(units: readonly string[]): string {
  const words = units.map((unit) => (unit === '' ? 'no unit' : unit));
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '');
}
