import { serviceAccess } from '../access.ts';
import { endQuiet } from '../alarm/quiet.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';
import { followMaintenance } from './maintenance.ts';

/**
 * Begins and ends maintenance, ends expired shelvings, ends dependencies whose cause has ended, and then notifies
 * people about alarms that are still open. In this order, alarms stay quiet if one maintenance window directly follows
 * another.
 */
export function quiet(db: Database, clock: Clock): EngineModule {
  return {
    name: 'quiet alarms',
    every: 5000,
    wakeOn: 'tocsin_quiet',
    async tick(now) {
      await followMaintenance(db, clock);
      await db.transaction(serviceAccess(clock), (tx) =>
        tx.query('select tocsin_definer.expire_shelvings(), tocsin_definer.end_dependencies()'),
      );
      while (true) {
        const done = await db.transaction(serviceAccess(clock), (tx) => endQuiet(tx, now.getTime()));
        if (done === 0) return;
      }
    },
  };
}
