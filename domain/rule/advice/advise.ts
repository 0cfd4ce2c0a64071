import type { RuleLimits } from '../limit-refusals.ts';
import { limitsOf } from '../limits.ts';
import { type ReplayedAlarm, type ReplayRule, replay, ruleOfLimits } from '../replay.ts';
import { compareOutcome, type Expectation, type Expected, expectationOf, type Outcome } from './outcome.ts';
import { type AlarmClass, FEWEST_NUISANCE, inOrder, type PastAlarm } from './past-alarm.ts';
import { type Positions, positionsOf, runsOf } from './runs.ts';
import { countLeading } from './search.ts';
import { longestDebounce, type NuisanceShape, settingsKey, settingsToTry } from './settings.ts';

export interface AdviceInput {
  /** Current settings of the rule. */
  settings: RuleLimits;
  /**
   * Times and values of the readings, in chronological order. Readings before `from` only set the initial state of the
   * rule.
   */
  times: ArrayLike<number>;
  values: ArrayLike<number>;
  from: number;
  until: number;
  /** Recorded alarms of the rule that opened in the range, in any order. */
  alarms: readonly PastAlarm[];
}

/** The result of replaying the stored readings with some settings. */
export interface Trial extends Outcome {
  settings: RuleLimits;
  /** Number of replayed alarms that open in the range. */
  alarms: number;
  /** Total time within the range during which a replayed alarm is open. */
  openMs: number;
  /**
   * True if the settings miss no real alarm that the present settings open, delay none much longer, and keep no alarm
   * open much longer.
   */
  isSafe: boolean;
}

export interface ShownTrial extends Trial {
  /** Opening times of the replayed alarms in the range, in ascending order. */
  openings: readonly number[];
}

export type AdviceBecause =
  | 'proposal'
  | 'no-better'
  | 'no-alarms'
  | 'no-acknowledgements'
  | 'no-nuisance'
  | 'few-nuisance'
  | 'few-readings';

export interface Advice {
  because: AdviceBecause;
  /** Start of the replay: `from`, or the first stored reading if that is later. */
  from: number;
  readings: number;
  /** For each class, the number of recorded alarms that have opened since the start of the replay. */
  counts: Readonly<Record<AlarmClass, number>>;
  present: ShownTrial;
  proposal: ShownTrial | undefined;
  /**
   * The best settings that were tried, each with a different result. Safe settings come first. Includes the proposal,
   * but not the present settings.
   */
  best: readonly ShownTrial[];
  /** Number of settings tried, including the present ones. */
  tried: number;
  /** False if the readings change too often to try all settings. */
  isComplete: boolean;
}

/** Minimum number of readings; with fewer, the advice draws no conclusion. */
export const FEWEST_READINGS = 100;
const BEST_SAFE = 4;
const BEST_OTHERS = 2;
/** Settings count as equally good if they avoid at most this share fewer nuisance alarms than the best settings. */
const EQUAL_SHARE = 0.02;
/**
 * Settings are unsafe if alarms are open for more than OPEN_FACTOR times as long as with the present settings, plus
 * OPEN_SHARE of the range. An alarm that is open for too long hides later events.
 */
const OPEN_FACTOR = 2;
const OPEN_SHARE = 0.01;
/**
 * Maximum number of positions to evaluate and alarms to compare, which is about a second of work. After that, no
 * further settings are tried.
 */
const MOST_STEPS = 4_000_000;

