/**
 * Alarms are posted to destinations: each event once for each destination, in the order of its alarm, with a key that
 * stays the same on repeats, whatever the receiver does.
 */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serviceAccess } from '../../server/access.ts';
import { DestinationSender } from '../../server/destination/deliver.ts';
import { queueDeliveries } from '../../server/destination/queue.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openAgain } from '../harness/database/database.ts';
import type { UserRow } from '../harness/database/factories.ts';
import { type HttpReceiver, type ReceivedRequest, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { clear, floodStation, raise } from './flood-plant.ts';
import { acknowledge, resolve } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let receiver: HttpReceiver;
let vera: UserRow;
beforeAll(async () => {
  receiver = await startHttpReceiver();
  plant = await Plant.start({ webhookPrivate: true });
  vera = await plant.person({ name: 'Vera', level: 5 });
});
afterEach(async () => {
  receiver.clear();
  await plant.query('delete from tocsin.destination');
});
afterAll(async () => {
  await plant?.close();
  await receiver?.stop();
});

const HOUR = 3600;
const SAVE = `mutation ($input: SaveDestinationInput!) { saveDestination(input: $input) { saved { uuid secret } } }`;

async function destination(input: object): Promise<{ uuid: string; secret: string }> {
  const browser = await plant.browser(vera);
  const all = { name: `Desk ${Math.random()}`, kind: 'webhook', status: true, url: `${receiver.url}/hook`, ...input };
  return (await browser.data(SAVE, { input: all })).saveDestination.saved;
}

const forSite = ({ site }: Station, more: object = {}) => destination({ tocsinSiteUuid: site.uuid, ...more });

async function stationWithRule(): Promise<Station> {
  const station = await plant.station();
  await plant.rule(station, { name: 'High level' });
  return station;
}

const keyOf = ({ headers }: ReceivedRequest) => headers['tocsin-delivery'] as string;
const events = (requests: readonly ReceivedRequest[] = receiver.requests) =>
  requests.map((request) => request.json().event as string);
const deliveries = () =>
  plant.query(
    'select event, state, attempts, response_code, answer, title from tocsin.destination_delivery order by sequence_number',
  );

/** Opens an alarm at the station, acknowledges it as Vera, and resolves it. */
async function wholeLife(station: Station): Promise<string> {
  await plant.send(station, 120);
  await plant.settle();
  const [{ uuid }] = await plant.open(station.site);
  expect((await acknowledge(await plant.browser(vera), uuid, 'Pump blocked')).refusal).toBeUndefined();
  await plant.pass(1);
  await plant.send(station, 50);
  await plant.pass(1);
  return uuid;
}

describe('an alarm', () => {
  test('is posted when it opens, is acknowledged and resolves, signed and with a growing sequence', async () => {
    const station = await stationWithRule();
    const { secret } = await forSite(station);
    const uuid = await wholeLife(station);
    expect(events()).toEqual(['opened', 'acknowledged', 'resolved']);
    const bodies = receiver.requests.map((request) => request.json());
    expect(bodies.map(({ alarm }) => alarm.uuid)).toEqual([uuid, uuid, uuid]);
    const numbers = bodies.map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(3);
    expect(bodies[0]).toMatchObject({
      version: 1,
      alarm: { site: { name: station.site.name }, value: 120, links: { alarm: expect.stringContaining(uuid) } },
    });
    expect(bodies[1].alarm.acknowledged).toMatchObject({ by: 'Vera', reason: 'Pump blocked' });
    for (const { headers, text } of receiver.requests) {
      const expected = createHmac('sha256', secret).update(`${headers['tocsin-timestamp']}.${text}`).digest('hex');
      expect(headers['tocsin-signature']).toBe(`v1=${expected}`);
    }
    expect((await deliveries()).map(({ state, response_code }) => [state, response_code])).toEqual(
      Array.from({ length: 3 }, () => ['sent', 200]),
    );
  });

  test('is posted in order even if its opening is tried again', async () => {
    const station = await stationWithRule();
    await forSite(station);
    receiver.next({ status: 500, body: 'down' });
    await wholeLife(station);
    expect(events()).toEqual(['opened']);
    await plant.pass(30);
    expect(events()).toEqual(['opened', 'opened', 'acknowledged', 'resolved']);
    const [first, second] = receiver.requests as [ReceivedRequest, ReceivedRequest];
    expect([keyOf(second), second.text]).toEqual([keyOf(first), first.text]);
  });

  test('of a group’s site is posted to the group, and one of another site is not', async () => {
    const [here, there] = [await stationWithRule(), await stationWithRule()];
    const [group] = await plant.query(
      `insert into tocsin.group (tocsin_customer_uuid, level, name) values ($1, 5, 'North') returning uuid`,
      [plant.customer.uuid],
    );
    await plant.query('update tocsin.site set tocsin_group5_uuid = $2 where uuid = $1', [here.site.uuid, group.uuid]);
    await destination({ tocsinGroupUuid: group.uuid });
    for (const station of [here, there]) await plant.send(station, 120);
    await plant.settle();
    expect(receiver.requests.map((request) => request.json().alarm.site.uuid)).toEqual([here.site.uuid]);
  });

  test('that opened before the destination was added is not posted when it resolves', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    await forSite(station);
    await plant.pass(1);
    await plant.send(station, 50);
    await plant.pass(60);
    expect(receiver.requests).toEqual([]);
  });

  test('of a shelved site is posted when the shelving ends', async () => {
    const station = await stationWithRule();
    await forSite(station);
    const until = new Date(plant.clock.now().getTime() + HOUR * 1000).toISOString();
    await (await plant.browser(vera)).data(
      'mutation ($input: ShelveInput!) { shelve(input: $input) { result { uuid } } }',
      { input: { scope: 'site', targetUuid: station.site.uuid, reason: 'Work', until } },
    );
    await plant.send(station, 120);
    await plant.pass(HOUR - 60);
    expect(receiver.requests).toEqual([]);
    await plant.pass(120);
    await plant.pass(5);
    expect(events()).toEqual(['still-open']);
    await plant.send(station, 50);
    await plant.pass(5);
    expect(events()).toEqual(['still-open', 'resolved']);
  });

  test('of a flood is posted in a digest, and its resolution in another', async () => {
    const station = await floodStation(plant, {}, { size: 30 });
    await forSite(station);
    for (let point = 1; point <= 20; point += 1) await raise(plant, station, point);
    await plant.pass(61);
    const single = receiver.requests.filter((request) => request.json().event === 'opened');
    const digests = receiver.requests.filter((request) => request.json().event === 'digest');
    expect(single.length).toBeLessThan(20);
    expect(digests.length).toBeGreaterThan(0);
    const listed = digests.flatMap((request) => request.json().events.map((one: any) => one.alarm.uuid));
    const uuids = [...single.map((request) => request.json().alarm.uuid), ...listed];
    expect(uuids.length).toBe(20);
    expect(new Set(uuids).size, 'each alarm once').toBe(20);
    receiver.clear();
    await clear(plant, station, 1, 20);
    await plant.pass(61);
    const resolved = receiver.requests.flatMap((request) => {
      const body = request.json();
      return body.event === 'digest' ? body.events : [body];
    });
    expect(resolved.map(({ event }) => event)).toEqual(Array.from({ length: 20 }, () => 'resolved'));
  });
});

