/**
 * Measures the speed and memory of rule evaluation without a database. Uses one core, a million rules with limits and
 * debounces, and readings that rarely change a rule's state. Prints one JSON line. Run nothing else at the same time.
 */
import { availableParallelism, cpus } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileConditions } from '../../domain/rule/conditions.ts';
import { isNewer } from '../../domain/rule/evaluate-reading.ts';
import { type Limits, limitsOf, placeValue } from '../../domain/rule/limits.ts';
import { ruleOfLimits } from '../../domain/rule/replay.ts';
import { simulate } from '../../domain/rule/simulate.ts';
import { type RuleState, step } from '../../domain/rule/step.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const START = Date.UTC(2026, 0, 1);
const rules = Number(process.env.BENCH_RULES ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);

/** A rule as the evaluator stores it. A rule in the normal state has no entry in the map of states. */
interface Watch {
  readonly kind: 'limits';
  readonly uuid: string;
  readonly version: number;
  readonly part: number;
  readonly holdMs: number;
  readonly limits: Limits;
}

/** A channel of a sensor, with or without rules. */
interface Channel {
  watches: Watch[];
  last: number;
}

const NONE: Watch[] = [];

let seed = 1;
function chance(): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}

/** Returns a new string each time, as a database driver does, so that two rules never share a string. */
function uuidOf(index: number): string {
  return Buffer.from(`${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`, 'latin1').toString('latin1');
}

