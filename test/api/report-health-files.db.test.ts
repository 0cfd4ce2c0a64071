/** Health report files contain the same figures as the API's responses. */
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatShare, roundShare, share } from '../../domain/report/health.ts';
import { monthStarts, startOfDay, weeksUntil } from '../../domain/week.ts';
import { writeTime } from '../../server/report/table.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import { list } from './api.ts';
import { harmless, ReportFiles } from './report-files.ts';
import { NOW, type ReportPlant, ZONE } from './report-plant.ts';

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

test('health by unit office has the figures of the screen', async () => {
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

test('health by month has whole months of each unit office, in every format', async () => {
  const rows = await list(owner, 'healthReportByUnitOffice', 'uoName w11Count w12Count expected', {
    weekStarts: ['[Datetime]!', monthStarts(NOW, ZONE)],
    today: ['Datetime!', startOfDay(NOW, ZONE)],
  });
  const [head = [], ...lines] = await csv('health.csv?each=month');
  expect(head.slice(2, 15)).toEqual([
    ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(
      (name) => `${name} 2025`,
    ),
    'Total (%)',
  ]);
  const sheet = await readSheet(await file('health.xlsx?each=month'));
  const paper = await pdf('health.pdf?each=month');
  expect(paper).toContain('Twelve whole months, 1 Jan to 31 Dec 2025');
  expect(paper).toContain('Missing data per month (% of expected)');
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
    // The total covers the twelve complete months and excludes the current month.
    expect(Number(line?.at(-1))).toBe(row.expected.slice(0, 12).reduce((sum: number, count: number) => sum + count, 0));
    expect(sheet.find(([name]) => name === row.uoName)?.[13]).toBe(roundShare(december));
  }
  const { headers } = await owner.get('/api/v1/reports/health.csv?each=month&by=site');
  expect(headers['content-disposition']).toContain('tocsin-health-by-site-months-2025-01-01-to-2025-12-31.csv');
  // If `until` is the last day of a month, the report includes that month. The gap report covers the same months.
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

test('the PDF compares the last whole month with the one before', async () => {
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

test('weeks up to a past day are named by that day, and a site’s gaps are those of the screen', async () => {
  const answer = await owner.get('/api/v1/reports/health.csv?until=2025-12-24');
  expect(answer.headers['content-disposition']).toContain('tocsin-health-by-office-2025-12-24.csv');
  expect(parse(answer.rawPayload, { bom: true })[0]).toContain('24 Dec');
  expect(await pdf('health.pdf?until=2025-12-24')).toContain('Twelve weeks before 24 Dec 2025, plus that day');
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
  // Files of two sites have different names.
  for (const [{ uuid }, called] of [
    [site, 'S-0-Quay-1'],
    [plant.sites[3] as ReportPlant['sites'][number], 'S-3'],
  ] as const) {
    const { headers } = await owner.get(`/api/v1/reports/health-gaps.csv?site=${uuid}&until=2025-12-24`);
    expect(headers['content-disposition']).toBe(`attachment; filename="tocsin-health-gaps-${called}-2025-12-24.csv"`);
  }
  const paper = await pdf(`health-gaps.pdf?site=${site.uuid}`);
  expect(paper).toContain(`Gaps at ${site.name}`);
  // The PDF shows the same key figures as the page in the console.
  const without = gaps.reduce((sum, { slots }) => sum + slots, 0).toLocaleString('en');
  expect(paper).toMatch(/Gaps +Slots without data +Longest gap +Last contact/);
  expect(paper).toMatch(new RegExp(`^ *${gaps.length} +${without} +\\S+.* never`, 'm'));
  // The number of missed slots in a site's row equals the sum of the site's gaps.
  const [head, ...sites] = await csv('health.csv?by=site');
  expect(head?.slice(0, 4)).toEqual(['Site', 'Site ID', 'Unit office', '27 Oct']);
  expect(sites.at(-1)?.slice(0, 3)).toEqual(['All sites', '', '']);
  const row = sites.find(([name]) => name === harmless(site.name));
  expect(row?.slice(1, 3)).toEqual(['S-0', 'Harbour']);
  const missed = gaps.reduce((sum, { slots }) => sum + slots, 0);
  expect(Number(row?.at(-1)) - Number(row?.at(-2))).toBe(missed);
});

test('files mark days before the first site, and a gap that still lasts', async () => {
  const site = plant.sites[0] as ReportPlant['sites'][number];
  const words = 'No site existed yet.';
  for (const path of ['health', 'health-gaps']) {
    const query = `until=2001-03-05&by=site${path === 'health' ? '' : `&site=${site.uuid}`}`;
    const rows = await csv(`${path}.csv?${query}`);
    expect(rows.slice(1)).toEqual([[words, ...Array(rows[0]!.length - 1).fill('')]]);
    expect((await readSheet(await file(`${path}.xlsx?${query}`)))[1]?.[0]).toBe(words);
    expect(await pdf(`${path}.pdf?${query}`)).toContain(words);
  }
  for (const [from, sentence] of [
    ['2001-03-05', words],
    ['2030-03-05', 'These days are in the future.'],
  ] as const)
    for (const by of ['office', 'site']) {
      const query = `by=${by}&from=${from}&to=${from}`;
      const rows = await csv(`sms.csv?${query}`);
      expect(rows.slice(1), query).toEqual([[sentence, ...Array(rows[0]!.length - 1).fill('')]]);
    }
  expect(await pdf('sms.pdf?from=2001-03-05&to=2001-03-05')).toContain(words);
  expect(await pdf('sms.pdf?from=2030-03-01&to=2030-03-31')).not.toContain('The month before');
  const paper = await pdf('health.pdf?until=2001-03-05');
  expect(paper).toContain(words);
  expect(paper.match(/ no site yet/g)?.length).toBe(5);
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
  expect(rows.slice(1).map(([, to]) => to === 'ongoing')).toEqual(rows.slice(1).map((_, place) => place === 0));
  expect(rows[1]).toEqual([newest[0], 'ongoing', ...newest.slice(2)]);
  expect((await readSheet(await file(path('xlsx'))))[1]?.[2]).toBe('ongoing');
  expect((await pdf(path('pdf'))).match(/ongoing/g)).toHaveLength(1);
  await heard(before);
});
