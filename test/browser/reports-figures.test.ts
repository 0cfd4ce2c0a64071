import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startOfDay, weeksUntil } from '../../domain/week.ts';
import { HandClock } from '../../server/platform/clock.ts';
import {
  addManyRules,
  buildReportPlant,
  countSlots,
  fateOf,
  NOW,
  type ReportPlant,
  type ReportSite,
  wasTaken,
  wentOut,
  ZONE,
} from '../api/report-plant.ts';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { serviceQuery, setDefaultCustomer } from '../harness/factories.ts';
import { isLong, long } from '../harness/long.ts';
import { goTo } from '../harness/settled.ts';
import type { VisitOptions } from '../harness/visits.ts';
import { expectGoodLooks } from './accessible.ts';

let app: ConsoleApp;
let plant: ReportPlant;
beforeAll(async () => {
  app = await startConsole({ clock: new HandClock(NOW) });
  plant = await buildReportPlant(app.db);
  await setDefaultCustomer(app.db, plant.customer);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** The console of the plant's owner, on the day of the plant's past. */
async function open(path: string, options: Partial<VisitOptions> = {}): Promise<Page> {
  const page = await app.visit(path, { as: plant.owner, time: NOW, ...options });
  opened.push(page);
  return page;
}
const opened: Page[] = [];
const leaveAll = async () => {
  for (const page of opened.splice(0)) await app.leave(page);
};
afterEach(leaveAll);

const days = 'from=2025-10-20&to=2026-01-14';
/** Where it does not matter how many rows a list shows. */
const few = `${days}&size=5`;
/** Where fewer bars show the same. */
const month = 'from=2025-12-01&to=2025-12-31';
const first = Date.parse('2025-10-19T22:00:00Z');
const figure = (page: Page, name: string) =>
  page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('b');
const cells = (page: Page, label: string, part = 'tbody') =>
  page
    .getByRole('table', { name: label })
    .locator(`${part} tr`)
    .evaluateAll((rows) =>
      (rows as any[]).map((row) => [...row.children].map((cell: any) => (cell.textContent ?? '').replaceAll(',', ''))),
    );

const headOf = (page: Page, name: string | RegExp) => page.getByRole('columnheader', { name });
const namesIn = (page: Page, label: string, role: 'table' | 'grid' = 'table') =>
  page.getByRole(role, { name: label }).locator('tbody th').allTextContents();
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

async function download(page: Page, format = 'CSV'): Promise<{ name: string; content: Buffer }> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: `Download as ${format}` }).click();
  const file = await waiting;
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}
const rowsOf = ({ content }: { content: Buffer }): string[][] => parse(content, { bom: true });
const unquoted = (name: string | undefined) => name?.replace(/^'/, '');

/** A bar for each of so many days, which add up to the figure above them. */
async function expectBars(page: Page, title: string, total: string, count: number, start: string): Promise<void> {
  const bars = page.getByRole('figure', { name: title }).getByRole('listitem');
  await expect.poll(() => bars.count()).toBe(count);
  const told = await bars.evaluateAll((all) => (all as any[]).map((bar) => bar.title as string));
  expect(told[0]?.split(':')[0]).toBe(start);
  // Such as `20 Oct: 3 alarm, 1 other`.
  const numbers = told.flatMap((words) => words.match(/\d+(?= [a-z]+(,|$))/g) ?? []).map(Number);
  const sum = numbers.reduce((all, one) => all + one, 0);
  expect(sum).toBeGreaterThan(0);
  await expect.poll(() => figure(page, total).textContent()).toBe(String(sum));
}

describe('the SMS report', () => {
  const went = () =>
    plant.messages.filter((message) => message.method === 3 && wasTaken(message) && message.at >= first);

  test('shows the counts and a bar for each day, leads from a unit office to its sites and from a site to its messages', async () => {
    const page = await open(`/reports/sms?${days}`);
    await page.getByRole('link', { name: 'Harbour' }).waitFor();
    expect(await figure(page, 'Messages').textContent()).toBe(String(went().length));
    const total = (await cells(page, 'SMS by unit office', 'tfoot'))[0];
    expect(total?.[5]).toBe(String(went().length));
    expect(total?.[6]).toBe(String(went().reduce((sum, { parts }) => sum + parts, 0)));
    await expectBars(page, 'SMS each day', 'Messages', 87, '20 Oct');
    await page.getByRole('link', { name: 'Harbour' }).click();
    await page.getByRole('heading', { name: 'SMS by site' }).waitFor();
    const site = plant.sites[0] as ReportSite;
    await page.getByRole('link', { name: site.name, exact: true }).click();
    await page.getByRole('heading', { name: 'Messages and what became of them' }).waitFor();
    // The very messages that were counted, in the list and in the figures above it.
    const messages = went().filter((message) => message.site === site.uuid);
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(messages.length));
    await page
      .getByText(`1 to ${Math.min(50, messages.length)} of ${messages.length}`)
      .or(page.getByText(`${messages.length} messages`))
      .first()
      .waitFor();
    expect(parameter(page, 'from')).toBe('2025-10-20');
  });

  test('is put in order by the heads of its columns, by a click or a key and from either end, and downloads the very rows that it shows', async () => {
    const page = await open(`/reports/sms?by=site&${month}`);
    await page.getByRole('link', { name: 'Quay 1' }).waitFor();
    const usual = await namesIn(page, 'SMS by site');
    await headOf(page, 'Health').getByRole('button').click();
    await expect.poll(() => headOf(page, 'Health').getAttribute('aria-sort')).toBe('descending');
    const health = async () => (await cells(page, 'SMS by site')).map((row) => Number(row[2]));
    expect(await health()).toEqual((await health()).toSorted((a, b) => b - a));
    await headOf(page, 'Health').getByRole('button').press('Enter');
    await expect.poll(() => headOf(page, 'Health').getAttribute('aria-sort')).toBe('ascending');
    expect(await health()).toEqual((await health()).toSorted((a, b) => a - b));
    expect(parameter(page, 'order')).toBe('health');
    const shown = await cells(page, 'SMS by site');
    const csv = await download(page);
    expect(csv.name).toBe('tocsin-sms-by-site-2025-12-01-to-2025-12-31.csv');
    const rows = rowsOf(csv).slice(1, -1);
    expect(rows.map(([name, , ...rest]) => [unquoted(name), ...rest])).toEqual(shown);
    await headOf(page, 'Health').getByRole('button').click();
    await expect.poll(() => headOf(page, 'Health').getAttribute('aria-sort')).toBe('none');
    expect(await namesIn(page, 'SMS by site')).toEqual(usual);
    expect(
      rowsOf(await download(page))
        .slice(1, -1)
        .map(([name]) => unquoted(name)),
    ).toEqual(usual);
    for (const format of ['XLSX', 'PDF']) expect((await download(page, format)).content.length).toBeGreaterThan(2000);
  });

  test('shows what they cost at the price that is set, and where to set it; on paper it is the report and nothing around it', async () => {
    const price = (value: number | null, currency: string | null) =>
      serviceQuery(app.db, 'update tocsin.customer set sms_price = $2, sms_currency = $3 where uuid = $1', [
        plant.customer.uuid,
        value,
        currency,
      ]);
    const without = await open(`/reports/sms?${days}`, { dark: true });
    await without.getByRole('link', { name: 'Set the price of an SMS part' }).waitFor();
    await without.getByRole('link', { name: 'Harbour' }).waitFor();
    expect(await headOf(without, 'Cost').count()).toBe(0);
    await without.emulateMedia({ media: 'print' });
    const paint = (selector: string, name: 'color' | 'backgroundColor' | 'display') =>
      without
        .locator(selector)
        .evaluate(
          (element: any, property) => element.ownerDocument.defaultView.getComputedStyle(element)[property],
          name,
        );
    expect([await paint('body', 'backgroundColor'), await paint('h1', 'color')]).toEqual([
      'rgb(255, 255, 255)',
      'rgb(26, 31, 37)',
    ]);
    expect(await paint('section[aria-label="Messages"]', 'display')).toBe('none');
    expect(await without.getByText('20 Oct 2025 to 14 Jan 2026').isVisible()).toBe(true);
    expect(await without.getByLabel('Range').isVisible()).toBe(false);
    expect(await without.locator('header').first().isVisible()).toBe(false);
    expect(await without.getByRole('link', { name: 'Download as CSV' }).isVisible()).toBe(false);
    expect(await without.getByRole('table', { name: 'SMS by unit office' }).isVisible()).toBe(true);
    await leaveAll();

    await price(0.25, 'EUR');
    try {
      const page = await open(`/reports/sms?${days}`);
      const parts = went().reduce((sum, one) => sum + one.parts, 0);
      await expect.poll(() => figure(page, 'Cost').textContent()).toBe(`€${(parts / 4).toFixed(2)}`);
      await headOf(page, 'Cost').waitFor();
      expect((await cells(page, 'SMS by unit office', 'tfoot'))[0]?.[7]).toBe(`€${(parts / 4).toFixed(2)}`);
      for (const row of await cells(page, 'SMS by unit office')) {
        expect(row[7]).toBe(`€${(Number(row[6]) / 4).toFixed(2)}`);
      }
    } finally {
      await price(null, null);
    }
  });
});

