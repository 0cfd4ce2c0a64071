import { type Scaling, scale } from '../frame/scale.ts';
import { comparisonsOf, compileTree, type Tree, type ValueOf } from './conditions-tree.ts';
import { limitsOf, placeState, placeValue } from './limits.ts';
import { isOutside } from './replay.ts';

/** A rule that evaluates the readings of a channel. The debounce is in seconds. */
export type ChannelRule = { name: string; debounce: number } & (
  | { kind: 'limits'; lower: number | null; upper: number | null }
  /** The alarm state of a digital channel. */
  | { kind: 'state'; alarmCondition: number }
  /** `datapoints` are the data points of the channel; `latest` returns the values of all other data points. */
  | { kind: 'conditions'; tree: Tree; datapoints: readonly string[]; latest: ValueOf }
);

export interface TestedChannel {
  number: number;
  scaling: Scaling;
  isDigital: boolean;
  /** The enabled rules of the channel. */
  rules: readonly ChannelRule[];
}

/** A proposed value that opens an alarm. */
export interface TestValue {
  channel: number;
  /** The value as the device sends it. */
  raw: number;
  /** The value after factor, offset and decimals. */
  value: number;
  /** All rules of the channel that the value violates. The rule for which the value was chosen comes first. */
  breaks: readonly ChannelRule[];
}

/**
 * Proposes a value that violates a rule of these channels; undefined if no single value violates a rule. The preferred
 * rule is tried first, then the rule with the shortest debounce.
 */
export function testValueFor(channels: readonly TestedChannel[], preferred?: string): TestValue | undefined {
  const candidates = channels
    .flatMap((channel) => channel.rules.map((rule) => ({ channel, rule })))
    .sort(
      ({ rule: one }, { rule: other }) =>
        Number(other.name === preferred) - Number(one.name === preferred) || one.debounce - other.debounce,
    );
  for (const { channel, rule } of candidates) {
    const raw = rawValuesFor(rule, channel).find((sent) => breaksRule(rule, storedValue(sent, channel)));
    if (raw === undefined) continue;
    const value = storedValue(raw, channel);
    const others = channel.rules.filter((other) => other !== rule && breaksRule(other, value));
    return { channel: channel.number, raw, value, breaks: [rule, ...others] };
  }
  return undefined;
}

/** Returns whether the value starts an alarm of this rule. NaN violates no rule. */
export function breaksRule(rule: ChannelRule, value: number): boolean {
  if (Number.isNaN(value)) return false;
  switch (rule.kind) {
    case 'limits':
      return isOutside(placeValue(limitsOf({ ...rule, clearLower: null, clearUpper: null }), value));
    case 'state':
      return isOutside(placeState(rule.alarmCondition, value));
    case 'conditions':
      return compileTree(rule.tree)((uuid) => (rule.datapoints.includes(uuid) ? value : rule.latest(uuid)));
  }
}

/** Returns the value after scaling; NaN if the server would refuse the reading. */
function storedValue(raw: number, { scaling }: TestedChannel): number {
  return scale(raw, scaling) ?? Number.NaN;
}

const PRECISIONS = [6, 9, 12, 17];

/** Returns raw values that may violate the rule. Short numbers come first, because a person reads and types them. */
function rawValuesFor(rule: ChannelRule, { scaling: { factor, offset }, isDigital }: TestedChannel): number[] {
  if (isDigital) return [1, 0];
  return valuesFor(rule).flatMap((value) =>
    PRECISIONS.map((digits) => Number(((value - offset) / factor).toPrecision(digits))),
  );
}

function valuesFor(rule: ChannelRule): number[] {
  switch (rule.kind) {
    case 'limits':
      return [...(rule.upper === null ? [] : above(rule.upper)), ...(rule.lower === null ? [] : below(rule.lower))];
    case 'state':
      return [1, 0];
    case 'conditions': {
      const own = comparisonsOf(rule.tree).filter(({ datapoint }) => rule.datapoints.includes(datapoint));
      const bounds = [...new Set(own.flatMap(({ values }) => values))].sort((one, other) => one - other);
      // Every comparison has the same result for all values between two neighbouring bounds, so one value from each gap
      // is enough.
      const between = bounds.slice(1).map((bound, index) => (bound + (bounds[index] ?? bound)) / 2);
      return [...above(bounds.at(-1) ?? 0), ...below(bounds[0] ?? 0), ...between, ...bounds];
    }
  }
}

/**
 * Returns two values above a limit. The first value exceeds the limit by a tenth of the limit, but at least by 1. The
 * second value is closer, in case the first value is too large to store.
 */
function above(limit: number): number[] {
  const margin = Math.max(1, Math.abs(limit) / 10);
  return [limit + margin, limit + margin / 1000];
}

function below(limit: number): number[] {
  const margin = Math.max(1, Math.abs(limit) / 10);
  return [limit - margin, limit - margin / 1000];
}
