import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { createCustomer, serviceQuery } from '../../test/harness/database/factories.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';
import { createMailer } from './mailer.ts';

const clock = new HandClock(new Date('2026-03-02T08:00:00Z'));
let db: Database;

beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db.close();
  await disposeTestDatabases();
});

test('stores mails in the outbox without a mail server, and reports that they were only kept', async () => {
  const mailer = createMailer({ smtpUrl: undefined, from: 'Tocsin <tocsin@localhost>', db, clock, log: silentLog });
  expect(mailer).toMatchObject({ name: 'outbox', methodType: 1, isExternal: false });
  const customer = await createCustomer(db);
  const message = {
    customerUuid: customer.uuid,
    address: 'vera@plant.example',
    subject: 'Hello',
    text: 'A text',
    idempotencyKey: 'one',
  };
  const result = await mailer.send(message);
  expect(result).toMatchObject({ outcome: 'sent', answer: 'Kept in the outbox, because no sender is configured.' });
  const rows = await serviceQuery(db, 'select * from tocsin.outbox');
  expect(rows).toEqual([
    {
      uuid: 'providerId' in result ? result.providerId : '',
      tocsin_customer_uuid: customer.uuid,
      method_type: 1,
      address: 'vera@plant.example',
      subject: 'Hello',
      body: 'A text',
      created_at: clock.now(),
    },
  ]);
  const nobody = { ...message, customerUuid: '00000000-0000-0000-0000-000000000000' };
  expect(await mailer.send(nobody), 'a failure is returned as a result').toMatchObject({ outcome: 'retry' });
  expect(await mailer.check()).toEqual({ ok: true });
});

test('uses the e-mail sender with a mail server', async () => {
  const mailer = createMailer({
    smtpUrl: 'smtp://127.0.0.1:9',
    from: 'Tocsin <t@localhost>',
    db,
    clock,
    log: silentLog,
  });
  expect(mailer).toMatchObject({ name: 'email', methodType: 1, isExternal: true });
  await mailer.close();
});
