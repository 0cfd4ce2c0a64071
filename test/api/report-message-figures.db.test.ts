/** The figures for SMS, acknowledgements and deliveries match a simple reference computation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HandClock } from '../../server/platform/clock.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import { startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { list } from './api.ts';
import {
  buildReportPlant,
  localDay,
  NOW,
  nineOfTen,
  percentile,
  type ReportMessage,
  type ReportPlant,
  shownStateOf,
  wasTaken,
  wentOut,
} from './report-plant.ts';
import { count, from, near, range, to, type Variables, within } from './report-range.ts';

let app: TestApp;
let plant: ReportPlant;
let owner: TestBrowser;
beforeAll(async () => {
  app = await startTestApp({ clock: new HandClock(NOW) });
  plant = await buildReportPlant(app.db);
  owner = await app.browser(plant.owner);
});
afterAll(() => app?.close());

describe('SMS figures', () => {
  const went = (message: ReportMessage) => message.method === 3 && wasTaken(message) && within(message.at);
  const counts = (rows: readonly ReportMessage[]) => ({
    alarmSms: count(rows, ({ type }) => type === 1),
    healthSms: count(rows, ({ type }) => type === 2),
    resolveSms: count(rows, ({ type }) => type === 3),
    otherSms: count(rows, ({ type }) => type === 4),
    smsCount: rows.length,
    eqs: rows.reduce((sum, { segments }) => sum + segments, 0),
  });
  const fields = 'alarmSms healthSms resolveSms otherSms smsCount eqs';
  const officeOf = (message: ReportMessage) => plant.sites.find(({ uuid }) => uuid === message.site)?.office ?? null;

  test('match the reference by unit office', async () => {
    const rows = await list(owner, 'smsReportByUnitOffice', `uuid ${fields}`, range);
    expect(rows).toHaveLength(3);
    for (const { uuid, ...figures } of rows) {
      expect(figures).toEqual(counts(plant.messages.filter((message) => went(message) && officeOf(message) === uuid)));
    }
  });

  test('match the reference by site', async () => {
    const rows = await list(owner, 'smsReportBySite', `uuid ${fields}`, range);
    expect(rows).toHaveLength(plant.sites.length + 1);
    for (const { uuid, ...figures } of rows) {
      expect(figures).toEqual(counts(plant.messages.filter((message) => went(message) && message.site === uuid)));
    }
  });

  test('match the reference by day of the customer’s time zone', async () => {
    const rows = await list(owner, 'smsByDay', `day ${fields}`, range);
    const days = Map.groupBy(plant.messages.filter(went), ({ at }) => localDay(at));
    expect(rows.map(({ day }) => day)).toEqual([...days.keys()].toSorted());
    for (const { day, ...figures } of rows) expect(figures, day).toEqual(counts(days.get(day) ?? []));
  });
});

describe('acknowledgement figures', () => {
  const seconds = (rows: readonly ReportMessage[]) => rows.map(({ ack, at }) => ((ack as number) - at) / 1000);

  test.each([true, false])('match the reference by person; SMS only: %s', async (smsOnly) => {
    const rows = await list(
      owner,
      'acknowledgementsByPerson',
      'recipientName messages acknowledged byThemselves medianSeconds p90Seconds',
      { ...range, smsOnly: ['Boolean', smsOnly] },
    );
    const told = plant.messages.filter(
      (message) => message.type === 1 && (message.method === 3 || !smsOnly) && within(message.at) && wentOut(message),
    );
    const people = Map.groupBy(told, ({ person }) => person);
    expect(rows).toHaveLength(people.size);
    for (const row of rows) {
      const messages = people.get(row.recipientName) ?? [];
      const own = messages.filter(({ ackBy, person }) => ackBy === person);
      expect(row).toEqual({
        recipientName: row.recipientName,
        messages: messages.length,
        acknowledged: count(messages, ({ ack }) => ack !== null),
        byThemselves: own.length,
        medianSeconds: near(percentile(seconds(own), 0.5)),
        p90Seconds: near(nineOfTen(seconds(own))),
      });
    }
    expect(rows[0]).toMatchObject({ recipientName: '北京 泵站', byThemselves: 0 });
  });

  test('match the reference for one unit office, in total', async () => {
    const office = plant.offices[0]?.uuid;
    const sites = plant.sites.filter((site) => site.office === office).map(({ uuid }) => uuid);
    const data = await owner.data(
      `query ($from: Datetime!, $to: Datetime!, $office: UUID) { acknowledgementTotals(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office) {
         messages acknowledged medianSeconds p90Seconds } }`,
      { from, to, office },
    );
    const told = plant.messages.filter(
      (message) =>
        message.type === 1 &&
        message.method === 3 &&
        within(message.at) &&
        sites.includes(message.site ?? '') &&
        wentOut(message),
    );
    const done = told.filter(({ ack }) => ack !== null);
    expect(data.acknowledgementTotals).toEqual({
      messages: told.length,
      acknowledged: done.length,
      medianSeconds: near(percentile(seconds(done), 0.5)),
      p90Seconds: near(nineOfTen(seconds(done))),
    });
  });
});

describe('the list of acknowledgements', () => {
  const wanted = (which: (message: ReportMessage) => boolean) =>
    plant.messages
      .filter((message) => within(message.at) && which(message))
      .toSorted((a, b) => b.at - a.at)
      .map(({ uuid }) => uuid);
  const officeOf = (site: string | null) => plant.sites.find(({ uuid }) => uuid === site)?.office ?? null;
  /** The report has two pages, which together contain all rows. */
  const ask = async (more: Variables) => {
    const page = (offset: number) =>
      list(owner, 'acknowledgementReport', 'uuid', {
        ...range,
        ...{ first: ['Int', 500], offset: ['Int', offset] },
        ...more,
      });
    return [...(await page(0)), ...(await page(500))].map(({ uuid }) => uuid);
  };

  test('has the alarm SMS, or every message, without naming the sites', async () => {
    const alarmSms = ({ method, type }: ReportMessage) => method === 3 && type === 1;
    expect(await ask({})).toEqual(wanted(alarmSms));
    const offices = plant.offices.map(({ uuid }) => uuid);
    const named = await list(owner, 'acknowledgementReportsByUnitOffices', 'uuid', {
      ...{ notifyFrom: ['Datetime!', from], notifyTo: ['Datetime!', to], first: ['Int', 500] },
      unitOfficeUuids: ['[UUID]!', offices],
    });
    expect(named.map(({ uuid }) => uuid)).toEqual(
      wanted((message) => alarmSms(message) && officeOf(message.site) !== null),
    );
    expect(await ask({ smsOnly: ['Boolean', false] })).toEqual(wanted(() => true));
  });

  test('is filtered by unit office and by site', async () => {
    const [office, site] = [plant.offices[0]?.uuid, plant.sites[1]?.uuid as string];
    const all: Variables = { smsOnly: ['Boolean', false] };
    expect(await ask({ ...all, unitOfficeUuid: ['UUID', office] })).toEqual(
      wanted((message) => officeOf(message.site) === office),
    );
    expect(await ask({ ...all, siteUuids: ['[UUID]', [site]] })).toEqual(wanted((message) => message.site === site));
    const { errors } = await owner.graphql(
      `query ($from: Datetime!, $to: Datetime!) {
         acknowledgementReport(rangeFrom: $from, rangeTo: $to, siteUuids: []) { nodes { uuid } } }`,
      { from, to },
    );
    expect(errors?.[0]).toMatchObject({ message: 'Choose at least one site.', extensions: { field: 'siteUuids' } });
  });
});

