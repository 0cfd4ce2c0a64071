import type { Transaction } from '../platform/database.ts';

/**
 * Call this before alarms of these rules or silent sites open. Openings that concern the same dependencies then wait
 * for each other, so that a cause and its consequence see each other even if different processes open them. `opening`
 * lists the rules that have an open alarm when the transaction ends. Their consequences are quiet, even if they open
 * first. Returns whether there are dependencies.
 */
export async function beginOpenings(
  tx: Transaction,
  watches: readonly string[],
  opening: readonly string[] = [],
): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(
    'select tocsin_private.begin_openings($1::uuid[], $2::uuid[]) as found',
    [watches, opening],
  );
  return rows[0]?.found ?? false;
}

/**
 * Records the open alarms that depend on these rules or silent sites under their cause, and stops their escalation.
 * Call this after the states of the rules are written.
 */
export async function recordConsequences(tx: Transaction, watches: readonly string[]): Promise<void> {
  await tx.query('select tocsin_definer.record_consequences($1::uuid[])', [watches]);
}
