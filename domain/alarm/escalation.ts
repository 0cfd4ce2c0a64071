const MINUTE = 60_000;

/** Frozen on the alarm when it opens. */
export interface EscalationPlan {
  afterMinutes: number;
  everyMinutes: number;
  /** How often the escalate users are told in all. */
  times: number;
  /** Their uuids. */
  people: readonly string[];
}

export const defaultEscalation = { afterMinutes: 15, everyMinutes: 15, times: 3 } as const;

export interface EscalationFacts {
  plan: EscalationPlan;
  openedAt: number;
  /** How many have been done so far. */
  step: number;
  acknowledged: boolean;
  resolved: boolean;
  /** The `next` that the last escalation gave. Without it the plan is reckoned from the opening on. */
  dueAt?: number;
}

export type EscalationDecision =
  | { escalate: true; step: number; next: number | undefined }
  | {
      escalate: false;
      because: 'acknowledged' | 'resolved' | 'not-due' | 'no-people' | 'finished';
      until?: number;
    };

/** When the escalate users are first told, unless somebody acknowledges before; undefined where the plan has nobody to tell. */
export function firstEscalation(plan: EscalationPlan, openedAt: number): number | undefined {
  return plan.people.length === 0 || plan.times < 1 ? undefined : openedAt + plan.afterMinutes * MINUTE;
}

/**
 * Whether to escalate now. What a downtime made late happens once, at once, and the next one a whole interval after it:
 * nobody gets the missed ones in a burst.
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

/** An interval of nothing would tell people as fast as the engine runs. */
function intervalOf({ everyMinutes }: EscalationPlan): number {
  return Math.max(1, everyMinutes) * MINUTE;
}