describe('delivery figures', () => {
  const fields = 'methodType recipientName messages queued sent delivered kept failed medianSeconds p90Seconds';
  test.each([false, true])('match the reference by method; and by person: %s', async (byPerson) => {
    const rows = await list(owner, 'deliveryFigures', fields, { ...range, byPerson: ['Boolean', byPerson] });
    const groups = Map.groupBy(
      plant.messages.filter(({ at }) => within(at)),
      ({ method, person }) => `${method} ${byPerson ? person : ''}`,
    );
    expect(rows).toHaveLength(groups.size);
    for (const row of rows) {
      const messages = groups.get(`${row.methodType} ${row.recipientName ?? ''}`) ?? [];
      const seconds = messages.filter(wentOut).map(({ out, at }) => ((out as number) - at) / 1000);
      const of = (shownState: string) => count(messages, (message) => shownStateOf(message) === shownState);
      expect(row).toMatchObject({
        messages: messages.length,
        ...{
          queued: of('queued'),
          sent: of('sent'),
          delivered: of('delivered'),
          kept: of('kept'),
          failed: of('failed'),
        },
        medianSeconds: near(percentile(seconds, 0.5)),
        p90Seconds: near(nineOfTen(seconds)),
      });
    }
  });

  test('match the list with every filter', async () => {
    const person = plant.messages.find(({ at }) => within(at))?.person as string;
    for (const [method, state, search, kind, told] of [
      [3, null, null, null, null],
      [null, 'failed', null, null, null],
      [null, 'kept', null, null, null],
      [3, 'taken', null, 1, null],
      [3, 'out', null, null, null],
      [null, null, person.slice(1).toUpperCase(), null, null],
      [1, 'out', person, null, null],
      [3, 'out', null, 1, person],
    ] as const) {
      const wanted = {
        way: ['Int', method],
        inState: ['String', state],
        search: ['String', search],
        ofKind: ['Int', kind],
        ofPerson: ['String', told],
      } satisfies Variables;
      const figures = await list(owner, 'deliveryFigures', 'messages sent delivered', { ...range, ...wanted });
      const { deliveryReport } = await owner.data(
        `query ($from: Datetime!, $to: Datetime!, $method: Int, $state: String, $search: String, $kind: Int, $person: String) {
           deliveryReport(rangeFrom: $from, rangeTo: $to, methodType: $method, state: $state, search: $search, ofKind: $kind,
             ofPerson: $person) { totalCount } }`,
        { from, to, method, state, search, kind, person: told },
      );
      const messages = figures.reduce((total, row) => total + row.messages, 0);
      expect(messages).toBe(deliveryReport.totalCount);
      expect(messages).toBeGreaterThan(0);
      if (state === 'out') {
        expect(figures.reduce((total, row) => total + row.sent + row.delivered, 0)).toBe(messages);
      }
    }
    const out = count(plant.messages, (message) => within(message.at) && message.method === 3 && wentOut(message));
    const sms = await list(owner, 'deliveryFigures', 'messages', {
      ...range,
      way: ['Int', 3],
      inState: ['String', 'out'],
    });
    expect(sms).toEqual([{ messages: out }]);
  });

  test('the search finds each word in a row’s number, site, method, state and response', async () => {
    const [{ uuid }] = await serviceQuery(
      app.db,
      `insert into tocsin.notification (tocsin_customer_uuid, tocsin_site_uuid, recipient_name, address, method_type, message_type,
         notify_message, notify_time, state, provider, provider_answer, failed_at)
       values ($1, $2, 'Wanda Nowak', '+49170 1234567', 3, 1, 'Tank 4 is full', $3, 'failed', 'some', 'Number barred', $3),
         ($1, $2, 'Wanda Nowak', 'wanda@plant.example', 1, 1, 'Tank 4 is full', $3, 'sent', 'some', '', null),
         ($1, $2, 'Wanda Nowak', '{"endpoint":"https://push.example/1701234567"}', 4, 1, 'Tank 4 is full', $3, 'sent', 'some', '', null)
       returning uuid`,
      [plant.customer.uuid, plant.sites[0]?.uuid, NOW],
    );
    const found = async (search: string) => {
      const rows = await list(owner, 'deliveryReport', 'uuid methodType', { ...range, search: ['String', search] });
      const figures = await list(owner, 'deliveryFigures', 'messages', { ...range, search: ['String', search] });
      expect(
        figures.reduce((sum, { messages }) => sum + messages, 0),
        search,
      ).toBe(rows.length);
      return rows;
    };
    for (const search of [
      ...['+491701234567', '0170/1234567', '0049 170 123 45 67', '(0170) 123-4567', '1234567 nowak'],
      ...['wanda sms failed', 'quay barred', 'full s-0 sms', 'NOWAK  wanda sms'],
    ]) {
      expect(await found(search), search).toEqual([{ uuid, methodType: 3 }]);
    }
    expect((await found('wanda@plant')).map(({ methodType }) => methodType)).toEqual([1]);
    expect((await found('wanda app push')).map(({ methodType }) => methodType)).toEqual([4]);
    // The search does not treat a few digits, or only zeros, as a phone number.
    expect(await found('nowak 123')).toEqual([]);
    expect(await found('nowak 0000')).toEqual([]);
    expect(await found('wanda quay 水塔')).toEqual([]);
    await serviceQuery(app.db, `delete from tocsin.notification where recipient_name = 'Wanda Nowak'`);
  });

  test('the state "kept" selects the messages in the outbox', async () => {
    const rows = await list(owner, 'deliveryReport', 'uuid shownState', { ...range, state: ['String', 'kept'] });
    expect(rows.length).toBe(
      count(plant.messages, (message) => within(message.at) && shownStateOf(message) === 'kept'),
    );
    expect(new Set(rows.map(({ shownState }) => shownState))).toEqual(new Set(['kept']));
  });

  test('a person who was notified has as many messages in the list as in the acknowledgement report', async () => {
    for (const row of await list(owner, 'acknowledgementsByPerson', 'recipientName messages', range)) {
      const { deliveryReport, acknowledgementTotals } = await owner.data(
        `query ($from: Datetime!, $to: Datetime!, $person: String) {
           deliveryReport(rangeFrom: $from, rangeTo: $to, methodType: 3, state: "out", ofKind: 1, ofPerson: $person) { totalCount }
           acknowledgementTotals(rangeFrom: $from, rangeTo: $to, ofPerson: $person) { messages } }`,
        { from, to, person: row.recipientName },
      );
      expect([deliveryReport.totalCount, acknowledgementTotals.messages]).toEqual([row.messages, row.messages]);
    }
  });

  test('the list contains every message, newest first, filtered by method and state', async () => {
    const rows = await list(owner, 'deliveryReport', 'uuid', {
      ...range,
      methodType: ['Int', 3],
      state: ['String', 'failed'],
      first: ['Int', 500],
    });
    const wanted = plant.messages.filter(({ method, state, at }) => method === 3 && state === 'failed' && within(at));
    expect(rows.map(({ uuid }) => uuid)).toEqual(wanted.toSorted((a, b) => b.at - a.at).map(({ uuid }) => uuid));
  });
});

