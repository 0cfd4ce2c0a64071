import { evaluationTransaction } from '../pipeline/evaluation-transaction.ts';
import type { Evaluator } from '../pipeline/evaluator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

const AT_ONCE = 200;

/** Ends debounces that become due without another reading. */
export function debounce(deps: { db: Database; clock: Clock; evaluator: Evaluator }): EngineModule {
  return {
    name: 'debounce',
    every: 500,
    async tick(now) {
      for (;;) {
        const seen = await evaluationTransaction(deps, (tx, evaluation) => evaluation.due(tx, now.getTime(), AT_ONCE));
        if (seen < AT_ONCE) return;
      }
    },
  };
}