describe('a receiver', () => {
  test('that is down for an hour gets every event once, in order, afterwards', async () => {
    const stations = [await stationWithRule(), await stationWithRule()];
    for (const station of stations) await forSite(station);
    receiver.always({ status: 503 });
    const alarms = [];
    for (const station of stations) alarms.push(await wholeLife(station));
    for (let minute = 0; minute < 60; minute += 1) await plant.pass(60);
    const before = new Set(receiver.requests.map(keyOf));
    receiver.clear();
    for (let minute = 0; minute < 90; minute += 1) await plant.pass(60);
    expect(new Set(receiver.requests.map(keyOf)).size, 'each once').toBe(receiver.requests.length);
    for (const uuid of alarms) {
      const own = receiver.requests.filter((request) => request.json().alarm.uuid === uuid);
      expect(events(own)).toEqual(['opened', 'acknowledged', 'resolved']);
    }
    for (const key of before) expect(receiver.requests.map(keyOf)).toContain(key);
  });

  test('that asks for time gets no request before', async () => {
    const station = await stationWithRule();
    await forSite(station);
    receiver.next({ status: 429, headers: { 'retry-after': '600' } });
    await plant.send(station, 120);
    await plant.settle();
    await plant.pass(599);
    expect(receiver.requests).toHaveLength(1);
    await plant.pass(2);
    expect(receiver.requests).toHaveLength(2);
  });

  test.each([
    [302, 'redirect'],
    [410, 'refused the request (410)'],
  ])('that answers %i fails the delivery at once, which a manager resends with the same key', async (status, words) => {
    const station = await stationWithRule();
    await forSite(station);
    receiver.next({ status, headers: { location: `${receiver.url}/elsewhere` } });
    await plant.send(station, 120);
    await plant.settle();
    const [failed] = await plant.query('select * from tocsin.destination_delivery');
    expect(failed).toMatchObject({ state: 'failed', response_code: status, answer: expect.stringContaining(words) });
    const browser = await plant.browser(vera);
    const resend = 'mutation ($uuid: UUID!) { resendDelivery(input: { uuid: $uuid }) { deliveryUuid } }';
    await browser.data(resend, { uuid: failed.uuid });
    await plant.settle();
    expect(receiver.requests.map(({ url }) => url.pathname)).toEqual(['/hook', '/hook']);
    expect(new Set(receiver.requests.map(keyOf))).toEqual(new Set([failed.uuid]));
    expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  test('accepts the events of each alarm in order, whatever it answers in between', async () => {
    const fault = fc.constantFrom(
      { status: 500 },
      { status: 429, headers: { 'retry-after': '5' } },
      { fault: 'drop' as const },
    );
    const answer = fc.oneof(fc.constant({ status: 200 }), fault);
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 5 }), async (answers) => {
        const station = await stationWithRule();
        await forSite(station);
        const accepted: string[] = [];
        const script = [...answers];
        receiver.always((request) => {
          const next = script.shift() ?? { status: 200 };
          if ('status' in next && next.status === 200) accepted.push(request.json().event);
          return next;
        });
        await wholeLife(station);
        for (let minute = 0; minute < 12; minute += 1) await plant.pass(60);
        expect(accepted).toEqual(['opened', 'acknowledged', 'resolved']);
      }),
      { numRuns: 8 },
    );
  });
});