describe('a list in a requested order', () => {
  const all: Variables = { ...range, first: ['Int', 500] };
  const newestFirst = (rows: any[]) => rows.toSorted((a, b) => Date.parse(b.notifyTime) - Date.parse(a.notifyTime));

  /**
   * Expects ascending and descending lists that are ordered by the sorted value, with unknown values at the end. Rows
   * with the same value are newest first.
   */
  async function expectOrdered(
    field: string,
    sort: string,
    fields: string,
    value: (row: any) => unknown,
    more: Variables = {},
  ) {
    const ask = (wanted: string) =>
      list(owner, field, `uuid notifyTime ${fields}`, { ...all, ...more, sort: ['String', wanted] });
    const [up, down] = [await ask(sort), await ask(`-${sort}`)];
    const groups = (rows: any[]) => rows.map(value).filter((each, at, whole) => at === 0 || each !== whole[at - 1]);
    const known = groups(up).filter((each) => each !== undefined);
    expect(new Set(groups(up)).size).toBe(groups(up).length);
    expect(known.length).toBeGreaterThan(2);
    expect(groups(down)).toEqual([...known.toReversed(), ...(known.length < groups(up).length ? [undefined] : [])]);
    expect(groups(up).slice(0, known.length)).toEqual(known);
    for (const rows of [up, down]) {
      const again = groups(rows).flatMap((each) => newestFirst(rows.filter((row) => value(row) === each)));
      expect(rows.map(({ uuid }) => uuid)).toEqual(again.map(({ uuid }) => uuid));
    }
    return known;
  }

  test('sorts messages by site, person, state, method and time', async () => {
    const narrowed: Variables = { methodType: ['Int', 3] };
    await expectOrdered('deliveryReport', 'site', 'site { name }', (row) => row.site?.name, narrowed);
    await expectOrdered('deliveryReport', 'person', 'recipientName', (row) => row.recipientName, narrowed);
    expect(
      await expectOrdered('deliveryReport', 'state', 'shownState', (row) => row.shownState, {
        ...narrowed,
        ofKind: ['Int', 1],
      }),
    ).toEqual(['queued', 'sent', 'delivered', 'kept', 'failed']);
    const failed: Variables = { state: ['String', 'failed'] };
    // The methods are ordered by name: app push, e-mail, SMS, WhatsApp.
    expect(await expectOrdered('deliveryReport', 'way', 'methodType', (row) => row.methodType, failed)).toEqual([
      4, 1, 3, 2,
    ]);
    const oldest = await list(owner, 'deliveryReport', 'uuid', { ...all, ...failed, sort: ['String', 'time'] });
    const newest = await list(owner, 'deliveryReport', 'uuid', { ...all, ...failed });
    expect(oldest).toEqual(newest.toReversed());
  });

  test('sorts acknowledgements by site, acknowledging person and delay', async () => {
    await expectOrdered('acknowledgementReport', 'site', 'site { name }', (row) => row.site?.name);
    await expectOrdered(
      'acknowledgementReport',
      'by',
      'ackByRecipientName',
      (row) => row.ackByRecipientName ?? undefined,
    );
    const rows = await list(owner, 'acknowledgementReport', 'notifyTime ackTime', {
      ...all,
      sort: ['String', '-after'],
    });
    const after = rows.map((row) => (row.ackTime === null ? -1 : Date.parse(row.ackTime) - Date.parse(row.notifyTime)));
    expect(after).toEqual(after.toSorted((a, b) => b - a));
    expect(after.at(-1)).toBe(-1);
  });

  test('refuses an unknown order', async () => {
    const { errors } = await owner.graphql(
      `{ deliveryReport(rangeFrom: "2026-01-01T00:00:00Z", rangeTo: "2026-01-02T00:00:00Z", sort: "colour") { totalCount } }`,
    );
    expect(errors?.[0]?.message).toMatch(/^Choose time, way, person, site, state, -time/);
  });
});
