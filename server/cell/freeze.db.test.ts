import { afterAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { createCustomer, insertRow, serviceQuery } from '../../test/harness/database/factories.ts';
import type { Clock } from '../platform/clock.ts';
import { freezeCustomer } from './freeze.ts';

afterAll(disposeTestDatabases);

test.each([-3_600_000, 0, 3_600_000])(
  'waits until a send has ended if product time differs from the database by %d ms',
  async (difference) => {
    const db = await openTestDatabase();
    const customer = await createCustomer(db);
    const { uuid } = await insertRow<{ uuid: string }>(db, 'tocsin.notification', {
      ...{ tocsin_customer_uuid: customer.uuid, recipient_name: 'Person', address: 'person@plant.example' },
      ...{ method_type: 1, message_type: 1, notify_message: 'Door open', notify_time: new Date() },
      lease_until: new Date(Date.now() + 1000),
    });
    const clock: Clock = { now: () => new Date(Date.now() + difference) };

    await freezeCustomer(db, clock, customer.uuid);

    const [row] = await serviceQuery<{ over: boolean }>(
      db,
      'select lease_until <= statement_timestamp() as over from tocsin.notification where uuid = $1',
      [uuid],
    );
    expect(row?.over).toBe(true);
    await db.close();
  },
);