/** Finds settings that avoid nuisance alarms without missing a real alarm, by replaying the stored readings. */
export function advise(input: AdviceInput): Advice {
  const steps = adviseInSteps(input);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Like `advise`, but yields after each short step, so that the caller can do other work in between. */
export function* adviseInSteps(input: AdviceInput): Generator<undefined, Advice, void> {
  const { settings, times, values, until } = input;
  const first = countLeading(times.length, (index) => (times[index] as number) < input.from);
  const from = Math.max(input.from, times[first] ?? input.until);
  const alarms = inOrder(input.alarms.filter(({ openedAt }) => openedAt >= from && openedAt <= until));
  const counts = countClasses(alarms);
  const expectation = expectationOf(alarms, until);
  const replayed = replay(ruleOfLimits(limitsOf(settings), settings.debounce * 1000), times, values, until);
  const measure = (tried: RuleLimits, all: readonly ReplayedAlarm[]) => trialOf(tried, all, expectation, from, until);
  const openingsIn = (all: readonly ReplayedAlarm[]) =>
    all.map(({ openedAt }) => openedAt).filter((openedAt) => openedAt >= from);
  const present = { ...measure(settings, replayed), isSafe: true, openings: openingsIn(replayed) };
  const common = { from, readings: times.length - first, counts, present };
  const none = (because: AdviceBecause): Advice => ({
    ...common,
    ...{ because, proposal: undefined, best: [], tried: 1, isComplete: true },
  });
  if (common.readings < FEWEST_READINGS) return none('few-readings');
  if (alarms.length === 0) return none('no-alarms');
  if (counts.unknown === alarms.length) return none('no-acknowledgements');
  if (counts.nuisance === 0) return none('no-nuisance');
  if (counts.nuisance < FEWEST_NUISANCE) return none('few-nuisance');
  yield;

  const shape = nuisanceShape(input, replayed, expectation, from);
  const candidates = settingsToTry(settings, shape);
  const runs = runsOf(times, values, candidates.flatMap(thresholdsOf), until);
  yield;
  const trials: Trial[] = [];
  let steps = 0;
  const bySide = Map.groupBy(candidates.slice(1), (each) => settingsKey({ ...each, debounce: 0 }));
  for (const same of bySide.values()) {
    if (steps > MOST_STEPS) break;
    const positions = positionsOf(runs, limitsOf(same[0] as RuleLimits));
    steps += runs.times.length;
    for (const each of same) {
      const trial = measure(each, replayPositions(positions, each.debounce, until));
      trials.push({ ...trial, isSafe: isSafe(trial, present, until - from) });
      steps += positions.times.length + alarms.length;
      yield;
    }
  }
  const safe = trials.filter((trial) => trial.isSafe && trial.nuisanceAvoided > present.nuisanceAvoided);
  const ranked = rank(safe, settings);
  const others = trials.filter((trial) => !trial.isSafe).sort(byAvoided(settings));
  const best = [...distinct(ranked).slice(0, BEST_SAFE), ...distinct(others).slice(0, BEST_OTHERS)].map((trial) => {
    const positions = positionsOf(runs, limitsOf(trial.settings));
    return { ...trial, openings: openingsIn(replayPositions(positions, trial.settings.debounce, until)) };
  });
  return {
    ...common,
    because: ranked.length > 0 ? 'proposal' : 'no-better',
    proposal: ranked.length > 0 ? best[0] : undefined,
    best,
    tried: trials.length + 1,
    isComplete: trials.length === candidates.length - 1,
  };
}

function thresholdsOf(settings: RuleLimits): number[] {
  const { lower, upper, clearLower, clearUpper } = limitsOf(settings);
  return [lower, upper, clearLower, clearUpper];
}

function replayPositions({ times, codes, names }: Positions, debounce: number, until: number): ReplayedAlarm[] {
  const rule: ReplayRule = {
    holdMs: debounce * 1000,
    place: (code) => names[code] as (typeof names)[number],
  };
  return replay(rule, times, codes, until);
}

function countClasses(alarms: readonly PastAlarm[]): Record<AlarmClass, number> {
  const counts = { nuisance: 0, real: 0, unknown: 0 };
  for (const alarm of alarms) counts[alarm.class] += 1;
  return counts;
}

function trialOf(
  settings: RuleLimits,
  replayed: readonly ReplayedAlarm[],
  expectation: Expectation,
  from: number,
  until: number,
): Omit<Trial, 'isSafe'> {
  let alarms = 0;
  let openMs = 0;
  for (const { openedAt, resolvedAt = until } of replayed) {
    if (openedAt >= from) alarms += 1;
    openMs += Math.max(0, Math.min(resolvedAt, until) - Math.max(openedAt, from));
  }
  return { settings, alarms, openMs, ...compareOutcome(expectation, replayed) };
}

function isSafe(trial: Omit<Trial, 'isSafe'>, present: Trial, rangeMs: number): boolean {
  const alreadyMissed = new Set(present.missed);
  const { debounce } = present.settings;
  const longest = longestDebounce(debounce);
  return (
    trial.missed.every((uuid) => alreadyMissed.has(uuid)) &&
    trial.settings.debounce <= longest &&
    trial.delayMs <= Math.max(present.delayMs, (longest - debounce) * 1000) &&
    trial.openMs <= OPEN_FACTOR * present.openMs + OPEN_SHARE * rangeMs
  );
}

/** Measures how far and for how long values were outside the limits during recorded nuisance alarms. */
function nuisanceShape(
  { settings, times, values, until }: AdviceInput,
  replayed: readonly ReplayedAlarm[],
  { nuisance }: Expectation,
  from: number,
): NuisanceShape {
  // Only the last alarm before `end` can overlap, because a rule has one open alarm at a time.
  const isNuisance = (start: number, end: number) => {
    const before = (index: number) => (nuisance[index] as Expected).from - settings.debounce * 1000 <= end;
    const last = nuisance[countLeading(nuisance.length, before) - 1];
    return last !== undefined && last.until >= start;
  };
  const { lower, upper } = limitsOf(settings);
  const peaks = replayed
    .filter(({ openedAt, resolvedAt = until }) => openedAt >= from && isNuisance(openedAt, resolvedAt))
    .map(({ peak }) => peak);
  const plain = { ...settings, clearLower: null, clearUpper: null };
  const runs = runsOf(times, values, [lower, upper], until);
  const seconds = replayPositions(positionsOf(runs, limitsOf(plain)), 0, until)
    .map(({ openedAt, resolvedAt = until }) => ({ openedAt, resolvedAt }))
    .filter(({ openedAt, resolvedAt }) => openedAt >= from && isNuisance(openedAt, resolvedAt))
    .map(({ openedAt, resolvedAt }) => (resolvedAt - openedAt) / 1000);
  return {
    below: peaks.filter((peak) => peak < lower),
    above: peaks.filter((peak) => peak > upper),
    seconds,
    median: medianOf(values),
  };
}

const SAMPLES = 2001;

/** Returns the median of evenly spaced values. The median is exact if there are few values. */
function medianOf(values: ArrayLike<number>): number {
  const every = Math.ceil(values.length / SAMPLES);
  const chosen: number[] = [];
  for (let index = 0; index < values.length; index += every) chosen.push(values[index] as number);
  const sorted = chosen.filter(Number.isFinite).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * Sorts safe settings, best first. Among settings that avoid about as many nuisance alarms as the best, prefers those
 * that change the fewest fields, and then those that delay real alarms the least. Moving a limit can hide a slow rise,
 * so a clear limit is moved rather than a limit.
 */
function rank(safe: readonly Trial[], present: RuleLimits): Trial[] {
  const most = Math.max(0, ...safe.map((trial) => trial.nuisanceAvoided));
  const isEqual = (trial: Trial) => trial.nuisanceAvoided >= most * (1 - EQUAL_SHARE);
  const best = safe.filter(isEqual).sort((a, b) => compare(costOf(a, present), costOf(b, present)));
  const rest = safe.filter((trial) => !isEqual(trial)).sort(byAvoided(present));
  return [...best, ...rest];
}

function byAvoided(present: RuleLimits): (a: Trial, b: Trial) => number {
  return (a, b) => b.nuisanceAvoided - a.nuisanceAvoided || compare(costOf(a, present), costOf(b, present));
}

/** Keeps only the first of several settings that have the same result. */
function distinct(trials: readonly Trial[]): Trial[] {
  const seen = new Set<string>();
  return trials.filter(({ alarms, nuisanceAvoided, missed, delayMs }) => {
    const key = JSON.stringify([alarms, nuisanceAvoided, missed, delayMs]);
    return !seen.has(key) && seen.add(key);
  });
}

const FIELDS = ['lower', 'upper', 'clearLower', 'clearUpper', 'debounce'] as const;

function costOf({ settings, delayMs, missed, alarms }: Trial, present: RuleLimits): number[] {
  const [is, was] = [limitsOf(settings), limitsOf(present)];
  const shift = (a: number, b: number) => (a === b ? 0 : Math.abs(a - b));
  return [
    missed.length,
    FIELDS.filter((field) => settings[field] !== present[field]).length,
    delayMs,
    shift(is.lower, was.lower) + shift(is.upper, was.upper),
    settings.debounce - present.debounce,
    shift(is.clearLower, was.clearLower) + shift(is.clearUpper, was.clearUpper),
    alarms,
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((value, index) => value !== b[index]);
  return differs < 0 ? 0 : (a[differs] as number) - (b[differs] as number);
}
