import { rowsOf } from '../../../kit/list/list.ts';

interface List<N> {
  totalCount: number;
  nodes: (N | null)[];
}

interface Lists<P, E, R> {
  ruleAlertUsers: List<P>;
  ruleEscalateUsers: List<E>;
  reasons: List<R>;
}

type Whole<A, P, E, R> = Omit<A, keyof Lists<P, E, R>> & { people: P[]; escalates: E[]; reasons: R[] };

/** Maximum number of entries that one request loads from each list of people or reasons. */
export const PORTION = 200;

/**
 * Loads the rule alert with all its people in several portions. Saving the form removes everybody who is not listed in
 * it, so the form needs all of them. The result has the `updatedAt` of the first portion, so that changes made between
 * portions are detected when saving.
 */
export async function wholeRuleAlert<A extends Lists<P, E, R>, P, E, R>(
  portion: (offset: number) => Promise<(A & Lists<P, E, R>) | undefined>,
): Promise<Whole<A, P, E, R> | null> {
  const found = await portion(0);
  if (!found) return null;
  const { ruleAlertUsers, ruleEscalateUsers, reasons, ...rest } = found;
  const record = {
    ...rest,
    people: rowsOf(ruleAlertUsers),
    escalates: rowsOf(ruleEscalateUsers),
    reasons: rowsOf(reasons),
  };
  const most = Math.max(ruleAlertUsers.totalCount, ruleEscalateUsers.totalCount, reasons.totalCount);
  for (let offset = PORTION; offset < most; offset += PORTION) {
    const more = await portion(offset);
    record.people.push(...rowsOf(more?.ruleAlertUsers));
    record.escalates.push(...rowsOf(more?.ruleEscalateUsers));
    record.reasons.push(...rowsOf(more?.reasons));
  }
  return record;
}
