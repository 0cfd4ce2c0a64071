import type { Change, Noted } from '../rule/change.ts';

interface RuleEvent {
  change: Change;
  step: Noted;
}

/**
 * The steps of all rules in rounds that can be carried out together. One after the other they keep the order of each rule's own
 * steps, and the order of openings and resolutions at a site, whose rules can share an alarm.
 */
export function inRounds(changes: readonly Change[], siteOf: (change: Change) => string): RuleEvent[][] {
  const events = changes.flatMap((change) => change.steps.map((step) => ({ change, step })));
  const rounds: RuleEvent[][] = [];
  const lastOfRule = new Map<Change, number>();
  const lastOfSite = new Map<string, { round: number; opens: boolean }>();
  for (const event of events.toSorted((a, b) => placeOf(a.step) - placeOf(b.step))) {
    const { change, step } = event;
    const opens = step.to === 'open' && step.from !== 'clearing';
    const resolves = step.to === 'normal' && step.from !== 'pending';
    const site = siteOf(change);
    let round = (lastOfRule.get(change) ?? -1) + 1;
    if (opens || resolves) {
      const last = lastOfSite.get(site);
      if (last) round = Math.max(round, last.opens === opens ? last.round : last.round + 1);
      lastOfSite.set(site, { round, opens });
    }
    lastOfRule.set(change, round);
    const together = rounds[round];
    if (together) together.push(event);
    else rounds[round] = [event];
  }
  return Array.from(rounds, (round) => round ?? []);
}

function placeOf({ order, at }: Noted): number {
  return order ?? at;
}
