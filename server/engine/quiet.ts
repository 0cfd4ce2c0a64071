import { serviceAccess } from '../access.ts';
import { endQuiet } from '../alarm/quiet.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

/** Ends expired shelvings, and notifies people about the alarms that are still open. */
export function quiet(db: Database, clock: Clock): EngineModule {
  return {
    name: 'end of shelvings',
    every: 5000,
    wakeOn: 'tocsin_quiet',
    async tick(now) {
      await db.transaction(serviceAccess(clock), (tx) => tx.query('select tocsin_definer.expire_shelvings()'));
      while (true) {
        const done = await db.transaction(serviceAccess(clock), (tx) => endQuiet(tx, now.getTime()));
        if (done === 0) return;
      }
    },
  };
}
