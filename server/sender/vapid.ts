import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { makeVapidKeys, type VapidKeys } from './push.ts';

/**
 * Returns the VAPID keys, which are created on first use. They never change, because browser subscriptions are bound to
 * them.
 */
export function vapidKeys(db: Database, clock: Clock): Promise<VapidKeys> {
  return db.transaction(serviceAccess(clock), async (tx) => {
    const read = async () => {
      const { rows } = await tx.query<{ value: Buffer }>(
        `select value from tocsin_private.secret where name = 'vapid'`,
      );
      return rows[0] && (JSON.parse(rows[0].value.toString('utf8')) as VapidKeys);
    };
    const known = await read();
    if (known) return known;
    // Another process may create keys at the same time. Only the first insert succeeds, and both processes read the
    // keys that it inserted.
    await tx.query(
      `insert into tocsin_private.secret (name, value) values ('vapid', $1) on conflict (name) do nothing`,
      [Buffer.from(JSON.stringify(await makeVapidKeys()))],
    );
    return (await read()) as VapidKeys;
  });
}
