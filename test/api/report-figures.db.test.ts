/** Every figure of every report against a slow, obvious computation, over the end of daylight saving and of a year. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daysBefore, startOfDay, weekStarts } from '../../domain/week.ts';
import { HandClock } from '../../server/platform/clock.ts';
import { startTestApp, type TestApp, type TestBrowser } from '../harness/app.ts';
import { createSite, insertRow, serviceQuery } from '../harness/factories.ts';
import { done, list, update } from './api.ts';
import {
  buildReportPlant,
  countSlots,
  fateOf,
  localDay,
  NOW,
  nineOfTen,
  percentile,
  type ReportMessage,
  type ReportPlant,
  wasTaken,
  wentOut,
  ZONE,
} from './report-plant.ts';

let app: TestApp;
let plant: ReportPlant;
let owner: TestBrowser;
let operator: TestBrowser;
beforeAll(async () => {
  app = await startTestApp({ clock: new HandClock(NOW) });
  plant = await buildReportPlant(app.db);
  owner = await app.browser(plant.owner);
  operator = await app.browser(plant.operator);
});
afterAll(() => app?.close());

type Variables = Record<string, [string, unknown]>;

/** From 13 October to 12 January: a day of 25 hours and New Year are in it. */
const starts = weekStarts(NOW, ZONE, 12);
const today = startOfDay(NOW, ZONE);
const from = starts[0] as Date;
const to = daysBefore(NOW, -1, ZONE);
const range: Variables = { rangeFrom: ['Datetime!', from], rangeTo: ['Datetime!', to] };
const within = (at: number) => at >= from.getTime() && at < to.getTime();
const count = <T>(rows: readonly T[], which: (row: T) => boolean) => rows.filter(which).length;
const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 3));

test('the range holds a change of clocks and the end of a year', () => {
  expect(localDay(from.getTime())).toBe('2025-10-20');
  expect((starts[1] as Date).getTime() - from.getTime()).toBe((7 * 24 + 1) * 3_600_000);
});