describe('the alarm report', () => {
  const madeIn = (from: string, to: string) =>
    plant.alarms.filter(({ created }) => created >= Date.parse(from) && created < Date.parse(to));
  const made = () => madeIn('2025-11-30T23:00:00Z', '2025-12-31T23:00:00Z');

  long(
    'that could not be loaded says so in each place, and one try asks again for all; its range is chosen and kept in the address',
    async () => {
      const page = await open('/reports');
      const failing = ['AlarmsByDay', 'AlarmBreakdown', 'AlarmFigures', 'AlarmReport'];
      await page.route('**/graphql', (route) =>
        failing.some((name) => route.request().postData()?.includes(`query ${name}(`))
          ? route.fulfill({ status: 400, json: { errors: [{ message: 'The server is busy.' }] } })
          : route.fallback(),
      );
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Alarms/ })
        .click();
      for (const title of ['The picture', 'Reasons and sites', 'The list'])
        await page.getByText(`${title} could not be loaded`).waitFor();
      expect(await page.locator('main [aria-busy=true]').count()).toBe(0);
      await page.unroute('**/graphql');
      await page.getByRole('button', { name: 'Try again' }).first().click();
      for (const alert of await page.getByRole('alert').all()) await alert.waitFor({ state: 'detached' });
      await page.getByRole('figure', { name: 'Alarms each day' }).getByRole('button').first().waitFor();

      await page.getByLabel('Range').selectOption('last-month');
      await page.getByText('1 Dec to 31 Dec 2025').waitFor();
      expect(new URL(page.url()).search).toBe('?range=last-month');
      await expect.poll(() => figure(page, 'Alarms').textContent()).toBe(String(made().length));
      const november = madeIn('2025-10-31T23:00:00Z', '2025-11-30T23:00:00Z').length;
      await page.getByText(`The month before ${november}`, { exact: true }).waitFor();
      await page.reload();
      await expect.poll(() => figure(page, 'Alarms').textContent()).toBe(String(made().length));

      // Of many months it is called by both years, and a month leads to its days.
      await goTo(page, '/reports/alarms?from=2016-02-01&to=2026-01-14&size=5');
      await page.getByText('1 Feb 2016 to 14 Jan 2026').waitFor();
      const bars = page.getByRole('figure', { name: 'Alarms each month' });
      await bars.getByRole('button', { name: /^Dec 2025: / }).click();
      await page.getByText('1 Dec to 31 Dec 2025').waitFor();
      await expect
        .poll(() => page.getByRole('figure', { name: 'Alarms each day' }).getByRole('listitem').count())
        .toBe(31);
      await page.getByRole('table', { name: 'Alarms', exact: true }).locator('tbody tr').first().click();
      await page.waitForURL(/\/dashboard\/alarms\/[0-9a-f-]{36}$/);
    },
  );

  test('is a picture too, with a bar for each day, and leads from a reason and from a rule to their alarms, on the page and in its file; a search narrows all', async () => {
    const page = await open(`/reports/alarms?${month}&size=5`);
    await expectBars(page, 'Alarms each day', 'Alarms', 31, '1 Dec');
    const [reasonBox, ruleBox] = ['Reason', 'Rule'].map((name) => page.getByRole('combobox', { name })) as [
      Locator,
      Locator,
    ];
    const counts = async (number: number) => {
      await expect.poll(() => figure(page, 'Alarms').textContent()).toBe(String(number));
      await page.getByText(new RegExp(`^1 to \\d+ of ${number}$`)).waitFor();
    };
    await page.getByRole('link', { name: 'Pump blocked' }).click();
    const blocked = made().filter(({ reason }) => reason === 'Pump blocked').length;
    await counts(blocked);
    expect(await reasonBox.inputValue()).toBe('Pump blocked');
    expect(rowsOf(await download(page))).toHaveLength(blocked + 1);
    await reasonBox.selectOption('');
    await page.getByRole('link', { name: 'No reason given' }).click();
    await counts(made().filter(({ reason }) => reason === null).length);
    await reasonBox.selectOption('');
    await counts(made().length);

    const row = page.getByRole('table', { name: 'Rules with the most alarms' }).locator('tbody tr').first();
    const rule = row.getByRole('link').first();
    const uuid = new URL((await rule.getAttribute('href')) ?? '', page.url()).searchParams.get('record');
    const ofRule = made().filter((alarm) => alarm.rule === uuid).length;
    expect(await row.locator('td').last().textContent()).toBe(String(ofRule));
    await row.getByRole('link').last().click();
    await counts(ofRule);
    expect(await ruleBox.inputValue()).toBe(uuid);
    await ruleBox.selectOption('');

    // Searched by message or site, its figures and links follow.
    const site = plant.sites[0] as ReportSite;
    const alarms = made().filter((alarm) => alarm.site === site.uuid);
    await page.getByRole('searchbox').fill(site.name.toUpperCase());
    await counts(alarms.length);
    // The breakdown arrives on its own, some time after the figures.
    await expect.poll(() => namesIn(page, 'Sites with the most alarms')).toEqual([site.name]);
    await page.getByRole('link', { name: 'Pump blocked' }).click();
    await counts(alarms.filter(({ reason }) => reason === 'Pump blocked').length);
    expect(await page.getByRole('searchbox').inputValue()).toBe(site.name.toUpperCase());
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(`With “${site.name.toUpperCase()}”. Rows newest first`).isVisible()).toBe(true);
    expect(await page.getByText(/, printed .*\d{4}/).isVisible()).toBe(true);
  });

  test('says of how many rules it shows those with the most alarms, in whatever order', async () => {
    await addManyRules(app.db, plant, 62);
    const page = await open('/reports/alarms?from=2024-06-03&to=2024-06-03&ruleOrder=name&size=5');
    // Those of all 62 that come first by their name.
    await page.getByRole('heading', { name: 'Rules with alarms: the first 10 of 62 in this order' }).waitFor();
    const names = async () => (await cells(page, 'Rules with alarms')).map(([name]) => name);
    const rules = page.getByRole('table', { name: 'Rules with alarms' });
    const many = async () => (await names()).filter((name) => name?.startsWith('Many'));
    await expect.poll(many).toHaveLength(10);
    const shown = await many();
    await rules.getByRole('columnheader', { name: 'Rule' }).getByRole('button').click();
    await expect.poll(async () => (await many()).filter((name) => !shown.includes(name))).toHaveLength(10);
    // The third press takes the order away.
    await rules.getByRole('columnheader', { name: 'Rule' }).getByRole('button').click();
    await page.getByRole('heading', { name: 'Rules with the most alarms: 10 of 62' }).waitFor();
    await expect.poll(() => cells(page, 'Rules with the most alarms')).toHaveLength(10);
    expect(await page.getByRole('heading', { name: 'Sites with the most alarms', exact: true }).count()).toBe(1);
  });

  test('reckons with the days the plant was there, and sets those in which it was not against nothing', async () => {
    const page = await open('/reports/alarms?from=2025-01-01&to=2026-01-14&size=5');
    const since = Math.min(...plant.sites.map(({ created }) => created));
    const there = (Date.parse('2026-01-14T22:00:00Z') - startOfDay(new Date(since), ZONE).getTime()) / 86_400_000;
    const each = (plant.alarms.length / Math.round(there)).toFixed(1);
    await page
      .locator('dl > div', { has: page.getByText('Alarms', { exact: true }) })
      .getByText(`${each} a day since 6 Oct 2025`)
      .waitFor();
    await goTo(page, '/reports/alarms?from=2025-10-06&to=2025-10-20&size=5');
    const before = page.locator('dl').getByText('15 days before');
    await expect.poll(() => before.allTextContents()).toEqual(Array(4).fill('15 days before: no site yet'));
    await goTo(page, '/reports/alarms?from=2001-01-01&to=2001-01-31');
    await page.getByText('There was no site yet.').waitFor();
  });
});

