import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { LiveHub } from './hub.ts';
import { readStates } from './states.ts';

const CHANNEL = 'tocsin_live';
/** Maximum number of sites in one notification. PostgreSQL limits the payload to less than 8,000 bytes. */
const SITES_IN_ONE = 200;

/**
 * Notifies every process, including this process, that the given sites changed. Call it in the transaction of the
 * change.
 */
export async function announceSites(tx: Transaction, siteUuids: readonly string[]): Promise<void> {
  for (let at = 0; at < siteUuids.length; at += SITES_IN_ONE) {
    await tx.query('select pg_notify($1, $2)', [CHANNEL, siteUuids.slice(at, at + SITES_IN_ONE).join()]);
  }
}

export interface Relay {
  /** Loads the states of the given sites that have watchers and passes them to the hub. */
  refresh(siteUuids: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Passes stored data to watchers: colours, texts, states and values that other processes stored. Values that this
 * process stored come directly from the pipeline.
 */
export async function startRelay(db: Database, hub: LiveHub, clock: Clock, log: Log): Promise<Relay> {
  const wanted = new Set<string>();
  let running: Promise<void> | undefined;

  const run = async () => {
    while (wanted.size > 0) {
      const sites = [...wanted];
      wanted.clear();
      const { sites: states, datapoints } = await db.transaction(serviceAccess(clock), (tx) => readStates(tx, sites));
      for (const state of states) {
        hub.publishSite(state);
        hub.publishDatapoints(
          state.siteUuid,
          datapoints.filter(({ siteUuid }) => siteUuid === state.siteUuid),
        );
      }
    }
  };

  const refresh = (siteUuids: readonly string[]): Promise<void> => {
    for (const uuid of siteUuids) if (hub.watches(uuid)) wanted.add(uuid);
    if (wanted.size === 0) return running ?? Promise.resolve();
    running ??= run()
      .catch((error: Error) => log.warn('live states could not be read', { error }))
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  const stopListening = await db.listen(
    CHANNEL,
    (payload) => void refresh(payload.split(',')),
    // Notifications can be lost while the connection is down, so every watched site is loaded again.
    () => void refresh(hub.watched()),
  );
  return {
    refresh,
    async stop() {
      await stopListening();
      await running;
    },
  };
}
