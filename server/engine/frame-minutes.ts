import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import { recordset } from '../platform/recordset.ts';
import { countFrames } from '../process/load.ts';
import type { EngineModule } from './engine.ts';

/** Number of minutes to keep: the 60 complete minutes that the System page shows, and the current minute. */
const KEEP_MINUTES = 61;

/**
 * Counts the frames of each protocol since the last tick, and adds the counts to the rows of the current minute. All
 * gateways share these rows, and the rates of the last hour survive a restart.
 */
export function frameMinutes({ db, clock, metrics }: { db: Database; clock: Clock; metrics: Metrics }): EngineModule {
  let written: Awaited<ReturnType<typeof countFrames>> = new Map();
  return {
    name: 'frame minutes',
    every: 10_000,
    ignoresClock: true,
    async tick() {
      const counted = await countFrames(metrics);
      const added = [...counted]
        .map(([protocol, { taken, refused }]) => {
          const before = written.get(protocol) ?? { taken: 0, refused: 0 };
          return { protocol, taken: taken - before.taken, refused: refused - before.refused };
        })
        .filter(({ taken, refused }) => taken + refused > 0);
      if (added.length === 0) return;
      await db.transaction(serviceAccess(clock), async (tx) => {
        // All gateways write the rows in the same order, which prevents deadlocks.
        await tx.query(
          `insert into tocsin_private.frame_minute as m (minute, protocol, taken, refused)
           select date_trunc('minute', tocsin_private.lease_clock()), n.protocol, n.taken, n.refused
           from ${recordset('n', { protocol: 'text', taken: 'bigint', refused: 'bigint' })} order by n.protocol
           on conflict (minute, protocol) do update set taken = m.taken + excluded.taken, refused = m.refused + excluded.refused`,
          [JSON.stringify(added)],
        );
        await tx.query(
          `delete from tocsin_private.frame_minute where minute < tocsin_private.lease_clock() - ${KEEP_MINUTES} * interval '1 minute'`,
        );
      });
      written = counted;
    },
  };
}
