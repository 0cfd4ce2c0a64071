/** SMS report files match the API's responses. Every report refuses bad parameters and users without permission. */
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, serviceQuery } from '../harness/database/factories.ts';
import { PASSWORD } from '../harness/server/app.ts';
import { list } from './api.ts';
import { days, harmless, ReportFiles, variables } from './report-files.ts';

let files: ReportFiles;
let app: ReportFiles['app'];
let plant: ReportFiles['plant'];
let owner: ReportFiles['owner'];
let file: ReportFiles['file'];
let csv: ReportFiles['csv'];
let pdf: ReportFiles['pdf'];
beforeAll(async () => {
  files = await ReportFiles.start();
  ({ app, plant, owner, file, csv, pdf } = files);
});
afterAll(() => files?.close());

describe('the SMS report by site', () => {
  const screen = async () =>
    (
      await list(
        owner,
        'smsReportBySite',
        'siteName siteId alarmSms healthSms resolveSms otherSms smsCount eqs',
        variables,
      )
    )
      .toSorted((a, b) => b.smsCount - a.smsCount || a.siteName.localeCompare(b.siteName))
      .map((row) => Object.values(row) as [string, string, ...number[]]);

  test('has the rows of the API as CSV', async () => {
    const [head, ...rows] = await csv(`sms.csv?by=site&${days}`);
    expect(head).toEqual(['Site', 'Site ID', 'Alarm', 'Health', 'Resolve', 'Other', 'Messages', 'Billed segments']);
    const expected = await screen();
    expect(rows.slice(0, -1)).toEqual(expected.map(([name, ...rest]) => [harmless(name), ...rest.map(String)]));
    expect(rows.at(-1)?.[6]).toBe(String(expected.reduce((sum, row) => sum + (row[6] as number), 0)));
    expect(rows.map(([name]) => name)).toContain("'=1+2");
  });

  test('has the rows of the API as XLSX, with a name that looks like a formula as text', async () => {
    const rows = await readSheet(await file(`sms.xlsx?by=site&${days}`));
    expect(rows.slice(1, -1)).toEqual((await screen()).map(([name, id, ...rest]) => [name, id || null, ...rest]));
    expect(rows.map(([name]) => name)).toContain('=1+2');
  });

  test('has the rows of the API as PDF, in every script', async () => {
    const text = await pdf(`sms.pdf?by=site&${days}`);
    const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
    for (const [name, id, ...figures] of await screen()) {
      const line = lines.find((words) => (id ? words.includes(id) : words.join(' ').startsWith(name)));
      expect(
        line?.slice(-6).map((figure) => Number(figure.replace(',', ''))),
        name,
      ).toEqual(figures);
      expect(line?.join(' '), name).toContain(name);
    }
    expect(text).toMatch(/Page 1 of 1/);
    expect(text).toContain('SMS per day');
  });
});

