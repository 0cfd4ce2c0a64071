import { describe, expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectGoodLooks } from '../support/accessible.ts';
import {
  app,
  cells,
  download,
  figure,
  open,
  parameter,
  plant,
  rowsOf,
  startReportPlant,
} from '../support/report-pages.ts';

startReportPlant();

const december = 'from=2025-12-01&to=2025-12-31';
const made = () =>
  plant.alarms.filter(
    ({ created }) => created >= Date.parse('2025-11-30T23:00:00Z') && created < Date.parse('2025-12-31T23:00:00Z'),
  );

/**
 * Adds a flood at the first site: twelve alarms of one rule, with a recipient, on 15 December from 09:00, Berlin time.
 */
async function addFlood(): Promise<void> {
  const recipients = {
    alert: [
      { uuid: plant.owner.uuid, name: 'Ann Flood', methods: [{ method: 1, address: 'a@b.example' }], skipped: [] },
    ],
    ...{ escalate: [], resolve: [], notes: [], subject: '', text: '' },
  };
  await serviceQuery(
    app.db,
    `insert into tocsin.alarm (tocsin_customer_uuid, tocsin_site_uuid, site_name, rule_uuid, rule_name, severity, message, source, date_time,
       resolved_date, created_at, recipients)
     select $1, $2, 'Quay 1', '50000000-0000-4000-8000-000000000001', 'Mains power', 'critical', 'Mains power lost ' || n, 'limits',
       t.at, t.at + interval '5 seconds', t.at, $3
     from generate_series(1, 12) n cross join lateral (select '2025-12-15T08:00Z'::timestamptz + n * interval '15 seconds' as at) t
     on conflict do nothing`,
    [plant.customer.uuid, plant.sites[0]?.uuid, JSON.stringify(recipients)],
  );
  plant.alarms.push(
    ...Array.from({ length: 12 }, (_, n) => ({
      ...{ uuid: `flood-${n}`, site: plant.sites[0]?.uuid ?? '', rule: '50000000-0000-4000-8000-000000000001' },
      ...{ severity: 'critical', created: Date.parse('2025-12-15T08:00:00Z') + (n + 1) * 15_000, opened: 0 },
      ...{ resolved: 1, reason: null },
    })),
  );
}