describe('the health report', () => {
  test('leads from a unit office to its sites, and from a site to its gaps; its table is put in order, in its file too', async () => {
    const page = await open('/reports/health?range=last-month');
    await page
      .getByText(
        'The address asks for the range “last-month”, which this report does not know. Choose weeks or months, and the day they lead up to.',
      )
      .waitFor();
    await page.getByRole('link', { name: 'Harbour' }).click();
    await page.getByRole('heading', { name: 'Health by site' }).waitFor();
    const site = plant.sites[1] as ReportSite;
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: site.name, exact: true }) });
    await row.waitFor();
    // The figures are those of the unit office alone, as the last line of its table.
    const grid = page.getByRole('grid', { name: 'Health by site' });
    const total = grid.locator('tfoot td').nth(-2);
    await expect.poll(() => figure(page, 'Received of expected').textContent()).toBe(`${await total.textContent()} %`);
    const sites = await grid.locator('tbody tr').count();
    await page.locator('dl > div', { hasText: 'Sites under 97 %' }).getByText(`of ${sites}`).waitFor();
    await row.getByRole('gridcell').nth(1).click();
    await page.getByRole('heading', { name: `Gaps of ${site.name}` }).waitFor();
    const { received, expected } = countSlots(site, (weeksUntil(NOW, ZONE)[0] as Date).getTime(), NOW.getTime());
    await expect.poll(() => figure(page, 'Slots without anything').textContent()).toBe(String(expected - received));

    await goTo(page, '/reports/health?by=site');
    await page.getByRole('link', { name: 'Quay 1', exact: true }).waitFor();
    // The last week still runs on a Wednesday, and says until when it is counted.
    expect(await grid.getByRole('columnheader').nth(13).textContent()).toBe('to 13 Jan12 Jan');
    const share = grid.getByRole('columnheader').filter({ hasText: 'Received' });
    await share.getByRole('button').click();
    await expect.poll(() => share.getAttribute('aria-sort')).toBe('descending');
    const shown = await namesIn(page, 'Health by site', 'grid');
    const rows = rowsOf(await download(page)).slice(1, -1);
    expect(rows.map(([name]) => unquoted(name))).toEqual(shown);
    const shares = rows.map((one) => Number(one.at(-2)));
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  });

  long(
    'is of whole months where these are chosen, and of weeks or months of the past; a day to come is told so',
    async () => {
      const page = await open('/reports/health');
      const table = page.getByRole('grid', { name: 'Health by unit office' });
      await page.getByRole('radio', { name: 'Months' }).check({ force: true });
      await page.getByText('1 Jan to 31 Dec 2025').waitFor();
      expect(parameter(page, 'each')).toBe('month');
      const heads = table.getByRole('columnheader');
      await expect.poll(() => heads.allTextContents()).toContain('2025Dec');
      expect((await heads.allTextContents()).join(' ')).not.toMatch(/Today|W12/);
      // The last column of all unit offices is the key figure of the month.
      const december = table.locator('tfoot td').nth(12);
      await expect.poll(() => december.textContent()).toMatch(/^\d/);
      await expect
        .poll(() => figure(page, 'Received in December').textContent())
        .toBe(`${await december.textContent()} %`);
      expect(await page.getByRole('link', { name: 'Download as PDF' }).getAttribute('href')).toContain('each=month');
      await page.getByRole('link', { name: 'Harbour' }).click();
      await page.getByRole('heading', { name: 'Health by site' }).waitFor();
      const bySite = page.getByRole('grid', { name: 'Health by site' });
      await bySite.getByRole('columnheader', { name: 'Dec' }).waitFor();
      const { name } = plant.sites[1] as ReportSite;
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { name: `Gaps of ${name}` }).waitFor();
      await page.getByText('1 Jan to 31 Dec 2025').waitFor();
      expect(await page.getByRole('link', { name: 'Download as PDF' }).getAttribute('href')).toContain('each=month');
      await page.getByRole('link', { name: 'Health', exact: true }).click();
      await bySite.getByRole('columnheader', { name: 'Dec' }).waitFor();
      // A month of which the last day is given is whole.
      await goTo(page, '/reports/health?each=month&until=2025-11-30');
      await page.getByText('1 Dec 2024 to 30 Nov 2025').waitFor();

      await goTo(page, '/reports/health?until=2025-12-24');
      await page.getByText('6 Oct to 23 Dec 2025, and 24 Dec').waitFor();
      // The last whole month against the one before.
      await expect.poll(() => figure(page, 'Received in November').textContent()).toMatch(/^\d+(\.\d)? %$/);
      await page.getByText(/^October \d/).waitFor();
      await page.getByLabel('Twelve weeks until').fill('2026-02-01');
      await page.getByText('This day is still to come. The weeks until today are shown.').waitFor();
    },
  );
});

