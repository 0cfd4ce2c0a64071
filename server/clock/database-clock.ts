import { MOST_APART_MS } from '../../domain/process/clock-agreement.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { ProductClock } from '../platform/product-clock.ts';
import { StartError } from '../platform/start-error.ts';

/**
 * Throws if the machine's clock differs from the database's clock, so that the server does not start. Processes share
 * deadlines in the database, so a process with a wrong clock would open alarms early or send notifications late. The
 * embedded database uses this machine's clock and needs no check.
 */
export async function checkDatabaseClock(db: Database, clock: ProductClock): Promise<void> {
  if (db.kind === 'embedded') return;
  await db.migration(async (tx) => {
    const asked = clock.machine.wall();
    const ahead = clock.behindDatabase(await readDatabaseClock(tx), asked);
    if (Math.abs(ahead) <= MOST_APART_MS) return;
    const machine = clock.machine.wall();
    throw new StartError(
      `The clock of this machine shows ${text(machine)} and the clock of the database server shows ${text(machine + ahead)}. ` +
        `They may differ by at most ${MOST_APART_MS / 1000} s. Turn on the time synchronisation of both machines (timedatectl set-ntp true), then start Tocsin again.`,
    );
  });
}

/** Returns the time of the database's clock in milliseconds since 1970. */
export async function readDatabaseClock(tx: Transaction): Promise<number> {
  const { rows } = await tx.query<{ time: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as time',
  );
  return (rows[0] as { time: number }).time;
}

function text(time: number): string {
  return new Date(time).toISOString();
}
