/** Reports as files, read by programs that did not write them, against what the API answers to the screens. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatSeconds } from '../../domain/age.ts';
import { listedWords } from '../../domain/report/acknowledgement.ts';
import { formatShare, roundShare, share } from '../../domain/report/health.ts';
import { monthStarts, startOfDay, weeksUntil } from '../../domain/week.ts';
import { HandClock } from '../../server/platform/clock.ts';
import { writeTime } from '../../server/report/table.ts';
import { PASSWORD, startTestApp, type TestApp, type TestBrowser } from '../harness/app.ts';
import { ensureDebianPackage, type Found } from '../harness/debian.ts';
import { createUser, serviceQuery } from '../harness/factories.ts';
import { list } from './api.ts';
import { addManyRules, buildReportPlant, fateOf, NOW, type ReportPlant, wentOut, ZONE } from './report-plant.ts';

let app: TestApp;
let plant: ReportPlant;
let owner: TestBrowser;
let pdftotext: Found;
const folder = mkdtempSync(join(tmpdir(), 'tocsin-files-'));
beforeAll(async () => {
  pdftotext = await ensureDebianPackage({ binaries: ['pdftotext'], package: 'poppler-utils' });
  app = await startTestApp({ clock: new HandClock(NOW) });
  plant = await buildReportPlant(app.db);
  owner = await app.browser(plant.owner);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await app?.close();
});

const days = 'from=2025-10-20&to=2026-01-14';
const variables = {
  rangeFrom: ['Datetime!', '2025-10-19T22:00:00Z'],
  rangeTo: ['Datetime!', '2026-01-14T23:00:00Z'],
} satisfies Record<string, [string, unknown]>;

async function file(path: string, browser = owner): Promise<Buffer> {
  const answer = await browser.get(`/api/v1/reports/${path}`);
  expect(answer.statusCode, answer.statusCode === 200 ? '' : answer.body).toBe(200);
  return answer.rawPayload;
}

async function csv(path: string): Promise<string[][]> {
  return parse(await file(path), { bom: true });
}

/** Several tests read the same paper, which takes long to make. Only the price of SMS changes between them. */
function pdf(path: string): Promise<string> {
  const known = path.startsWith('sms') ? undefined : papers.get(path);
  const paper = known ?? makePdf(path);
  papers.set(path, paper);
  return paper;
}
const papers = new Map<string, Promise<string>>();

async function makePdf(path: string): Promise<string> {
  if ('missing' in pdftotext) throw new Error(pdftotext.missing);
  const name = join(folder, 'report.pdf');
  writeFileSync(name, await file(path));
  const { stdout } = await promisify(execFile)(pdftotext.path, ['-layout', name, '-'], { maxBuffer: 1 << 26 });
  // Marks of direction are how the program writes right-to-left text.
  return stdout.replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, '');
}

/** A spreadsheet keeps a time as a fraction of a day, which is a millisecond off at times. */
const wallClock = (cell: unknown) =>
  new Date(Math.round((cell as Date).getTime() / 1000) * 1000).toISOString().slice(0, 19).replace('T', ' ');

const harmless = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text);

describe('SMS by site', () => {
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

  test('as CSV', async () => {
    const [head, ...rows] = await csv(`sms.csv?by=site&${days}`);
    expect(head).toEqual(['Site', 'Site ID', 'Alarm', 'Health', 'Resolve', 'Other', 'Messages', 'Billed parts']);
    const expected = await screen();
    expect(rows.slice(0, -1)).toEqual(expected.map(([name, ...rest]) => [harmless(name), ...rest.map(String)]));
    expect(rows.at(-1)?.[6]).toBe(String(expected.reduce((sum, row) => sum + (row[6] as number), 0)));
    expect(rows.map(([name]) => name)).toContain("'=1+2");
  });

  test('as XLSX, where a name that looks like a formula is text', async () => {
    const rows = await readSheet(await file(`sms.xlsx?by=site&${days}`));
    expect(rows.slice(1, -1)).toEqual((await screen()).map(([name, id, ...rest]) => [name, id || null, ...rest]));
    expect(rows.map(([name]) => name)).toContain('=1+2');
  });

  test('as PDF, in every script', async () => {
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
    expect(text).toContain('SMS each day');
  });
});

