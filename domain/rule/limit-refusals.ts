import type { LimitFields } from './limits.ts';

/** Maximum debounce in seconds: seven days. */
export const LONGEST_DEBOUNCE = 604_800;

/** Maximum absolute value of a limit. Larger limits, infinity and NaN would never open an alarm. */
export const LARGEST_LIMIT = 1e300;

/**
 * The requirements for limits, in the order in which they are checked. The table `tocsin.rule` has a constraint for
 * each requirement.
 */
export type LimitRefusalCode =
  | 'no-limit'
  | 'limit-too-large'
  | 'limit-order'
  | 'clear-lower'
  | 'clear-upper'
  | 'clear-order'
  | 'debounce';

export interface RuleLimits extends LimitFields {
  /** Debounce in seconds. */
  debounce: number;
}

export interface LimitRefusal {
  code: LimitRefusalCode;
  field: keyof RuleLimits;
  sentence: string;
}

export const debounceSentence = `Enter a whole number of seconds from 0 to ${LONGEST_DEBOUNCE} (one week).`;

/**
 * Sentences for callers that know the violated requirement but not the values, for example after a constraint
 * violation.
 */
export const limitSentences: Readonly<Record<LimitRefusalCode, Omit<LimitRefusal, 'code'>>> = {
  'no-limit': { field: 'upper', sentence: 'Enter a lower limit, an upper limit or both.' },
  'limit-too-large': { field: 'upper', sentence: 'Enter a limit from -1e300 to 1e300.' },
  'limit-order': { field: 'upper', sentence: 'The lower limit must be below the upper limit.' },
  'clear-lower': {
    field: 'clearLower',
    sentence: 'The lower clear limit must be between the lower limit and the upper limit.',
  },
  'clear-upper': {
    field: 'clearUpper',
    sentence: 'The upper clear limit must be between the lower limit and the upper limit.',
  },
  'clear-order': {
    field: 'clearUpper',
    sentence: 'The upper clear limit must not be below the lower clear limit.',
  },
  debounce: { field: 'debounce', sentence: debounceSentence },
};

export function isDebounce(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= LONGEST_DEBOUNCE;
}

/**
 * Returns why a rule with these limits cannot be saved, at most one refusal for each field. Empty if the rule can be
 * saved.
 */
export function limitRefusals(limits: RuleLimits): LimitRefusal[] {
  const refusals = [...sizeRefusals(limits), ...orderRefusals(limits)];
  if (!isDebounce(limits.debounce)) refusals.push(refusal('debounce'));
  return refusals.filter(({ field }, index) => refusals.findIndex((other) => other.field === field) === index);
}

function refusal(code: LimitRefusalCode): LimitRefusal {
  return { code, ...limitSentences[code] };
}

function sizeRefusals(limits: RuleLimits): LimitRefusal[] {
  return (['lower', 'upper', 'clearLower', 'clearUpper'] as const)
    .filter((field) => !(Math.abs(limits[field] ?? 0) <= LARGEST_LIMIT))
    .map((field) => ({ ...refusal('limit-too-large'), field }));
}

function orderRefusals({ lower, upper, clearLower, clearUpper }: RuleLimits): LimitRefusal[] {
  const least = lower ?? -LARGEST_LIMIT;
  const most = upper ?? LARGEST_LIMIT;
  const isOutside = (limit: number) => limit < least || limit > most;
  const refusals: LimitRefusal[] = [];
  if (lower === null && upper === null) refusals.push(refusal('no-limit'));
  else if (lower !== null && upper !== null && lower >= upper) refusals.push(refusal('limit-order'));
  if (clearLower !== null && lower === null) {
    refusals.push({ ...refusal('clear-lower'), sentence: 'Enter a lower limit first.' });
  } else if (clearLower !== null && isOutside(clearLower)) {
    const sentence = upper === null ? 'Enter the lower limit or a higher value.' : BETWEEN;
    refusals.push({ ...refusal('clear-lower'), sentence });
  }
  if (clearUpper !== null && upper === null) {
    refusals.push({ ...refusal('clear-upper'), sentence: 'Enter an upper limit first.' });
  } else if (clearUpper !== null && isOutside(clearUpper)) {
    const sentence = lower === null ? 'Enter the upper limit or a lower value.' : BETWEEN;
    refusals.push({ ...refusal('clear-upper'), sentence });
  } else if (clearLower !== null && clearUpper !== null && clearLower > clearUpper) {
    refusals.push(refusal('clear-order'));
  }
  return refusals;
}

const BETWEEN = 'Enter a value between the limits.';
