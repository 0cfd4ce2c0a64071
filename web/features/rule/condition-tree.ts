import { type Operator, operatorNames, operators } from '../../../domain/rule/conditions-tree.ts';
import { type Priority, priorities } from '../../../domain/rule/priority.ts';
import type { NumberValue } from '../../ui/number-text.ts';
import { debounceProblem } from './rule-form.ts';

export interface ComparisonNode {
  kind: 'comparison';
  datapoint: string;
  operator: Operator;
  /** As typed: one number, or several with commas. */
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
  /** What is no number yet stays as it was typed. */
  debounce: NumberValue;
}

export const newComparison: ComparisonNode = { kind: 'comparison', datapoint: '', operator: 'greaterThan', value: '' };

export const newDraft: ConditionDraft = {
  conditions: { kind: 'group', mode: 'all', parts: [newComparison] },
  message: '',
  priority: 'medium',
  debounce: 0,
};

/** The rule as it is stored. What is not complete yet is written too, and refused with a sentence. */
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
  const number = (text: string) =>
    text.trim() === '' ? null : Number.isNaN(Number(text)) ? text.trim() : Number(text);
  return operators[operator].takesList ? value.split(',').map(number) : number(value);
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rule as the editor shows it; null where it says something the editor has no place for. */
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
  const value = Array.isArray(node.value) ? node.value.map((entry) => entry ?? '').join(', ') : (node.value ?? '');
  return { kind: 'comparison', datapoint: node.fact.toLowerCase(), operator, value: String(value) };
}

function readGroup(mode: GroupNode['mode'], list: unknown): GroupNode | null {
  if (!Array.isArray(list)) return null;
  const parts = list.map(readNode);
  return parts.every((part) => part !== null) ? { kind: 'group', mode, parts } : null;
}

/** What is still missing in a rule that the editor shows, in its own terms; null where nothing is, or the editor cannot tell. */
export function gapIn(json: string): string | null {
  const draft = draftOf(json);
  return draft && (gapOf(draft.conditions) ?? debounceProblem(draft.debounce));
}

function gapOf(node: ConditionNode): string | null {
  if (node.kind === 'group') {
    if (node.parts.length === 0) return 'Add a condition, or remove the empty group.';
    return node.parts.map(gapOf).find((gap) => gap !== null) ?? null;
  }
  if (node.datapoint === '') return 'Choose the data point of each condition.';
  const values = operators[node.operator].takesList ? node.value.split(',') : [node.value];
  return values.some((value) => value.trim() === '' || Number.isNaN(Number(value)))
    ? 'Give each condition a number to compare with.'
    : null;
}
