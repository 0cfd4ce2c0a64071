import { type Operator, operatorNames, operators } from '../../../../domain/rule/conditions-tree.ts';
import { type Priority, priorities } from '../../../../domain/rule/priority.ts';
import { type NumberValue, numberProblem, readNumber } from '../../../ui/number-text.ts';
import { debounceProblem } from '../rule-form.ts';

export interface ComparisonNode {
  kind: 'comparison';
  datapoint: string;
  operator: Operator;
  /** Text that the user typed: one number, or several numbers separated by commas. */
  value: string;
}

export interface GroupNode {
  kind: 'group';
  mode: 'all' | 'any' | 'none';
  parts: ConditionNode[];
}

export type ConditionNode = ComparisonNode | GroupNode;

export interface ConditionDraft {
  conditions: GroupNode;
  message: string;
  priority: Priority;
  /** Debounce in seconds. Invalid text is kept as typed. */
  debounce: NumberValue;
}

export const newComparison: ComparisonNode = { kind: 'comparison', datapoint: '', operator: 'greaterThan', value: '' };

export const newDraft: ConditionDraft = {
  conditions: { kind: 'group', mode: 'all', parts: [newComparison] },
  message: '',
  priority: 'medium',
  debounce: 0,
};

/** Returns the rule as JSON for storage. Includes incomplete conditions, which validation rejects later. */
export function jsonOf({ conditions, message, priority, debounce }: ConditionDraft): string {
  const params = { ...(message !== '' && { message }), priority, debounce };
  return JSON.stringify({ conditions: writeNode(conditions), event: { type: 'alarm', params } }, null, 2);
}

function writeNode(node: ConditionNode): object {
  if (node.kind === 'comparison') {
    return { fact: node.datapoint, operator: node.operator, value: writeValue(node) };
  }
  const parts = node.parts.map(writeNode);
  return node.mode === 'none' ? { not: { any: parts } } : { [node.mode]: parts };
}

function writeValue({ operator, value }: ComparisonNode): unknown {
  return operators[operator].takesList ? value.split(',').map(writeNumber) : writeNumber(value);
}

function writeNumber(text: string): NumberValue | null {
  const number = readNumber(text.trim());
  return number === '' ? null : number;
}

/** Formats a list of numbers for the field of the editor. */
export function listText(text: string): string {
  return textOf(text.split(',').map(writeNumber));
}

const textOf = (list: readonly unknown[]) => list.map((entry) => entry ?? '').join(', ');

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses the JSON of a rule for the editor. Returns null if the editor cannot show the rule. */
export function draftOf(json: string): ConditionDraft | null {
  let rule: unknown;
  try {
    rule = JSON.parse(json);
  } catch {
    return null;
  }
  if (!isObject(rule) || !isObject(rule.event) || rule.event.type !== 'alarm') return null;
  if (Object.keys(rule).some((key) => key !== 'conditions' && key !== 'event')) return null;
  const params = rule.event.params ?? {};
  if (!isObject(params)) return null;
  const { message = '', priority = 'medium', debounce = 0, ...rest } = params;
  const known = priorities.find((name) => name === priority);
  if (!known || typeof message !== 'string' || Object.keys(rest).length > 0) return null;
  if (typeof debounce !== 'number' && typeof debounce !== 'string') return null;
  const conditions = readNode(rule.conditions);
  return conditions?.kind === 'group' ? { conditions, message, priority: known, debounce } : null;
}

function readNode(node: unknown): ConditionNode | null {
  if (!isObject(node)) return null;
  const keys = Object.keys(node);
  if (keys.length === 1 && isObject(node.not) && Object.keys(node.not).length === 1) {
    return readGroup('none', node.not.any);
  }
  if (keys.length === 1 && node.all !== undefined) return readGroup('all', node.all);
  if (keys.length === 1 && node.any !== undefined) return readGroup('any', node.any);
  const operator = operatorNames.find((name) => name === node.operator);
  if (!operator || typeof node.fact !== 'string' || keys.length > 3) return null;
  const value = Array.isArray(node.value) ? textOf(node.value) : (node.value ?? '');
  return { kind: 'comparison', datapoint: node.fact.toLowerCase(), operator, value: String(value) };
}

function readGroup(mode: GroupNode['mode'], list: unknown): GroupNode | null {
  if (!Array.isArray(list)) return null;
  const parts = list.map(readNode);
  return parts.every((part) => part !== null) ? { kind: 'group', mode, parts } : null;
}

/**
 * Returns the error message for the first incomplete field of a rule. Returns null if the rule is complete or the
 * editor cannot show it.
 */
export function gapIn(json: string): string | null {
  const draft = draftOf(json);
  return draft && (gapOf(draft.conditions) ?? debounceProblem(draft.debounce));
}

export const EMPTY_GROUP = 'Add a condition, or remove the empty group.';

function gapOf(node: ConditionNode): string | null {
  if (node.kind === 'group') {
    if (node.parts.length === 0) return EMPTY_GROUP;
    return node.parts.map(gapOf).find((gap) => gap !== null) ?? null;
  }
  const { datapoint, value } = gapsOfComparison(node);
  if (datapoint !== null) return 'Choose the data point of each condition.';
  return value === null ? null : 'Enter the value of each condition.';
}

/** Returns an error message for each field of a comparison that is empty or invalid, and null for each valid field. */
export function gapsOfComparison({
  datapoint,
  operator,
  value,
}: ComparisonNode): Record<'datapoint' | 'value', string | null> {
  const { takesList } = operators[operator];
  const values = takesList ? value.split(',') : [value];
  const wrong = values.some((one) => numberProblem(one) !== null);
  return {
    datapoint: datapoint === '' ? 'Choose the data point.' : null,
    value: values.every((one) => one.trim() === '')
      ? 'Enter a value to compare with.'
      : wrong || values.some((one) => one.trim() === '')
        ? takesList
          ? 'Enter numbers separated by commas, such as 1, 2.5.'
          : numberProblem(value)
        : null,
  };
}

/** Props of a field with its error message and the path by which the form finds the field to focus. */
export interface PlaceOfGap {
  error: string | null;
  'data-path'?: 'ruleJson';
}

/** Returns the props of a field. Its error appears only after an attempt to save. */
export function placeOf(gap: string | null, isAsked: boolean): PlaceOfGap {
  return { error: isAsked ? gap : null, ...(gap !== null && { 'data-path': 'ruleJson' }) };
}