test('a deleted destination gets nothing more, and its deliveries are gone', async () => {
  const station = await stationWithRule();
  const { uuid } = await forSite(station);
  receiver.always({ status: 503 });
  await plant.send(station, 120);
  await plant.settle();
  expect(receiver.requests).toHaveLength(1);
  const remove = 'mutation ($uuid: UUID!) { deleteDestination(input: { uuid: $uuid }) { destination { uuid } } }';
  await (await plant.browser(vera)).data(remove, { uuid });
  for (let minute = 0; minute < 10; minute += 1) await plant.pass(60);
  expect(receiver.requests).toHaveLength(1);
  expect(await deliveries()).toEqual([]);
});

test('a destination that is deleted during a request stores no result', async () => {
  const station = await stationWithRule();
  const { uuid } = await forSite(station);
  receiver.always({ delayMs: 300 });
  await plant.send(station, 120);
  const settled = plant.settle();
  await receiver.waitFor(() => true);
  await plant.query('delete from tocsin.destination where uuid = $1', [uuid]);
  await settled;
  expect(await deliveries()).toEqual([]);
});

test('an inactive destination gets nothing, also of what had waited', async () => {
  const station = await stationWithRule();
  const { uuid } = await forSite(station, { name: 'Night desk' });
  receiver.next({ status: 503 });
  await plant.send(station, 120);
  await plant.settle();
  const off = { uuid, name: 'Night desk', kind: 'webhook', tocsinSiteUuid: station.site.uuid };
  const browser = await plant.browser(vera);
  await browser.data(SAVE, { input: { ...off, status: false } });
  await plant.pass(HOUR);
  await browser.data(SAVE, { input: { ...off, status: true } });
  await plant.pass(HOUR);
  expect(receiver.requests).toHaveLength(1);
  expect(await deliveries()).toMatchObject([{ state: 'failed', answer: 'The destination was set to inactive.' }]);
});

