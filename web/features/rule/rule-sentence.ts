import { clearWords } from '../../../domain/rule/limits.ts';
import { formatLimit, withUnit } from '../../ui/formats.ts';
import { type DraftLimits, limitsIn, type RuleValues, whyRefused } from './rule-form.ts';

/** Description of a rule in three parts. The interface emphasizes the middle part. */
export interface RuleSentence {
  before: string;
  condition: string;
  after: string;
}

/**
 * Describes a rule: `Opens when Level stays` `above 100 °C for 5 minutes` `, and resolves automatically after 5 minutes
 * within limits.` For a disabled rule, states that the rule is disabled, and uses `would open`. Returns null if no
 * limit is set.
 */
export function ruleSentence(
  name: string,
  limits: DraftLimits & { enabled: boolean },
  unit: string,
  locale?: string,
): RuleSentence | null {
  const { valueLower, valueUpper, clearLower, clearUpper, debounce } = limits;
  const figure = (value: number) => withUnit(formatLimit(value, locale), unit);
  const out = [
    ...(valueLower === null ? [] : [`below ${figure(valueLower)}`]),
    ...(valueUpper === null ? [] : [`above ${figure(valueUpper)}`]),
  ];
  if (out.length === 0) return null;
  const fields = { lower: valueLower, upper: valueUpper, clearLower, clearUpper };
  const back = clearWords(fields, unit, (value) => formatLimit(value, locale)) || 'within limits';
  const held = durationWords(debounce);
  const subject = name === '' ? 'the value' : name;
  const opens = limits.enabled ? 'Opens' : 'The rule is disabled. It would open';
  const resolves = limits.enabled ? 'resolves' : 'resolve';
  return held === ''
    ? {
        before: `${opens} as soon as ${subject} is `,
        condition: out.join(' or '),
        after: `, and ${resolves} automatically as soon as it is ${back}.`,
      }
    : {
        before: `${opens} when ${subject} stays `,
        condition: `${out.join(' or ')} for ${held}`,
        after: `, and ${resolves} automatically after ${held} ${back}.`,
      };
}

/** Describes the rule that a form edits, or explains which entry is missing or invalid. */
export function ruleSummary(name: string, values: RuleValues, unit: string, locale?: string): RuleSentence {
  const only = (words: string) => ({ before: words, condition: '', after: '' });
  const isWithout = values.valueLower === '' && values.valueUpper === '';
  const refused = isWithout ? null : whyRefused(values);
  if (refused !== null) return only(refused);
  const sentence = ruleSentence(name, { ...limitsIn(values), enabled: values.enabled }, unit, locale);
  return sentence ?? only('Set at least one limit.');
}

/** Formats a duration: `5 minutes`, `1 hour 30 minutes`; empty for 0. */
export function durationWords(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor((seconds % 86_400) / 3600), 'hour'],
    [Math.floor((seconds % 3600) / 60), 'minute'],
    [Math.floor(seconds % 60), 'second'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ');
}
