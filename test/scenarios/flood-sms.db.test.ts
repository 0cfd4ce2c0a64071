/** Digests by SMS: the budget, and the messages that the senders receive. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UserRow } from '../harness/database/factories.ts';
import { type HttpReceiver, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../harness/provider/smtp.ts';
import { type FloodStation, floodStation, raise } from './flood-plant.ts';
import { Plant } from './plant.ts';

let plant: Plant;
let smtp: SmtpCatcher;
let gateway: HttpReceiver;
let bea: UserRow;
let sam: UserRow;
beforeAll(async () => {
  [smtp, gateway] = await Promise.all([startSmtpCatcher(), startHttpReceiver()]);
  plant = await Plant.start({
    ...{ publicUrl: 'https://tocsin.example', smtpUrl: smtp.url, mailFrom: 'Tocsin <alarm@plant.example>' },
    sms: {
      ...{ by: 'gateway', url: `${gateway.url}/send`, method: 'POST', body: '{"to":"{to}","text":"{text}"}' },
      ...{ headers: {}, success: undefined, id: 'id' },
    },
  });
  gateway.always({ body: { id: 'sms' } });
  const sms = { sms_notification: true, phone_number: '+44 7700 900001' };
  bea = await plant.person({ name: 'Bea', flags: sms });
  sam = await plant.person({
    name: 'Sam',
    flags: { ...sms, email_notification: false, phone_number: '+44 7700 900002' },
  });
});
beforeEach(() => plant.pass(3600));
afterAll(async () => {
  await plant?.close();
  await Promise.all([smtp, gateway].map((server) => server?.stop()));
});

const names: Record<number, string> = { 1: 'mail', 3: 'sms' };

async function digestsOf(station: FloodStation): Promise<any[]> {
  return plant.query(
    `select n.recipient_name as name, n.method_type as method, n.uuid, n.segments, n.notify_message as text from tocsin.notification n
     where n.tocsin_site_uuid = $1 and n.kind = 'digest' order by n.sequence_number`,
    [station.site.uuid],
  );
}

const said = (rows: readonly any[]) => rows.map(({ name, method }) => `${name} ${names[method]}`).toSorted();

test('an SMS has the link to its alarms and at most two segments; a mail has a button', async () => {
  const storm = await floodStation(plant, { alert: [bea] });
  await raise(plant, storm, 1, 14);
  await plant.pass(65);
  const rows = await digestsOf(storm);
  expect(said(rows)).toEqual(['Bea mail', 'Bea sms']);
  const sms = rows.find(({ method }) => method === 3);
  expect(sms.segments).toBeLessThanOrEqual(2);
  const sent = gateway.requests.filter(({ text }) => text.includes('flood')).at(-1);
  const [, link] = /(https:\/\/tocsin\.example\/d\/[\w-]{22})/.exec(sent?.text ?? '') ?? [];
  expect(link).toBeDefined();
  const browser = await plant.browser(bea);
  const answer = await browser.get(new URL(link as string).pathname);
  expect(answer.headers.location).toBe(`/dashboard/alarms?show=all&digest=${sms.uuid}`);
  expect((await browser.get('/d/nonsense')).statusCode).toBe(404);
  expect(smtp.messages.at(-1)?.html).toContain('Show alarms');
});

test('an SMS of minor alarms follows the budget, and one with a major alarm is sent', async () => {
  await plant.query('update tocsin.customer set sms_day_budget = 1 where uuid = $1', [plant.customer.uuid]);
  await plant.query(
    `insert into tocsin_private.sms_usage (tocsin_customer_uuid, account_uuid, day, segments)
     select $1, $1, ($2::timestamptz at time zone 'Europe/London')::date + d, 1 from generate_series(0, 1) d
     on conflict (account_uuid, day) do update set segments = 1`,
    [plant.customer.uuid, plant.clock.now()],
  );
  const storm = await floodStation(plant, { alert: [bea, sam] });
  await raise(plant, storm, 1, 12);
  await plant.pass(65);
  const first = await digestsOf(storm);
  expect(said(first)).toEqual(['Bea mail', 'Sam sms']);
  await raise(plant, storm, 20);
  await plant.pass(65);
  expect(said((await digestsOf(storm)).slice(first.length))).toEqual(['Bea mail', 'Bea sms', 'Sam sms']);
});
