import { METHOD } from '../../domain/notification/methods.ts';
import { addressesOf } from '../../domain/notification/recipients.ts';
import { readRange } from '../../domain/report/range.ts';
import { lastDue, weekBefore, weeklyMail } from '../../domain/report/weekly.ts';
import { personAccess, serviceAccess } from '../access.ts';
import { loadPeople } from '../notification/people.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { readPerformance, readTargets } from '../report/performance.ts';
import type { EngineModule } from './engine.ts';

interface WeeklyReportOptions {
  db: Database;
  clock: Clock;
  log: Log;
  /** Public address of the console. */
  publicUrl: string;
}

interface Subscription {
  user: string;
  customer: string;
  level: number;
  weekday: number;
  hour: number;
  sentUntil: Date;
  timeZone: string;
}

/**
 * Queues the weekly alarm performance report for its subscribers. Writes the notification and `sent_until` in one
 * transaction, so that each report is queued once. After downtime, queues only the latest report. Skips disabled users
 * and users of disabled customers.
 */
export function weeklyReport({ db, clock, log, publicUrl }: WeeklyReportOptions): EngineModule {
  return {
    name: 'weekly report',
    every: 60_000,
    async tick(now) {
      const all = await db.transaction(serviceAccess(clock), loadSubscriptions);
      for (const one of all) {
        const due = lastDue(one, now, one.timeZone);
        if (due.getTime() <= one.sentUntil.getTime()) continue;
        try {
          await send(one, due, now);
        } catch (error) {
          log.error('a weekly report was not queued', { user: one.user, error: error as Error });
        }
      }
    },
  };

  async function send(one: Subscription, due: Date, now: Date): Promise<void> {
    const week = weekBefore(due, one.timeZone);
    const reading = readRange(week, now, one.timeZone);
    if (!reading.ok) throw new Error(reading.sentence);
    const { range } = reading;
    const person = { uuid: one.user, customerUuid: one.customer, level: one.level, partnerAccount: false };
    // The report is read with the subscriber's rights, so it shows the same data as the page.
    const mail = await db.transaction(personAccess(person, clock), async (tx) => {
      const query = async (text: string, values: readonly unknown[]) => (await tx.query<any>(text, [...values])).rows;
      const report = await readPerformance(query, [range.from, range.to, null, null, null, null]);
      const link = `${publicUrl}/reports/performance?from=${week.from}&to=${week.to}`;
      return weeklyMail(report, await readTargets({ query }), range, link);
    });
    await db.transaction(serviceAccess(clock), (tx) => queue(tx, one, due, now, mail));
  }
}

async function loadSubscriptions(tx: Transaction): Promise<Subscription[]> {
  const { rows } = await tx.query<Subscription>(
    `select s.tocsin_user_uuid as user, s.tocsin_customer_uuid as customer, u.level, s.weekday, s.hour, s.sent_until as "sentUntil",
       c.time_zone as "timeZone"
     from tocsin_private.report_subscription s
     join tocsin.user u on u.uuid = s.tocsin_user_uuid and u.status and u.level < 10 and not u.tocsin_partner_account
     join tocsin.customer c on c.uuid = s.tocsin_customer_uuid and c.status = 1
     order by s.tocsin_user_uuid`,
  );
  return rows;
}

/**
 * Queues the mail. Does nothing if another process has queued it, or if the person was disabled or unsubscribed in the
 * meantime.
 */
async function queue(
  tx: Transaction,
  { user, customer, weekday, hour }: Subscription,
  due: Date,
  now: Date,
  { subject, text }: { subject: string; text: string },
): Promise<void> {
  const { rowCount } = await tx.query(
    `update tocsin_private.report_subscription s set sent_until = $2 from tocsin.user u
     where s.tocsin_user_uuid = $1 and s.sent_until < $2 and s.weekday = $3 and s.hour = $4 and u.uuid = s.tocsin_user_uuid and u.status`,
    [user, due, weekday, hour],
  );
  if (rowCount === 0) return;
  const person = (await loadPeople(tx, [{ customerUuid: customer, uuid: user }])).get(user);
  if (!person) return;
  // The person subscribed to this mail, so it is sent even to people who receive no alarms by e-mail.
  const onlyMail = { email: true, sms: false, whatsapp: false, push: false };
  const address = addressesOf({ ...person, wants: onlyMail }).methods[0]?.address;
  if (address === undefined) return;
  await tx.query(
    `insert into tocsin.notification (tocsin_customer_uuid, tocsin_user_uuid, recipient_name, address, method_type, message_type, kind,
       subject, notify_message, notify_time, next_attempt_at, once_key)
     values ($1, $2, $3, $4, $5, 4, 'other', $6, $7, $8, $8, $9) on conflict do nothing`,
    [
      customer,
      user,
      person.name,
      address,
      METHOD.email,
      subject,
      text,
      now,
      `weekly-report:${user}:${due.toISOString()}`,
    ],
  );
  await tx.query(`select pg_notify('tocsin_message', '')`);
}
