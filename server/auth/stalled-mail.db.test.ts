import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { createCustomer, createUser, setDefaultCustomer } from '../../test/harness/database/factories.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { type AuthApp, startAuthApp } from '../../test/harness/server/auth-app.ts';
import type { Database } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';

let smtp: SmtpCatcher;
let db: Database;
let app: AuthApp;
const failures: string[] = [];
beforeAll(async () => {
  smtp = await startSmtpCatcher();
  db = await openTestDatabase();
  const log = { ...silentLog, warn: (message: string) => void failures.push(message) };
  app = await startAuthApp({ database: db, smtpUrl: smtp.url, log });
});
afterAll(async () => {
  await smtp?.stop();
  await disposeTestDatabases();
});

test('a stalled mail server delays neither responses nor shutdown', async () => {
  const customer = await createCustomer(db);
  await setDefaultCustomer(db, customer);
  const user = await createUser(db, { customer, password: 'the-old-password' });
  const resume = smtp.stall();
  try {
    expect((await app.browser().auth('forgot', { email: user.email })).statusCode).toBe(200);
    await app.close();
    expect(failures, 'the mail was still in flight').toEqual([]);
  } finally {
    resume();
  }
});
