import {
  ConditionsRefusal,
  conditionLimits,
  describeValue,
  isObject,
  type JsonObject,
  parseConditions,
  unknownKey,
} from './conditions-parse.ts';
import { comparisonsOf, compileTree, type Tree, type ValueOf } from './conditions-tree.ts';
import { debounceSentence, isDebounce } from './limit-refusals.ts';
import { type Priority, priorities, priorityOf, ruleSeverities } from './priority.ts';

export { conditionLimits };

/** A multi-condition rule, compiled for repeated evaluation. */
export interface CompiledConditions {
  /** Uuids of the rule's data points, unique and in lower case. */
  readonly datapoints: readonly string[];
  readonly holdMs: number;
  readonly priority: Priority;
  /** Message template; empty if the rule has none. */
  readonly message: string;
  /** The parsed conditions, from which texts are composed. */
  readonly tree: Tree;
  /**
   * Returns whether the conditions hold. If a data point has no value, every comparison with it is false, even when
   * negated. A missing value therefore never raises an alarm, not even under `not`. Under `any`, the known values can
   * be sufficient.
   */
  holds(latest: ValueOf): boolean;
}

export type Compilation = { ok: true; rule: CompiledConditions } | { ok: false; sentence: string };

/**
 * Compiles a rule in the JSON format of the json-rules-engine package. A comparison can only compare a data point with
 * numbers.
 * `{ conditions: { all | any | not }, event: { type, params: { message?, priority?, debounce? } } }`
 */
export function compileConditions(ruleJson: string): Compilation {
  if (ruleJson.length > conditionLimits.text) {
    const sentence = `The rule is ${ruleJson.length} characters long. Shorten it to ${conditionLimits.text} characters.`;
    return { ok: false, sentence };
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(ruleJson);
  } catch (error) {
    return { ok: false, sentence: notJson(String(error)) };
  }
  const rule = compile(parsed);
  return rule instanceof ConditionsRefusal ? { ok: false, sentence: rule.sentence } : { ok: true, rule };
}

function notJson(error: string): string {
  const position = /position (\d+)/.exec(error)?.[1];
  const near = position === undefined ? '' : ` near character ${Number(position) + 1}`;
  return `The rule is not valid JSON. Check its brackets, commas and quotes${near}.`;
}

function compile(rule: unknown): CompiledConditions | ConditionsRefusal {
  if (!isObject(rule))
    return new ConditionsRefusal('The rule is not a JSON object. Use an object with "conditions" and "event".');
  const unknown = unknownKey(rule, ['conditions', 'event', 'name', 'priority']);
  if (unknown !== undefined) {
    return new ConditionsRefusal(
      `The rule has ${describeValue(unknown)}, which is not supported. A rule has "conditions" and "event"; message, priority and ` +
        'debounce of the alarm go into event.params.',
    );
  }
  // The json-rules-engine package orders rules by this number. It is not the priority of the alarm.
  if (rule.priority !== undefined && typeof rule.priority !== 'number') {
    return new ConditionsRefusal(
      `priority is ${describeValue(rule.priority)}. Put the alarm's priority into event.params.priority.`,
    );
  }
  const tree = parseConditions(rule.conditions);
  if (tree instanceof ConditionsRefusal) return tree;
  const event = parseEvent(rule.event);
  if (event instanceof ConditionsRefusal) return event;
  const datapoints = [...new Set(comparisonsOf(tree).map(({ datapoint }) => datapoint))];
  return { datapoints, ...event, tree, holds: compileTree(tree) };
}

type EventFacts = Pick<CompiledConditions, 'holdMs' | 'priority' | 'message'>;

function parseEvent(event: unknown): EventFacts | ConditionsRefusal {
  if (!isObject(event))
    return new ConditionsRefusal(`event is ${describeValue(event)}. Use an object such as {"type": "alarm"}.`);
  if (typeof event.type !== 'string' || event.type === '') {
    return new ConditionsRefusal(`event.type is ${describeValue(event.type)}. Use a word such as "alarm".`);
  }
  const unknown = unknownKey(event, ['type', 'params']);
  if (unknown !== undefined) {
    return new ConditionsRefusal(`event has ${describeValue(unknown)}. It can have only "type" and "params".`);
  }
  const params = event.params ?? {};
  return isObject(params)
    ? parseParams(params)
    : new ConditionsRefusal(`event.params is ${describeValue(params)}. Use an object.`);
}

const longestMessage = 500;

function parseParams(params: JsonObject): EventFacts | ConditionsRefusal {
  const unknown = unknownKey(params, ['message', 'priority', 'debounce', 'severity']);
  if (unknown !== undefined) {
    return new ConditionsRefusal(
      `event.params has ${describeValue(unknown)}. It can have only "message", "priority" and "debounce".`,
    );
  }
  const { message = '', debounce = 0 } = params;
  if (typeof message !== 'string' || message.length > longestMessage) {
    const instead = typeof message === 'string' ? `${message.length} characters long` : describeValue(message);
    return new ConditionsRefusal(
      `event.params.message is ${instead}. Use a text of at most ${longestMessage} characters.`,
    );
  }
  if (typeof debounce !== 'number' || !isDebounce(debounce)) {
    return new ConditionsRefusal(`event.params.debounce is ${describeValue(debounce)}. ${debounceSentence}`);
  }
  const priority = parsePriority(params);
  return priority instanceof ConditionsRefusal ? priority : { holdMs: debounce * 1000, priority, message };
}

/** Reads the priority of a rule from its key `priority` or `severity`. The default is medium. */
function parsePriority({ priority, severity }: JsonObject): Priority | ConditionsRefusal {
  if (priority !== undefined) {
    const known = priorities.find((name) => name === priority);
    return (
      known ??
      new ConditionsRefusal(`event.params.priority is ${describeValue(priority)}. Use one of ${priorities.join(', ')}.`)
    );
  }
  if (severity === undefined) return 'medium';
  const known = ruleSeverities.find((name) => name === severity);
  if (known) return priorityOf(known);
  return new ConditionsRefusal(
    `event.params.severity is ${describeValue(severity)}. Use priority: one of ${priorities.join(', ')}.`,
  );
}
