import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ReportSite, shownStateOf, wentOut } from '../../api/report-plant.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { serviceQuery } from '../../harness/database/factories.ts';
import { isLong } from '../../harness/long.ts';
import { expectGoodLooks } from '../support/accessible.ts';
import {
  app,
  cells,
  days,
  download,
  few,
  figure,
  first,
  leaveAll,
  open,
  parameter,
  plant,
  rowsOf,
  startReportPlant,
} from '../support/report-pages.ts';

startReportPlant();

describe('the acknowledgement report', () => {
  const alarmSms = () => plant.messages.filter(({ type, method, at }) => type === 1 && method === 3 && at >= first);

  test('counts the same as the report overview, lists people who never acknowledge first, and links a person to the counted messages', async () => {
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
    await page.getByText(`By person: ${never.length} did not acknowledge any of their alarms`).waitFor();
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
    await page.getByRole('heading', { name: 'Message delivery' }).waitFor();
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(bens));
    // Clicking a person's name keeps the other filters.
    await page.getByRole('combobox', { name: 'Person' }).selectOption('Aoife Byrne');
    await expect.poll(async () => (await cells(page, 'Delivery by person'))[0]?.[0]).toBe('Aoife Byrne');
    await page.getByRole('link', { name: 'Aoife Byrne' }).click();
    const aoifes = told.filter(({ person }) => person === 'Aoife Byrne').length;
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(aoifes));
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      ...{ state: 'out', kind: '1', method: '3' },
    });
    // The key figure links to the list of unacknowledged alarms in the same date range.
    await goTo(page, `/reports/acknowledgements?${few}`);
    await page.getByRole('link', { name: 'Unacknowledged alarms' }).click();
    await page.getByRole('heading', { name: 'Alarms', exact: true }).waitFor();
    await expect.poll(() => figure(page, 'Acknowledged').textContent()).toBe('0');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      ...Object.fromEntries(new URLSearchParams(days)),
      reason: 'unacknowledged',
    });
    await goTo(page, `/reports/alarms?reason=Gone&${days}`);
    await page.getByText('No alarm in this report has the reason “Gone”.').waitFor();
  });

  test('says if its list has more messages than its figures count; the PDF states which rows it contains, and units beside figures', async () => {
    const page = await open(`/reports/acknowledgements?${days}&size=20`);
    const since = plant.messages.filter(({ at }) => at >= first);
    const out = alarmSms().filter(wentOut).length;
    await page
      .getByRole('heading', {
        name: `${alarmSms().length} alarm SMS (${out} sent and counted)`,
      })
      .waitFor();
    await page.locator('dl > div', { hasText: 'Alarm SMS acknowledged' }).getByText(`of ${out} sent`).waitFor();
    await page.getByRole('group', { name: 'Rows' }).getByText('Site').click();
    const told = since.filter((message) => message.type === 1 && wentOut(message)).length;
    await page
      .getByRole('heading', {
        name: `${since.length} messages (${told} alarm messages sent and counted)`,
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
    const where = page.getByText('The CSV and XLSX files contain all rows.');
    expect(await where.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect([await rows.count(), await which.isVisible(), await where.isVisible()]).toEqual([20, true, true]);
    expect(await page.getByText(/^Page 1 of/).isVisible()).toBe(false);
    // Printed pages contain the text of a column heading, but not its sort button.
    const styleOf = (part: Locator, name: 'display' | 'whiteSpace') =>
      part.evaluate(
        (element: any, property) => element.ownerDocument.defaultView.getComputedStyle(element)[property],
        name,
      );
    expect(await styleOf(table.locator('thead button').first(), 'display')).toBe('contents');
    expect(await styleOf(rows.first().locator('td').last(), 'whiteSpace')).toBe('nowrap');
    // Printed times include the date and do not wrap.
    const time = rows.first().locator('time');
    expect(await time.getAttribute('data-paper')).toMatch(/^\d+ \S+ \d{4} \d\d:\d\d$/);
    expect([await styleOf(time, 'whiteSpace'), await time.locator('span').isVisible()]).toEqual(['nowrap', false]);
  });
});

describe('the delivery report', () => {
  test('reports and ignores unknown filters in the URL, and sorts each table separately, the list of messages across its pages', async () => {
    const page = await open(`/reports/delivery?state=lost&sort=colour&${few}`);
    await page
      .getByText(/the state “lost”, which this report does not support. The report shows all states instead./)
      .waitFor();
    await page
      .getByText(/the order “colour”, which this report does not support. The report uses the default order./)
      .waitFor();
    const sent = plant.messages.filter(({ at }) => at >= first);
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(sent.length));
    const kept = sent.filter((message) => shownStateOf(message) === 'kept').length;
    expect(await figure(page, 'Not sent (no provider)').textContent()).toBe(String(kept));
    const link = await page.getByRole('link', { name: 'Download as CSV' }).getAttribute('href');
    expect(link).not.toMatch(/lost|colour/);

    const way = page.getByRole('table', { name: 'Delivery by method' }).getByRole('columnheader', { name: 'Failed' });
    const people = page.getByRole('table', { name: 'Delivery by person' });
    await way.getByRole('button').click();
    await expect.poll(() => way.getAttribute('aria-sort')).toBe('descending');
    expect(await people.locator('th[aria-sort=descending], th[aria-sort=ascending]').count()).toBe(0);
    await people.getByRole('columnheader', { name: 'Person' }).getByRole('button').click();
    await expect.poll(() => people.locator('th[aria-sort=ascending]').count()).toBe(1);
    const ways = (await cells(page, 'Delivery by method')).map((row) => Number(row.at(-3)));
    expect(ways).toEqual(ways.toSorted((a, b) => b - a));

    // Applying another filter removes the error messages.
    await page.getByRole('link', { name: 'Failed messages' }).click();
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
    // A column that the server cannot sort has no button.
    expect(await list.getByRole('columnheader', { name: 'Message' }).getByRole('button').count()).toBe(0);
    const [head = [], ...rows] = rowsOf(await download(page));
    const words = rows.slice(0, 5).map((row) => row[head.indexOf('Message')] as string);
    const texts = list.locator('tbody tr[data-row] td:nth-child(3)');
    const shown = async () => (await texts.allTextContents()).slice(0, 5);
    await expect
      .poll(async () => (await shown()).map((text, at) => text.startsWith(words[at] as string)))
      .toEqual(words.map(() => true));
  });

  test('separates messages in the outbox from sent ones, shows each message’s states, and keeps an invalid range as typed', async () => {
    const page = await open(`/reports/delivery?${few}`);
    const kept = plant.messages.filter((message) => shownStateOf(message) === 'kept' && message.at >= first).length;
    await page.getByLabel('State').selectOption('kept');
    await expect.poll(() => figure(page, 'Messages').textContent()).toBe(String(kept));
    expect(await figure(page, 'Sent').textContent()).toBe('0.0 %');
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
    await page.getByText('Sent to provider').waitFor();
    // The message details show the phone number that the search found.
    await page.getByText(/^SMS to .+, \+490000$/).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Delivered' }).count()).toBeGreaterThan(0);

    await goTo(page, '/reports/delivery?from=2026-01-10&to=2026-01-01&size=5');
    await page
      .getByText('Choose a last day on or after the first day. The report shows the last 30 days instead.')
      .waitFor();
    expect(await page.getByLabel('Last day').inputValue()).toBe('2026-01-01');
    await page.getByLabel('Last day').fill('2026-01-12');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(parameter(page, 'to')).toBe('2026-01-12');
  });
});