describe('what SMS cost', () => {
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
  ])('by %s is billed parts at the price that is set, with the sum of all', async (by, report, fields, place) => {
    await price(0.0745, 'EUR');
    const parts = new Map<string, number>(
      (await list(owner, report, fields, variables)).map((row) => [row.uoName ?? row.siteName, row.eqs]),
    );
    const all = [...parts.values()].reduce((sum, count) => sum + count, 0);
    const cost = (count: number) => Number((count * 0.0745).toFixed(4));
    const [head, ...rows] = await csv(`sms.csv?by=${by}&${days}`);
    expect(head?.[place]).toBe('Cost, EUR');
    expect(rows).toHaveLength(parts.size + 1);
    for (const [name = '', ...rest] of rows.slice(0, -1)) {
      expect(rest[place - 1], name).toBe(String(cost(parts.get(name.replace(/^'/, '')) as number)));
    }
    expect(rows.at(-1)?.[place]).toBe(String(cost(all)));
    const sheet = await readSheet(await file(`sms.xlsx?by=${by}&${days}`));
    expect(sheet.map((row) => String(row[place]))).toEqual([head?.[place], ...rows.map((row) => row[place])]);
    const text = await pdf(`sms.pdf?by=${by}&${days}`);
    expect(text).toContain('Cost, EUR');
    expect(text).toMatch(new RegExp(`All .* ${cost(all).toFixed(4)}\n`));
    // The key figure is the sum of the column.
    expect(text).toContain(`€${cost(all).toFixed(4)}`);
  });

  test('has no figures after the point where the currency has none', async () => {
    await price(7.5, 'JPY');
    const parts = (await list(owner, 'smsReportByUnitOffice', 'eqs', variables)).reduce((sum, row) => sum + row.eqs, 0);
    const text = await pdf(`sms.pdf?${days}`);
    expect(text).toMatch(new RegExp(`All .* ${Math.round(parts * 7.5).toLocaleString('en')}\\n`));
    expect((await csv(`sms.csv?${days}`)).at(-1)?.[7]).toBe(String(parts * 7.5));
  });

  test('is left out where nobody has said what a part costs', async () => {
    await price(null, null);
    expect((await csv(`sms.csv?${days}`))[0]).not.toContain('Cost, EUR');
    expect(await pdf(`sms.pdf?${days}`)).not.toContain('Cost');
  });
});

test('health by unit office holds the shares of the screen', async () => {
  const starts = weeksUntil(NOW, ZONE);
  const fields = Array.from({ length: 12 }, (_, week) => `w${week + 1}Count`);
  const rows = await list(
    owner,
    'healthReportByUnitOffice',
    `uoName siteCount ${fields.join(' ')} todaycount expected`,
    {
      weekStarts: ['[Datetime]!', starts],
      today: ['Datetime!', startOfDay(NOW, ZONE)],
    },
  );
  const [head, ...lines] = await csv('health.csv');
  expect(head?.slice(0, 3)).toEqual(['Unit office', 'Sites', '27 Oct']);
  expect(lines).toHaveLength(rows.length + 1);
  const text = await pdf('health.pdf');
  for (const row of rows) {
    const cells = [...fields, 'todaycount'].map((field, index) =>
      share({ received: row[field], expected: row.expected[index] }),
    );
    const line = lines.find(([name]) => name === harmless(row.uoName));
    expect(line?.slice(2, 15)).toEqual(cells.map((cell) => String(roundShare(cell) ?? '')));
    expect(text.replace(/ +/g, ' ')).toContain(`${row.uoName} ${row.siteCount} ${cells.map(formatShare).join(' ')}`);
  }
});

test('health of each month holds whole months of each unit office, in every file', async () => {
  const rows = await list(owner, 'healthReportByUnitOffice', 'uoName w11Count w12Count expected', {
    weekStarts: ['[Datetime]!', monthStarts(NOW, ZONE)],
    today: ['Datetime!', startOfDay(NOW, ZONE)],
  });
  const [head = [], ...lines] = await csv('health.csv?each=month');
  expect(head.slice(2, 15)).toEqual([
    ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(
      (name) => `${name} 2025`,
    ),
    'Total %',
  ]);
  const sheet = await readSheet(await file('health.xlsx?each=month'));
  const paper = await pdf('health.pdf?each=month');
  expect(paper).toContain('Twelve whole months, 1 Jan to 31 Dec 2025');
  expect(paper).toContain('Missing of expected, % of each month');
  expect(paper).toContain('12 months before: no site yet');
  for (const row of rows) {
    const line = lines.find(([name]) => name === harmless(row.uoName));
    const [november, december] = [
      share({ received: row.w11Count, expected: row.expected[10] }),
      share({ received: row.w12Count, expected: row.expected[11] }),
    ];
    expect(line?.slice(12, 14), row.uoName).toEqual(
      [november, december].map((percent) => String(roundShare(percent) ?? '')),
    );
    // The total is that of the months, without the days of the month that runs.
    expect(Number(line?.at(-1))).toBe(row.expected.slice(0, 12).reduce((sum: number, count: number) => sum + count, 0));
    expect(sheet.find(([name]) => name === row.uoName)?.[13]).toBe(roundShare(december));
  }
  const { headers } = await owner.get('/api/v1/reports/health.csv?each=month&by=site');
  expect(headers['content-disposition']).toContain('tocsin-health-by-site-months-2025-01-01-to-2025-12-31.csv');
  // A month of which the last day is given is in it, and the gaps of a site are those of the months.
  const until = 'each=month&until=2025-11-30';
  expect((await csv(`health.csv?${until}`))[0]?.slice(12, 14)).toEqual(['Oct 2025', 'Nov 2025']);
  const [site] = plant.sites;
  const { headers: named } = await owner.get(`/api/v1/reports/health-gaps.csv?${until}&site=${site?.uuid}`);
  expect(named['content-disposition']).toContain('months-S-0-Quay-1-2024-12-01-to-2025-11-30.csv');
  const gaps = await list(owner, 'healthGaps', 'gapFrom', {
    siteUuid: ['UUID!', site?.uuid],
    rangeFrom: ['Datetime!', '2024-11-30T23:00:00Z'],
    rangeTo: ['Datetime!', '2025-11-30T23:00:00Z'],
  });
  expect((await csv(`health-gaps.csv?${until}&site=${site?.uuid}`)).length).toBe(gaps.length + 1);
});

test('paper sets the last whole month against the one before', async () => {
  const rows = await list(owner, 'healthReportByUnitOffice', 'w11Count w12Count expected', {
    weekStarts: ['[Datetime]!', monthStarts(NOW, ZONE)],
    today: ['Datetime!', startOfDay(NOW, ZONE)],
  });
  const sum = (of: (row: any) => number) => rows.reduce((total, row) => total + of(row), 0);
  const [november, december] = [
    { received: sum((row) => row.w11Count), expected: sum((row) => row.expected[10]) },
    { received: sum((row) => row.w12Count), expected: sum((row) => row.expected[11]) },
  ];
  const close = (words: string) => words.replace(/\s+/g, '');
  const text = close(await pdf('health.pdf'));
  expect(december.expected).toBeGreaterThan(500);
  expect(text).toContain('ReceivedinDecember');
  expect(text).toContain(close(`${formatShare(share(december))} % ${december.received.toLocaleString('en')} of`));
  expect(text).toContain(close(`November ${formatShare(share(november))} %`));
});

test('the weeks until a day of the past are called by that day, and the gaps of a site are those of the screen', async () => {
  const answer = await owner.get('/api/v1/reports/health.csv?until=2025-12-24');
  expect(answer.headers['content-disposition']).toContain('tocsin-health-by-office-2025-12-24.csv');
  expect(parse(answer.rawPayload, { bom: true })[0]).toContain('24 Dec');
  expect(await pdf('health.pdf?until=2025-12-24')).toContain('Twelve weeks until 24 Dec 2025, and that day');
  const site = plant.sites[0] as ReportPlant['sites'][number];
  const gaps = await list(owner, 'healthGaps', 'gapFrom gapTo slots', {
    siteUuid: ['UUID!', site.uuid],
    rangeFrom: ['Datetime!', weeksUntil(NOW, ZONE)[0]],
    rangeTo: ['Datetime!', NOW],
  });
  const rows = await csv(`health-gaps.csv?site=${site.uuid}`);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.slice(1).map(([from, to, seconds, slots]) => [from, to, Number(seconds), Number(slots)])).toEqual(
    gaps.map(({ gapFrom, gapTo, slots }) => [
      writeTime(new Date(gapFrom), ZONE),
      writeTime(new Date(gapTo), ZONE),
      (Date.parse(gapTo) - Date.parse(gapFrom)) / 1000,
      slots,
    ]),
  );
  // Files of two sites are told apart.
  for (const [{ uuid }, called] of [
    [site, 'S-0-Quay-1'],
    [plant.sites[3] as ReportPlant['sites'][number], 'S-3'],
  ] as const) {
    const { headers } = await owner.get(`/api/v1/reports/health-gaps.csv?site=${uuid}&until=2025-12-24`);
    expect(headers['content-disposition']).toBe(`attachment; filename="tocsin-health-gaps-${called}-2025-12-24.csv"`);
  }
  const paper = await pdf(`health-gaps.pdf?site=${site.uuid}`);
  expect(paper).toContain(`Gaps of ${site.name}`);
  // With the key figures of the page.
  const without = gaps.reduce((sum, { slots }) => sum + slots, 0).toLocaleString('en');
  expect(paper).toMatch(/Gaps +Slots without anything +Longest gap +Last contact/);
  expect(paper).toMatch(new RegExp(`^ *${gaps.length} +${without} +\\S+.* never`, 'm'));
  // What a site has missed in its row is what its gaps make together: no day is in one of them only.
  const [head, ...sites] = await csv('health.csv?by=site');
  expect(head?.slice(0, 4)).toEqual(['Site', 'Site ID', 'Unit office', '27 Oct']);
  expect(sites.at(-1)?.slice(0, 3)).toEqual(['All sites', '', '']);
  const row = sites.find(([name]) => name === harmless(site.name));
  expect(row?.slice(1, 3)).toEqual(['S-0', 'Harbour']);
  const missed = gaps.reduce((sum, { slots }) => sum + slots, 0);
  expect(Number(row?.at(-1)) - Number(row?.at(-2))).toBe(missed);
});

test('files say of days before the first site that there was none, and of a gap that goes on that it does', async () => {
  const site = plant.sites[0] as ReportPlant['sites'][number];
  const words = 'There was no site yet.';
  for (const path of ['health', 'health-gaps']) {
    const query = `until=2001-03-05&by=site${path === 'health' ? '' : `&site=${site.uuid}`}`;
    const rows = await csv(`${path}.csv?${query}`);
    expect(rows.slice(1)).toEqual([[words, ...Array(rows[0]!.length - 1).fill('')]]);
    expect((await readSheet(await file(`${path}.xlsx?${query}`)))[1]?.[0]).toBe(words);
    expect(await pdf(`${path}.pdf?${query}`)).toContain(words);
  }
  for (const [from, sentence] of [
    ['2001-03-05', words],
    ['2030-03-05', 'These days are still to come.'],
  ] as const)
    for (const by of ['office', 'site']) {
      const query = `by=${by}&from=${from}&to=${from}`;
      const rows = await csv(`sms.csv?${query}`);
      expect(rows.slice(1), query).toEqual([[sentence, ...Array(rows[0]!.length - 1).fill('')]]);
    }
  expect(await pdf('sms.pdf?from=2001-03-05&to=2001-03-05')).toContain(words);
  expect(await pdf('sms.pdf?from=2030-03-01&to=2030-03-31')).not.toContain('The month before');
  const paper = await pdf('health.pdf?until=2001-03-05');
  expect(paper.match(/ no site yet/g)?.length).toBe(6);
  expect(paper).not.toMatch(/0 of \d|–/);

  const { last_update: before } = (
    await serviceQuery(app.db, 'select last_update from tocsin.site where uuid = $1', [site.uuid])
  )[0] as any;
  const heard = (at: unknown) =>
    serviceQuery(app.db, 'update tocsin.site set last_update = $2 where uuid = $1', [site.uuid, at]);
  const newest = (await csv(`health-gaps.csv?site=${site.uuid}&order=-name`))[1] as string[];
  await heard(newest[0]);
  const path = (format: string) => `health-gaps.${format}?site=${site.uuid}&order=-name&until=2026-01-14`;
  const rows = await csv(path('csv'));
  expect(rows.slice(1).map(([, to]) => to === 'goes on')).toEqual(rows.slice(1).map((_, place) => place === 0));
  expect(rows[1]).toEqual([newest[0], 'goes on', ...newest.slice(2)]);
  expect((await readSheet(await file(path('xlsx'))))[1]?.[2]).toBe('goes on');
  expect((await pdf(path('pdf'))).match(/goes on/g)).toHaveLength(1);
  await heard(before);
});

test('paper has the key figures of the page, with how they were in the days before', async () => {
  const made = (from: string, to: string) =>
    plant.alarms.filter(({ created }) => created >= Date.parse(from) && created < Date.parse(to)).length;
  const now = made('2025-10-19T22:00:00Z', '2026-01-14T23:00:00Z');
  const { data } = await owner.graphql(
    `{ alarmFigures(rangeFrom: "2025-10-19T22:00:00Z", rangeTo: "2026-01-14T23:00:00Z") { acknowledged stillOpen medianSeconds p90Seconds } }`,
  );
  const { acknowledged, stillOpen, medianSeconds, p90Seconds } = (data as any).alarmFigures;
  // The program that reads it does not see every space.
  const close = (words: string) => words.replace(/\s+/g, '');
  const text = close(await pdf(`alarms.pdf?${days}`));
  const [median, most] = [formatSeconds(medianSeconds), formatSeconds(p90Seconds)];
  // The plant was there all of the 87 days.
  const each = (now / 87).toFixed(1);
  expect(text).toContain(
    close(
      `Still open ${now} ${each} a day over 87 days ${median} ${most} ${acknowledged} of ${now} ${stillOpen} 87 days before`,
    ),
  );
  expect(text).toContain(
    close(`87 days before ${made('2025-07-24T22:00:00Z', '2025-10-19T22:00:00Z')}, since 6 Oct 87 days before`),
  );
});

test('paper sets nothing against days in which the plant was not there', async () => {
  const young = await pdf('alarms.pdf?from=2025-10-06&to=2025-10-20');
  expect(young).toMatch(/15 days before: no site yet/);
  expect(young).not.toMatch(/15 days before 0/);
  expect(await pdf('sms.pdf?from=2025-10-06&to=2025-10-20')).toMatch(/15 days before: no site yet/);
  const rule = '00000000-0000-4000-9000-000000000009';
  expect(await pdf(`alarms.pdf?from=2026-01-01&to=2026-01-14&rule=${rule}`)).toMatch(/14 days before 0/);
});

test('a message that is longer than its column is whole on paper', async () => {
  const words = Array.from({ length: 24 }, (_, index) => `part${index}`);
  await serviceQuery(
    app.db,
    `insert into tocsin.notification (tocsin_customer_uuid, recipient_name, address, method_type, message_type, notify_message, notify_time)
     values ($1, 'Long', 'x', 1, 4, $2, '2024-05-01'), ($1, 'Long', 'x', 1, 4, $3, '2024-05-01')`,
    [plant.customer.uuid, words.join(' '), '泵站'.repeat(30)],
  );
  const text = await pdf('delivery.pdf?from=2024-05-01&to=2024-05-02');
  for (const word of words) expect(text).toMatch(new RegExp(`\\b${word}\\b`));
  expect(text.match(/泵/g)).toHaveLength(30);
});

describe('lists of every row', () => {
  test.each([
    ['alarms', () => plant.alarms.filter(({ created }) => created >= Date.parse('2025-10-19T22:00:00Z')).length],
    ['delivery', () => plant.messages.filter(({ at }) => at >= Date.parse('2025-10-19T22:00:00Z')).length],
    [
      'acknowledgements',
      () =>
        plant.messages.filter(
          ({ at, method, type }) => at >= Date.parse('2025-10-19T22:00:00Z') && method === 3 && type === 1,
        ).length,
    ],
  ])('%s are the same rows in CSV, XLSX and PDF, newest first', async (name, expected) => {
    const [, ...rows] = await csv(`${name}.csv?${days}`);
    expect(rows).toHaveLength(expected());
    const sheet = await readSheet(await file(`${name}.xlsx?${days}`));
    // A spreadsheet keeps no time zone beside a time, so its offset is the next cell. The range has the hour that comes twice.
    expect(sheet[0]?.[1]).toMatch(/, UTC offset$/);
    expect(sheet.slice(1).map((row) => `${wallClock(row[0])} ${row[1]}`)).toEqual(rows.map(([at]) => at));
    expect(new Set(sheet.slice(1).map((row) => row[1]))).toEqual(new Set(['+01:00', '+02:00']));
    const text = await pdf(`${name}.pdf?${days}`);
    const times = text.match(/^ *\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/gm) ?? [];
    expect(times.map((time) => time.trim())).toEqual(rows.map(([at]) => at?.slice(0, 19)));
    const pages = text.match(/Page \d+ of (\d+)/g) ?? [];
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.at(-1)).toBe(`Page ${pages.length} of ${pages.length}`);
  });

  test('a file is narrowed as its page is, and paper says by what', async () => {
    const { reason } = plant.alarms.find((alarm) => alarm.reason !== null) as ReportPlant['alarms'][number];
    const [head, ...all] = await csv(`alarms.csv?${days}`);
    const at = (head ?? []).indexOf('Reason');
    const asked = `reason=${encodeURIComponent(reason as string)}&${days}`;
    const [, ...rows] = await csv(`alarms.csv?${asked}`);
    expect(rows).toEqual(all.filter((row) => row[at] === reason));
    expect((await csv(`alarms.csv?reason=none&${days}`)).slice(1)).toEqual(all.filter((row) => row[at] === ''));
    expect(await pdf(`alarms.pdf?${asked}`)).toContain(`reason ${reason}`);
    const site = `q=quay%201&${days}`;
    const found = all.filter((row) => row[(head ?? []).indexOf('Site')] === 'Quay 1');
    expect((await csv(`alarms.csv?${site}`)).slice(1)).toEqual(found);
    const sheet = await pdf(`alarms.pdf?${site}`);
    expect(sheet).toContain('with “quay 1”');
    expect(sheet).toMatch(new RegExp(`^ *${found.length} +.* of ${found.length} `, 'm'));
    // Each word is found in the message or in the place, and the file lists what its figures count.
    const [{ site_id }] = await serviceQuery(app.db, `select site_id from tocsin.site where name = 'Quay 1'`);
    const word = found[0]?.[(head ?? []).indexOf('Message')]?.split(' ').at(-1) as string;
    const words = `q=${encodeURIComponent(`${word} ${site_id}`)}&${days}`;
    const placed = found.filter((row) => row[(head ?? []).indexOf('Message')]?.includes(word));
    expect((await csv(`alarms.csv?${words}`)).slice(1)).toEqual(placed);
    expect((await csv(`alarms.csv?sort=message&${words}`)).slice(1)).toHaveLength(placed.length);
    expect(await pdf(`alarms.pdf?${words}`)).toMatch(new RegExp(`^ *${placed.length} +.* of ${placed.length} `, 'm'));
    // An asset that is gone keeps its name.
    const motors = all.filter((row) => row[(head ?? []).indexOf('Asset')] === 'Motor');
    expect(motors.length).toBeGreaterThan(0);
    expect((await csv(`alarms.csv?q=motor&${days}`)).slice(1)).toEqual(motors);
    const sites = await csv(`alarms-by-site.csv?${site}`);
    expect(sites.slice(1).map(([name, , alarms]) => [name, alarms])).toEqual([['Quay 1', String(found.length)]]);
    const out = await csv(`delivery.csv?method=3&state=out&${days}`);
    const paper = await pdf(`delivery.pdf?method=3&state=out&${days}`);
    expect(paper).toContain('SMS, sent or delivered');
    expect(paper).toMatch(new RegExp(`^ *${out.length - 1} +100 %`, 'm'));
  });

  test('what only lies in the outbox is called so in every file, and is not among what went out', async () => {
    const kept = plant.messages.filter(
      (message) => message.at >= Date.parse('2025-10-19T22:00:00Z') && fateOf(message) === 'kept',
    );
    const [head, ...rows] = await csv(`delivery.csv?state=kept&${days}`);
    expect(rows.map((row) => row[(head ?? []).indexOf('State')])).toEqual(kept.map(() => 'Kept in the outbox'));
    expect(rows.map((row) => row[(head ?? []).indexOf('Sent at')])).toEqual(kept.map(() => ''));
    const paper = await pdf(`delivery.pdf?state=kept&${days}`);
    expect(paper).toContain('kept in the outbox');
    expect(paper).toMatch(new RegExp(`^ *${kept.length} +0\\.0 %`, 'm'));
    const [names, ...people] = await csv(`delivery-by-person.csv?${days}`);
    const at = (names ?? []).indexOf('Kept in the outbox');
    expect(people.reduce((sum, row) => sum + Number(row[at]), 0)).toBe(kept.length);
    const [columns, ...told] = await csv(`acknowledgements.csv?person=Ben%20Okafor&${days}`);
    expect(new Set(told.map((row) => row[(columns ?? []).indexOf('To')]))).toEqual(new Set(['Ben Okafor']));
    expect(told.map((row) => row[(columns ?? []).indexOf('State')])).toContain('Kept in the outbox');
    expect(columns).toContain('Due');
  });

  test.each(['office', 'site'])(
    'the list of acknowledgements by %s says which of its rows the figures count',
    async (by) => {
      const asked = `by=${by}&${days}`;
      const [head = [], ...rows] = await csv(`acknowledgements.csv?${asked}`);
      const counted = rows.filter((row) => row[head.indexOf('In the figures')] === 'yes');
      const data = await owner.data(
        `query ($rangeFrom: Datetime!, $rangeTo: Datetime!, $smsOnly: Boolean) {
         acknowledgementTotals(rangeFrom: $rangeFrom, rangeTo: $rangeTo, smsOnly: $smsOnly) { messages acknowledged } }`,
        { rangeFrom: variables.rangeFrom[1], rangeTo: variables.rangeTo[1], smsOnly: by === 'office' },
      );
      const { messages, acknowledged } = data.acknowledgementTotals;
      expect(counted.length).toBe(messages);
      expect(messages).toBeLessThan(rows.length);
      expect(counted.filter((row) => row[head.indexOf('Acknowledged')] !== '')).toHaveLength(acknowledged);
      const sheet = await readSheet(await file(`acknowledgements.xlsx?${asked}`));
      expect(sheet.map((row) => row[sheet[0]?.indexOf('In the figures') ?? -1])).toEqual([
        'In the figures',
        ...rows.map((row) => row[head.indexOf('In the figures')]),
      ]);
      const words = listedWords({ listed: rows.length, counted: messages, smsOnly: by === 'office' }, 'en');
      expect(await pdf(`acknowledgements.pdf?${asked}`)).toContain(`All rows: ${words}`);
    },
  );

  test('acknowledgements of sites say by which way each message went, and through what it was acknowledged', async () => {
    const told = plant.messages.find(
      ({ at, ack, method }) => ack !== null && method === 1 && at > Date.parse('2026-01-01'),
    );
    const [alarm] = plant.alarms;
    await serviceQuery(app.db, `update tocsin.alarm set acknowledge_json = '{"channel": "sms"}' where uuid = $1`, [
      alarm?.uuid,
    ]);
    await serviceQuery(app.db, 'update tocsin.notification set tocsin_alarm_uuid = $1 where uuid = $2', [
      alarm?.uuid,
      told?.uuid,
    ]);
    const asked = `by=site&${days}`;
    const [head = [], ...rows] = await csv(`acknowledgements.csv?${asked}`);
    const at = (name: string) => head.indexOf(name);
    const ways = new Map(plant.messages.map(({ uuid, method }) => [`Message ${uuid}`, method]));
    expect(rows.map((row) => row[at('Way')])).toEqual(
      rows.map((row) => ['', 'E-mail', 'WhatsApp', 'SMS', 'App push'][ways.get(row[at('Message')] ?? '') ?? 0]),
    );
    const isOne = (row: readonly unknown[]) => row[at('Message')] === `Message ${told?.uuid}`;
    expect(rows.filter((row) => row[at('Through')] !== '').map((row) => [isOne(row), row[at('Through')]])).toEqual([
      [true, 'SMS link'],
    ]);
    const sheet = await readSheet(await file(`acknowledgements.xlsx?${asked}`));
    const [names = []] = sheet;
    const found = sheet.find((row) => row[names.indexOf('Message')] === `Message ${told?.uuid}`);
    expect([found?.[names.indexOf('Way')], found?.[names.indexOf('Through')]]).toEqual(['E-mail', 'SMS link']);
    const paper = await pdf(`acknowledgements.pdf?${asked}&sort=time`);
    expect(paper).toMatch(/Due +Way +About +Message/);
    expect(paper).toContain('SMS link');
    expect((await csv(`acknowledgements.csv?${days}`))[0]).not.toContain('Way');
  });

  test('paper has the short tables of the page before its rows', async () => {
    const alarms = await pdf(`alarms.pdf?${days}`);
    const [, ...reasons] = await csv(`alarms-by-reason.csv?${days}`);
    const part = alarms.slice(
      alarms.indexOf('Reasons, most frequent first'),
      alarms.indexOf('Sites with the most alarms'),
    );
    for (const [reason, ...figures] of reasons) {
      const [count, share, together] = figures.map(Number) as [number, number, number];
      const shown = (percent: number) => (percent === 100 ? '100' : percent.toFixed(1));
      expect(part).toMatch(new RegExp(`${reason} +${count} +${shown(share)} +${shown(together)}$`, 'm'));
    }
    expect(alarms.indexOf('Rules with the most alarms')).toBeGreaterThan(alarms.indexOf('Sites with the most alarms'));
    for (const name of ['acknowledgements', 'delivery']) {
      const text = await pdf(`${name}.pdf?${days}`);
      const [, ...people] = await csv(`${name}-by-person.csv?${days}`);
      const before = text.slice(0, text.indexOf('All rows'));
      for (const [person] of people) expect(before).toContain(person?.replace(/^'/, ''));
    }
  });

  test('paper has what became of messages by their way, with the share that went out and whole heads', async () => {
    const sent = plant.messages.filter(({ at }) => at >= Date.parse('2025-10-19T22:00:00Z'));
    const text = await pdf(`delivery.pdf?wayOrder=-messages&${days}`);
    const part = text.slice(text.indexOf('Delivery by way'), text.indexOf('Delivery by person'));
    expect(part).not.toContain('…');
    for (const word of ['Went out, %', 'Kept in the', 'outbox', 'Middle case']) expect(part).toContain(word);
    const ways = ['E-mail', 'WhatsApp', 'SMS', 'App push'].map((name, index) => {
      const all = sent.filter(({ method }) => method === index + 1);
      const decided = all.filter((message) => fateOf(message) !== 'queued');
      const out = decided.filter((message) => wentOut(message));
      return { name, messages: all.length, rate: ((100 * out.length) / decided.length).toFixed(1) };
    });
    const used = ways.filter(({ messages }) => messages > 0);
    for (const { name, messages, rate } of used) {
      expect(part).toMatch(new RegExp(`^ *${name} +${messages.toLocaleString('en')} +${rate} `, 'm'));
    }
    const places = used
      .toSorted((a, b) => b.messages - a.messages)
      .map(({ name }) => part.search(new RegExp(`^ *${name} `, 'm')));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('paper says of how many rules it shows those with the most alarms', async () => {
    await addManyRules(app.db, plant, 62);
    const text = await pdf('alarms.pdf?from=2024-06-03&to=2024-06-03');
    expect(text).toContain('Rules with the most alarms: 10 of 62');
    const ordered = await pdf('alarms.pdf?from=2024-06-03&to=2024-06-03&ruleOrder=-name');
    const part = ordered.slice(ordered.indexOf('Rules with alarms: the first 10 of 62 in this order'));
    expect(part.slice(0, part.indexOf('All rows')).match(/Many \d+/g)?.[0]).toBe('Many 9');
    expect(text).toMatch(/Sites with the most alarms$/m);
  });

  test('paper says in which order its rows are, which SMS it counts, and breaks no length of time', async () => {
    const asked = `alarms.pdf?q=Motor&sort=-site&${days}`;
    expect(await pdf(asked)).toMatch(/with “Motor” +Rows ordered by site, in reverse/);
    expect(await pdf(`sms.pdf?${days}`)).toMatch(/2026, taken by a provider +Rows with the most messages first/);
    const lines = (await pdf(`alarms.pdf?${days}`)).split('\n').map((line) => line.replace(/\s/g, ''));
    const [head = [], ...rows] = await csv(`alarms.csv?${days}`);
    const lasted = rows.map((row) => row[head.indexOf('Lasted, s')] ?? '');
    const words = lasted.map((cell) => (cell === '' ? 'still open' : formatSeconds(Number(cell))).replace(/\s/g, ''));
    expect(words.filter((word) => !lines.some((line) => line.includes(word)))).toEqual([]);
  });

  test('files that are narrowed otherwise have other names', async () => {
    const called = async (path: string) =>
      /filename="tocsin-(.*)-2025-10-20-to/.exec(
        (await owner.get(`/api/v1/reports/${path}&${days}`)).headers['content-disposition'] as string,
      )?.[1];
    expect(await called('sms.csv?by=site')).toBe('sms-by-site');
    expect(await called(`alarms.csv?office=${plant.offices[0]?.uuid}&q=Pump`)).toBe('alarms-Harbour-with-Pump');
    expect(await called('delivery.csv?method=4&state=failed')).toBe('delivery-App-push-failed');
  });

  test('reasons have their share, and what they make together with the more frequent ones', async () => {
    const [head, ...rows] = await csv(`alarms-by-reason.csv?${days}`);
    expect(head).toEqual(['Reason', 'Alarms', 'Share, %', 'Together, %']);
    const all = rows.reduce((sum, row) => sum + Number(row[1]), 0);
    let together = 0;
    for (const [reason, alarms, share, sum] of rows) {
      together += Number(alarms);
      expect([Number(share), Number(sum)], reason).toEqual([
        expect.closeTo((100 * Number(alarms)) / all, 1),
        expect.closeTo((100 * together) / all, 1),
      ]);
    }
    expect(rows.at(-1)?.[3]).toBe('100');
  });

  test('how long one alarm or message took is in whole seconds', async () => {
    for (const [name, column] of [
      ['alarms', 'Lasted, s'],
      ['acknowledgements', 'After, s'],
    ] as const) {
      const [head, ...rows] = await csv(`${name}.csv?${days}`);
      const taken = rows.map((row) => row[(head ?? []).indexOf(column)] ?? '').filter((cell) => cell !== '');
      expect(taken.length).toBeGreaterThan(0);
      expect(taken.filter((cell) => !/^\d+$/.test(cell))).toEqual([]);
    }
  });

  test('the time to acknowledge counts from when the server created the alarm, whenever its device measured', async () => {
    const { uuid, created } = plant.alarms.find(
      (alarm) => alarm.reason !== null && alarm.created > Date.parse('2026-01-01'),
    ) as ReportPlant['alarms'][number];
    // A logger uploaded after a gap of eight days, and somebody acknowledged ten minutes later.
    const [before] = await serviceQuery(
      app.db,
      `update tocsin.alarm a set date_time = created_at - interval '737046 seconds',
         acknowledge_json = jsonb_build_object('name', 'Uma Reyes', 'at', to_timestamp($2::float8 / 1000 + 600))
       from (select date_time, acknowledge_json from tocsin.alarm where uuid = $1) old where a.uuid = $1
       returning old.date_time, old.acknowledge_json`,
      [uuid, created],
    );
    const name = 'Acknowledged after creation, s';
    const [head = [], ...rows] = await csv(`alarms.csv?${days}`);
    const [names = [], ...sheet] = await readSheet(await file(`alarms.xlsx?${days}`));
    const isOne = (heads: readonly unknown[]) => (row: readonly unknown[]) =>
      row[heads.indexOf('Message')] === `Alarm ${uuid}`;
    expect(rows.find(isOne(head))?.[head.indexOf(name)]).toBe('600');
    expect(sheet.find(isOne(names))?.[names.indexOf(name)]).toBe(600);
    const paper = await makePdf(`alarms.pdf?${days}`);
    // The header takes several lines.
    expect(paper).toMatch(/Opened .* creation +Reason/);
    expect(paper).toMatch(/Uma Reyes +10 min/);
    await serviceQuery(app.db, 'update tocsin.alarm set date_time = $2, acknowledge_json = $3 where uuid = $1', [
      uuid,
      before.date_time,
      JSON.stringify(before.acknowledge_json),
    ]);
  });

  test('files use the words of the pages', async () => {
    const heads = async (name: string) => (await csv(`${name}.csv?${days}`))[0];
    expect(await heads('acknowledgements-by-person')).toEqual([
      'Person',
      'Told',
      'Acknowledged by anybody',
      'By themselves',
      'By themselves, middle case, s',
      'By themselves, nine of ten within, s',
    ]);
    expect((await heads('delivery-by-person'))?.slice(2, 4)).toEqual(['Messages', 'Went out, %']);
    expect((await heads('delivery-by-person'))?.slice(-2)).toEqual(['Middle case, s', 'Nine of ten within, s']);
    expect((await heads('delivery'))?.slice(0, 3)).toEqual(['Due', 'Way', 'About']);
    expect((await heads('acknowledgements'))?.[0]).toBe('Due');
  });

  test('every other report can be read in every form', async () => {
    for (const name of ['alarms-by-site', 'alarms-by-reason', 'acknowledgements-by-person', 'delivery-by-person']) {
      const [, ...rows] = await csv(`${name}.csv?${days}`);
      const sheet = await readSheet(await file(`${name}.xlsx?${days}`));
      expect(rows.length).toBeGreaterThan(2);
      expect(sheet.slice(1).map(([first]) => harmless(String(first)))).toEqual(rows.map(([first]) => first));
      const text = await pdf(`${name}.pdf?${days}`);
      for (const [first] of rows) expect(text).toContain(first?.replace(/^'/, ''));
    }
  });

  test('more rows than one portion all come, none twice', async () => {
    await serviceQuery(
      app.db,
      `insert into tocsin.notification (tocsin_customer_uuid, recipient_name, address, method_type, message_type, notify_message, notify_time)
       select $1, 'Many', 'x', 1, 4, 'Row ' || n, timestamptz '2025-01-01' + (n / 3) * interval '1 second' from generate_series(1, 4500) n`,
      [plant.customer.uuid],
    );
    const [, ...rows] = await csv('delivery.csv?from=2025-01-01&to=2025-01-02');
    expect(new Set(rows.map((row) => row[4])).size).toBe(4500);
    expect(rows).toHaveLength(4500);
    // All of them are to one person, so that their order is the usual one.
    expect((await csv('delivery.csv?from=2025-01-01&to=2025-01-02&sort=-person')).slice(1)).toEqual(rows);
  });

  test('are in the order of the page', async () => {
    const range = 'rangeFrom: "2025-10-19T22:00:00Z", rangeTo: "2026-01-14T23:00:00Z", first: 500';
    const made = '{ createdAt: { greaterThanOrEqualTo: "2025-10-19T22:00:00Z", lessThan: "2026-01-14T23:00:00Z" } }';
    for (const [file, question] of [
      ['delivery.csv?state=failed&sort=-site', `deliveryReport(${range}, state: "failed", sort: "-site")`],
      ['acknowledgements.csv?sort=after', `acknowledgementReport(${range}, sort: "after")`],
      ['alarms.csv?sort=-site', `alarms(filter: ${made}, orderBy: [SITE_NAME_DESC, CREATED_AT_DESC, PRIMARY_KEY_ASC])`],
      [
        'alarms.csv?sort=severity',
        `alarms(filter: ${made}, orderBy: [SEVERITY_ASC, CREATED_AT_DESC, PRIMARY_KEY_ASC])`,
      ],
    ] as const) {
      const [head, ...rows] = await csv(`${file}&${days}`);
      const at = (head ?? []).indexOf('Message');
      const words = file.startsWith('alarms') ? 'message' : 'notifyMessage';
      const data = await owner.data(`{ list: ${question} { nodes { words: ${words} } } }`);
      expect(rows.length).toBeGreaterThan(50);
      expect(rows.map((row) => row[at])).toEqual(data.list.nodes.map((row: { words: string }) => row.words));
    }
  });
});

test('of a unit office without sites every report is an empty table, in every form', async () => {
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
    // The line of totals adds up nothing.
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

describe('whoever may not, and whatever cannot be', () => {
  test('an operator’s files hold the linked site alone', async () => {
    const operator = await app.browser(plant.operator);
    const rows: string[][] = parse(await file(`sms.csv?by=site&${days}`, operator), { bom: true });
    expect(rows.map(([name]) => name)).toEqual(['Site', 'Quay 1', 'All sites']);
  });

  test('a visitor is not answered, and a partner is told why', async () => {
    expect((await (await app.browser()).get('/api/v1/reports/sms.csv')).statusCode).toBe(401);
    const partner = await createUser(app.db, {
      customer: plant.customer,
      level: 5,
      partnerAccount: true,
      password: PASSWORD,
    });
    const answer = await (await app.browser(partner)).get('/api/v1/reports/sms.csv');
    expect([answer.statusCode, answer.json().errorMessage]).toEqual([
      403,
      "Reports are not part of a partner's account.",
    ]);
  });

  test.each([
    ['sms.csv?from=2026-01-02&to=2026-01-01', 400, 'The last day must not lie before the first.'],
    ['sms.csv?from=2010-01-01&to=2026-01-01', 400, 'A report covers at most ten years. Choose a later start.'],
    ['sms.csv?from=2026-02-30&to=2026-03-01', 400, 'Write the first day as year-month-day, such as 2026-03-01.'],
    ['sms.csv?by=site&office=nonsense', 400, 'There is no such unit office. Choose one in the report.'],
    [
      'delivery.csv?state=lost',
      400,
      'A message is queued, sent, delivered, kept, failed, out, taken: choose one of these.',
    ],
    ['delivery.csv?kind=9', 400, 'A kind is 1 alarm, 2 health, 3 resolve or 4 other: choose one of these.'],
    ['delivery.csv?method=5', 400, 'A method is 1 e-mail, 2 WhatsApp, 3 SMS or 4 app push: choose one of these.'],
    ['sms.csv?by=day', 400, 'A report is by office or site: choose one of these.'],
    ['alarms.csv?office=1&office=2', 400, 'Give office once, as a short text.'],
    [
      'sms.csv?site=00000000-0000-4000-8000-000000000000&by=site',
      400,
      'This report is not narrowed to a site. Leave site out, and give by=site for a row of each.',
    ],
    [
      'health.csv?office=00000000-0000-4000-8000-000000000000',
      400,
      'A report by unit office has all of them. Give by=site with office, for its sites.',
    ],
    ['alarms.csv?site=00000000-0000-4000-8000-000000000000', 404, 'There is no such site. Choose one in the report.'],
    [
      'sms.csv?by=site&office=00000000-0000-4000-8000-000000000000',
      404,
      'There is no such unit office. Choose one in the report.',
    ],
    ['health.csv?until=2026-02-31', 400, 'Write the day as year-month-day, such as 2026-03-01.'],
    ['health.csv?until=2030-01-01', 400, 'This day is still to come. Choose today, or a day before it.'],
    [
      'health.csv?range=last-month',
      400,
      'Health is shown for twelve weeks, or months with each. Give until, the day they lead up to, in place of a range.',
    ],
    ['health.csv?each=day', 400, 'Health is of each week or month: choose one of these.'],
    ['sms.csv?ofice=1', 400, expect.stringMatching(/^A report knows no "ofice"\. It knows range, .*office, .*sort\.$/)],
    [
      'delivery.csv?sort=colour',
      400,
      'The sort of this report is time, way, person, site, state, with a minus before it from the other end: choose one of these.',
    ],
    ['sms.csv?order=a%20b', 400, expect.stringMatching(/^The order of this report is name, alarm, /)],
    ['alarms.csv?siteOrder=-office', 400, expect.stringMatching(/^The siteOrder of this report is name, alarms, open/)],
    ['health-gaps.csv', 404, 'There is no such site. Choose one in the health report.'],
    [
      'constructor.csv',
      404,
      expect.stringMatching(/^There is no such report\. There are .*health-gaps.*\.xlsx and \.pdf\.$/),
    ],
    ['sms.docx', 404, expect.stringMatching(/^There is no such report\./)],
    ['sms.csv?range=fortnight', 400, expect.stringMatching(/^A range is 7d, .*last-month.* or from and to/)],
  ])('%s', async (path, status, sentence) => {
    const answer = await owner.get(`/api/v1/reports/${path}`);
    expect([answer.statusCode, answer.json().errorMessage]).toEqual([status, sentence]);
  });

  test('a list that the database refuses with its first row, when it was announced as a file already', async () => {
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
