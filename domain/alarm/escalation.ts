const MINUTE = 60_000;

/** Escalation settings of an alarm, stored with the alarm when it opens. */
export interface EscalationPlan {
  afterMinutes: number;
  everyMinutes: number;
  /** Total number of escalations. */
  times: number;
  /** Uuids of the escalation recipients. */
  people: readonly string[];
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
