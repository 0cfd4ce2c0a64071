import { hash } from 'node:crypto';
import { DIGEST_MS, type DigestAddress } from '../../domain/notification/digest.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import type { AlarmFloods } from './alarm-floods.ts';
import type { NewNotification } from './insert.ts';

interface Audience {
  customer: string;
  key: string;
  addresses: DigestAddress[];
}

const HOUR_MS = 3_600_000;

/**
 * Stores notifications that are sent as part of the next digests: one entry for each alarm and kind. An entry refers to
 * its addresses as an audience, because many alarms of a flood have the same addresses.
 */
export async function storeDigestEntries(
  tx: Transaction,
  digested: readonly NewNotification[],
  floods: AlarmFloods,
  now: number,
): Promise<void> {
  if (digested.length === 0) return;
  const audiences = new Map<string, Audience>();
  const same = Map.groupBy(digested, ({ alarmUuid, kind, step }) => `${alarmUuid} ${kind} ${step}`);
  const entries = [...same.values()].map((candidates) => {
    const [{ customerUuid: customer, alarmUuid, kind, step }] = candidates as [NewNotification];
    const addresses = candidates.map(({ personUuid, name, method, address }) => ({
      ...{ personUuid, name, method, address },
    }));
    const key = hash('sha256', JSON.stringify(addresses), 'base64url');
    audiences.set(`${customer} ${key}`, { customer, key, addresses });
    return { customer, alarm: alarmUuid, flood: floods.floodOf(alarmUuid), kind, step, audience: key };
  });
  await keepAudiences(tx, [...audiences.values()], now);
  await tx.query(
    `insert into tocsin_private.digest_entry (tocsin_customer_uuid, tocsin_alarm_uuid, tocsin_alarm_flood_uuid, kind, step, audience, due_at)
     select customer, alarm, flood, kind, step, audience, to_timestamp($2::float8 / 1000)
     from ${recordset('e', { customer: 'uuid', alarm: 'uuid', flood: 'uuid', kind: 'text', step: 'smallint', audience: 'text' })}
     on conflict (tocsin_alarm_uuid, kind, step, audience) do nothing`,
    [JSON.stringify(entries), now + DIGEST_MS],
  );
}

/**
 * Stores new audiences. Marks known audiences as used, at most once an hour, because an audience that is not used for a
 * day is deleted. Transactions that use the same audience do not wait for each other.
 */
async function keepAudiences(tx: Transaction, audiences: readonly Audience[], now: number): Promise<void> {
  const { rows } = await tx.query<Pick<Audience, 'customer' | 'key'>>(
    `select d.tocsin_customer_uuid as customer, d.key
     from ${recordset('a', { customer: 'uuid', key: 'text' })}
     join tocsin_private.digest_audience d on d.tocsin_customer_uuid = a.customer and d.key = a.key
     where d.used_at > to_timestamp($2::float8 / 1000)`,
    [JSON.stringify(audiences.map(({ customer, key }) => ({ customer, key }))), now - HOUR_MS],
  );
  const known = new Set(rows.map(({ customer, key }) => `${customer} ${key}`));
  const missing = audiences.filter(({ customer, key }) => !known.has(`${customer} ${key}`));
  if (missing.length === 0) return;
  // All transactions write the audiences in the same order, which prevents deadlocks.
  await tx.query(
    `insert into tocsin_private.digest_audience as d (tocsin_customer_uuid, key, addresses, used_at)
     select customer, key, addresses, to_timestamp($2::float8 / 1000)
     from ${recordset('a', { customer: 'uuid', key: 'text', addresses: 'jsonb' })} order by customer, key
     on conflict (tocsin_customer_uuid, key) do update set used_at = greatest(d.used_at, excluded.used_at)`,
    [JSON.stringify(missing), now],
  );
}
