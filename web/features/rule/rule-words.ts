import { clearWords } from '../../../domain/rule/limits.ts';
import { priorityName } from '../../../domain/rule/priority.ts';
import { counted, formatNumber } from '../../kit/format/number.ts';
import { formatLimit, withUnit } from '../../ui/formats.ts';

interface Limits {
  valueLower: number | null;
  valueUpper: number | null;
}

/** Describes which values are out of limits: `Below 0.8 m`, `Above 7.1 mm/s`, `Below 2 °C or above 8 °C`. */
export function limitWords({ valueLower, valueUpper }: Limits, unit = '', locale?: string): string {
  const figure = (value: number) => withUnit(formatLimit(value, locale), unit);
  const parts = [
    ...(valueLower === null ? [] : [`below ${figure(valueLower)}`]),
    ...(valueUpper === null ? [] : [`above ${figure(valueUpper)}`]),
  ];
  return parts.length === 0 ? 'No limit' : sentence(parts.join(' or '));
}

/** Formats a debounce: `At once`, `For 30 s`, `For 5 min`, `For 1 h 30 min`. */
export function debounceWords(seconds: number): string {
  if (seconds <= 0) {
    return 'At once';
  }
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const;
  return `For ${parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')}`;
}

interface Version extends Limits {
  clearLower: number | null;
  clearUpper: number | null;
  debounce: number;
  priority: string;
  enabled: boolean;
}

/** Describes one version of a rule: `Above 9 m, for 1 min, clears at 8 m or less, major`. */
export function versionWords(version: Version, unit = '', locale?: string): string {
  const { valueLower: lower, valueUpper: upper, clearLower, clearUpper, debounce, priority, enabled } = version;
  const back = clearWords({ lower, upper, clearLower, clearUpper }, unit, (value) => formatLimit(value, locale));
  return [
    limitWords(version, unit, locale),
    debounceWords(debounce).toLowerCase(),
    ...(back === '' ? [] : [`clears ${back}`]),
    priorityName(priority).toLowerCase(),
    ...(enabled ? [] : ['disabled']),
  ].join(', ');
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Shown instead of an escalation if the rule's alarms do not require acknowledgement. */
export const notEscalated =
  'Not escalated, because this rule does not require acknowledgement. An action of the rule can require it.';

interface RecipientFlags {
  isAlert: boolean;
  isResolve: boolean;
  isHealth: boolean;
}

/**
 * Describes in one sentence when people are notified. Includes only occasions (opens, resolves, silent) for which at
 * least one person is selected.
 */
export function occasionWords(people: readonly RecipientFlags[]): string {
  const opens = people.some(({ isAlert }) => isAlert);
  const occasions = [
    ...(opens ? ['when an alarm opens'] : []),
    ...(people.some(({ isResolve }) => isResolve) ? [`when ${opens ? 'it' : 'an alarm'} resolves`] : []),
    ...(people.some(({ isHealth }) => isHealth) ? ['when the site is silent'] : []),
  ];
  if (occasions.length === 0) return 'Nobody is notified. Select Opens, Resolves or Silent.';
  const list = [occasions.slice(0, -1).join(', '), occasions.at(-1)].filter(Boolean).join(' and ');
  return `Notified ${list}.`;
}

/** Counts recipients in total and by occasion: `3 people, 2 when it resolves, 1 when the site is silent`. */
export function recipientWords(people: readonly RecipientFlags[]): string {
  const opens = people.filter((person) => person.isAlert).length;
  const resolves = people.filter((person) => person.isResolve).length;
  const silent = people.filter((person) => person.isHealth).length;
  if (opens + resolves + silent === 0) {
    return 'Nobody';
  }
  return [
    counted(opens, 'person', 'people'),
    ...(resolves === 0 ? [] : [`${formatNumber(resolves)} when it resolves`]),
    ...(silent === 0 ? [] : [`${formatNumber(silent)} when the site is silent`]),
  ].join(', ');
}
