import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import type { CustomerRow, UserRow } from '../../test/harness/database/factories.ts';
import { createCustomer, createUser, insertRow, serviceQuery } from '../../test/harness/database/factories.ts';
import type { SmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { startSmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { personAccess } from '../access.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';
import { createMailer } from '../sender/mailer.ts';
import type { Sender } from '../sender/sender.ts';
import { BACK_OFF_MS, invitations, LEASE_MS } from './invitations.ts';

let smtp: SmtpCatcher;
let db: Database;
let clock: HandClock;
let mailer: Sender;
let customer: CustomerRow;

beforeAll(async () => {
  smtp = await startSmtpCatcher();
  db = await openTestDatabase();
});
beforeEach(async () => {
  clock = new HandClock(new Date('2026-03-02T08:00:00Z'));
  mailer = createMailer({ smtpUrl: smtp.url, from: 'Tocsin <tocsin@plant.example>', db, clock, log: silentLog });
  customer = await createCustomer(db, { name: 'North Water' });
});
afterEach(async () => {
  smtp.failWith(null);
  smtp.clear();
  await mailer.close();
  await serviceQuery(db, 'delete from tocsin_private.pending_invitation');
});
afterAll(async () => {
  await smtp.stop();
  await db.close();
  await disposeTestDatabases();
});

const engine = (channel: Sender = mailer) =>
  invitations({ db, clock, log: silentLog, mailer: channel, publicUrl: 'https://console.example' });
const pending = () =>
  serviceQuery(db, 'select user_uuid, attempts, problem, next_attempt_at from tocsin_private.pending_invitation');
const wish = (user: UserRow) =>
  insertRow(db, 'tocsin_private.pending_invitation', {
    user_uuid: user.uuid,
    requested_at: clock.now(),
    next_attempt_at: clock.now(),
  });
const invited = async () => {
  const user = await createUser(db, { customer, varified: false });
  await wish(user);
  return user;
};

describe('an invitation', () => {
  test('goes to a user whom a manager creates', async () => {
    const owner = await createUser(db, { customer, level: 0 });
    const person = { uuid: owner.uuid, customerUuid: customer.uuid, level: 0, partnerAccount: false };
    await db.transaction(personAccess(person, clock), (tx) =>
      tx.query(`insert into tocsin.user (username, display_name, email, level)
        values ('otto', 'Otto Operator', 'otto@north.example', 20)`),
    );
    await engine().tick(clock.now());
    expect(smtp.messages).toHaveLength(1);
    const [mail] = smtp.messages;
    expect(mail).toMatchObject({ to: ['otto@north.example'], subject: 'North Water: your Tocsin account' });
    expect(mail!.text).toContain('Hello Otto Operator,');
    const link = /https:\/\/console\.example\/auth\/activation\?uuid=([\w-]+)&code=([\w-]{43})$/m.exec(mail!.text);
    expect(link).not.toBeNull();
    expect(await pending()).toEqual([]);
    const codes = await serviceQuery(
      db,
      'select purpose, expires_at from tocsin_private.one_time_code where user_uuid = $1',
      [link![1]],
    );
    expect(codes).toEqual([{ purpose: 'invitation', expires_at: new Date('2026-03-09T08:00:00Z') }]);
    await engine().tick(clock.now());
    expect(smtp.messages, 'once').toHaveLength(1);
  });

  test('to a user with a password is a link for a new one, and names its sender', async () => {
    const user = await createUser(db, { customer, displayName: 'Otto Operator', password: 'the-forgotten-password' });
    await wish(user);
    await engine().tick(clock.now());
    const [mail] = smtp.messages;
    expect(mail).toMatchObject({ to: [user.email], subject: 'North Water: a new password for Tocsin' });
    expect(mail!.text).toContain('Hello Otto Operator,');
    expect(mail!.text).toContain('A manager of North Water sent you this link to choose a new password');
    expect(mail!.text).toMatch(/\/auth\/activation\?uuid=[\w-]+&code=[\w-]{43}&again=yes$/m);
    expect(await pending()).toEqual([]);
  });

  test('is retried with growing delays, and finally stores its error', async () => {
    const user = await invited();
    smtp.failWith(451);
    for (const pause of BACK_OFF_MS) {
      await engine().tick(clock.now());
      clock.advance(pause - 1);
      const before = smtp.refused;
      await engine().tick(clock.now());
      expect(smtp.refused, 'not before its delay has ended').toBe(before);
      clock.advance(1);
    }
    await engine().tick(clock.now());
    expect(smtp.refused).toBe(8);
    clock.advance(30 * 24 * 3_600_000);
    await engine().tick(clock.now());
    expect(smtp.refused, 'no ninth attempt').toBe(8);
    expect(await pending()).toMatchObject([
      { user_uuid: user.uuid, attempts: 8, problem: expect.stringMatching(/did not accept the message.*451/) },
    ]);
  });

  test('that succeeds after a failure is done', async () => {
    const user = await invited();
    smtp.failWith(421);
    await engine().tick(clock.now());
    expect(await pending()).toMatchObject([{ attempts: 1 }]);
    smtp.failWith(null);
    clock.advance(BACK_OFF_MS[0]!);
    await engine().tick(clock.now());
    expect(smtp.messages.map(({ to }) => to)).toEqual([[user.email]]);
    expect(await pending()).toEqual([]);
  });

  test('that the mail server refuses permanently is not retried', async () => {
    await invited();
    smtp.failWith(550, 'recipient');
    await engine().tick(clock.now());
    clock.advance(24 * 3_600_000);
    await engine().tick(clock.now());
    expect(smtp.refused).toBe(1);
    expect(await pending()).toMatchObject([{ attempts: 8, problem: expect.stringContaining('550') }]);
  });

  test('is not sent to a user who was disabled meanwhile', async () => {
    const user = await invited();
    await serviceQuery(db, 'update tocsin.user set status = false where uuid = $1', [user.uuid]);
    await engine().tick(clock.now());
    expect(smtp.messages).toEqual([]);
    expect(await pending()).toEqual([]);
  });
});

describe('the work', () => {
  test('holds no transaction while it sends a mail', async () => {
    const user = await invited();
    let seen: unknown;
    const asking: Sender = {
      ...mailer,
      // If a transaction were open during the send, this query would wait forever for the only connection.
      send: async (message) => {
        seen = (await serviceQuery(db, 'select email from tocsin.user where uuid = $1', [user.uuid]))[0].email;
        return mailer.send(message);
      },
    };
    await engine(asking).tick(clock.now());
    expect(seen).toBe(user.email);
    expect(smtp.messages).toHaveLength(1);
  });

  test('is taken over from a dead process when its lease ends', async () => {
    await invited();
    const dying: Sender = { ...mailer, send: () => Promise.reject(new Error('killed')) };
    await expect(engine(dying).tick(clock.now())).rejects.toThrow('killed');
    clock.advance(LEASE_MS - 1);
    await engine().tick(clock.now());
    expect(smtp.messages).toEqual([]);
    clock.advance(1);
    await engine().tick(clock.now());
    expect(smtp.messages).toHaveLength(1);
    expect(await pending()).toEqual([]);
  });

  test('leaves the row to its new owner after its lease has ended', async () => {
    await invited();
    const slow: Sender = {
      ...mailer,
      send: async () => {
        clock.advance(LEASE_MS);
        // The lease has ended. Another process leases the row, and its send fails.
        smtp.failWith(451);
        await engine().tick(clock.now());
        return { outcome: 'sent', providerId: '', answer: '' };
      },
    };
    await engine(slow).tick(clock.now());
    expect(await pending()).toMatchObject([{ attempts: 1 }]);
  });

  test('sends each invitation once with several processes', async () => {
    const people: UserRow[] = [];
    for (let i = 0; i < 45; i += 1) people.push(await invited());
    await Promise.all([engine().tick(clock.now()), engine().tick(clock.now()), engine().tick(clock.now())]);
    const recipients = smtp.messages.map(({ to }) => to[0]).sort();
    expect(recipients).toEqual(people.map(({ email }) => email).sort());
    expect(await pending()).toEqual([]);
  });
});