describe('the acknowledgement report', () => {
  const alarmSms = () => plant.messages.filter(({ type, method, at }) => type === 1 && method === 3 && at >= first);

  test('counts as the first page does; who never acknowledges comes first and is called so, and a person leads to the very messages that were counted', async () => {
    const page = await open('/reports');
    const card = page.getByRole('main').getByRole('link', { name: /^Acknowledgement/ });
    await card.getByText(/^\d+ of \d+ alarm SMS acknowledged$/).waitFor();
    const [, acknowledged, all] = /(\d+) of (\d+) alarm SMS/.exec((await card.textContent()) ?? '') ?? [];
    await card.click();
    await expect.poll(() => figure(page, 'Alarm SMS acknowledged').textContent()).toBe(acknowledged);
    const key = page.locator('dl > div', { hasText: 'Alarm SMS acknowledged' });
    await key.getByText(`of ${all}`).first().waitFor();

    await goTo(page, `/reports/acknowledgements?${few}`);
    const told = alarmSms().filter(wentOut);
    const people = Map.groupBy(told, ({ person }) => person);
    const never = [...people.values()].filter((rows) => rows.every(({ ackBy, person }) => ackBy !== person));
    await page.getByText(`By person: ${never.length} acknowledged none of what they were told`).waitFor();
    const rows = await cells(page, 'Acknowledgement by person');
    const names = never.toSorted((a, b) => b.length - a.length).map(([one]) => one?.person);
    expect(names).toContain('北京 泵站');
    expect(rows[0]?.[0]).toBe(names[0]);
    expect(rows[0]?.[3]).toBe('never');

    await expect.poll(() => key.textContent()).toContain(`of ${told.length}`);
    await page.getByRole('combobox', { name: 'Person' }).selectOption('Ben Okafor');
    const bens = told.filter(({ person }) => person === 'Ben Okafor').length;
    await expect.poll(() => cells(page, 'Acknowledgement by person')).toHaveLength(1);
    expect((await cells(page, 'Acknowledgement by person'))[0]?.slice(0, 2)).toEqual(['Ben Okafor', String(bens)]);
    expect(parameter(page, 'person')).toBe('Ben Okafor');
    await page.getByRole('link', { name: 'Ben Okafor' }).click();
    await page.getByRole('heading', { name: 'Messages and what became of them' }).waitFor();
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(bens));
    // A person's link keeps what else the figures are narrowed to.
    await page.getByRole('combobox', { name: 'Person' }).selectOption('Aoife Byrne');
    await expect.poll(async () => (await cells(page, 'Delivery by person'))[0]?.[0]).toBe('Aoife Byrne');
    await page.getByRole('link', { name: 'Aoife Byrne' }).click();
    const aoifes = told.filter(({ person }) => person === 'Aoife Byrne').length;
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(aoifes));
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      ...{ state: 'out', kind: '1', method: '3' },
    });
    // The alarms of the same days that are behind what is missing in the figure.
    await goTo(page, `/reports/acknowledgements?${few}`);
    await page.getByRole('link', { name: 'Alarms that nobody acknowledged' }).click();
    await page.getByRole('heading', { name: 'Alarms', exact: true }).waitFor();
    await expect.poll(() => figure(page, 'Acknowledged').textContent()).toBe('0');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      ...Object.fromEntries(new URLSearchParams(days)),
      reason: 'unacknowledged',
    });
    await goTo(page, `/reports/alarms?reason=Gone&${days}`);
    await page.getByText('The address asks for the reason “Gone”, which no alarm of this report has.').waitFor();
  });

  test('says where its list has more messages than its figures count; on paper which rows are there and where the others are, with figures beside their units', async () => {
    const page = await open(`/reports/acknowledgements?${days}&size=20`);
    const since = plant.messages.filter(({ at }) => at >= first);
    const out = alarmSms().filter(wentOut).length;
    await page
      .getByRole('heading', {
        name: `${alarmSms().length} alarm SMS, of which the figures count the ${out} that went out`,
      })
      .waitFor();
    await page
      .locator('dl > div', { hasText: 'Alarm SMS acknowledged' })
      .getByText(`of ${out} that went out`)
      .waitFor();
    await page.getByRole('group', { name: 'Rows' }).getByText('Site').click();
    const told = since.filter((message) => message.type === 1 && wentOut(message)).length;
    await page
      .getByRole('heading', {
        name: `${since.length} messages, of which the figures count the ${told} about alarms that went out`,
      })
      .waitFor();
    const table = page.getByRole('table', { name: 'Acknowledgements' });
    await table
      .getByRole('cell', { name: /, health$/ })
      .first()
      .waitFor();

    const rows = table.locator('tbody tr[data-row]');
    const which = page.getByText(/^1 to 20 of \d/);
    await which.waitFor();
    const ways = rows.locator('td:nth-child(5)');
    expect(new Set(await ways.allTextContents())).toEqual(new Set(['E-mail', 'WhatsApp', 'SMS', 'App push']));
    const where = page.getByText('The CSV and XLSX files hold all of them.');
    expect(await where.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect([await rows.count(), await which.isVisible(), await where.isVisible()]).toEqual([20, true, true]);
    expect(await page.getByText(/^Page 1 of/).isVisible()).toBe(false);
    // A button is not repeated with the head on the pages that follow, its words are.
    const styleOf = (part: Locator, name: 'display' | 'whiteSpace') =>
      part.evaluate(
        (element: any, property) => element.ownerDocument.defaultView.getComputedStyle(element)[property],
        name,
      );
    expect(await styleOf(table.locator('thead button').first(), 'display')).toBe('contents');
    expect(await styleOf(rows.first().locator('td').last(), 'whiteSpace')).toBe('nowrap');
    // Paper is read on another day, and no time is broken.
    const time = rows.first().locator('time');
    expect(await time.getAttribute('data-paper')).toMatch(/^\d+ \S+ \d{4} \d\d:\d\d$/);
    expect([await styleOf(time, 'whiteSpace'), await time.locator('span').isVisible()]).toEqual(['nowrap', false]);
  });
});

