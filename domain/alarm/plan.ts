import type { RotaLayer } from '../on-call/rota.ts';
import { onCallAt } from '../on-call/shifts.ts';

/** A layer of a rota that a step names. The name, such as "Pump stations, Primary", is kept if the rota is deleted. */
export interface NamedLayer {
  uuid: string;
  name: string;
}

/** A step of an escalation plan. The first step begins when the alarm opens. */
export interface PlanStep {
  /** Minutes without acknowledgement since the start of the step before; 0 for the first step. */
  waitMinutes: number;
  /** How often the step notifies again. Repeats end when the next step begins. */
  repeats: number;
  everyMinutes: number;
  /** Uuids of people. */
  people: readonly string[];
  layers: readonly NamedLayer[];
}

/** The step that began last, counted from 1, and how often it was repeated. */
export interface PlanPosition {
  step: number;
  repeat: number;
}

export interface StepRecipient {
  uuid: string;
  /** The layer for which the person is on call; missing for a person whom the step names. */
  onCall?: string;
}

/** The recipients of a step at a time. */
export interface ResolvedStep {
  people: StepRecipient[];
  /** Names of the layers in which nobody is on call. */
  gaps: string[];
}

/** A notification of a step or of its repeat. */
export interface PlanRound extends ResolvedStep {
  position: PlanPosition;
  /** True if the step had nobody to notify, so that the next step begins at once. */
  isSkipped: boolean;
}

export const mostSteps = 10;
export const mostWaitMinutes = 10_080;
export const mostRepeats = 99;
export const mostStepRecipients = 50;

const MINUTE = 60_000;

/** Returns the recipients of a step at a time, each once. */
export function resolveStep(
  { people, layers }: Pick<PlanStep, 'people' | 'layers'>,
  known: ReadonlyMap<string, RotaLayer>,
  at: number,
): ResolvedStep {
  const found = new Map<string, StepRecipient>(people.map((uuid) => [uuid, { uuid }]));
  const gaps: string[] = [];
  for (const { uuid, name } of layers) {
    const layer = known.get(uuid);
    const person = layer && onCallAt(layer, at)?.person;
    if (!person) gaps.push(name);
    else if (!found.has(person.uuid)) found.set(person.uuid, { uuid: person.uuid, onCall: name });
  }
  return { people: [...found.values()], gaps };
}

/** Returns the position after this one, and the time between the two in milliseconds; undefined after the last. */
export function nextPosition(
  steps: readonly PlanStep[],
  { step, repeat }: PlanPosition,
): { position: PlanPosition; wait: number } | undefined {
  const current = steps[step - 1];
  const next = steps[step];
  if (!current) return undefined;
  // An interval of 0 would notify at every tick of the engine.
  const every = Math.max(1, current.everyMinutes);
  const toNext = next && Math.max(1, next.waitMinutes) - repeat * every;
  if (repeat < current.repeats && (toNext === undefined || every < toNext)) {
    return { position: { step, repeat: repeat + 1 }, wait: every * MINUTE };
  }
  return toNext === undefined
    ? undefined
    : { position: { step: step + 1, repeat: 0 }, wait: Math.max(0, toNext) * MINUTE };
}

/**
 * Returns the rounds that begin now, from this position on. A step without anybody to notify is skipped, and the next
 * step begins at once. The last step is not skipped: its repeats try again.
 */
export function roundsFrom(
  steps: readonly PlanStep[],
  position: PlanPosition,
  resolve: (step: PlanStep) => ResolvedStep,
): PlanRound[] {
  const rounds: PlanRound[] = [];
  let at = position;
  for (;;) {
    const step = steps[at.step - 1];
    if (!step) return rounds;
    const resolved = resolve(step);
    const isSkipped = resolved.people.length === 0 && at.step < steps.length;
    rounds.push({ ...resolved, position: at, isSkipped });
    if (!isSkipped) return rounds;
    at = { step: at.step + 1, repeat: 0 };
  }
}

/** A round of a rehearsal, with its time. */
export interface RehearsedRound extends PlanRound {
  at: number;
}

/** Returns who would be notified, and when, if an alarm opens at a time and nobody acknowledges it. */
export function rehearse(
  steps: readonly PlanStep[],
  known: ReadonlyMap<string, RotaLayer>,
  openedAt: number,
): RehearsedRound[] {
  const rounds: RehearsedRound[] = [];
  let next: { position: PlanPosition; wait: number } | undefined = { position: { step: 1, repeat: 0 }, wait: 0 };
  let at = openedAt;
  while (next) {
    at += next.wait;
    const begun = roundsFrom(steps, next.position, (step) => resolveStep(step, known, at));
    rounds.push(...begun.map((round) => ({ ...round, at })));
    const last = begun.at(-1);
    if (!last) break;
    next = nextPosition(steps, last.position);
  }
  return rounds;
}

/**
 * Returns the plan of two rules that share an alarm: each step has the recipients of both, the shorter times and the
 * larger number of repeats.
 */
export function mergeSteps(own: readonly PlanStep[], other: readonly PlanStep[]): PlanStep[] {
  return Array.from({ length: Math.max(own.length, other.length) }, (_, index) => {
    const [a, b] = [own[index], other[index]];
    if (!a || !b) return (a ?? b) as PlanStep;
    const layers = new Map([...a.layers, ...b.layers].map((layer) => [layer.uuid, layer]));
    return {
      waitMinutes: Math.min(a.waitMinutes, b.waitMinutes),
      repeats: Math.max(a.repeats, b.repeats),
      everyMinutes: Math.min(a.everyMinutes, b.everyMinutes),
      people: [...new Set([...a.people, ...b.people])],
      layers: [...layers.values()],
    };
  });
}

/**
 * Returns a round as text, such as "Step 2: Owen Hughes, on call for Pump stations, Primary." Each name is that of a
 * recipient of the round.
 */
export function roundText(
  steps: readonly PlanStep[],
  { position: { step, repeat }, gaps, isSkipped }: Pick<PlanRound, 'position' | 'gaps' | 'isSkipped'>,
  people: readonly { name: string; onCall?: string | undefined }[],
): string {
  const times = steps[step - 1]?.repeats ?? 0;
  const head = repeat === 0 ? `Step ${step}` : `Step ${step}, repeat ${repeat} of ${times}`;
  const names = people.map(({ name, onCall }) => (onCall === undefined ? name : `${name}, on call for ${onCall}`));
  const missing = gaps.length === 0 ? '' : `nobody is on call for ${gaps.join(' or ')}`;
  const whom = names.length > 0 ? names.join('; ') : missing || 'nobody: all recipients were deleted';
  const also = names.length > 0 && missing ? ` N${missing.slice(1)}.` : '';
  const then = isSkipped ? ` Step ${step + 1} begins at once.` : '';
  return `${head}: ${whom}.${also}${then}`;
}