describe('the cost of SMS', () => {
  const price = (value: number | null, currency: string | null) =>
    serviceQuery(app.db, 'update tocsin.customer set sms_price = $2, sms_currency = $3 where uuid = $1', [
      plant.customer.uuid,
      value,
      currency,
    ]);
  afterAll(() => price(null, null));

  test.each([
    ['office', 'smsReportByUnitOffice', 'uoName eqs', 7],
    ['site', 'smsReportBySite', 'siteName eqs', 8],
  ])('by %s is the billed segments times the price, with a total', async (by, report, fields, place) => {
    await price(0.0745, 'EUR');
    const segments = new Map<string, number>(
      (await list(owner, report, fields, variables)).map((row) => [row.uoName ?? row.siteName, row.eqs]),
    );
    const all = [...segments.values()].reduce((sum, count) => sum + count, 0);
    const cost = (count: number) => Number((count * 0.0745).toFixed(4));
    const [head, ...rows] = await csv(`sms.csv?by=${by}&${days}`);
    expect(head?.[place]).toBe('Cost (EUR)');
    expect(rows).toHaveLength(segments.size + 1);
    for (const [name = '', ...rest] of rows.slice(0, -1)) {
      expect(rest[place - 1], name).toBe(String(cost(segments.get(name.replace(/^'/, '')) as number)));
    }
    expect(rows.at(-1)?.[place]).toBe(String(cost(all)));
    const sheet = await readSheet(await file(`sms.xlsx?by=${by}&${days}`));
    expect(sheet.map((row) => String(row[place]))).toEqual([head?.[place], ...rows.map((row) => row[place])]);
    const text = await pdf(`sms.pdf?by=${by}&${days}`);
    expect(text).toMatch(/Cost\s[\s\S]{0,400}\(EUR\)/);
    expect(text).toMatch(new RegExp(`All .* ${cost(all).toFixed(4)}\n`));
    // The key figure for the cost equals the sum of the cost column.
    expect(text).toContain(`€${cost(all).toFixed(4)}`);
  });

  test('has no decimals if the currency has none', async () => {
    await price(7.5, 'JPY');
    const segments = (await list(owner, 'smsReportByUnitOffice', 'eqs', variables)).reduce(
      (sum, row) => sum + row.eqs,
      0,
    );
    const text = await pdf(`sms.pdf?${days}`);
    expect(text).toMatch(new RegExp(`All .* ${Math.round(segments * 7.5).toLocaleString('en')}\\n`));
    expect((await csv(`sms.csv?${days}`)).at(-1)?.[7]).toBe(String(segments * 7.5));
  });

  test('is left out without a price', async () => {
    await price(null, null);
    expect((await csv(`sms.csv?${days}`))[0]).not.toContain('Cost (EUR)');
    expect(await pdf(`sms.pdf?${days}`)).not.toContain('Cost');
  });
});

test('the SMS report as PDF says how much of the budget of the company is used', async () => {
  expect(await pdf(`sms.pdf?${days}`)).not.toContain('Budget used');
  const change = 'update tocsin.customer set sms_month_budget = $2 where uuid = $1';
  await serviceQuery(app.db, change, [plant.customer.uuid, 5000]);
  const [{ monthUsed }] = await list(owner, 'smsBudgets', 'monthUsed', {});
  const text = await pdf(`sms.pdf?${days}`);
  expect(text).toContain('Budget used this month');
  expect(text).toContain(`${monthUsed.toLocaleString('en')} of 5,000 segments`);
  expect(text).not.toContain('Budget used today');
  await serviceQuery(app.db, change, [plant.customer.uuid, null]);
});

test('every report of a unit office without sites is an empty table, in every format', async () => {
  const [{ uuid }] = await serviceQuery(app.db, `select uuid from tocsin.group where name = 'Empty office'`);
  for (const name of [
    'health',
    'sms',
    'alarms',
    'acknowledgements',
    'delivery',
    'alarms-by-site',
    'alarms-by-reason',
  ]) {
    const asked = `by=site&office=${uuid}${name === 'health' ? '' : `&${days}`}`;
    const [head, ...rows] = await csv(`${name}.csv?${asked}`);
    // The row of totals contains only the title `All sites`, empty cells and zeros.
    expect(
      rows.flat().every((cell) => ['All sites', '', '0'].includes(cell)),
      name,
    ).toBe(true);
    const sheet = await readSheet(await file(`${name}.xlsx?${asked}`));
    expect(
      sheet[0]?.filter((header) => !String(header).endsWith(', UTC offset')),
      name,
    ).toEqual(head);
    expect(sheet, name).toHaveLength(1 + rows.length);
    expect(await pdf(`${name}.pdf?${asked}`), name).toContain('Empty office');
  }
});

describe('refusals', () => {
  test('an operator’s files contain only the linked site', async () => {
    const operator = await app.browser(plant.operator);
    const rows: string[][] = parse(await file(`sms.csv?by=site&${days}`, operator), { bom: true });
    expect(rows.map(([name]) => name)).toEqual(['Site', 'Quay 1', 'All sites']);
  });

  test('refuses a visitor with 401, and a partner with a reason', async () => {
    expect((await (await app.browser()).get('/api/v1/reports/sms.csv')).statusCode).toBe(401);
    const partner = await createUser(app.db, {
      customer: plant.customer,
      level: 5,
      partnerAccount: true,
      password: PASSWORD,
    });
    const answer = await (await app.browser(partner)).get('/api/v1/reports/sms.csv');
    expect([answer.statusCode, answer.json().errorMessage]).toEqual([403, 'Partner accounts cannot view reports.']);
  });

  test.each([
    ['sms.csv?from=2026-01-02&to=2026-01-01', 400, 'Choose a last day on or after the first day.'],
    ['sms.csv?from=2010-01-01&to=2026-01-01', 400, 'A report covers at most ten years. Choose a later start.'],
    ['sms.csv?from=2026-02-30&to=2026-03-01', 400, 'Enter the first day as year-month-day, such as 2026-03-01.'],
    ['sms.csv?by=site&office=nonsense', 400, 'There is no such unit office. Choose one in the report.'],
    ['delivery.csv?state=lost', 400, 'Set "state" to one of queued, sent, delivered, kept, failed, out, taken.'],
    ['delivery.csv?kind=9', 400, 'Set "kind" to 1 (alarm), 2 (health), 3 (resolve) or 4 (other).'],
    ['delivery.csv?method=5', 400, 'Set "method" to 1 (e-mail), 2 (WhatsApp), 3 (SMS) or 4 (app push).'],
    ['sms.csv?by=day', 400, 'Set "by" to office or site.'],
    ['alarms.csv?office=1&office=2', 400, 'Specify "office" only once, with at most 200 characters.'],
    [
      'sms.csv?site=00000000-0000-4000-8000-000000000000&by=site',
      400,
      'This report cannot be limited to one site. Remove "site". For one row per site, set "by" to site.',
    ],
    [
      'health.csv?office=00000000-0000-4000-8000-000000000000',
      400,
      'A report by unit office always includes all unit offices. To list the sites of one unit office, also set "by" to site.',
    ],
    ['alarms.csv?site=00000000-0000-4000-8000-000000000000', 404, 'There is no such site. Choose one in the report.'],
    [
      'sms.csv?by=site&office=00000000-0000-4000-8000-000000000000',
      404,
      'There is no such unit office. Choose one in the report.',
    ],
    ['health.csv?until=2026-02-31', 400, 'Enter the day as year-month-day, such as 2026-03-01.'],
    ['health.csv?until=2030-01-01', 400, 'This day is in the future. Choose today, or a day before it.'],
    [
      'health.csv?range=last-month',
      400,
      'The health report covers twelve weeks, or twelve months with "each" set to month. Set "until" to the last day instead of giving a range.',
    ],
    ['health.csv?each=day', 400, 'Set "each" to week or month.'],
    [
      'sms.csv?ofice=1',
      400,
      expect.stringMatching(/^Reports have no parameter "ofice"\. Use range, .*office, .*sort\.$/),
    ],
    [
      'delivery.csv?sort=colour',
      400,
      'Set "sort" to one of time, way, person, site, state. A minus before the column reverses the order.',
    ],
    ['sms.csv?order=a%20b', 400, expect.stringMatching(/^Set "order" to one of name, alarm, /)],
    ['alarms.csv?siteOrder=-office', 400, expect.stringMatching(/^Set "siteOrder" to one of name, alarms, open/)],
    ['health-gaps.csv', 404, 'There is no such site. Choose one in the health report.'],
    [
      'constructor.csv',
      404,
      expect.stringMatching(/^There is no such report\. The reports are .*health-gaps.*\.xlsx and \.pdf\.$/),
    ],
    ['sms.docx', 404, expect.stringMatching(/^There is no such report\./)],
    [
      'sms.csv?range=fortnight',
      400,
      expect.stringMatching(/^Set "range" to one of 7d, .*last-month.* or specify "from" and "to"/),
    ],
  ])('%s', async (path, status, sentence) => {
    const answer = await owner.get(`/api/v1/reports/${path}`);
    expect([answer.statusCode, answer.json().errorMessage]).toEqual([status, sentence]);
  });

  test('responds with 400 and the message if the database refuses the first row of a list', async () => {
    const plantRefusal = `create policy planted on tocsin.notification as restrictive for select to tocsin_request
      using (tocsin_private.check_choice('state', 'planted', array['one', 'another']))`;
    await app.db.migration((tx) => tx.query(plantRefusal));
    try {
      for (const name of ['acknowledgements', 'delivery']) {
        const answer = await owner.get(`/api/v1/reports/${name}.csv?${days}`);
        expect([answer.statusCode, answer.json().errorMessage], name).toEqual([400, 'Choose one or another.']);
        expect(answer.headers['content-type']).toMatch(/^application\/json/);
        expect(answer.headers).not.toHaveProperty('content-disposition');
      }
    } finally {
      await app.db.migration((tx) => tx.query('drop policy planted on tocsin.notification'));
    }
  });
});