function makeWatch(index: number): Watch {
  const middle = 20 + (index % 60);
  const width = 5 + chance();
  const limits = limitsOf({
    lower: index % 3 === 0 ? null : middle - width,
    upper: index % 3 === 1 ? null : middle + width,
    clearLower: index % 12 === 4 ? middle - width / 2 : null,
    clearUpper: index % 12 === 4 ? middle + width / 2 : null,
  });
  const holdMs = [0, 30, 60, 300][index % 4]! * 1000;
  return { kind: 'limits', uuid: uuidOf(index), version: 1, part: index % 64, holdMs, limits };
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapBytes(): number {
  collect();
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

const EXCURSIONS = 0.0007;

/**
 * Fills in the values of one minute. Most are inside the limits, and some stay outside for several minutes. About one
 * reading in 500 changes a rule's state.
 */
function fillMinute(values: Float64Array, minutesOut: Uint8Array): void {
  for (let index = 0; index < values.length; index += 1) {
    if (minutesOut[index]! > 0) minutesOut[index]! -= 1;
    else if (chance() < EXCURSIONS) minutesOut[index] = 1 + Math.floor(chance() * 15);
    const middle = 20 + (index % 60);
    values[index] = middle + (minutesOut[index]! > 0 ? (index % 3 === 1 ? -9 : 9) : chance() * 4 - 2);
  }
}

/** Evaluates one reading of each channel. Returns the number of state changes. */
function evaluateMinute(
  channels: readonly Channel[],
  states: Map<string, RuleState>,
  values: Float64Array,
  minute: number,
): number {
  let changes = 0;
  for (let index = 0; index < channels.length; index += 1) {
    const channel = channels[index]!;
    // The added milliseconds simulate sensors that send at different times.
    const time = minute + index / 100;
    if (!isNewer(channel.last, time)) continue;
    channel.last = time;
    for (const watch of channel.watches) changes += placeAndStep(watch, states, time, values[index]!);
  }
  return changes;
}

function placeAndStep(watch: Watch, states: Map<string, RuleState>, time: number, value: number): number {
  const { state, transitions } = step(states.get(watch.uuid), watch.holdMs, time, placeValue(watch.limits, value));
  if (transitions.length === 0) return 0;
  if (state) states.set(watch.uuid, state);
  else states.delete(watch.uuid);
  return transitions.length;
}

function measureRules(): Record<string, unknown> {
  const minutesOut = new Uint8Array(rules);
  const values = new Float64Array(rules);
  const channels = Array.from({ length: rules }, (_, index): Channel => ({ watches: NONE, last: START - index / 100 }));
  const before = heapBytes();
  const states = new Map<string, RuleState>();
  for (const [index, channel] of channels.entries()) channel.watches = [makeWatch(index)];

  const seconds: number[] = [];
  let changes = 0;
  for (let round = 1; round <= rounds * 4; round += 1) {
    fillMinute(values, minutesOut);
    const began = performance.now();
    changes += evaluateMinute(channels, states, values, START + round * MINUTE);
    seconds.push((performance.now() - began) / 1000);
  }
  // At this point every rule has evaluated readings, and some rules have a state.
  const bytes = (heapBytes() - before) / rules;
  if (states.size === 0) throw new Error('No rule ever left the normal state.');
  seconds.sort((a, b) => a - b);
  const median = seconds[seconds.length >> 1] as number;
  return {
    rules,
    stepsPerSecond: { value: Math.round(rules / median), target: 'at least 2000000' },
    changingPercent: Math.round((changes / seconds.length / rules) * 10_000) / 100,
    notAtRestPercent: Math.round((states.size / rules) * 10_000) / 100,
    bytesPerRule: { value: Math.round(bytes), target: 'at most 300' },
  };
}

/** Measures the evaluation of a rule with four conditions, some of whose values are missing. */
function measureConditions(): Record<string, unknown> {
  const [level, pump, flow, rain] = [1, 2, 3, 4].map(uuidOf) as [string, string, string, string];
  const conditions = {
    all: [
      { fact: level, operator: 'greaterThan', value: 3.4 },
      {
        any: [
          { fact: pump, operator: 'equal', value: 0 },
          { not: { fact: flow, operator: 'greaterThan', value: 0.5 } },
        ],
      },
      { fact: rain, operator: 'notIn', value: [8, 9] },
    ],
  };
  const compiled = compileConditions(JSON.stringify({ conditions, event: { type: 'alarm' } }));
  if (!compiled.ok) throw new Error(compiled.sentence);
  const latest = new Map([
    [level, 3],
    [pump, 1],
    [rain, 2],
  ]);
  const read = (uuid: string) => latest.get(uuid);
  const asked = 2_000_000;
  let held = 0;
  const began = performance.now();
  for (let index = 0; index < asked; index += 1) {
    latest.set(level, 3 + (index % 100) / 200);
    latest.set(pump, index % 7 === 0 ? 0 : 1);
    if (compiled.rule.holds(read)) held += 1;
  }
  const seconds = (performance.now() - began) / 1000;
  if (held === 0 || held === asked) throw new Error('The conditions never changed.');
  return { conditionsPerSecond: Math.round(asked / seconds), conditionsHeldPercent: Math.round((held / asked) * 100) };
}

function measureSimulation(): Record<string, unknown> {
  const count = 90 * 1440;
  const times = Float64Array.from({ length: count }, (_, minute) => START + minute * MINUTE);
  const values = times.map((_, minute) => 5 + 3 * Math.sin(minute / 230) + chance() * 2 - 1);
  const limits = limitsOf({ lower: 2, upper: 8, clearLower: null, clearUpper: 7.5 });
  const runs: number[] = [];
  let alarms = 0;
  for (let round = 0; round < rounds + 1; round += 1) {
    const began = performance.now();
    const simulated = simulate({
      rule: ruleOfLimits(limits, 5 * MINUTE),
      times,
      values,
      from: START,
      until: START + 90 * DAY,
      pastAlarms: [],
      recipients: [{ openings: true, resolutions: true, addresses: 3 }],
      quietPeriods: [],
    });
    runs.push(performance.now() - began);
    alarms = simulated.alarms.length;
  }
  const [first = 0, ...rest] = runs.map((ms) => Math.round(ms * 10) / 10);
  return {
    simulationOf90Days: { readings: count, alarms, firstMs: first, laterMs: Math.min(...rest), target: 'under 300' },
  };
}

console.log(
  JSON.stringify({
    machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
    node: process.version,
    ...measureSimulation(),
    ...measureConditions(),
    ...measureRules(),
  }),
);
