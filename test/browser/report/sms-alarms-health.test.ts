import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startOfDay, weeksUntil } from '../../../domain/week.ts';
import { addManyRules, countSlots, NOW, type ReportSite, wasTaken, ZONE } from '../../api/report-plant.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { serviceQuery } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import {
  app,
  cells,
  days,
  download,
  expectBars,
  figure,
  first,
  headOf,
  leaveAll,
  month,
  namesIn,
  open,
  parameter,
  plant,
  rowsOf,
  startReportPlant,
  unquoted,
} from '../support/report-pages.ts';

startReportPlant();

describe('the SMS report', () => {
  const went = () =>
    plant.messages.filter((message) => message.method === 3 && wasTaken(message) && message.at >= first);

  test('shows counts and a bar for each day, and links unit offices to sites and sites to messages', async () => {
    const page = await open(`/reports/sms?${days}`);
    await page.getByRole('link', { name: 'Harbour' }).waitFor();
    expect(await figure(page, 'Messages').textContent()).toBe(String(went().length));
    const total = (await cells(page, 'SMS by unit office', 'tfoot'))[0];
    expect(total?.[5]).toBe(String(went().length));
    expect(total?.[6]).toBe(String(went().reduce((sum, { segments }) => sum + segments, 0)));
    await expectBars(page, 'SMS per day', 'Messages', 87, '20 Oct');
    await page.getByRole('link', { name: 'Harbour' }).click();
    await page.getByRole('heading', { name: 'SMS by site' }).waitFor();
    const site = plant.sites[0] as ReportSite;
    await page.getByRole('link', { name: site.name, exact: true }).click();
    await page.getByRole('heading', { name: 'Message delivery' }).waitFor();
    // The delivery report contains exactly the messages that the SMS report counted.
    const messages = went().filter((message) => message.site === site.uuid);
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(messages.length));
    await page
      .getByText(`1 to ${Math.min(50, messages.length)} of ${messages.length}`)
      .or(page.getByText(`${messages.length} messages`))
      .first()
      .waitFor();
    expect(parameter(page, 'from')).toBe('2025-10-20');
  });

  test('sorts by its column headings, by click or key and in both directions, and downloads the shown rows', async () => {
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

  test('shows the cost at the set price and where to set it, and prints only the report', async () => {
    const price = (value: number | null, currency: string | null) =>
      serviceQuery(app.db, 'update tocsin.customer set sms_price = $2, sms_currency = $3 where uuid = $1', [
        plant.customer.uuid,
        value,
        currency,
      ]);
    const without = await open(`/reports/sms?${days}`, { dark: true });
    await without.getByRole('link', { name: 'Set the price of an SMS segment' }).waitFor();
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
      const segments = went().reduce((sum, one) => sum + one.segments, 0);
      await expect.poll(() => figure(page, 'Cost').textContent()).toBe(`€${(segments / 4).toFixed(2)}`);
      await headOf(page, 'Cost').waitFor();
      expect((await cells(page, 'SMS by unit office', 'tfoot'))[0]?.[7]).toBe(`€${(segments / 4).toFixed(2)}`);
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
    'says for each part that it could not be loaded, loads all parts again with one button, and keeps its range in the URL',
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
      for (const title of ['The chart', 'Reasons and sites', 'The list'])
        await page.getByText(`${title} could not be loaded`).waitFor();
      expect(await page.locator('main [aria-busy=true]').count()).toBe(0);
      await page.unroute('**/graphql');
      await page.getByRole('button', { name: 'Try again' }).first().click();
      for (const alert of await page.getByRole('alert').all()) await alert.waitFor({ state: 'detached' });
      await page.getByRole('figure', { name: 'Alarms per day' }).getByRole('button').first().waitFor();

      await page.getByLabel('Range').selectOption('last-month');
      await page.getByText('1 Dec to 31 Dec 2025').waitFor();
      expect(new URL(page.url()).search).toBe('?range=last-month');
      await expect.poll(() => figure(page, 'Alarms').textContent()).toBe(String(made().length));
      const november = madeIn('2025-10-31T23:00:00Z', '2025-11-30T23:00:00Z').length;
      await page.getByText(`The month before ${november}`, { exact: true }).waitFor();
      await page.reload();
      await expect.poll(() => figure(page, 'Alarms').textContent()).toBe(String(made().length));

      // The title of a long range contains both years. Pressing the bar of a month shows the days of that month.
      await goTo(page, '/reports/alarms?from=2016-02-01&to=2026-01-14&size=5');
      await page.getByText('1 Feb 2016 to 14 Jan 2026').waitFor();
      const bars = page.getByRole('figure', { name: 'Alarms per month' });
      await bars.getByRole('button', { name: /^Dec 2025: / }).click();
      await page.getByText('1 Dec to 31 Dec 2025').waitFor();
      await expect
        .poll(() => page.getByRole('figure', { name: 'Alarms per day' }).getByRole('listitem').count())
        .toBe(31);
      await page.getByRole('table', { name: 'Alarms', exact: true }).locator('tbody tr').first().click();
      await page.waitForURL(/\/dashboard\/alarms\/[0-9a-f-]{36}$/);
    },
  );

  test('has a bar for each day, links a reason and a rule to their alarms on the page and in the file, and applies a search to all figures', async () => {
    const page = await open(`/reports/alarms?${month}&size=5`);
    await expectBars(page, 'Alarms per day', 'Alarms', 31, '1 Dec');
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

    // A search by message or site also filters the key figures and the linked lists.
    const site = plant.sites[0] as ReportSite;
    const alarms = made().filter((alarm) => alarm.site === site.uuid);
    await page.getByRole('searchbox').fill(site.name.toUpperCase());
    await counts(alarms.length);
    // The breakdown loads after the figures, so the test polls.
    await expect.poll(() => namesIn(page, 'Sites with the most alarms')).toEqual([site.name]);
    await page.getByRole('link', { name: 'Pump blocked' }).click();
    await counts(alarms.filter(({ reason }) => reason === 'Pump blocked').length);
    expect(await page.getByRole('searchbox').inputValue()).toBe(site.name.toUpperCase());
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(`Search: “${site.name.toUpperCase()}”. Rows newest first`).isVisible()).toBe(true);
    expect(await page.getByText(/, printed .*\d{4}/).isVisible()).toBe(true);
  });

  test('states how many of all rules with alarms it shows, in every order', async () => {
    await addManyRules(app.db, plant, 62);
    const page = await open('/reports/alarms?from=2024-06-03&to=2024-06-03&ruleOrder=name&size=5');
    // When ordered by name, the table shows the first 10 of all 62 rules.
    await page.getByRole('heading', { name: 'Rules with alarms: the first 10 of 62 in this order' }).waitFor();
    const names = async () => (await cells(page, 'Rules with alarms')).map(([name]) => name);
    const rules = page.getByRole('table', { name: 'Rules with alarms' });
    const many = async () => (await names()).filter((name) => name?.startsWith('Many'));
    await expect.poll(many).toHaveLength(10);
    const shown = await many();
    await rules.getByRole('columnheader', { name: 'Rule' }).getByRole('button').click();
    await expect.poll(async () => (await many()).filter((name) => !shown.includes(name))).toHaveLength(10);
    // Pressing the column heading a third time restores the default order.
    await rules.getByRole('columnheader', { name: 'Rule' }).getByRole('button').click();
    await page.getByRole('heading', { name: 'Rules with the most alarms: 10 of 62' }).waitFor();
    await expect.poll(() => cells(page, 'Rules with the most alarms')).toHaveLength(10);
    expect(await page.getByRole('heading', { name: 'Sites with the most alarms', exact: true }).count()).toBe(1);
  });

  test('counts only days on which the plant existed, and makes no comparison with earlier days', async () => {
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
    await page.getByText('No site existed yet.').waitFor();
  });
});