describe('the delivery report', () => {
  test('shows all where its address asks for something that it does not know, and puts each of its tables in order by itself, the long list as a whole', async () => {
    const page = await open(`/reports/delivery?state=lost&sort=colour&${few}`);
    await page.getByText(/the state “lost”, which this report does not know. All are shown./).waitFor();
    await page.getByText(/the order “colour”, which this report does not know. The usual order is shown./).waitFor();
    const sent = plant.messages.filter(({ at }) => at >= first);
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(sent.length));
    const kept = sent.filter((message) => fateOf(message) === 'kept').length;
    expect(await figure(page, 'Kept in the outbox').textContent()).toBe(String(kept));
    const link = await page.getByRole('link', { name: 'Download as CSV' }).getAttribute('href');
    expect(link).not.toMatch(/lost|colour/);

    const way = page.getByRole('table', { name: 'Delivery by way' }).getByRole('columnheader', { name: 'Failed' });
    const people = page.getByRole('table', { name: 'Delivery by person' });
    await way.getByRole('button').click();
    await expect.poll(() => way.getAttribute('aria-sort')).toBe('descending');
    expect(await people.locator('th[aria-sort=descending], th[aria-sort=ascending]').count()).toBe(0);
    await people.getByRole('columnheader', { name: 'Person' }).getByRole('button').click();
    await expect.poll(() => people.locator('th[aria-sort=ascending]').count()).toBe(1);
    const ways = (await cells(page, 'Delivery by way')).map((row) => Number(row.at(-3)));
    expect(ways).toEqual(ways.toSorted((a, b) => b - a));

    // Another choice takes the sentences away.
    await page.getByRole('link', { name: 'Messages that failed' }).click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(parameter(page, 'state')).toBe('failed');
    expect(await page.getByLabel('State').inputValue()).toBe('failed');
    const list = page.getByRole('table', { name: 'Messages', exact: true });
    const site = list.getByRole('columnheader', { name: 'Site' });
    await site.getByRole('button').click();
    await expect.poll(() => site.getAttribute('aria-sort')).toBe('ascending');
    await site.getByRole('button').click();
    await expect.poll(() => site.getAttribute('aria-sort')).toBe('descending');
    expect(parameter(page, 'sort')).toBe('-site');
    // What the server cannot put in order has no button.
    expect(await list.getByRole('columnheader', { name: 'Message' }).getByRole('button').count()).toBe(0);
    const [head = [], ...rows] = rowsOf(await download(page));
    const words = rows.slice(0, 5).map((row) => row[head.indexOf('Message')] as string);
    const texts = list.locator('tbody tr[data-row] td:nth-child(3)');
    const shown = async () => (await texts.allTextContents()).slice(0, 5);
    await expect
      .poll(async () => (await shown()).map((text, at) => text.startsWith(words[at] as string)))
      .toEqual(words.map(() => true));
  });

  test('tells apart what only lies in the outbox from what went out, and shows the whole of a message’s life; days that make no range stay as they were typed', async () => {
    const page = await open(`/reports/delivery?${few}`);
    const kept = plant.messages.filter((message) => fateOf(message) === 'kept' && message.at >= first).length;
    await page.getByLabel('State').selectOption('kept');
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(kept));
    expect(await figure(page, 'Went out').textContent()).toBe('0.0 %');
    await page
      .getByRole('table', { name: 'Messages' })
      .getByRole('cell', { name: 'not sent, no sender is set up', exact: true })
      .first()
      .waitFor();

    await goTo(page, `/reports/delivery?method=3&${few}`);
    await page.getByLabel('State').selectOption('delivered');
    const row = page.getByRole('table', { name: 'Messages' }).locator('tbody tr').first();
    await row.getByText('delivered after').last().waitFor();
    await row.click();
    await page.getByText('Handed over').waitFor();
    // With the number that the search finds it by.
    await page.getByText(/^SMS to .+, \+490000$/).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Delivered' }).count()).toBeGreaterThan(0);

    await goTo(page, '/reports/delivery?from=2026-01-10&to=2026-01-01&size=5');
    await page.getByText('The last day must not lie before the first. The last 30 days are shown.').waitFor();
    expect(await page.getByLabel('Last day').inputValue()).toBe('2026-01-01');
    await page.getByLabel('Last day').fill('2026-01-12');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(parameter(page, 'to')).toBe('2026-01-12');
  });
});

