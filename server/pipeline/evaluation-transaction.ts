import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Evaluation, Evaluator } from './evaluator.ts';

/**
 * Runs `work` with an evaluation in one transaction. This process starts its next evaluation only after the transaction
 * has ended.
 */
export async function evaluationTransaction<T>(
  { db, clock, evaluator }: { db: Database; clock: Clock; evaluator: Evaluator },
  work: (tx: Transaction, evaluation: Evaluation) => Promise<T>,
): Promise<T> {
  let evaluation: Evaluation | undefined;
  try {
    const result = await db.transaction(serviceAccess(clock), async (tx) => {
      evaluation = await evaluator.begin();
      return work(tx, evaluation);
    });
    evaluation?.confirm();
    return result;
  } finally {
    evaluation?.end();
  }
}