describe('health', () => {
  const weeks: Variables = { weekStarts: ['[Datetime]!', starts], today: ['Datetime!', today] };
  const fields = `${Array.from({ length: 12 }, (_, week) => `w${week + 1}Count`).join(' ')} todaycount expected`;
  const periods = [
    ...starts.slice(0, 12).map((start, week) => [start.getTime(), (starts[week + 1] as Date).getTime()] as const),
    [today.getTime(), NOW.getTime() + 1] as const,
  ];
  const received = (row: any) => [...Array.from({ length: 12 }, (_, week) => row[`w${week + 1}Count`]), row.todaycount];

  test('by site, slot by slot', async () => {
    const rows = await list(owner, 'healthReportBySite', `uuid siteName uoName ${fields}`, weeks);
    expect(rows).toHaveLength(plant.sites.length);
    for (const site of plant.sites) {
      const cells = periods.map(([first, last]) => countSlots(site, first, last));
      const row = rows.find(({ uuid }) => uuid === site.uuid);
      expect(received(row), site.name).toEqual(cells.map((cell) => cell.received));
      expect(row.expected, site.name).toEqual(cells.map((cell) => cell.expected));
    }
  });

  test('by unit office, with the sites of none in a row of their own', async () => {
    const rows = await list(owner, 'healthReportByUnitOffice', `uuid uoName siteCount ${fields}`, weeks);
    expect(rows.map(({ uoName }) => uoName).toSorted()).toEqual(['+Ridge', 'Harbour', 'No unit office']);
    for (const row of rows) {
      const sites = plant.sites.filter(({ office }) => office === row.uuid);
      const cells = periods.map(([first, last]) => sites.map((site) => countSlots(site, first, last)));
      const sum = (key: 'received' | 'expected') =>
        cells.map((cell) => cell.reduce((total, one) => total + one[key], 0));
      expect(row.siteCount).toBe(sites.length);
      expect(received(row), row.uoName).toEqual(sum('received'));
      expect(row.expected, row.uoName).toEqual(sum('expected'));
    }
  });

  test('of weeks in the past, with the one day they lead up to', async () => {
    // The day of 25 hours.
    const until = new Date('2025-10-26T12:00:00Z');
    const earlier = weekStarts(until, ZONE);
    const day = startOfDay(until, ZONE);
    const rows = await list(owner, 'healthReportBySite', `uuid ${fields}`, {
      weekStarts: ['[Datetime]!', earlier],
      today: ['Datetime!', day],
    });
    for (const site of plant.sites) {
      const row = rows.find(({ uuid }) => uuid === site.uuid);
      const last = countSlots(site, day.getTime(), day.getTime() + 25 * 3_600_000);
      const week = countSlots(site, (earlier[11] as Date).getTime(), (earlier[12] as Date).getTime());
      expect([row.w12Count, row.todaycount, row.expected[11], row.expected[12]], site.name).toEqual([
        week.received,
        last.received,
        week.expected,
        last.expected,
      ]);
    }
  });

  test('a slot that has not ended is not expected before something has arrived in it', async () => {
    const hourly = plant.sites[0] as ReportPlant['sites'][number];
    const running = Math.floor(NOW.getTime() / 3_600_000) * 3_600_000;
    const ask = async () => {
      const rows = await list(owner, 'healthReportBySite', 'uuid todaycount expected', weeks);
      const row = rows.find(({ uuid }) => uuid === hourly.uuid);
      return { received: row.todaycount, expected: row.expected[12] };
    };
    const change = (text: string) =>
      serviceQuery(
        app.db,
        text,
        [hourly.uuid, new Date(running), plant.customer.uuid].slice(0, text.includes('$3') ? 3 : 2),
      );
    const had = hourly.slots.has(running);
    await change('delete from tocsin.health_slot where tocsin_site_uuid = $1 and slot_start = $2');
    const without = await ask();
    await change(
      'insert into tocsin.health_slot (tocsin_site_uuid, slot_start, tocsin_customer_uuid) values ($1, $2, $3)',
    );
    // Eleven hours of the day have ended; it is 11:20.
    expect(without.expected).toBe(11);
    expect(await ask()).toEqual({ received: without.received + 1, expected: 12 });
    if (!had) await change('delete from tocsin.health_slot where tocsin_site_uuid = $1 and slot_start = $2');
  });

  test('the slot in which a site was made is expected where something arrived in it', async () => {
    const hour = 3_600_000;
    const running = Math.floor(NOW.getTime() / hour) * hour;
    // One site was made in the slot that runs, the other two slots before it.
    for (const [slot, without] of [
      [running, 0],
      [running - 2 * hour, 1],
    ] as const) {
      const { uuid } = await createSite(app.db, { customer: plant.customer });
      await serviceQuery(
        app.db,
        'update tocsin.site set created_at = $2, tocsin_health_duration_hours = 1 where uuid = $1',
        [uuid, new Date(slot + hour / 4)],
      );
      const ask = async () => {
        const rows = await list(owner, 'healthReportBySite', 'uuid todaycount expected', weeks);
        const row = rows.find((one) => one.uuid === uuid);
        return [row.todaycount, row.expected[12]];
      };
      expect(await ask()).toEqual([0, without]);
      await insertRow(app.db, 'tocsin.health_slot', {
        tocsin_customer_uuid: plant.customer.uuid,
        tocsin_site_uuid: uuid,
        slot_start: new Date(slot),
      });
      expect(await ask()).toEqual([1, without + 1]);
      await serviceQuery(app.db, 'delete from tocsin.site where uuid = $1', [uuid]);
    }
  });

  test('the gaps of a site are its missing slots, those in a row together', async () => {
    for (const site of plant.sites) {
      const length = site.hours * 3_600_000;
      const gaps: { at: number; slots: number }[] = [];
      for (
        let at = Math.ceil(Math.max(from.getTime(), site.created) / length) * length;
        at + length <= NOW.getTime();
        at += length
      ) {
        const last = gaps.at(-1);
        if (site.slots.has(at)) continue;
        if (last && last.at + last.slots * length === at) last.slots += 1;
        else gaps.push({ at, slots: 1 });
      }
      const rows = await list(owner, 'healthGaps', 'gapFrom gapTo slots', { ...range, siteUuid: ['UUID!', site.uuid] });
      expect(rows.map((row) => [Date.parse(row.gapFrom), Date.parse(row.gapTo), row.slots])).toEqual(
        gaps
          .toSorted((a, b) => b.slots - a.slots || a.at - b.at)
          .map(({ at, slots }) => [at, at + slots * length, slots]),
      );
    }
  });

  test('a site that is to be heard in other hours has its past cut anew, so that its weeks compare', async () => {
    const like = plant.sites[0] as ReportPlant['sites'][number];
    const { uuid } = await insertRow(app.db, 'tocsin.site', {
      ...{ tocsin_customer_uuid: plant.customer.uuid, site_id: 'CUT-ANEW', name: 'Cut anew' },
      ...{ tocsin_health_duration_hours: 1, created_at: new Date(like.created) },
    });
    await serviceQuery(
      app.db,
      `insert into tocsin.health_slot (tocsin_site_uuid, tocsin_customer_uuid, slot_start)
       select $1, $2, to_timestamp(s / 1000) from unnest($3::float8[]) s`,
      [uuid, plant.customer.uuid, [...like.slots]],
    );
    let site = { ...like, uuid, hours: 1 };
    for (const hours of [4, 24, 3, 1]) {
      const [before, after] = [site.hours * 3_600_000, hours * 3_600_000];
      const slots = new Set<number>();
      for (const slot of site.slots) {
        if (after >= before) slots.add(Math.floor(slot / after) * after);
        for (let at = Math.ceil(slot / after) * after; at < slot + before && after < before; at += after)
          if (at <= NOW.getTime()) slots.add(at);
      }
      site = { ...site, hours, slots };
      await done(update(owner, 'site', uuid, { tocsinHealthDurationHours: hours }));
      const rows = await list(owner, 'healthReportBySite', `uuid ${fields}`, weeks);
      const cells = periods.map(([first, last]) => countSlots(site, first, last));
      const row = rows.find((one) => one.uuid === uuid);
      expect(received(row), `every ${hours} h`).toEqual(cells.map((cell) => cell.received));
      expect(row.expected, `every ${hours} h`).toEqual(cells.map((cell) => cell.expected));
    }
    await serviceQuery(app.db, 'delete from tocsin.site where uuid = $1', [uuid]);
  });

  test('weeks are gathered from slots, also when slots are removed, and go with their site', async () => {
    const { uuid } = await createSite(app.db, { customer: plant.customer });
    await insertRow(app.db, 'tocsin.health_slot', {
      tocsin_customer_uuid: plant.customer.uuid,
      tocsin_site_uuid: uuid,
      slot_start: NOW,
    });
    const weeks = () => serviceQuery(app.db, 'select from tocsin.health_week where tocsin_site_uuid = $1', [uuid]);
    expect(await weeks()).toHaveLength(1);
    await serviceQuery(app.db, 'delete from tocsin.site where uuid = $1', [uuid]);
    expect(await weeks()).toHaveLength(0);
    const [row] = await serviceQuery(
      app.db,
      `select count(*)::int as wrong from (
         select tocsin_site_uuid, to_timestamp((week * 168 - 72 + bit) * 3600.0) as slot_start
         from tocsin.health_week, generate_series(0, 167) bit where get_bit(hours, bit) = 1) w
       full join tocsin.health_slot h using (tocsin_site_uuid, slot_start)
       where h.tocsin_customer_uuid is null or w.slot_start is null`,
    );
    expect(row.wrong).toBe(0);
  });
});