test('on a phone the filters are behind a button, and paper says which are chosen; what stands in a line is whole', async () => {
  const page = await open('/reports/delivery?method=3&size=5', { phone: true });
  await page.getByRole('button', { name: 'Filters 1' }).tap();
  await page.getByLabel('State').selectOption('failed');
  await page.getByRole('button', { name: 'Filters 2' }).waitFor();
  expect(parameter(page, 'state')).toBe('failed');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByLabel('State').isVisible()).toBe(false);
  const [range, button] = [page.getByLabel('Range'), page.getByRole('button', { name: 'Filters 2' })];
  expect((await button.boundingBox())?.y).toBeLessThan(
    ((await range.boundingBox())?.y ?? 0) + ((await range.boundingBox())?.height ?? 0),
  );
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.getByLabel('State').isVisible()).toBe(true);
  expect(await page.getByLabel('Unit office').isVisible()).toBe(false);
  await page.emulateMedia({ media: null });

  // The day that weeks lead up to stands in its frame.
  await goTo(page, '/reports/health');
  const over = await page.getByLabel('Twelve weeks until').evaluate((input: any) => {
    const [inner, frame] = [input.getBoundingClientRect(), input.parentElement.getBoundingClientRect()];
    return [inner.right > frame.right, frame.right > input.ownerDocument.documentElement.clientWidth];
  });
  expect(over).toEqual([false, false]);

  // The end of a gap is not cut off.
  await goTo(page, `/reports/health?site=${plant.sites[1]?.uuid}`);
  const ends = page.getByRole('table', { name: 'Gaps' }).locator('tbody td[data-text]');
  await ends.first().locator('time').waitFor();
  const cut = await ends.evaluateAll(
    (all) => (all as any[]).filter((cell) => cell.scrollWidth > cell.clientWidth).length,
  );
  expect([(await ends.count()) > 5, cut]).toEqual([true, 0]);

  // An acknowledgement says how soon it came.
  await goTo(page, `/reports/acknowledgements?by=site&sort=-after&${few}`);
  await page
    .getByText(/^(SMS|E-mail|WhatsApp|App push) to .+, acknowledged by .+ after \d/)
    .first()
    .waitFor();
});