describe('the alarm performance report', () => {
  test('opens from the alarm report, and leads from a flood to its alarms and from a rule to its editor', async () => {
    await addFlood();
    const page = await open(`/reports/alarms?${december}&size=5`);
    await page.getByRole('link', { name: 'Performance' }).click();
    await page.getByRole('heading', { name: 'Alarm performance' }).waitFor();
    expect(parameter(page, 'from')).toBe('2025-12-01');
    await page.getByRole('link', { name: `All ${made().length} alarms of this report` }).waitFor();
    await page.getByText('Mains power lost 1', { exact: true }).waitFor();
    await page.getByRole('link', { name: /^15 Dec.* 09:00, flood at Harbour$/ }).click();
    await page.waitForURL(/\/reports\/alarms\?/);
    await expect.poll(() => figure(page, 'Alarms').textContent()).toBe('12');
    await page
      .locator('span')
      .getByText(/^15 Dec 2025 09:00 to 09:1[23]$/)
      .waitFor();
    const rows = page.getByRole('table', { name: 'Alarms', exact: true }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(12);
    // The rule names in this table are links to the rules.
    const rule = page.getByRole('table', { name: 'Rules with the most alarms' }).getByRole('link').first();
    expect(await rule.getAttribute('href')).toContain('/admin/rules');
  });

  test('narrows all figures by a rule, and follows the chattering alarms to their list and file', async () => {
    const page = await open(`/reports/performance?${december}`);
    await page.getByRole('table', { name: 'Top ten rules' }).waitFor();
    await page.getByRole('combobox', { name: 'Rule' }).selectOption({ label: 'Mains power, Quay 1' });
    await page.getByRole('link', { name: 'All 12 alarms of this report' }).waitFor();
    expect(await cells(page, 'Load per recipient')).toHaveLength(1);
    await page.getByRole('link', { name: 'Chattering: 12' }).click();
    await expect.poll(() => figure(page, 'Alarms').textContent()).toBe('12');
    expect(parameter(page, 'only')).toBe('chattering');
    expect(await page.getByRole('combobox', { name: 'Figure' }).inputValue()).toBe('chattering');
    expect(rowsOf(await download(page))).toHaveLength(13);
  });

  test('downloads its figures in three formats', async () => {
    const page = await open(`/reports/performance?${december}`);
    await page.getByRole('table', { name: 'Top ten rules' }).waitFor();
    const csv = await download(page);
    expect(csv.name).toBe('tocsin-performance-2025-12-01-to-2025-12-31.csv');
    const lines = rowsOf(csv);
    expect(lines[0]).toEqual(['Figure', 'Value', 'Unit', 'Target', 'Result']);
    expect(lines.find(([name]) => name === 'Alarms')?.[1]).toBe(String(made().length));
    expect(lines.find(([name]) => name === 'Floods')?.[1]).toBe('1');
    for (const format of ['XLSX', 'PDF']) expect((await download(page, format)).content.length).toBeGreaterThan(2000);
  });

  test('compares with targets that an owner changes on the company page', async () => {
    const page = await open(`/reports/performance?${december}`);
    await page.getByRole('link', { name: 'Edit targets' }).click();
    const field = page.getByLabel('Share from the top ten rules (%)');
    await field.fill('101');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a whole percentage from 0 to 100.').waitFor();
    await field.fill('100');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The company was saved.').waitFor();
    await page.goBack();
    await page.getByText('within 100 %').waitFor();
  });

  test('leads from the share of nuisance acknowledgements to these alarms, and to the advice', async () => {
    const own = { tocsin_customer_uuid: plant.customer.uuid };
    const alert = await insertRow<{ uuid: string }>(app.db, 'tocsin.rule_alert', {
      ...{ ...own, tocsin_site_uuid: plant.sites[0]?.uuid, tocsin_rule_name: 'Mains power' },
    });
    await insertRow(app.db, 'tocsin.reason', { ...own, rule_uuid: alert.uuid, reason: 'Switching', is_nuisance: true });
    await serviceQuery(
      app.db,
      `update tocsin.alarm set reason = 'Switching', acknowledge_json = jsonb_build_object('name', 'Ann', 'at', created_at)
       where uuid in (select uuid from tocsin.alarm where rule_name = 'Mains power' order by date_time limit 3)`,
      [],
    );
    const page = await open(`/reports/performance?${december}`);
    const advice = page.getByRole('link', { name: 'Show advice for Mains power, Quay 1' });
    expect(await advice.getAttribute('href')).toContain('view=advice');
    const label = '100 % nuisance: 3 of 3 acknowledgements of Mains power, Quay 1';
    const share = page.getByRole('link', { name: label });
    expect(await share.textContent()).toBe('100 %');
    await share.click();
    await expect.poll(() => figure(page, 'Alarms').textContent()).toBe('3');
    expect(await page.getByRole('combobox', { name: 'Figure' }).inputValue()).toBe('nuisance');
  });

  test('is ordered weekly by e-mail, and stopped again', async () => {
    const stored = () => serviceQuery(app.db, 'select weekday, hour from tocsin_private.report_subscription');
    const page = await open(`/reports/performance?${december}`);
    await page.getByRole('button', { name: 'Send weekly', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Weekly e-mail' });
    await dialog.getByLabel('Weekday').selectOption({ label: 'Friday' });
    await dialog.getByLabel('Time').selectOption({ label: '16:00' });
    await dialog.getByRole('button', { name: 'Send weekly e-mail' }).click();
    await page.getByText('The report is sent every Friday at 16:00.').waitFor();
    expect(await stored()).toEqual([{ weekday: 5, hour: 16 }]);
    await page.getByRole('button', { name: 'Send weekly', exact: true }).click();
    expect(await dialog.getByLabel('Weekday').inputValue()).toBe('5');
    await expectGoodLooks(page);
    await dialog.getByRole('button', { name: 'Stop weekly e-mail' }).click();
    await page.getByText('You no longer get weekly e-mails.').waitFor();
    expect(await stored()).toEqual([]);
  });

  test('has a card on the overview with its key figure', async () => {
    const page = await open('/reports');
    const card = page.locator('main a[href="/reports/performance"]');
    await card.getByText('alarms a day per recipient').waitFor();
    await card.click();
    await page.getByRole('heading', { name: 'Alarm performance' }).waitFor();
  });

  test('is accessible on a wide light screen and on a dark phone', async () => {
    const page = await open(`/reports/performance?${december}`);
    await page.getByRole('table', { name: 'Load per recipient' }).waitFor();
    await expectGoodLooks(page);
  });

  test('shows an operator no link to the targets', async () => {
    const page = await open(`/reports/performance?${december}`, { as: plant.operator });
    await page.getByRole('heading', { name: 'Alarm performance' }).waitFor();
    await page.getByRole('link', { name: /^All \d+ alarms of this report$/ }).waitFor();
    expect(await page.getByRole('link', { name: 'Edit targets' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Send weekly', exact: true }).count()).toBe(0);
  });
});