describe('the health report', () => {
  test('links unit offices to sites and sites to their gaps, and sorts its table on the page and in the file', async () => {
    const page = await open('/reports/health?range=last-month');
    await page
      .getByText(
        'The address requests the range “last-month”, which this report does not support. Choose weeks or months and the day on which they end.',
      )
      .waitFor();
    await page.getByRole('link', { name: 'Harbour' }).click();
    await page.getByRole('heading', { name: 'Health by site' }).waitFor();
    const site = plant.sites[1] as ReportSite;
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: site.name, exact: true }) });
    await row.waitFor();
    // The key figure of the unit office equals the total in the table of its sites.
    const grid = page.getByRole('grid', { name: 'Health by site' });
    const total = grid.locator('tfoot td').nth(-2);
    await expect
      .poll(() => figure(page, 'Expected data received').textContent())
      .toBe(`${await total.textContent()} %`);
    const sites = await grid.locator('tbody tr').count();
    await page.locator('dl > div', { hasText: 'Sites under 97 %' }).getByText(`of ${sites}`).waitFor();
    await row.getByRole('gridcell').nth(1).click();
    await page.getByRole('heading', { name: `Gaps at ${site.name}` }).waitFor();
    const { received, expected } = countSlots(site, (weeksUntil(NOW, ZONE)[0] as Date).getTime(), NOW.getTime());
    await expect.poll(() => figure(page, 'Slots without data').textContent()).toBe(String(expected - received));

    await goTo(page, '/reports/health?by=site');
    await page.getByRole('link', { name: 'Quay 1', exact: true }).waitFor();
    // The current week is incomplete, so its heading shows the last day that it includes.
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

  test.each([390, 820])('opens with the newest period in view at %d px', async (width) => {
    const page = await open('/reports/health');
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    const today = page
      .getByRole('grid', { name: 'Health by unit office' })
      .getByRole('columnheader', { name: 'Today' });
    await page.getByRole('link', { name: 'Harbour' }).waitFor();
    const isInView = async () => {
      const box = await today.boundingBox();
      return box !== null && box.x > 0 && box.x + box.width <= width;
    };
    await expect.poll(isInView).toBe(true);
  });

  long('shows whole months or weeks, also of the past, and refuses a future day', async () => {
    const page = await open('/reports/health');
    const table = page.getByRole('grid', { name: 'Health by unit office' });
    await page.getByRole('radio', { name: 'Months' }).check({ force: true });
    await page.getByText('1 Jan to 31 Dec 2025').waitFor();
    expect(parameter(page, 'each')).toBe('month');
    const heads = table.getByRole('columnheader');
    await expect.poll(() => heads.allTextContents()).toContain('2025Dec');
    expect((await heads.allTextContents()).join(' ')).not.toMatch(/Today|W12/);
    // The total of the last month in the table equals the key figure.
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
    await page.getByRole('heading', { name: `Gaps at ${name}` }).waitFor();
    await page.getByText('1 Jan to 31 Dec 2025').waitFor();
    expect(await page.getByRole('link', { name: 'Download as PDF' }).getAttribute('href')).toContain('each=month');
    await page.getByRole('link', { name: 'Health', exact: true }).click();
    await bySite.getByRole('columnheader', { name: 'Dec' }).waitFor();
    // If `until` is the last day of a month, the report includes the whole month.
    await goTo(page, '/reports/health?each=month&until=2025-11-30');
    await page.getByText('1 Dec 2024 to 30 Nov 2025').waitFor();

    await goTo(page, '/reports/health?until=2025-12-24');
    await page.getByText('6 Oct to 23 Dec 2025, and 24 Dec').waitFor();
    // The page compares the share of the last complete month with the share of the month before it.
    await expect.poll(() => figure(page, 'Received in November').textContent()).toMatch(/^\d+(\.\d)? %$/);
    await page.getByText(/^October \d/).waitFor();
    await page.getByLabel('Twelve weeks until').fill('2026-02-01');
    await page.getByText('This day is in the future. The report shows the weeks up to today instead.').waitFor();
  });
});