test('on a tablet no list scrolls sideways, and the only choice of a list without a search stands in the line of tools', async () => {
  const page = await open('/reports');
  await page.setViewportSize({ width: 820, height: 1180 });
  for (const [name, label] of [
    ['alarms', 'Alarms'],
    ['delivery', 'Messages'],
    ['acknowledgements', 'Acknowledgements'],
  ]) {
    await goTo(page, `/reports/${name}?${days}&size=20`);
    const list = page.getByRole('table', { name: label as string, exact: true });
    await list.locator('tbody tr').first().waitFor();
    expect(
      await list.evaluate((table: any) => table.parentElement.scrollWidth - table.parentElement.clientWidth),
      name,
    ).toBe(0);
  }
  const density = await page.getByRole('button', { name: 'Compact rows' }).boundingBox();
  const days30 = await page.getByText('20 Oct 2025 to 14 Jan 2026').boundingBox();
  expect(
    Math.abs((density?.y ?? 0) + (density?.height ?? 0) / 2 - (days30?.y ?? 0) - (days30?.height ?? 0) / 2),
  ).toBeLessThan(12);
});

test('an operator sees the linked site alone, in the reports and in what can be chosen, and no way into what others set', async () => {
  const page = await open(`/reports/alarms?${few}`, { as: plant.operator });
  const [site, young] = [plant.sites[0] as ReportSite, plant.sites[3] as ReportSite];
  const own = plant.alarms.filter((alarm) => alarm.site === site.uuid && alarm.created >= first);
  await expect.poll(() => figure(page, 'Alarms').textContent()).toBe(String(own.length));
  const rules = page.getByRole('table', { name: 'Rules with the most alarms' });
  await rules.getByRole('link').first().waitFor();
  expect(await rules.locator('a[href*="/admin/"]').count()).toBe(0);
  await page.getByRole('combobox', { name: 'Site' }).click();
  await expect.poll(() => page.getByRole('listbox').getByRole('option').allTextContents()).toEqual(['Quay 1']);
  await page.keyboard.press('Escape');
  await goTo(page, `/reports/sms?${days}`);
  await page.getByRole('link', { name: 'Harbour' }).waitFor();
  expect(await page.getByRole('link', { name: 'Set the price of an SMS part' }).count()).toBe(0);
  await leaveAll();

  // Linked to a young site instead, the first page reckons from its days as the report does.
  const link = (from: ReportSite, to: ReportSite) =>
    serviceQuery(
      app.db,
      'update tocsin.site_user set tocsin_site_uuid = $3 where tocsin_user_uuid = $1 and tocsin_site_uuid = $2',
      [plant.operator.uuid, from.uuid, to.uuid],
    );
  await link(site, young);
  try {
    const reports = await open('/reports', { as: plant.operator });
    const theirs = plant.alarms.filter(
      (alarm) => alarm.site === young.uuid && alarm.created >= Date.parse('2025-12-15T23:00:00Z'),
    );
    const card = reports.getByRole('main').getByRole('link', { name: /^Alarms/ });
    // From 25 December to 14 January.
    const words = `${(theirs.length / 21).toFixed(1)} a day since 25 Dec 2025`;
    await card.getByText(words, { exact: true }).waitFor();
    await card.click();
    await reports.locator('dl').getByText(words).waitFor();
  } finally {
    await link(young, site);
  }
});

