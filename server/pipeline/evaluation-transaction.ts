import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Judge, Judging } from './evaluator.ts';

/** A transaction in which this process judges, so that nobody else does until it has ended. */
export async function judgingTransaction<T>(
  { db, clock, judge }: { db: Database; clock: Clock; judge: Judge },
  work: (tx: Transaction, judging: Judging) => Promise<T>,
): Promise<T> {
  let judging: Judging | undefined;
  try {
    const result = await db.transaction(serviceAccess(clock), async (tx) => {
      judging = await judge.begin();
      return work(tx, judging);
    });
    judging?.confirm();
    return result;
  } finally {
    judging?.end();
  }
}
