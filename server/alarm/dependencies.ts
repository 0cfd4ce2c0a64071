import type { Transaction } from '../platform/database.ts';

/**
 * Call this before alarms of these rules or silent sites open. If several processes open alarms of the same dependency,
 * this function makes them wait for each other, so that the consequence finds its cause. `opening` lists the rules
 * whose alarms are open when the transaction ends: their consequences are quiet, even if they open first. Returns
 * whether there are dependencies.
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
 * Records alarms that depend on these rules or silent sites as consequences of their cause, and stops their escalation.
 * Call this after the states of the rules are written.
 */
export async function recordConsequences(tx: Transaction, watches: readonly string[]): Promise<void> {
  await tx.query('select tocsin_definer.record_consequences($1::uuid[])', [watches]);
}