test('a report has its filters behind a button on a phone, prints the active ones, and cuts nothing off', async () => {
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

  // The date in the field `Twelve weeks until` is not cut off.
  await goTo(page, '/reports/health');
  const over = await page.getByLabel('Twelve weeks until').evaluate((input: any) => {
    const [inner, frame] = [input.getBoundingClientRect(), input.parentElement.getBoundingClientRect()];
    return [inner.right > frame.right, frame.right > input.ownerDocument.documentElement.clientWidth];
  });
  expect(over).toEqual([false, false]);

  // The end time of a gap is not cut off.
  await goTo(page, `/reports/health?site=${plant.sites[1]?.uuid}`);
  const ends = page.getByRole('table', { name: 'Gaps' }).locator('tbody td[data-text]');
  await ends.first().locator('time').waitFor();
  const cut = await ends.evaluateAll(
    (all) => (all as any[]).filter((cell) => cell.scrollWidth > cell.clientWidth).length,
  );
  expect([(await ends.count()) > 5, cut]).toEqual([true, 0]);

  // A message about an acknowledged alarm shows the time until the acknowledgement.
  await goTo(page, `/reports/acknowledgements?by=site&sort=-after&${few}`);
  await page
    .getByText(/^(SMS|E-mail|WhatsApp|App push) to .+, acknowledged by .+ after \d/)
    .first()
    .waitFor();
});

test('a report scrolls no list sideways on a tablet, and puts a single filter into the toolbar', async () => {
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

test('a report shows an operator only the linked site, in figures and filters, without links to settings', async () => {
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
  expect(await page.getByRole('link', { name: 'Set the price of an SMS segment' }).count()).toBe(0);
  await leaveAll();

  // The test links the operator to a newer site instead. The overview and the report then count days from the creation
  // of this site.
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
    // The period of 21 days runs from 25 December to 14 January.
    const words = `${(theirs.length / 21).toFixed(1)} a day since 25 Dec 2025`;
    await card.getByText(words, { exact: true }).waitFor();
    await card.click();
    await reports.locator('dl').getByText(words).waitFor();
  } finally {
    await link(young, site);
  }
});

test('both reports are accessible on a wide light screen and on a dark phone', async () => {
  const page = await open('/reports');
  // The test shows only five rows, because further rows look the same. accessibility.test.ts checks the header and the
  // filters.
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
