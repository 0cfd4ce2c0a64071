import { quoted } from '../frame/text.ts';
import { type Comparison, type Group, type Operator, operatorNames, operators, type Tree } from './conditions-tree.ts';

export const conditionLimits = { comparisons: 50, depth: 8, text: 65_536 } as const;

/** The reason why a rule is invalid. The sentence states the position in the JSON and how to correct the rule. */
export class ConditionsRefusal {
  readonly sentence: string;
  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes a wrong value for an error sentence. */
export function describeValue(value: unknown): string {
  return value === undefined ? 'missing' : value === null ? 'null' : quoted(value);
}

/** Returns the first unknown key, which would otherwise be ignored silently. */
export function unknownKey(object: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(object).find((key) => !known.includes(key));
}

interface Place {
  /** Path for error sentences, such as `conditions.all[1]`. */
  where: string;
  depth: number;
  negated: boolean;
}

const groupKeys = ['all', 'any', 'not'] as const;
/**
 * In the json-rules-engine package, `priority` and `name` only order and label conditions. They do not change the
 * result.
 */
const labels = ['priority', 'name'];

export function parseConditions(conditions: unknown): Tree | ConditionsRefusal {
  if (!isObject(conditions)) {
    return new ConditionsRefusal(
      `conditions is ${describeValue(conditions)}. Use an object with "all", "any" or "not".`,
    );
  }
  if (!groupKeys.some((key) => Object.hasOwn(conditions, key))) {
    return new ConditionsRefusal('conditions has no "all", "any" or "not". Put the comparisons into "all" or "any".');
  }
  return parsePart(conditions, { where: 'conditions', depth: 1, negated: false }, { comparisons: 0 });
}

function parsePart(part: unknown, place: Place, count: { comparisons: number }): Tree | ConditionsRefusal {
  const { where, depth, negated } = place;
  if (!isObject(part)) {
    return new ConditionsRefusal(
      `${where} is ${describeValue(part)}. Use a comparison, or an object with "all", "any" or "not".`,
    );
  }
  const keys = groupKeys.filter((key) => Object.hasOwn(part, key));
  const [key] = keys;
  if (key === undefined) {
    count.comparisons += 1;
    if (count.comparisons > conditionLimits.comparisons) {
      return new ConditionsRefusal(
        `The rule has more than ${conditionLimits.comparisons} comparisons. Split it into several rules.`,
      );
    }
    return parseComparison(part, place);
  }
  if (depth > conditionLimits.depth) {
    return new ConditionsRefusal(
      `${where} is nested more than ${conditionLimits.depth} levels deep. Make the conditions flatter.`,
    );
  }
  if (keys.length > 1) {
    return new ConditionsRefusal(`${where} has both "${keys[0]}" and "${keys[1]}". Put one inside the other.`);
  }
  const unknown = unknownKey(part, [key, ...labels]);
  if (unknown !== undefined) {
    return new ConditionsRefusal(`${where} has the unknown key ${quoted(unknown)} beside "${key}". Remove it.`);
  }
  if (key === 'not') {
    return parsePart(part.not, { where: `${where}.not`, depth: depth + 1, negated: !negated }, count);
  }
  const list = part[key];
  if (!Array.isArray(list) || list.length === 0) {
    return new ConditionsRefusal(
      `${where}.${key} is ${Array.isArray(list) ? 'empty' : describeValue(list)}. Use a list of conditions.`,
    );
  }
  const parts: Tree[] = [];
  for (const [index, entry] of list.entries()) {
    const inner = parsePart(entry, { where: `${where}.${key}[${index}]`, depth: depth + 1, negated }, count);
    if (inner instanceof ConditionsRefusal) return inner;
    parts.push(inner);
  }
  // De Morgan's laws: a negated `all` becomes `any` of the negated parts, and a negated `any` becomes `all`.
  const kind: Group['kind'] = (key === 'all') === negated ? 'any' : 'all';
  return { kind, parts };
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function parseComparison(part: JsonObject, { where, negated }: Place): Comparison | ConditionsRefusal {
  const unknown = unknownKey(part, ['fact', 'operator', 'value', ...labels]);
  if (unknown !== undefined) {
    return new ConditionsRefusal(
      `${where} has ${quoted(unknown)}. A comparison can have only "fact", "operator" and "value".`,
    );
  }
  const { fact, operator } = part;
  if (typeof fact !== 'string' || !uuidForm.test(fact)) {
    return new ConditionsRefusal(`${where}.fact is ${describeValue(fact)}. Use the uuid of a data point.`);
  }
  if (!isOperator(operator)) {
    return new ConditionsRefusal(
      `${where}.operator is ${describeValue(operator)}. Use one of ${operatorNames.join(', ')}.`,
    );
  }
  const values = parseValues(part.value, operator, `${where}.value`);
  if (values instanceof ConditionsRefusal) return values;
  const effective = negated ? operators[operator].opposite : operator;
  return { kind: 'comparison', datapoint: fact.toLowerCase(), operator: effective, values };
}

function isOperator(operator: unknown): operator is Operator {
  return operatorNames.some((name) => name === operator);
}

function parseValues(value: unknown, operator: Operator, where: string): readonly number[] | ConditionsRefusal {
  if (!operators[operator].takesList) {
    if (isNumber(value)) return [value];
    if (typeof value === 'boolean') {
      return new ConditionsRefusal(`${where} is ${value}. Readings are numbers: write 1 for on and 0 for off.`);
    }
    if (isObject(value) && Object.hasOwn(value, 'fact')) {
      return new ConditionsRefusal(
        `${where} is another data point. Use a number, because two data points cannot be compared.`,
      );
    }
    return new ConditionsRefusal(`${where} is ${describeValue(value)}. Use a number.`);
  }
  if (!Array.isArray(value) || value.length === 0) {
    const instead = Array.isArray(value) ? 'empty' : describeValue(value);
    return new ConditionsRefusal(`${where} is ${instead}. Use a list of numbers for "${operator}", such as [1, 2].`);
  }
  const wrong = value.findIndex((entry) => !isNumber(entry));
  return wrong < 0
    ? value
    : new ConditionsRefusal(`${where}[${wrong}] is ${describeValue(value[wrong])}. Use a number.`);
}

/** Returns whether the value is a finite number. JSON numbers such as 1e999 overflow to infinity. */
function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
