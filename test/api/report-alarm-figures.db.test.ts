/**
 * Alarm figures match a simple reference computation, even in ranges that include the end of daylight saving time or
 * New Year.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HandClock } from '../../server/platform/clock.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import { startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { list } from './api.ts';
import { buildReportPlant, localDay, NOW, nineOfTen, percentile, type ReportPlant } from './report-plant.ts';
import { count, from, near, range, to, within } from './report-range.ts';

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

describe('alarm figures', () => {
  const made = () => plant.alarms.filter(({ created }) => within(created));
  const lasted = (rows: ReportPlant['alarms']) =>
    rows.flatMap(({ resolved, opened }) => (resolved === null ? [] : [(resolved - opened) / 1000]));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

  test('match the reference in total', async () => {
    // Two alarms do not need an acknowledgement. A user has acknowledged one of the two anyway.
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
    // The list contains the unacknowledged alarms, except the alarm that needs no acknowledgement.
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

  test('match the reference by reason, most frequent first', async () => {
    const rows = await list(owner, 'alarmsByReason', 'reason alarms', range);
    const groups = Map.groupBy(made(), ({ reason }) => reason);
    expect(new Map(rows.map(({ reason, alarms }) => [reason, alarms]))).toEqual(
      new Map([...groups].map(([reason, alarms]) => [reason, alarms.length])),
    );
    expect(rows.map(({ alarms }) => alarms)).toEqual(rows.map(({ alarms }) => alarms).toSorted((a, b) => b - a));
  });

  test('match the reference by site and by rule', async () => {
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

  test('match the reference for one unit office, in total and for its worst sites', async () => {
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

  test('return the kind of a rule: limits, conditions or a digital channel', async () => {
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

  test('return the first rows of the requested order', async () => {
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
      // The database's collation decides the order of names. The test therefore checks only that each list contains all
      // rows, and that the descending list is the reverse of the ascending list.
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

  test('are filtered by words of the message, site, asset or reason, like the list', async () => {
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

  test('match the reference for one rule, for one reason and without a reason', async () => {
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

  test('list single alarms of a site, of a unit office and without a reason', async () => {
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

  test('match the reference by day of the customer’s time zone', async () => {
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

describe('limits of access and range', () => {
  test('an operator’s reports contain only linked sites', async () => {
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
  ])('refuses a range that %s with a message', async (_name, given, sentence, field) => {
    const { errors } = await owner.graphql(
      `query ($rangeFrom: Datetime!, $rangeTo: Datetime!, $siteUuids: [UUID]) {
         alarmFigures(rangeFrom: $rangeFrom, rangeTo: $rangeTo, siteUuids: $siteUuids) { alarms } }`,
      { rangeFrom: from, rangeTo: to, ...given },
    );
    expect(errors?.[0]).toMatchObject({ message: sentence, extensions: { field } });
  });

  test('accepts ten years', async () => {
    const rows = await list(owner, 'alarmsBySite', 'uuid alarms', {
      ...range,
      rangeFrom: ['Datetime!', '2016-01-15T00:00:00Z'],
    });
    expect(rows.reduce((sum, { alarms }) => sum + alarms, 0)).toBe(plant.alarms.length);
  });

  test('returns no rows for a unit office without sites', async () => {
    const office = (await serviceQuery(app.db, `select uuid from tocsin.group where name = 'Empty office'`))[0].uuid;
    expect(await list(owner, 'smsReportBySite', 'uuid', { ...range, unitOfficeUuid: ['UUID', office] })).toEqual([]);
    expect(await list(owner, 'alarmsBySite', 'uuid', { ...range, unitOfficeUuid: ['UUID', office] })).toEqual([]);
  });
});
