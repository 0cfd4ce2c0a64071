/** The iCalendar feeds, as a third-party parser reads them. */
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import { PASSWORD, type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NAME = 'Köhler; "Sara", 電話\\n';

let app: TestApp;
let staff: Staff;
let manager: TestBrowser;
let sara: UserRow;
let rota: string;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  manager = await app.browser(staff.manager);
  sara = await createUser(app.db, {
    customer: staff.customer,
    level: 20,
    password: PASSWORD,
    varified: true,
    displayName: NAME,
  });
  const { saveRotaLayer } = await manager.data(
    'mutation ($input: SaveRotaLayerInput!) { saveRotaLayer(input: $input) { result { uuid } } }',
    {
      input: {
        ...{ rotaName: 'Pumps, north; south', name: 'Primary', personUuids: [sara.uuid, staff.operator.uuid] },
        ...{ turnHours: 168, firstDay: '2026-01-12', handoverTime: '08:00', timeZone: 'Europe/London' },
      },
    },
  );
  rota = saveRotaLayer.result.uuid;
});
afterAll(() => app?.close());

async function renew(by: TestBrowser, rotaUuid: string | null = null): Promise<string> {
  const { renewCalendarFeed } = await by.data(
    'mutation ($rotaUuid: UUID) { renewCalendarFeed(input: { rotaUuid: $rotaUuid }) { path } }',
    { rotaUuid },
  );
  return renewCalendarFeed.path;
}

const read = (path: string) => app.http.inject({ url: path });

/** Returns the events of a feed as ical.js reads them. */
function eventsOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      ...{ uid: event.uid, summary: event.summary, description: event.description },
      ...{ startsAt: event.startDate.toJSDate().getTime(), endsAt: event.endDate.toJSDate().getTime() },
    };
  });
}

describe('a feed', () => {
  test('of a person has the shifts of this person, with the change of the clock', async () => {
    const answer = await read(await renew(await app.browser(sara)));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8');
    const lines = answer.body.split('\r\n');
    expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    const events = eventsOf(answer.body);
    const { myShifts } = await (await app.browser(sara)).data(
      'query ($from: Datetime!, $to: Datetime!) { myShifts(from: $from, to: $to) { startsAt endsAt } }',
      {
        from: new Date(app.clock.now().getTime() - 28 * DAY).toISOString(),
        to: new Date(app.clock.now().getTime() + 180 * DAY).toISOString(),
      },
    );
    expect(events.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual(
      myShifts.map((shift: { startsAt: string; endsAt: string }) => [
        Date.parse(shift.startsAt),
        Date.parse(shift.endsAt),
      ]),
    );
    expect(new Set(events.map(({ endsAt, startsAt }) => (endsAt - startsAt) / HOUR))).toEqual(new Set([167, 168]));
    expect(new Set(events.map(({ summary }) => summary))).toEqual(new Set(['On call: Pumps, north; south, Primary']));
  });

  test('of a rota names the people, and escapes every character', async () => {
    const { body } = await read(await renew(manager, rota));
    const events = eventsOf(body);
    expect(events[0]?.summary).toContain('Pumps, north; south, Primary');
    expect(events.some(({ summary }) => summary.startsWith(`${NAME}: `))).toBe(true);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
  });

  test('keeps the uid of a shift on another day and when another person takes it', async () => {
    const path = await renew(manager, rota);
    const before = eventsOf((await read(path)).body);
    const [layer] = await serviceQuery(app.db, 'select uuid from tocsin.rota_layer where tocsin_rota_uuid = $1', [
      rota,
    ]);
    const next = before.find(({ startsAt }) => startsAt > app.clock.now().getTime())!;
    await manager.data(
      'mutation ($input: AddRotaOverrideInput!) { addRotaOverride(input: $input) { result { uuid } } }',
      {
        input: {
          ...{ layerUuid: layer!.uuid, coverUuid: staff.manager.uuid, reason: 'holiday,\tlong' },
          ...{ startsAt: new Date(next.startsAt).toISOString(), endsAt: new Date(next.endsAt).toISOString() },
        },
      },
    );
    app.clock.advance(DAY);
    const after = eventsOf((await read(path)).body).find(({ uid }) => uid === next.uid)!;
    expect(after).toMatchObject({ startsAt: next.startsAt, endsAt: next.endsAt });
    expect(after.summary).not.toBe(next.summary);
    expect(after.description).toContain('holiday, long');
  });
});

describe('the address of a feed', () => {
  test('stops working when it is renewed, and is stored as a hash', async () => {
    const browser = await app.browser(staff.owner);
    const old = await renew(browser);
    const [, , feed, file] = old.split('/');
    const [row] = await serviceQuery(app.db, 'select secret_hash from tocsin_private.calendar_feed where uuid = $1', [
      feed,
    ]);
    expect(row!.secret_hash.toString('utf8')).not.toContain(file!.replace('.ics', ''));
    expect((await read(old)).statusCode).toBe(200);
    const renewed = await renew(browser);
    expect((await read(old)).statusCode).toBe(404);
    expect((await read(renewed)).statusCode).toBe(200);
  });

  test('stops working when the person is disabled or may no longer see the rota', async () => {
    const leaver = await createUser(app.db, { customer: staff.customer, level: 5, password: PASSWORD, varified: true });
    const path = await renew(await app.browser(leaver), rota);
    expect((await read(path)).statusCode).toBe(200);
    await serviceQuery(app.db, 'update tocsin.user set level = 50 where uuid = $1', [leaver.uuid]);
    expect((await read(path)).statusCode).toBe(404);
    await serviceQuery(app.db, 'update tocsin.user set level = 5, status = false where uuid = $1', [leaver.uuid]);
    expect((await read(path)).statusCode).toBe(404);
  });

  test('of another rota is refused, and guesses are limited', async () => {
    const other = await app.staff();
    const { errors } = await (await app.browser(other.manager)).graphql(
      'mutation ($rotaUuid: UUID) { renewCalendarFeed(input: { rotaUuid: $rotaUuid }) { path } }',
      { rotaUuid: rota },
    );
    expect(errors?.[0]?.message).toContain('you are not allowed');
    const guess = async () =>
      (await app.http.inject({ url: `/calendar/${rota}/guess.ics`, remoteAddress: '192.0.2.7' })).statusCode;
    const codes = [];
    for (let count = 0; count < 25; count += 1) codes.push(await guess());
    expect(codes[0]).toBe(404);
    expect(codes.at(-1)).toBe(429);
  });
});
