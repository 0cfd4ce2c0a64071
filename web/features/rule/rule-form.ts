import { limitText, type MessageFacts, unknownPlaceholderWords } from '../../../domain/alarm/message.ts';
import { alarmMessage, alarmText, includesValue, withSeverity } from '../../../domain/alarm/texts.ts';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import { debounceSentence, isDebounce, limitRefusals } from '../../../domain/rule/limit-refusals.ts';
import { type Priority, priorityName, severityOf } from '../../../domain/rule/priority.ts';
import { smsSegments } from '../../../domain/sms.ts';
import { rowsOf } from '../../kit/list/list.ts';
import type { Option } from '../../kit/record/Picker.tsx';
import { type NumberValue, numberProblem } from '../../ui/number-text.ts';
import { causeOptions } from '../dependency/index.ts';
import type { RuleDatapoint, RuleInput, RuleRecord } from './rule-record.queries.ts';

export type RuleValues = {
  name: string;
  tocsinDatapointUuid: string | null;
  valueLower: NumberValue;
  valueUpper: NumberValue;
  clearLower: NumberValue;
  clearUpper: NumberValue;
  debounce: NumberValue;
  priority: string;
  message: string;
  causes: Option[];
  enabled: boolean;
};

export const ruleLabels: Readonly<Record<keyof RuleValues, string>> = {
  name: 'Name',
  tocsinDatapointUuid: 'Data point',
  valueLower: 'Lower limit',
  valueUpper: 'Upper limit',
  clearLower: 'Clears above',
  clearUpper: 'Clears below',
  debounce: 'Debounce',
  priority: 'Severity',
  message: 'Message',
  causes: 'Depends on',
  enabled: 'Enabled',
};

/** Functions that format stored values as they appear in the form, keyed by field. */
export const ruleWords = { priority: priorityName } as const;

/** Returns the name under which the rule editor stores its unsaved input. */
export function ruleDraftName(uuid: string | undefined): string {
  return `rule ${uuid ?? 'new'}`;
}

export function newRule(datapointUuid: string | null): RuleValues {
  return {
    name: '',
    tocsinDatapointUuid: datapointUuid,
    valueLower: '',
    valueUpper: '',
    clearLower: '',
    clearUpper: '',
    debounce: 0,
    priority: 'medium',
    message: '',
    causes: [],
    enabled: true,
  };
}

export function ruleValues(rule: RuleRecord): RuleValues {
  return {
    name: rule.name,
    tocsinDatapointUuid: rule.tocsinDatapointUuid,
    valueLower: rule.valueLower ?? '',
    valueUpper: rule.valueUpper ?? '',
    clearLower: rule.clearLower ?? '',
    clearUpper: rule.clearUpper ?? '',
    debounce: rule.debounce,
    priority: rule.priority,
    message: rule.message,
    causes: causeOptions(rowsOf(rule.causes)),
    enabled: rule.enabled,
  };
}

