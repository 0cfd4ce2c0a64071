/** If a provider accepts a message but never responds, only messages through this provider are delayed. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertRow, type UserRow } from '../harness/database/factories.ts';
import { isLong } from '../harness/long.ts';
import { type HttpReceiver, makePushSubscriber, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../harness/provider/smtp.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let smtp: SmtpCatcher;
let twilio: HttpReceiver;
let stalledPush: HttpReceiver;
let otherPush: HttpReceiver;
beforeAll(async () => {
  smtp = await startSmtpCatcher();
  [twilio, stalledPush, otherPush] = await Promise.all([startHttpReceiver(), startHttpReceiver(), startHttpReceiver()]);
  plant = await Plant.start({
    publicUrl: 'https://tocsin.example',
    smtpUrl: smtp.url,
    sms: { by: 'twilio', account: 'AC0', token: 'secret', from: '+15005550006', url: twilio.url },
    push: { subject: 'mailto:ops@plant.example', services: [stalledPush.url, otherPush.url] },
  });
});
beforeEach(() => {
  smtp.clear();
  twilio.clear();
  twilio.always({ status: 201, body: { sid: 'SM1', status: 'queued' } });
});
afterAll(async () => {
  await Promise.all([twilio, stalledPush, otherPush].map((server) => server?.stop()));
  await plant?.close();
  await smtp?.stop();
});

async function stationFor(people: UserRow[]): Promise<Station> {
  const station = await plant.station();
  await plant.rule(station, { name: 'High level' });
  await plant.alert(station.site, 'High level', { alert: people });
  return station;
}

/**
 * Maximum delay of other messages, in milliseconds. `npm run test:long` enforces the documented limit of 2 seconds.
 * `npm test` allows more, because the machine may be busy.
 */
const limitMs = isLong ? 2000 : 15_000;

/** Starts a tick of the engine without waiting for it, as the engine's timers do. */
const beginRound = () => void plant.app.engine?.tick();

const rowsOf = ({ site }: Station) =>
  plant.query('select * from tocsin.notification where tocsin_site_uuid = $1', [site.uuid]);
const inFlight = async (stations: Station[], method: number) =>
  (await Promise.all(stations.map(rowsOf)))
    .flat()
    .filter(({ method_type, lease_until }) => method_type === method && lease_until !== null).length;

function reachedByPush(url: string, count: number): Promise<UserRow[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const person = await plant.person({ flags: { email_notification: false, apps_notification: true } });
      const endpoint = `${url}/push/${index}`;
      await insertRow(plant.db, 'tocsin.push_subscription', {
        tocsin_customer_uuid: plant.customer.uuid,
        tocsin_user_uuid: person.uuid,
        endpoint,
        subscription: makePushSubscriber(endpoint).address,
      });
      return person;
    }),
  );
}

test('an SMS of a later alarm goes out while the mail server stalls on an earlier one', async () => {
  const flags = { email_notification: true, sms_notification: true, phone_number: '+44 7700 900001' };
  const person = await plant.person({ flags });
  const stations = [await stationFor([person]), await stationFor([person]), await stationFor([person])];
  const resume = smtp.stall();
  try {
    for (const [index, station] of stations.entries()) {
      await plant.send(station, 120);
      beginRound();
      await expect.poll(() => twilio.requests.length, { interval: 20, timeout: limitMs }).toBe(index + 1);
    }
    expect(await inFlight(stations, 1), 'the mails are still in flight').toBe(3);
  } finally {
    resume();
  }
  await plant.settle();
  expect(smtp.messages, 'each mail is sent once').toHaveLength(3);
  const rows = (await Promise.all(stations.map(rowsOf))).flat();
  expect(rows.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(Array(6).fill('sent 1'));
});

test('a push goes out while another push service stalls on many, and none of those is sent twice at once', async () => {
  stalledPush.always({ fault: 'hang' });
  otherPush.always({ status: 201 });
  const crowd = await stationFor(await reachedByPush(stalledPush.url, 20));
  const alone = await stationFor(await reachedByPush(otherPush.url, 1));
  await plant.send(crowd, 120);
  beginRound();
  await expect.poll(() => stalledPush.requests.length, { interval: 20 }).toBeGreaterThanOrEqual(8);
  await plant.send(alone, 120);
  beginRound();
  await otherPush.waitFor(() => true);
  expect(await inFlight([crowd], 4), 'the stalled pushes are still in flight').toBeGreaterThanOrEqual(8);
  const addressed = stalledPush.requests.map(({ url }) => url.pathname);
  expect(new Set(addressed).size).toBe(addressed.length);
});