describe('SMS', () => {
  const went = (message: ReportMessage) => message.method === 3 && wasTaken(message) && within(message.at);
  const counts = (rows: readonly ReportMessage[]) => ({
    alarmSms: count(rows, ({ type }) => type === 1),
    healthSms: count(rows, ({ type }) => type === 2),
    resolveSms: count(rows, ({ type }) => type === 3),
    otherSms: count(rows, ({ type }) => type === 4),
    smsCount: rows.length,
    eqs: rows.reduce((sum, { parts }) => sum + parts, 0),
  });
  const fields = 'alarmSms healthSms resolveSms otherSms smsCount eqs';
  const officeOf = (message: ReportMessage) => plant.sites.find(({ uuid }) => uuid === message.site)?.office ?? null;

  test('by unit office', async () => {
    const rows = await list(owner, 'smsReportByUnitOffice', `uuid ${fields}`, range);
    expect(rows).toHaveLength(3);
    for (const { uuid, ...figures } of rows) {
      expect(figures).toEqual(counts(plant.messages.filter((message) => went(message) && officeOf(message) === uuid)));
    }
  });

  test('by site', async () => {
    const rows = await list(owner, 'smsReportBySite', `uuid ${fields}`, range);
    expect(rows).toHaveLength(plant.sites.length + 1);
    for (const { uuid, ...figures } of rows) {
      expect(figures).toEqual(counts(plant.messages.filter((message) => went(message) && message.site === uuid)));
    }
  });

  test('by day of the customer', async () => {
    const rows = await list(owner, 'smsByDay', `day ${fields}`, range);
    const days = Map.groupBy(plant.messages.filter(went), ({ at }) => localDay(at));
    expect(rows.map(({ day }) => day)).toEqual([...days.keys()].toSorted());
    for (const { day, ...figures } of rows) expect(figures, day).toEqual(counts(days.get(day) ?? []));
  });
});

