import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

/** Longest interruption of listening that is ignored, for example a restart. */
const SHORT_PAUSE_MS = 5 * 60_000;

export interface ListeningOptions {
  db: Database;
  clock: Clock;
  /** True while devices can reach this process, through its ports and its broker. */
  isListening(): boolean;
  /**
   * False in tests, which advance the clock by hours. A long time between two ticks then does not count as an
   * interruption.
   */
  timers: boolean;
}

/**
 * Records when gateways listen. A site without frames counts as offline only if a gateway was listening. All gateways
 * share one record, because devices can send to any gateway.
 */
export function listening({ db, clock, isListening, timers }: ListeningOptions): EngineModule {
  const longestPause = timers ? SHORT_PAUSE_MS : Number.POSITIVE_INFINITY;
  // A gateway listens from its start, although its first tick runs later.
  let recorded = clock.now();
  return {
    name: 'listening',
    every: 10_000,
    isFirst: true,
    async tick(now) {
      if (!isListening()) return;
      // After a long interruption, such as a database outage, the listening period starts again, because no frame could
      // be stored during the interruption.
      const from = now.getTime() - recorded.getTime() > longestPause ? now : recorded;
      await db.transaction(serviceAccess(clock), (tx) =>
        tx.query(
          `insert into tocsin_private.installation as i (name, value)
           values ('listening', jsonb_build_object('since', $1::text, 'until', $2::text))
           on conflict (name) do update set value = jsonb_build_object(
             'until', case when (i.value ->> 'until')::timestamptz > $2::timestamptz then i.value ->> 'until' else $2::text end,
             'since', case when (i.value ->> 'until')::timestamptz >= $1::timestamptz - $3 * interval '1 millisecond'
               then i.value ->> 'since' else $1::text end)`,
          [from.toISOString(), now.toISOString(), SHORT_PAUSE_MS],
        ),
      );
      recorded = now;
    },
  };
}

/** The latest period in which gateways listened without a long interruption. */
export interface Listening {
  since: string;
  until: string;
}

/** Returns undefined if no gateway has ever listened. */
export async function readListening(tx: Transaction): Promise<Listening | undefined> {
  const { rows } = await tx.query<Listening>(
    `select value ->> 'since' as since, value ->> 'until' as until from tocsin_private.installation where name = 'listening'`,
  );
  return rows[0];
}