/** Parses the input of a number field. Returns null if it is empty or invalid. */
export function numberOf(value: NumberValue): number | null {
  if (value === '' || value === '-') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

export interface DraftLimits {
  valueLower: number | null;
  valueUpper: number | null;
  clearLower: number | null;
  clearUpper: number | null;
  debounce: number;
}

export function limitsIn(values: RuleValues): DraftLimits {
  return {
    valueLower: numberOf(values.valueLower),
    valueUpper: numberOf(values.valueUpper),
    clearLower: numberOf(values.clearLower),
    clearUpper: numberOf(values.clearUpper),
    debounce: numberOf(values.debounce) ?? 0,
  };
}

const LONGEST_MESSAGE = 500;

/**
 * Returns an error message for the debounce; null if it is valid. An empty field is an error and does not count as 0.
 */
export function debounceProblem(debounce: NumberValue): string | null {
  if (debounce === '') return 'Enter the number of seconds, or 0 for no debounce.';
  return isDebounce(numberOf(debounce) ?? -1) ? null : debounceSentence;
}

const formFields = {
  lower: 'valueLower',
  upper: 'valueUpper',
  clearLower: 'clearLower',
  clearUpper: 'clearUpper',
  debounce: 'debounce',
} as const;

/** Returns the error messages for the limits, keyed by field. */
export function limitProblems(limits: DraftLimits): Partial<Record<keyof DraftLimits, string>> {
  const refusals = limitRefusals({ ...limits, lower: limits.valueLower, upper: limits.valueUpper });
  return Object.fromEntries(refusals.map(({ field, sentence }) => [formFields[field], sentence]));
}

const limitFields = ['valueLower', 'valueUpper', 'clearLower', 'clearUpper'] as const;

/**
 * Returns the error messages for the limits and the debounce that the user typed, keyed by field. Checks whether the
 * limits contradict each other only if all numbers are valid.
 */
function typedProblems(values: RuleValues): Partial<Record<keyof DraftLimits, string>> {
  const unfit = limitProblems({ ...limitsIn(values), debounce: 0 });
  const unread = limitFields.flatMap((field) => {
    const problem = numberProblem(values[field]);
    return problem === null ? [] : [[field, problem]];
  });
  const unheld = debounceProblem(values.debounce);
  return {
    ...(unread.length > 0 ? Object.fromEntries(unread) : unfit),
    ...(unheld !== null && { debounce: unheld }),
  };
}

export function ruleProblems(values: RuleValues): Partial<Record<keyof RuleValues, string>> {
  return {
    ...(values.name.trim() === '' && { name: fieldSentences['name-missing'] }),
    ...(!values.tocsinDatapointUuid && { tocsinDatapointUuid: 'Choose the data point.' }),
    ...typedProblems(values),
    ...(values.message.length > LONGEST_MESSAGE && {
      message: `Shorten the message to ${LONGEST_MESSAGE} characters.`,
    }),
  };
}

/** Returns the name of the first invalid limit field with its error message; null if the limits can be saved. */
export function whyRefused(values: RuleValues): string | null {
  const problems = typedProblems(values);
  const field = [...limitFields, 'debounce' as const].find((name) => problems[name] !== undefined);
  return field === undefined ? null : `${ruleLabels[field]}: ${problems[field]}`;
}

/** Returns the limits for a simulation; null if they are invalid. */
export function usableLimits(values: RuleValues): DraftLimits | null {
  return Object.keys(typedProblems(values)).length === 0 ? limitsIn(values) : null;
}

export function ruleInput(values: RuleValues, datapoint: RuleDatapoint): RuleInput {
  return {
    ...limitsIn(values),
    name: values.name.trim(),
    priority: values.priority,
    enabled: values.enabled,
    message: values.message.trim(),
    tocsinDatapointUuid: datapoint.uuid,
    tocsinAssetUuid: datapoint.asset?.uuid ?? '',
    tocsinSiteUuid: datapoint.asset?.site?.uuid ?? '',
  };
}

export interface Preview {
  /** Text of the message; null if no limit is set, because there is then no example value to show. */
  text: string | null;
  units: number;
  segments: number;
  /** Warning about unknown placeholders; empty if there are none. */
  unknown: string;
}

/** Returns the notification text of an alarm of this rule, for a value just beyond a limit. */
export function previewOf(values: RuleValues, datapoint: RuleDatapoint | null, time: Date, timeZone: string): Preview {
  const { valueLower, valueUpper } = limitsIn(values);
  const unit = datapoint?.uom ?? '';
  const facts: MessageFacts = {
    site: datapoint?.asset?.site?.name ?? 'Site',
    asset: datapoint?.asset?.name ?? 'asset',
    datapoint: datapoint?.tocsinDatapointName ?? 'data point',
    value: valueUpper !== null ? beyond(valueUpper, 1) : valueLower !== null ? beyond(valueLower, -1) : null,
    limit: limitText(valueLower, valueUpper, unit),
    unit,
    time,
    timeZone,
  };
  const templates = { rule: values.message, customer: datapoint?.defaultMessage ?? null, name: values.name || 'Alarm' };
  const major = datapoint?.sensorChannel?.channelMajorAlarmStatus ?? false;
  const severity = severityOf(values.priority as Priority, major);
  const words = alarmText(alarmMessage(templates, facts), facts, [], includesValue(templates, facts));
  const text = withSeverity(severity, words);
  const { units, segments } = smsSegments(text);
  const isWhole = facts.value !== null;
  return { text: isWhole ? text : null, units, segments, unknown: unknownPlaceholderWords(values.message) };
}

function beyond(limit: number, direction: 1 | -1): number {
  const step = Math.max(Math.abs(limit) * 0.1, 0.1);
  return Number((limit + direction * step).toPrecision(3));
}