describe('acknowledgement', () => {
  const seconds = (rows: readonly ReportMessage[]) => rows.map(({ ack, at }) => ((ack as number) - at) / 1000);

  test.each([true, false])('by person; SMS only: %s', async (smsOnly) => {
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

  test('in all, of one unit office', async () => {
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
  /** Two pages, which is all. */
  const ask = async (more: Variables) => {
    const page = (offset: number) =>
      list(owner, 'acknowledgementReport', 'uuid', {
        ...range,
        ...{ first: ['Int', 500], offset: ['Int', offset] },
        ...more,
      });
    return [...(await page(0)), ...(await page(500))].map(({ uuid }) => uuid);
  };

  test('holds the alarm SMS, or every message, without naming the sites', async () => {
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

  test('is narrowed by unit office and by site', async () => {
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

describe('alarms', () => {
  const made = () => plant.alarms.filter(({ created }) => within(created));
  const lasted = (rows: ReportPlant['alarms']) =>
    rows.flatMap(({ resolved, opened }) => (resolved === null ? [] : [(resolved - opened) / 1000]));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

  test('in all', async () => {
    // Two that need no acknowledgement, of which somebody acknowledged one all the same.
    const [left, given] = [made().find(({ reason }) => reason === null), made().find(({ reason }) => reason !== null)];
    await serviceQuery(app.db, 'update tocsin.alarm set must_acknowledge = false where uuid = any ($1::uuid[])', [
      [left?.uuid, given?.uuid],
    ]);
    const data = await owner.data(
      `query ($from: Datetime!, $to: Datetime!) { alarmFigures(rangeFrom: $from, rangeTo: $to) {
         alarms stillOpen acknowledged needNone medianSeconds p90Seconds totalSeconds } }`,
      { from, to },
    );
    const durations = lasted(made());
    expect(data.alarmFigures).toEqual({
      alarms: made().length,
      stillOpen: count(made(), ({ resolved }) => resolved === null),
      acknowledged: count(made(), ({ reason }) => reason !== null),
      needNone: 1,
      medianSeconds: near(percentile(durations, 0.5)),
      p90Seconds: near(nineOfTen(durations)),
      totalSeconds: near(sum(durations)),
    });
    // Those that nobody acknowledged, without the one that needs none.
    const missing = await list(owner, 'alarmReport', 'uuid', {
      ...range,
      withReason: ['String', ''],
      mustAcknowledge: ['Boolean', true],
    });
    expect(missing.map(({ uuid }) => uuid).toSorted()).toEqual(
      made()
        .flatMap(({ uuid, reason }) => (reason === null && uuid !== left?.uuid ? uuid : []))
        .toSorted(),
    );
  });

  test('by reason, most frequent first', async () => {
    const rows = await list(owner, 'alarmsByReason', 'reason alarms', range);
    const groups = Map.groupBy(made(), ({ reason }) => reason);
    expect(new Map(rows.map(({ reason, alarms }) => [reason, alarms]))).toEqual(
      new Map([...groups].map(([reason, alarms]) => [reason, alarms.length])),
    );
    expect(rows.map(({ alarms }) => alarms)).toEqual(rows.map(({ alarms }) => alarms).toSorted((a, b) => b - a));
  });

  test('by site and by rule', async () => {
    const rows = await list(
      owner,
      'alarmsBySite',
      'uuid alarms critical stillOpen acknowledged meanSeconds longestSeconds totalSeconds',
      range,
    );
    const groups = Map.groupBy(made(), ({ site }) => site);
    expect(rows).toHaveLength(groups.size);
    for (const row of rows) {
      const alarms = groups.get(row.uuid) ?? [];
      const durations = lasted(alarms);
      expect(row).toEqual({
        uuid: row.uuid,
        alarms: alarms.length,
        critical: count(alarms, ({ severity }) => severity === 'critical'),
        stillOpen: count(alarms, ({ resolved }) => resolved === null),
        acknowledged: count(alarms, ({ reason }) => reason !== null),
        meanSeconds: near(sum(durations) / durations.length),
        longestSeconds: near(Math.max(...durations)),
        totalSeconds: near(sum(durations)),
      });
    }
    const rules = await list(owner, 'alarmsByRule', 'uuid ruleName alarms totalSeconds', range);
    const byRule = Map.groupBy(made(), ({ rule }) => rule);
    expect(rules).toHaveLength(byRule.size);
    for (const row of rules) {
      const alarms = byRule.get(row.uuid) ?? [];
      expect(row).toMatchObject({ alarms: alarms.length, totalSeconds: near(sum(lasted(alarms))) });
      expect(row.ruleName).toBe(`Rule ${row.uuid.at(-1)}`);
    }
  });

  test('of one unit office, in all and by site; and as many of the worst as are wanted', async () => {
    const office = plant.offices[1]?.uuid;
    const own = plant.sites.filter((site) => site.office === office).map(({ uuid }) => uuid);
    const alarms = made().filter(({ site }) => own.includes(site));
    const data = await owner.data(
      `query ($from: Datetime!, $to: Datetime!, $office: UUID) {
         alarmFigures(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office) { alarms p90Seconds }
         alarmBreakdown(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office) { sites { uuid alarms } }
         all: alarmBreakdown(rangeFrom: $from, rangeTo: $to) { sites { uuid } rules { uuid } }
         worst: alarmBreakdown(rangeFrom: $from, rangeTo: $to, most: 2) { sites { uuid } rules { uuid } reasons { alarms } } }`,
      { from, to, office },
    );
    expect(data.alarmFigures).toEqual({ alarms: alarms.length, p90Seconds: near(nineOfTen(lasted(alarms))) });
    expect(new Map(data.alarmBreakdown.sites.map((row: any) => [row.uuid, row.alarms]))).toEqual(
      new Map(own.map((uuid) => [uuid, count(alarms, ({ site }) => site === uuid)])),
    );
    expect(data.worst.sites).toEqual(data.all.sites.slice(0, 2));
    expect(data.worst.rules).toEqual(data.all.rules.slice(0, 2));
    expect(data.worst.reasons).toHaveLength(4);
  });

  test('a rule says what it is, by which it is found: limits, conditions or a channel of its own', async () => {
    const ask = async () => {
      const data = await owner.data(
        'query ($from: Datetime!, $to: Datetime!) { alarmBreakdown(rangeFrom: $from, rangeTo: $to) { rules { uuid source } } }',
        { from, to },
      );
      return data.alarmBreakdown.rules as { uuid: string; source: string }[];
    };
    const change = (source: string, uuid: string | undefined) =>
      serviceQuery(app.db, 'update tocsin.alarm set source = $1 where rule_uuid = $2', [source, uuid]);
    const [before] = await ask();
    await change('digital', before?.uuid);
    expect((await ask())[0]).toEqual({ uuid: before?.uuid, source: 'digital' });
    await change(before?.source ?? '', before?.uuid);
  });

  test('the first in an order that is asked for are the first of all', async () => {
    const ask = async (wanted: string) => {
      const data = await owner.data(
        `query ($from: Datetime!, $to: Datetime!) { alarmBreakdown(rangeFrom: $from, rangeTo: $to${wanted}) {
           sites { uuid siteName alarms stillOpen meanSeconds longestSeconds } rules { uuid ruleName siteName alarms } } }`,
        { from, to },
      );
      return data.alarmBreakdown;
    };
    const all = await ask('');
    for (const [kind, sort, value] of [
      ['site', 'alarms', (row: any) => row.alarms],
      ['site', 'open', (row: any) => row.stillOpen],
      ['site', 'mean', (row: any) => row.meanSeconds],
      ['site', 'longest', (row: any) => row.longestSeconds],
      ['rule', 'alarms', (row: any) => row.alarms],
    ] as const) {
      const rows = (answer: any) => answer[`${kind}s`].map(value);
      const least = rows(all).toSorted((a: number, b: number) => a - b);
      expect(rows(await ask(`, ${kind}Sort: "${sort}", most: 2`)), sort).toEqual(least.slice(0, 2));
      expect(rows(await ask(`, ${kind}Sort: "-${sort}", most: 2`)), sort).toEqual(least.toReversed().slice(0, 2));
    }
    for (const [kind, sort, field] of [
      ['site', 'name', 'siteName'],
      ['rule', 'name', 'ruleName'],
      ['rule', 'site', 'siteName'],
    ] as const) {
      const rows = (answer: any) => answer[`${kind}s`].map((row: any) => row[field]);
      // As the database puts words in order.
      const [up, down] = [rows(await ask(`, ${kind}Sort: "${sort}"`)), rows(await ask(`, ${kind}Sort: "-${sort}"`))];
      expect(up.toSorted(), sort).toEqual(rows(all).toSorted());
      expect(down, sort).toEqual(up.toReversed());
      expect(rows(await ask(`, ${kind}Sort: "${sort}", most: 2`)), sort).toEqual(up.slice(0, 2));
    }
    const { errors } = await owner.graphql(
      `{ alarmBreakdown(rangeFrom: "2026-01-01T00:00:00Z", rangeTo: "2026-01-02T00:00:00Z", siteSort: "colour") { sites { uuid } } }`,
    );
    expect(errors?.[0]).toMatchObject({ extensions: { field: 'siteSort' } });
  });

  test('with words of the message, the site, the asset or the reason, as the list of them is searched', async () => {
    const rule = made().find((alarm) => alarm.rule !== null)?.rule as string;
    for (const [search, ofRule] of [
      ['quay 1', null],
      ['QUAY', rule],
      ['quay BLOCKED', null],
      ['no such words', null],
      ['', null],
    ] as const) {
      const data = await owner.data(
        `query ($from: Datetime!, $to: Datetime!, $search: String!, $rule: UUID, $filter: AlarmFilter!) {
           alarmFigures(rangeFrom: $from, rangeTo: $to, search: $search, ofRule: $rule) { alarms }
           alarmBreakdown(rangeFrom: $from, rangeTo: $to, search: $search, ofRule: $rule) { sites { alarms } rules { uuid } reasons { alarms } }
           alarmOffenders(rangeFrom: $from, rangeTo: $to, search: $search, ofRule: $rule) { sites rules }
           alarmReport(rangeFrom: $from, rangeTo: $to, search: $search, ofRule: $rule, orderBy: CREATED_AT_DESC) {
             totalCount nodes { createdAt } }
           alarms(filter: $filter) { totalCount } }`,
        {
          ...{ from, to, search, rule: ofRule },
          filter: {
            createdAt: { greaterThanOrEqualTo: from, lessThan: to },
            and: search.split(' ').map((word) => ({
              or: [
                { message: { includesInsensitive: word } },
                { siteName: { includesInsensitive: word } },
                { site: { siteId: { includesInsensitive: word } } },
                { asset: { name: { includesInsensitive: word } } },
                { reason: { includesInsensitive: word } },
              ],
            })),
            ...(ofRule && { ruleUuid: { equalTo: ofRule } }),
          },
        },
      );
      const { sites, rules, reasons } = data.alarmBreakdown;
      const found = data.alarms.totalCount;
      expect(found > 0).toBe(search !== 'no such words');
      expect([
        data.alarmFigures.alarms,
        sum(sites.map((row: any) => row.alarms)),
        sum(reasons.map((row: any) => row.alarms)),
        data.alarmReport.totalCount,
      ]).toEqual([found, found, found, found]);
      const times = data.alarmReport.nodes.map((row: any) => Date.parse(row.createdAt));
      expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
      expect(data.alarmOffenders).toEqual({ sites: sites.length, rules: rules.length });
    }
  });

  test('of one rule, with one reason and without any', async () => {
    const ask = async (narrowed: { rule?: string | null; reason?: string | null }) => {
      const data = await owner.data(
        `query ($from: Datetime!, $to: Datetime!, $rule: UUID, $reason: String) {
           alarmFigures(rangeFrom: $from, rangeTo: $to, ofRule: $rule, withReason: $reason) { alarms }
           alarmBreakdown(rangeFrom: $from, rangeTo: $to, ofRule: $rule, withReason: $reason) {
             days { critical major minor silent } sites { alarms } } }`,
        { from, to, rule: null, reason: null, ...narrowed },
      );
      const { days, sites } = data.alarmBreakdown;
      return [
        data.alarmFigures.alarms,
        sum(days.map((day: any) => day.critical + day.major + day.minor + day.silent)),
        sum(sites.map((site: any) => site.alarms)),
      ];
    };
    const three = (alarms: number) => [alarms, alarms, alarms];
    const reason = made().find((alarm) => alarm.reason !== null)?.reason as string;
    const rule = made().find((alarm) => alarm.rule !== null)?.rule as string;
    expect(await ask({ reason })).toEqual(three(count(made(), (alarm) => alarm.reason === reason)));
    expect(await ask({ reason: '' })).toEqual(three(count(made(), (alarm) => alarm.reason === null)));
    expect(await ask({ rule })).toEqual(three(count(made(), (alarm) => alarm.rule === rule)));
    expect(await ask({ rule, reason })).toEqual(
      three(count(made(), (alarm) => alarm.rule === rule && alarm.reason === reason)),
    );
  });

  test('one by one, of a site, of a unit office and without a reason', async () => {
    const site = made().find((alarm) => alarm.reason === null)?.site as string;
    const office = plant.offices[0]?.uuid as string;
    const rows = async (more: Parameters<typeof list>[3]) =>
      (await list(owner, 'alarmReport', 'uuid', { ...range, ...more })).map(({ uuid }) => uuid).toSorted();
    const those = (wanted: (alarm: ReportPlant['alarms'][number]) => boolean) =>
      made()
        .filter(wanted)
        .map(({ uuid }) => uuid)
        .toSorted();
    expect(await rows({ siteUuids: ['[UUID]', [site]], withReason: ['String', ''] })).toEqual(
      those((alarm) => alarm.site === site && alarm.reason === null),
    );
    const sites = new Set(plant.sites.filter((one) => one.office === office).map(({ uuid }) => uuid));
    expect(await rows({ unitOfficeUuid: ['UUID', office] })).toEqual(those((alarm) => sites.has(alarm.site)));
    const { errors } = await owner.graphql(
      `{ alarmReport(rangeFrom: "2026-01-02T00:00:00Z", rangeTo: "2026-01-01T00:00:00Z") { totalCount } }`,
    );
    expect(errors?.[0]?.message).toBe('The range must end after it starts.');
  });

  test('by day of the customer', async () => {
    const rows = await list(owner, 'alarmsByDay', 'day critical major minor silent', range);
    const days = Map.groupBy(made(), ({ created }) => localDay(created));
    expect(rows.map(({ day }) => day)).toEqual([...days.keys()].toSorted());
    for (const { day, ...figures } of rows) {
      for (const [severity, alarms] of Object.entries(figures)) {
        expect(alarms).toBe(count(days.get(day) ?? [], (alarm) => alarm.severity === severity));
      }
    }
  });
});

describe('delivery', () => {
  const fields = 'methodType recipientName messages queued sent delivered kept failed medianSeconds p90Seconds';
  test.each([false, true])('by way; and by person: %s', async (byPerson) => {
    const rows = await list(owner, 'deliveryFigures', fields, { ...range, byPerson: ['Boolean', byPerson] });
    const groups = Map.groupBy(
      plant.messages.filter(({ at }) => within(at)),
      ({ method, person }) => `${method} ${byPerson ? person : ''}`,
    );
    expect(rows).toHaveLength(groups.size);
    for (const row of rows) {
      const messages = groups.get(`${row.methodType} ${row.recipientName ?? ''}`) ?? [];
      const seconds = messages.filter(wentOut).map(({ out, at }) => ((out as number) - at) / 1000);
      const of = (fate: string) => count(messages, (message) => fateOf(message) === fate);
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

  test('figures are those of the list, however it is narrowed', async () => {
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

  test('the search finds each word in what a row shows: number, site, way, state, answer', async () => {
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
    // Few digits are no number, and zeros alone are none.
    expect(await found('nowak 123')).toEqual([]);
    expect(await found('nowak 0000')).toEqual([]);
    expect(await found('wanda quay 水塔')).toEqual([]);
    await serviceQuery(app.db, `delete from tocsin.notification where recipient_name = 'Wanda Nowak'`);
  });

  test('a message has its fate, which of one in the outbox is that it was kept', async () => {
    const rows = await list(owner, 'deliveryReport', 'uuid fate', { ...range, state: ['String', 'kept'] });
    expect(rows.length).toBe(count(plant.messages, (message) => within(message.at) && fateOf(message) === 'kept'));
    expect(new Set(rows.map(({ fate }) => fate))).toEqual(new Set(['kept']));
  });

  test('whom an acknowledgement report counts as told has as many messages in the list', async () => {
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

  test('every message, newest first, narrowed by way and state', async () => {
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

describe('a list in an order that is asked for', () => {
  const all: Variables = { ...range, first: ['Int', 500] };
  const newestFirst = (rows: any[]) => rows.toSorted((a, b) => Date.parse(b.notifyTime) - Date.parse(a.notifyTime));

  /** In groups from either end, newest first in each; what is not known stands last. */
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

  test('of messages', async () => {
    const narrowed: Variables = { methodType: ['Int', 3] };
    await expectOrdered('deliveryReport', 'site', 'site { name }', (row) => row.site?.name, narrowed);
    await expectOrdered('deliveryReport', 'person', 'recipientName', (row) => row.recipientName, narrowed);
    expect(
      await expectOrdered('deliveryReport', 'state', 'fate', (row) => row.fate, { ...narrowed, ofKind: ['Int', 1] }),
    ).toEqual(['queued', 'sent', 'delivered', 'kept', 'failed']);
    const failed: Variables = { state: ['String', 'failed'] };
    // E-mail, push, SMS, WhatsApp: by their names.
    expect(await expectOrdered('deliveryReport', 'way', 'methodType', (row) => row.methodType, failed)).toEqual([
      4, 1, 3, 2,
    ]);
    const oldest = await list(owner, 'deliveryReport', 'uuid', { ...all, ...failed, sort: ['String', 'time'] });
    const newest = await list(owner, 'deliveryReport', 'uuid', { ...all, ...failed });
    expect(oldest).toEqual(newest.toReversed());
  });

  test('of acknowledgements', async () => {
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

  test('that there is not is refused', async () => {
    const { errors } = await owner.graphql(
      `{ deliveryReport(rangeFrom: "2026-01-01T00:00:00Z", rangeTo: "2026-01-02T00:00:00Z", sort: "colour") { totalCount } }`,
    );
    expect(errors?.[0]?.message).toMatch(/^Choose time, way, person, site, state, -time/);
  });
});

test('there is something to report on since the first of the sites was made', async () => {
  const since = async (wanted: string) => Date.parse((await owner.data(`{ reportedSince${wanted} }`)).reportedSince);
  expect(await since('')).toBe(plant.sites[0]?.created);
  expect(await since(`(siteUuids: ["${plant.sites[3]?.uuid}"])`)).toBe(Math.floor(plant.sites[3]?.created ?? 0));
  const { reportedSince } = await owner.data('{ reportedSince(siteUuids: ["00000000-0000-4000-8000-000000000000"]) }');
  expect(reportedSince).toBeNull();
});

describe('whoever asks', () => {
  test('an operator’s reports are about the linked site alone', async () => {
    const site = plant.sites[0]?.uuid;
    expect((await list(operator, 'smsReportBySite', 'uuid', range)).map(({ uuid }) => uuid)).toEqual([site]);
    expect((await list(operator, 'alarmsBySite', 'uuid', range)).map(({ uuid }) => uuid)).toEqual([site]);
    const [all] = await list(operator, 'deliveryFigures', 'methodType messages', {
      ...range,
      siteUuids: ['[UUID]', [site]],
    });
    const own = plant.messages.filter((message) => message.site === site && message.method === 1 && within(message.at));
    expect(all).toEqual({ methodType: 1, messages: own.length });
  });

  test.each([
    ['ends before it begins', { rangeFrom: to, rangeTo: from }, 'The range must end after it starts.', 'rangeTo'],
    [
      'is longer than ten years',
      { rangeFrom: '2010-01-01T00:00:00Z' },
      'A report covers at most ten years. Choose a later start.',
      'rangeFrom',
    ],
    ['is about no site', { siteUuids: [] }, 'Choose at least one site.', 'siteUuids'],
  ])('a range that %s gets a sentence', async (_name, given, sentence, field) => {
    const { errors } = await owner.graphql(
      `query ($rangeFrom: Datetime!, $rangeTo: Datetime!, $siteUuids: [UUID]) {
         alarmFigures(rangeFrom: $rangeFrom, rangeTo: $rangeTo, siteUuids: $siteUuids) { alarms } }`,
      { rangeFrom: from, rangeTo: to, ...given },
    );
    expect(errors?.[0]).toMatchObject({ message: sentence, extensions: { field } });
  });

  test('ten years are answered', async () => {
    const rows = await list(owner, 'alarmsBySite', 'uuid alarms', {
      ...range,
      rangeFrom: ['Datetime!', '2016-01-15T00:00:00Z'],
    });
    expect(rows.reduce((sum, { alarms }) => sum + alarms, 0)).toBe(plant.alarms.length);
  });

  test('a unit office without sites has no rows', async () => {
    const office = (await serviceQuery(app.db, `select uuid from tocsin.group where name = 'Empty office'`))[0].uuid;
    expect(await list(owner, 'smsReportBySite', 'uuid', { ...range, unitOfficeUuid: ['UUID', office] })).toEqual([]);
    expect(await list(owner, 'alarmsBySite', 'uuid', { ...range, unitOfficeUuid: ['UUID', office] })).toEqual([]);
  });
});
