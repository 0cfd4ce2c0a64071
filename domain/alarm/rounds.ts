import type { RecordedStep } from '../rule/recorded-step.ts';

interface RuleEvent<C> {
  change: C;
  step: RecordedStep;
}

/**
 * Groups the steps of all rules into rounds. The steps of one round can be applied together. The rounds keep the order
 * of each rule's steps. Because rules of a site can share an alarm, the rounds also keep the order of openings and
 * resolutions at a site.
 */
export function groupIntoRounds<C extends { readonly steps: readonly RecordedStep[] }>(
  changes: readonly C[],
  siteOf: (change: C) => string | undefined,
): RuleEvent<C>[][] {
  const events = changes.flatMap((change) => change.steps.map((step) => ({ change, step })));
  const rounds: RuleEvent<C>[][] = [];
  const lastOfRule = new Map<C, number>();
  // A deleted rule has no site, so the rule itself is the key. Its steps then do not wait for other rules.
  const lastOfSite = new Map<string | C, { round: number; opens: boolean }>();
  for (const event of events.toSorted((a, b) => placeOf(a.step) - placeOf(b.step))) {
    const { change, step } = event;
    const opens = step.to === 'open' && step.from !== 'clearing';
    const resolves = step.to === 'normal' && step.from !== 'pending';
    const site = siteOf(change) ?? change;
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

function placeOf({ order, at }: RecordedStep): number {
  return order ?? at;
}
