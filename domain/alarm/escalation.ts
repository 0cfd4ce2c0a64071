import type { RuleAlert } from '../rule/context.ts';
import { nextPosition, type PlanPosition, type PlanStep } from './plan.ts';

const MINUTE = 60_000;

/** Escalation settings of an alarm, stored with the alarm when it opens. */
export interface EscalationPlan {
  afterMinutes: number;
  everyMinutes: number;
  /** Total number of escalations. */
  times: number;
  /** Uuids of the escalation recipients. */
  people: readonly string[];
  /**
   * All steps, for a plan with rotas, with repeats of the first step or with more than two steps. The other fields then say
   * the same as far as they can, because processes of the version before use only these.
   */
  steps?: readonly PlanStep[];
}

export const defaultEscalation = { afterMinutes: 15, everyMinutes: 15, times: 3 } as const;

export interface EscalationFacts {
  plan: EscalationPlan;
  openedAt: number;
  /** Number of escalations so far. */
  step: number;
  acknowledged: boolean;
  resolved: boolean;
  /**
   * Due time of the next escalation, as returned by the last decision. If undefined, it is computed from the opening.
   */
  dueAt?: number;
}

export type EscalationDecision =
  | { escalate: true; step: number; next: number | undefined }
  | {
      escalate: false;
      because: 'acknowledged' | 'resolved' | 'not-due' | 'no-people' | 'finished';
      until?: number;
    };

/** The position of an alarm whose first step has begun. */
export const opened: PlanPosition = { step: 1, repeat: 0 };

/**
 * Returns the steps of a rule alert; undefined for a plan of people in at most two steps. `people` and `escalate` are the
 * uuids of those that the first two steps name.
 */
export function stepsOf(
  alert: RuleAlert | null,
  people: readonly string[],
  escalate: readonly string[],
): PlanStep[] | undefined {
  const stored = alert?.steps ?? [];
  if (!alert || stored.length === 0) return undefined;
  const at = (step: number) => stored.find((one) => one.step === step);
  const { repeats = 0, everyMinutes = defaultEscalation.everyMinutes, layers = [] } = at(1) ?? {};
  const steps: PlanStep[] = [
    { waitMinutes: 0, repeats, everyMinutes, people, layers },
    {
      ...{ waitMinutes: alert.afterMinutes, repeats: alert.times - 1, everyMinutes: alert.everyMinutes },
      ...{ people: escalate, layers: at(2)?.layers ?? [] },
    },
  ];
  for (const { step, waitMinutes, ...more } of stored.toSorted((a, b) => a.step - b.step)) {
    if (step > 2 && waitMinutes !== null) steps.push({ waitMinutes, ...more });
  }
  while (steps.length > 1 && isEmpty(steps.at(-1))) steps.pop();
  return steps;
}

const isEmpty = (step: PlanStep | undefined) => step && step.people.length + step.layers.length === 0;

/** Returns the plan that an alarm keeps. `steps` are those of `stepsOf`. */
export function planOf(
  alert: Pick<RuleAlert, 'afterMinutes' | 'everyMinutes' | 'times'> | null,
  escalate: readonly string[],
  mustAcknowledge: boolean,
  steps: readonly PlanStep[] | undefined,
): EscalationPlan {
  const { afterMinutes, everyMinutes, times } = alert ?? defaultEscalation;
  const plan: EscalationPlan = { afterMinutes, everyMinutes, times, people: mustAcknowledge ? escalate : [] };
  if (!steps) return plan;
  return withSteps(plan, mustAcknowledge ? steps : steps.slice(0, 1).map((step) => ({ ...step, repeats: 0 })));
}

/** Returns the plan with these steps, described by the other fields as well. */
export function withSteps(plan: EscalationPlan, steps: readonly PlanStep[]): EscalationPlan {
  let times = 0;
  let next = nextPosition(steps, opened);
  const first = next ? next.wait / MINUTE : plan.afterMinutes;
  const reached = new Set<string>();
  while (next) {
    times += 1;
    const step = steps[next.position.step - 1];
    for (const uuid of [...(step?.people ?? []), ...(step?.layers ?? []).map((layer) => layer.uuid)]) reached.add(uuid);
    next = nextPosition(steps, next.position);
  }
  return { afterMinutes: first, everyMinutes: plan.everyMinutes, times, people: [...reached], steps };
}

/**
 * Returns the time of the escalation after a position that begins or resumes now; undefined if the plan ends there. A plan
 * without steps has no position, and begins again.
 */
export function escalationAfter(plan: EscalationPlan, now: number, position: PlanPosition): number | undefined {
  if (!plan.steps) return firstEscalation(plan, now);
  const next = nextPosition(plan.steps, position);
  return next && now + next.wait;
}

/** Returns the time of the first escalation; undefined if the plan has no people or no escalations. */
export function firstEscalation(plan: EscalationPlan, openedAt: number): number | undefined {
  return plan.people.length === 0 || plan.times < 1 ? undefined : openedAt + plan.afterMinutes * MINUTE;
}

/**
 * Decides whether to escalate now. After a downtime, only one missed escalation is sent immediately. The next
 * escalation follows after a full interval, so that missed escalations do not arrive in a burst.
 */
export function decideEscalation(facts: EscalationFacts, now: number): EscalationDecision {
  const { plan, openedAt, step, acknowledged, resolved } = facts;
  if (acknowledged) return { escalate: false, because: 'acknowledged' };
  if (resolved) return { escalate: false, because: 'resolved' };
  if (plan.people.length === 0) return { escalate: false, because: 'no-people' };
  if (step >= plan.times) return { escalate: false, because: 'finished' };
  const interval = intervalOf(plan);
  const due = facts.dueAt ?? openedAt + plan.afterMinutes * MINUTE + step * interval;
  if (now < due) return { escalate: false, because: 'not-due', until: due };
  return { escalate: true, step: step + 1, next: step + 1 < plan.times ? now + interval : undefined };
}

/** Returns the escalation interval, at least one minute. An interval of 0 would escalate at every tick. */
function intervalOf({ everyMinutes }: EscalationPlan): number {
  return Math.max(1, everyMinutes) * MINUTE;
}