test('two processes post every event once and in order', async () => {
  const station = await stationWithRule();
  await forSite(station);
  const dbs = [await openAgain(plant.db), await openAgain(plant.db)];
  const { clock } = plant;
  const senders = dbs.map(
    (db) => new DestinationSender({ db, clock, log: silentLog, publicUrl: 'http://localhost', allowPrivate: true }),
  );
  for (let round = 0; round < 5; round += 1) {
    for (const value of [120, 50]) {
      await plant.send(station, value);
      clock.advance(1000);
      await plant.app.gateway?.pipeline.behind.flush();
      await Promise.all(
        dbs.map((db) => db.transaction(serviceAccess(clock), (tx) => queueDeliveries(tx, clock.now()))),
      );
      void Promise.all(senders.map((sender) => sender.fill()));
    }
  }
  await Promise.all(senders.map((sender) => sender.fill()));
  await Promise.all(senders.map((sender) => sender.settled()));
  // The second process may have read the queue before the first one sent the event that a delivery waited for.
  await senders[0]?.fill();
  await senders[0]?.settled();
  for (const db of dbs) await db.close();
  expect(new Set(receiver.requests.map(keyOf)).size).toBe(receiver.requests.length);
  const perAlarm = Map.groupBy(receiver.requests, (request) => request.json().alarm.uuid);
  expect(perAlarm.size).toBe(5);
  for (const own of perAlarm.values()) expect(events(own)).toEqual(['opened', 'resolved']);
});

test('a process that ended while it sent leaves the delivery to another one, with the same key', async () => {
  const station = await stationWithRule();
  await forSite(station);
  receiver.always({ status: 503 });
  await plant.send(station, 120);
  await plant.settle();
  // As if the process had been killed after it took the lease.
  await plant.query('update tocsin.destination_delivery set lease_until = $1, next_attempt_at = $2', [
    new Date(plant.clock.now().getTime() + 30_000),
    plant.clock.now(),
  ]);
  receiver.always({});
  await plant.settle();
  expect(receiver.requests).toHaveLength(1);
  await plant.query(`update tocsin.destination_delivery set lease_until = lease_until - interval '31 seconds'`);
  await plant.settle();
  expect(receiver.requests).toHaveLength(2);
  expect(new Set(receiver.requests.map(keyOf)).size).toBe(1);
  expect(await deliveries()).toMatchObject([{ state: 'sent' }]);
});

test('Slack and Teams get a message with links', async () => {
  const station = await stationWithRule();
  await forSite(station, { kind: 'slack', url: `${receiver.url}/slack` });
  await forSite(station, { kind: 'teams', url: `${receiver.url}/teams` });
  await plant.send(station, 120);
  await plant.settle();
  const [{ uuid }] = await plant.open(station.site);
  const bodyOf = (path: string) => receiver.requests.find(({ url }) => url.pathname === path);
  expect(
    bodyOf('/slack')
      ?.json()
      .blocks[1].elements.map(({ url }: any) => new URL(url).pathname),
  ).toEqual([`/dashboard/alarms/${uuid}`, `/dashboard/alarms/${uuid}`]);
  expect(
    bodyOf('/teams')
      ?.json()
      .attachments[0].content.actions.map(({ title }: any) => title),
  ).toEqual(['Acknowledge', 'Open alarm']);
  expect(bodyOf('/slack')?.headers['tocsin-signature']).toBeUndefined();
});

test('an alarm that a person resolves is posted as resolved', async () => {
  const station = await stationWithRule();
  await forSite(station);
  await plant.send(station, 120);
  await plant.settle();
  const [{ uuid }] = await plant.open(station.site);
  await acknowledge(await plant.browser(vera), uuid, 'Pump blocked');
  await resolve(await plant.browser(vera), uuid);
  await plant.settle();
  expect(events()).toEqual(['opened', 'acknowledged', 'resolved']);
});
