/** Report files of alarms, acknowledgements and deliveries contain the same rows as the API's responses. */
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatSeconds } from '../../domain/age.ts';
import { listHeading } from '../../domain/report/acknowledgement.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import { days, harmless, ReportFiles, variables, wallClock } from './report-files.ts';
import { addManyRules, type ReportPlant, shownStateOf, wentOut } from './report-plant.ts';

let files: ReportFiles;
let app: ReportFiles['app'];
let plant: ReportFiles['plant'];
let owner: ReportFiles['owner'];
let file: ReportFiles['file'];
let csv: ReportFiles['csv'];
let pdf: ReportFiles['pdf'];
let makePdf: ReportFiles['makePdf'];
beforeAll(async () => {
  files = await ReportFiles.start();
  ({ app, plant, owner, file, csv, pdf, makePdf } = files);
});
afterAll(() => files?.close());

test('the PDF has the key figures of the page, compared with the days before', async () => {
  const made = (from: string, to: string) =>
    plant.alarms.filter(({ created }) => created >= Date.parse(from) && created < Date.parse(to)).length;
  const now = made('2025-10-19T22:00:00Z', '2026-01-14T23:00:00Z');
  const { data } = await owner.graphql(
    `{ alarmFigures(rangeFrom: "2025-10-19T22:00:00Z", rangeTo: "2026-01-14T23:00:00Z") { acknowledged stillOpen medianSeconds p90Seconds } }`,
  );
  const { acknowledged, stillOpen, medianSeconds, p90Seconds } = (data as any).alarmFigures;
  // pdftotext drops some spaces, so the comparison ignores them.
  const close = (words: string) => words.replace(/\s+/g, '');
  const text = close(await pdf(`alarms.pdf?${days}`));
  const [median, most] = [formatSeconds(medianSeconds), formatSeconds(p90Seconds)];
  // The average covers all 87 days, because the plant existed on each of them.
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

test('the PDF compares nothing with days before the plant existed', async () => {
  const young = await pdf('alarms.pdf?from=2025-10-06&to=2025-10-20');
  expect(young).toMatch(/15 days before: no site yet/);
  expect(young).not.toMatch(/15 days before 0/);
  expect(await pdf('sms.pdf?from=2025-10-06&to=2025-10-20')).toMatch(/15 days before: no site yet/);
  const rule = '00000000-0000-4000-9000-000000000009';
  expect(await pdf(`alarms.pdf?from=2026-01-01&to=2026-01-14&rule=${rule}`)).toMatch(/14 days before 0/);
});

test('the PDF shows a message that is longer than its column in full', async () => {
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
  ])('%s have the same rows in CSV, XLSX and PDF, newest first', async (name, expected) => {
    const [, ...rows] = await csv(`${name}.csv?${days}`);
    expect(rows).toHaveLength(expected());
    const sheet = await readSheet(await file(`${name}.xlsx?${days}`));
    // A spreadsheet stores times without a zone, so the next column has the UTC offset. It differs before and after the
    // end of daylight saving time.
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

  test('files have the filters of the page, and the PDF names them', async () => {
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
    // Each search word must match the message or the place of an alarm. The file contains exactly the rows that the
    // report counts.
    const [{ site_id }] = await serviceQuery(app.db, `select site_id from tocsin.site where name = 'Quay 1'`);
    const word = found[0]?.[(head ?? []).indexOf('Message')]?.split(' ').at(-1) as string;
    const words = `q=${encodeURIComponent(`${word} ${site_id}`)}&${days}`;
    const placed = found.filter((row) => row[(head ?? []).indexOf('Message')]?.includes(word));
    expect((await csv(`alarms.csv?${words}`)).slice(1)).toEqual(placed);
    expect((await csv(`alarms.csv?sort=message&${words}`)).slice(1)).toHaveLength(placed.length);
    expect(await pdf(`alarms.pdf?${words}`)).toMatch(new RegExp(`^ *${placed.length} +.* of ${placed.length} `, 'm'));
    // A deleted asset is still listed with its name.
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

  test('files mark messages that are only in the outbox and do not count them as sent', async () => {
    const kept = plant.messages.filter(
      (message) => message.at >= Date.parse('2025-10-19T22:00:00Z') && shownStateOf(message) === 'kept',
    );
    const [head, ...rows] = await csv(`delivery.csv?state=kept&${days}`);
    expect(rows.map((row) => row[(head ?? []).indexOf('State')])).toEqual(kept.map(() => 'Not sent (no provider)'));
    expect(rows.map((row) => row[(head ?? []).indexOf('Sent at')])).toEqual(kept.map(() => ''));
    const paper = await pdf(`delivery.pdf?state=kept&${days}`);
    expect(paper).toContain('not sent (no provider)');
    expect(paper).toMatch(new RegExp(`^ *${kept.length} +0\\.0 %`, 'm'));
    const [names, ...people] = await csv(`delivery-by-person.csv?${days}`);
    const at = (names ?? []).indexOf('Not sent (no provider)');
    expect(people.reduce((sum, row) => sum + Number(row[at]), 0)).toBe(kept.length);
    const [columns, ...told] = await csv(`acknowledgements.csv?person=Ben%20Okafor&${days}`);
    expect(new Set(told.map((row) => row[(columns ?? []).indexOf('To')]))).toEqual(new Set(['Ben Okafor']));
    expect(told.map((row) => row[(columns ?? []).indexOf('State')])).toContain('Not sent (no provider)');
    expect(columns).toContain('Due');
  });

  test.each(['office', 'site'])(
    'the list of acknowledgements by %s marks the rows that the figures count',
    async (by) => {
      const asked = `by=${by}&${days}`;
      const [head = [], ...rows] = await csv(`acknowledgements.csv?${asked}`);
      const counted = rows.filter((row) => row[head.indexOf('Counted')] === 'yes');
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
      expect(sheet.map((row) => row[sheet[0]?.indexOf('Counted') ?? -1])).toEqual([
        'Counted',
        ...rows.map((row) => row[head.indexOf('Counted')]),
      ]);
      const words = listHeading({ listed: rows.length, counted: messages, smsOnly: by === 'office' }, 'en');
      expect(await pdf(`acknowledgements.pdf?${asked}`)).toContain(`All rows: ${words}`);
    },
  );

  test('acknowledgements of sites have the method of each message and of the acknowledgement', async () => {
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
    expect(rows.map((row) => row[at('Method')])).toEqual(
      rows.map((row) => ['', 'E-mail', 'WhatsApp', 'SMS', 'App push'][ways.get(row[at('Message')] ?? '') ?? 0]),
    );
    const isOne = (row: readonly unknown[]) => row[at('Message')] === `Message ${told?.uuid}`;
    expect(rows.filter((row) => row[at('Through')] !== '').map((row) => [isOne(row), row[at('Through')]])).toEqual([
      [true, 'SMS link'],
    ]);
    const sheet = await readSheet(await file(`acknowledgements.xlsx?${asked}`));
    const [names = []] = sheet;
    const found = sheet.find((row) => row[names.indexOf('Message')] === `Message ${told?.uuid}`);
    expect([found?.[names.indexOf('Method')], found?.[names.indexOf('Through')]]).toEqual(['E-mail', 'SMS link']);
    const paper = await pdf(`acknowledgements.pdf?${asked}&sort=time`);
    expect(paper).toMatch(/Due +Method +About +Message/);
    expect(paper).toContain('SMS link');
    expect((await csv(`acknowledgements.csv?${days}`))[0]).not.toContain('Method');
  });

  test('the PDF has the summary tables of the page before its rows', async () => {
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

  test('the PDF has delivery results by method, with the share that was sent', async () => {
    const sent = plant.messages.filter(({ at }) => at >= Date.parse('2025-10-19T22:00:00Z'));
    const text = await pdf(`delivery.pdf?wayOrder=-messages&${days}`);
    const part = text.slice(text.indexOf('Delivery by method'), text.indexOf('Delivery by person'));
    expect(part).not.toContain('…');
    for (const word of ['Sent', '(%)', 'Not sent (no', 'provider)', 'Median']) expect(part).toContain(word);
    const ways = ['E-mail', 'WhatsApp', 'SMS', 'App push'].map((name, index) => {
      const all = sent.filter(({ method }) => method === index + 1);
      const decided = all.filter((message) => shownStateOf(message) !== 'queued');
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

  test('the PDF states how many of all rules with alarms it shows', async () => {
    await addManyRules(app.db, plant, 62);
    const text = await pdf('alarms.pdf?from=2024-06-03&to=2024-06-03');
    expect(text).toContain('Rules with the most alarms: 10 of 62');
    const ordered = await pdf('alarms.pdf?from=2024-06-03&to=2024-06-03&ruleOrder=-name');
    const part = ordered.slice(ordered.indexOf('Rules with alarms: the first 10 of 62 in this order'));
    expect(part.slice(0, part.indexOf('All rows')).match(/Many \d+/g)?.[0]).toBe('Many 9');
    expect(text).toMatch(/Sites with the most alarms$/m);
  });

  test('the PDF names its order and the SMS it counts, and breaks no duration', async () => {
    const asked = `alarms.pdf?q=Motor&sort=-site&${days}`;
    expect(await pdf(asked)).toMatch(/with “Motor” +Rows sorted by site, descending/);
    expect(await pdf(`sms.pdf?${days}`)).toMatch(/2026, sent via a provider +Rows with the most messages first/);
    const lines = (await pdf(`alarms.pdf?${days}`)).split('\n').map((line) => line.replace(/\s/g, ''));
    const [head = [], ...rows] = await csv(`alarms.csv?${days}`);
    const lasted = rows.map((row) => row[head.indexOf('Duration (s)')] ?? '');
    const words = lasted.map((cell) => (cell === '' ? 'still open' : formatSeconds(Number(cell))).replace(/\s/g, ''));
    expect(words.filter((word) => !lines.some((line) => line.includes(word)))).toEqual([]);
  });

  test('files with other filters have other names', async () => {
    const called = async (path: string) =>
      /filename="tocsin-(.*)-2025-10-20-to/.exec(
        (await owner.get(`/api/v1/reports/${path}&${days}`)).headers['content-disposition'] as string,
      )?.[1];
    expect(await called('sms.csv?by=site')).toBe('sms-by-site');
    expect(await called(`alarms.csv?office=${plant.offices[0]?.uuid}&q=Pump`)).toBe('alarms-Harbour-with-Pump');
    expect(await called('delivery.csv?method=4&state=failed')).toBe('delivery-App-push-failed');
  });

  test('reasons have their share and the cumulative share', async () => {
    const [head, ...rows] = await csv(`alarms-by-reason.csv?${days}`);
    expect(head).toEqual(['Reason', 'Alarms', 'Share (%)', 'Cumulative (%)']);
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

  test('durations of one alarm or message are in whole seconds', async () => {
    for (const [name, column] of [
      ['alarms', 'Duration (s)'],
      ['acknowledgements', 'Response time (s)'],
    ] as const) {
      const [head, ...rows] = await csv(`${name}.csv?${days}`);
      const taken = rows.map((row) => row[(head ?? []).indexOf(column)] ?? '').filter((cell) => cell !== '');
      expect(taken.length).toBeGreaterThan(0);
      expect(taken.filter((cell) => !/^\d+$/.test(cell))).toEqual([]);
    }
  });

  test('the time to acknowledge starts when the server created the alarm, whatever the device’s time', async () => {
    const { uuid, created } = plant.alarms.find(
      (alarm) => alarm.reason !== null && alarm.created > Date.parse('2026-01-01'),
    ) as ReportPlant['alarms'][number];
    // A logger uploads its readings after a gap of eight days. A user acknowledges the alarm ten minutes later.
    const [before] = await serviceQuery(
      app.db,
      `update tocsin.alarm a set date_time = created_at - interval '737046 seconds',
         acknowledge_json = jsonb_build_object('name', 'Uma Reyes', 'at', to_timestamp($2::float8 / 1000 + 600))
       from (select date_time, acknowledge_json from tocsin.alarm where uuid = $1) old where a.uuid = $1
       returning old.date_time, old.acknowledge_json`,
      [uuid, created],
    );
    const name = 'Acknowledged after creation (s)';
    const [head = [], ...rows] = await csv(`alarms.csv?${days}`);
    const [names = [], ...sheet] = await readSheet(await file(`alarms.xlsx?${days}`));
    const isOne = (heads: readonly unknown[]) => (row: readonly unknown[]) =>
      row[heads.indexOf('Message')] === `Alarm ${uuid}`;
    expect(rows.find(isOne(head))?.[head.indexOf(name)]).toBe('600');
    expect(sheet.find(isOne(names))?.[names.indexOf(name)]).toBe(600);
    const paper = await makePdf(`alarms.pdf?${days}`);
    // The table header spans several lines.
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
      'Notified',
      'Acknowledged by anyone',
      'Acknowledged by this person',
      'User’s response time, median (s)',
      'User’s response time, 90th percentile (s)',
    ]);
    expect((await heads('delivery-by-person'))?.slice(2, 4)).toEqual(['Messages', 'Sent (%)']);
    expect((await heads('delivery-by-person'))?.slice(-2)).toEqual(['Median (s)', '90th percentile (s)']);
    expect((await heads('delivery'))?.slice(0, 3)).toEqual(['Due', 'Method', 'About']);
    expect((await heads('acknowledgements'))?.[0]).toBe('Due');
  });

  test('every other report exists in every format', async () => {
    for (const name of ['alarms-by-site', 'alarms-by-reason', 'acknowledgements-by-person', 'delivery-by-person']) {
      const [, ...rows] = await csv(`${name}.csv?${days}`);
      const sheet = await readSheet(await file(`${name}.xlsx?${days}`));
      expect(rows.length).toBeGreaterThan(2);
      expect(sheet.slice(1).map(([first]) => harmless(String(first)))).toEqual(rows.map(([first]) => first));
      const text = await pdf(`${name}.pdf?${days}`);
      for (const [first] of rows) expect(text).toContain(first?.replace(/^'/, ''));
    }
  });

  test('contain every row once if the server reads them in several portions', async () => {
    await serviceQuery(
      app.db,
      `insert into tocsin.notification (tocsin_customer_uuid, recipient_name, address, method_type, message_type, notify_message, notify_time)
       select $1, 'Many', 'x', 1, 4, 'Row ' || n, timestamptz '2025-01-01' + (n / 3) * interval '1 second' from generate_series(1, 4500) n`,
      [plant.customer.uuid],
    );
    const [, ...rows] = await csv('delivery.csv?from=2025-01-01&to=2025-01-02');
    expect(new Set(rows.map((row) => row[4])).size).toBe(4500);
    expect(rows).toHaveLength(4500);
    // All rows have the same person, so the file sorted by person has the default order.
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
