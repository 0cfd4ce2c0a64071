/**
 * Health figures match a simple reference computation, even in ranges that include the end of daylight saving time or
 * New Year.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOfDay, weekStarts } from '../../domain/week.ts';
import { HandClock } from '../../server/platform/clock.ts';
import { createSite, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { done, list, update } from './api.ts';
import { buildReportPlant, countSlots, localDay, NOW, type ReportPlant, ZONE } from './report-plant.ts';
import { from, range, starts, today, type Variables } from './report-range.ts';

let app: TestApp;
let plant: ReportPlant;
let owner: TestBrowser;
beforeAll(async () => {
  app = await startTestApp({ clock: new HandClock(NOW) });
  plant = await buildReportPlant(app.db);
  owner = await app.browser(plant.owner);
});
afterAll(() => app?.close());

test('uses a range with a change of daylight saving time and New Year', () => {
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

  test('matches the reference by site, slot by slot', async () => {
    const rows = await list(owner, 'healthReportBySite', `uuid siteName uoName ${fields}`, weeks);
    expect(rows).toHaveLength(plant.sites.length);
    for (const site of plant.sites) {
      const cells = periods.map(([first, last]) => countSlots(site, first, last));
      const row = rows.find(({ uuid }) => uuid === site.uuid);
      expect(received(row), site.name).toEqual(cells.map((cell) => cell.received));
      expect(row.expected, site.name).toEqual(cells.map((cell) => cell.expected));
    }
  });

  test('matches the reference by unit office, with a row for sites without one', async () => {
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

  test('matches the reference for past weeks up to a given day', async () => {
    // Daylight saving time ends on this day, so the day has 25 hours.
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

  test('does not expect an unfinished slot before something arrived in it', async () => {
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
    // The test runs at 11:20, so eleven hourly slots of the day have ended.
    expect(without.expected).toBe(11);
    expect(await ask()).toEqual({ received: without.received + 1, expected: 12 });
    if (!had) await change('delete from tocsin.health_slot where tocsin_site_uuid = $1 and slot_start = $2');
  });

  test('expects the slot in which a site was created only if something arrived in it', async () => {
    const hour = 3_600_000;
    const running = Math.floor(NOW.getTime() / hour) * hour;
    // One site is created in the current slot. The other site is created two slots earlier.
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

  test('lists consecutive missing slots of a site as one gap', async () => {
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

  test('recomputes past slots when the health duration changes, so that weeks stay comparable', async () => {
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

  test('keeps the stored weeks equal to the stored slots, even when a site is deleted', async () => {
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

test('starts with the creation of the first site', async () => {
  const since = async (wanted: string) => Date.parse((await owner.data(`{ reportedSince${wanted} }`)).reportedSince);
  expect(await since('')).toBe(plant.sites[0]?.created);
  expect(await since(`(siteUuids: ["${plant.sites[3]?.uuid}"])`)).toBe(Math.floor(plant.sites[3]?.created ?? 0));
  const { reportedSince } = await owner.data('{ reportedSince(siteUuids: ["00000000-0000-4000-8000-000000000000"]) }');
  expect(reportedSince).toBeNull();
});