test('everybody can use it, wide and light as well as on a dark phone', async () => {
  const page = await open('/reports');
  // Further rows and bars are made as the first ones are. What stands around the tables is looked at in looks.test.ts, on
  // each report.
  const week = 'from=2026-01-08&to=2026-01-14&size=5';
  const daily = plant.sites.find(({ hours }) => hours === 24);
  const lookedAtHereAlone = [
    ['/reports', ':root'],
    [`/reports/alarms?${week}`, 'main'],
  ] as const;
  const full = [
    ['/reports/health?by=site&each=month', 'main table'],
    [`/reports/health?site=${daily?.uuid}`, 'main table'],
    [`/reports/sms?by=site&${week}`, 'main table'],
    [`/reports/acknowledgements?${week}`, 'main table'],
    ['/reports/delivery?from=2026-01-10&to=2026-01-01&size=5', 'main table, main [role=alert]'],
  ] as const;
  for (const [path, part] of [...lookedAtHereAlone, ...(isLong ? full : [])]) {
    await goTo(page, path);
    await page.locator('main dl, main a').first().waitFor();
    if (part !== ':root') await page.locator('main table tbody tr').first().waitFor();
    expect(await page.title()).toMatch(/. · Tocsin$/);
    await expectGoodLooks(page, part);
  }
});
