/**
 * The alarm performance report equals a recomputation from the rows, for generated alarms and for the demo. Days of 23
 * and 25 hours are included. Each figure lists exactly the alarms that it counts.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRange } from '../../domain/report/range.ts';
import { HandClock, randomUuid } from '../../server/platform/clock.ts';
import { createCustomer, createUser, insertRow, linkUser, serviceQuery } from '../harness/database/factories.ts';
import { PASSWORD, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { type AlarmFacts, referenceOf } from './performance-reference.ts';

const NOW = new Date('2026-06-10T10:20:00Z');
const HOUR = 3_600_000;

interface Plant {
  customer: { uuid: string };
  zone: string;
  owner: TestBrowser;
  sites: { uuid: string; office: string | null }[];
  since: number;
}

let app: TestApp;
let plants: Plant[];
beforeAll(async () => {
  app = await startTestApp({ clock: new HandClock(NOW) });
  plants = [];
  for (const zone of ['Europe/London', 'America/New_York']) plants.push(await makePlant(zone));
});
afterAll(() => app?.close());

const people = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`);
const rules = [1, 2, 3].map((number) => `10000000-0000-4000-8000-00000000000${number}`);

async function makePlant(zone: string): Promise<Plant> {
  const customer = await createCustomer(app.db, { timeZone: zone });
  const owner = await createUser(app.db, { customer, level: 0, password: PASSWORD });
  const own = { tocsin_customer_uuid: customer.uuid };
  const office = await insertRow(app.db, 'tocsin.group', { ...own, level: 5, name: 'North' });
  const sites = [];
  const since = Date.parse('2025-10-01T00:00:00Z');
  for (const [index, uuid] of [office.uuid, office.uuid, null].entries()) {
    const site = await insertRow(app.db, 'tocsin.site', {
      ...own,
      ...{ site_id: `P-${index}`, name: `Pump ${index}`, tocsin_group5_uuid: uuid, created_at: new Date(since) },
    });
    sites.push({ uuid: site.uuid, office: uuid });
  }
  return { customer, zone, owner: await app.browser(owner), sites, since };
}

const notified = ['sent', 'failed', 'outbox', 'retrying', 'fresh', 'repeat', 'none'] as const;
const draft = fc.record({
  site: fc.nat(2),
  rule: fc.option(fc.nat(2), { freq: 5 }),
  severity: fc.constantFrom('critical', 'major', 'minor', 'silent'),
  burst: fc.nat(3),
  after: fc.oneof({ weight: 3, arbitrary: fc.nat(900) }, fc.nat(40 * 3600)),
  late: fc.constantFrom<number[]>(0, 0, 0, 20, 300, 90_000),
  lasted: fc.option(fc.constantFrom<number[]>(0, 5, 29.999, 30, 600, 86_400, 86_401, 200_000), { freq: 6 }),
  acknowledged: fc.option(fc.nat(9000), { freq: 2 }),
  people: fc.subarray([0, 1, 2]),
  unreachable: fc.boolean(),
  quiet: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  notified: fc.oneof({ weight: 5, arbitrary: fc.constant('sent' as const) }, fc.constantFrom(...notified)),
});
type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

/** Generates many alarms of one site and rule in quick succession, to cause floods and chattering. */
const series = fc
  .record({ first: draft, count: fc.integer({ min: 2, max: 40 }), every: fc.constantFrom(0, 5, 25, 45, 120) })
  .map(({ first, count, every }) =>
    Array.from({ length: count }, (_, index): Draft => ({ ...first, after: first.after + index * every })),
  );
const drafts = fc
  .tuple(fc.array(draft, { maxLength: 40 }), fc.array(series, { maxLength: 5 }))
  .map(([single, bursts]) => [...single, ...bursts.flat()]);

/** A flood of chattering alarms that reach nobody. The generator seldom creates this combination. */
const burst = Array.from(
  { length: 30 },
  (_, index): Draft => ({
    ...{ site: 0, rule: 0, severity: 'minor', burst: 0, after: 5 * index, late: 0, lasted: 5, acknowledged: null },
    ...{ people: [0], unreachable: false, quiet: false, notified: 'failed' },
  }),
);

function factsOf(plant: Plant, from: number, one: Draft): AlarmFacts & { draft: Draft } {
  const created = from + one.burst * 9.6 * HOUR + one.after * 1000;
  const opened = created - one.late * 1000;
  let cause: AlarmFacts['cause'] = null;
  if (one.quiet) cause = ['shelved', 'Pump exchange'];
  else if (one.notified === 'failed') cause = ['unreached', 'failed'];
  else if (one.notified === 'outbox') cause = ['unreached', 'kept'];
  else if (one.notified === 'retrying') cause = ['unreached', 'retrying'];
  else if (one.notified === 'none' || one.notified === 'repeat') {
    if (one.people.length === 0) cause = ['unreached', one.unreachable ? 'unreachable' : 'no-recipients'];
    else if (one.notified === 'repeat') cause = ['suppressed', ''];
  }
  return {
    draft: one,
    uuid: randomUuid(),
    site: plant.sites[one.site]?.uuid ?? null,
    rule: one.rule === null ? null : (rules[one.rule] as string),
    severity: one.severity,
    ...{ created, opened, quiet: one.quiet, cause },
    resolved: one.lasted === null ? null : opened + one.lasted * 1000,
    seconds: one.acknowledged,
    people: one.people.map((place) => people[place] as string),
  };
}

async function store(plant: Plant, alarms: readonly ReturnType<typeof factsOf>[]): Promise<void> {
  const own = [plant.customer.uuid];
  for (const table of ['notification', 'alarm_event', 'alarm', 'shelving'])
    await serviceQuery(app.db, `delete from tocsin.${table} where tocsin_customer_uuid = $1`, own);
  const shelvings = await Promise.all(
    plant.sites.map(({ uuid }) =>
      insertRow(app.db, 'tocsin.shelving', {
        ...{ tocsin_customer_uuid: plant.customer.uuid, scope: 'site', target_uuid: uuid, tocsin_site_uuid: uuid },
        ...{ target_name: 'Site', site_name: 'Site', user_name: 'Owner', reason: 'Pump exchange' },
        ...{ created_at: new Date('2025-01-01'), until: new Date('2027-01-01') },
      }),
    ),
  );
  expect(shelvings).toHaveLength(3);
  const rows = alarms.map((alarm) => {
    const { uuid, site, rule, severity, created, opened, resolved, seconds, quiet, draft: one } = alarm;
    const methods = [{ method: 1, address: 'a@b.example' }];
    const alert = alarm.people.map((person) => ({
      uuid: person,
      name: `Person ${person.at(-1)}`,
      methods,
      skipped: [],
    }));
    if (alert.length === 0 && one.unreachable)
      alert.push({ uuid: people[0] as string, name: 'Person 1', methods: [], skipped: [] });
    return {
      ...{ uuid, site, rule, severity, created, opened, resolved, quiet, notified: one.notified },
      recipients: { alert, escalate: [], resolve: [], notes: [], subject: '', text: '' },
      ack: seconds === null ? null : { name: 'Ann', at: new Date(created + seconds * 1000).toISOString() },
    };
  });
  const columns =
    'uuid uuid, site uuid, rule uuid, severity text, created float8, opened float8, resolved float8, quiet boolean, notified text, recipients jsonb, ack jsonb';
  await serviceQuery(
    app.db,
    `insert into tocsin.alarm (uuid, tocsin_customer_uuid, tocsin_site_uuid, site_name, rule_uuid, rule_name, message, severity, created_at,
       date_time, resolved_date, opened_quiet, recipients, reason, acknowledge_json)
     select uuid, $1, site, 'Pump', rule, 'Rule', 'Message ' || uuid, severity, to_timestamp(created / 1000), to_timestamp(opened / 1000),
       to_timestamp(resolved / 1000), case when quiet then 'shelved' end, recipients, case when ack is not null then 'Done' end, ack
     from jsonb_to_recordset($2::jsonb) as a (${columns})`,
    [...own, JSON.stringify(rows)],
  );
  await serviceQuery(
    app.db,
    `insert into tocsin.notification (tocsin_customer_uuid, tocsin_site_uuid, tocsin_alarm_uuid, recipient_name, address, method_type,
       message_type, notify_message, notify_time, state, provider, attempts, kind)
     select $1, site, uuid, 'Person', 'a@b.example', 1, 1, 'Message', to_timestamp(created / 1000),
       case notified when 'failed' then 'failed' when 'retrying' then 'queued' when 'fresh' then 'queued' else 'sent' end,
       case notified when 'outbox' then 'outbox' else 'some' end, case notified when 'fresh' then 0 else 1 end, 'alarm'
     from jsonb_to_recordset($2::jsonb) as a (${columns}) where notified not in ('none', 'repeat')`,
    [...own, JSON.stringify(rows)],
  );
  await serviceQuery(
    app.db,
    `insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, detail)
     select $1, uuid, to_timestamp(created / 1000), 'not-notified', 'Deferred.', '{"because": "said-before"}'
     from jsonb_to_recordset($2::jsonb) as a (${columns}) where notified = 'repeat'`,
    [...own, JSON.stringify(rows)],
  );
}

const FIGURES = `alarms critical major minor silent days periods busyPeriods busyAlarms floodCount floodPeriods floodAlarms topAlarms
  chattering fleeting stale acknowledged medianSeconds p90Seconds addressed recipientCount recipientAlarms`;
const DETAILS = `floods { siteUuid groupUuid beganAt endedAt alarms firstAlarmUuid } rules { uuid alarms }
  recipients { uuid name alarms peak acknowledged meanSeconds } causes { kind cause alarms } load`;

interface Narrowed {
  office?: string | null;
  sites?: string[] | null;
  rule?: string | null;
  recipient?: string | null;
}

async function reportOf(owner: TestBrowser, from: Date, to: Date, narrowed: Narrowed = {}) {
  const data = await owner.data(
    `query ($from: Datetime!, $to: Datetime!, $office: UUID, $sites: [UUID], $rule: UUID, $recipient: UUID) {
       reportPerformance(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, siteUuids: $sites, ofRule: $rule,
         toRecipient: $recipient) { ${FIGURES} ${DETAILS} } }`,
    { from, to, ...narrowed },
  );
  return data.reportPerformance;
}

async function listOf(owner: TestBrowser, from: Date, to: Date, only: string, narrowed: Narrowed = {}) {
  const data = await owner.data(
    `query ($from: Datetime!, $to: Datetime!, $office: UUID, $sites: [UUID], $rule: UUID, $recipient: UUID, $only: String) {
       alarmReport(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, siteUuids: $sites, ofRule: $rule,
         toRecipient: $recipient, only: $only, first: 500) { nodes { uuid } } }`,
    { from, to, only, ...narrowed },
  );
  return data.alarmReport.nodes.map(({ uuid }: { uuid: string }) => uuid).toSorted();
}

function placeOf(plant: Plant, uuid: string): string {
  return plant.sites.find((site) => site.uuid === uuid)?.office ?? uuid;
}

const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 3));

describe('the alarm performance report', () => {
  const days = [
    ...['2025-10-26', '2026-03-29', '2025-11-02', '2026-03-08'].map((day) => ({ from: day, to: day })),
    { from: '2026-03-07', to: '2026-03-30' },
    { from: '2026-06-09', to: '2026-06-10' },
  ];

  const seen = { floods: 0, chattering: 0, busy: 0, unreached: 0 };

  test('equals a recomputation from generated alarms, even on days of 23 and 25 hours, with all filters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1),
        fc.constantFrom(...days),
        drafts,
        fc.constantFrom('all', 'office', 'site', 'rule', 'recipient'),
        async (place, asked, generated, filter) => {
          const plant = plants[place] as Plant;
          const reading = readRange(asked, NOW, plant.zone);
          if (!reading.ok) throw new Error(reading.sentence);
          const { from, to } = reading.range;
          const alarms = generated
            .map((one) => factsOf(plant, from.getTime(), one))
            .filter(({ created }) => created <= NOW.getTime());
          await store(plant, alarms);
          const office = plant.sites[0]?.office as string;
          const [site, rule, recipient] = [plant.sites[1]?.uuid as string, rules[0] as string, people[1] as string];
          const narrowed: Record<typeof filter, [Narrowed, (alarm: AlarmFacts) => boolean]> = {
            all: [{}, () => true],
            office: [{ office }, (alarm) => alarm.site !== plant.sites[2]?.uuid],
            site: [{ sites: [site] }, (alarm) => alarm.site === site],
            rule: [{ rule }, (alarm) => alarm.rule === rule],
            recipient: [{ recipient }, (alarm) => alarm.people.includes(recipient)],
          };
          const [variables, matches] = narrowed[filter];
          const known = alarms.filter(matches).map((alarm) => ({
            ...alarm,
            people: alarm.people.filter((uuid) => filter !== 'recipient' || uuid === recipient),
          }));
          const expected = referenceOf(known, {
            ...{ from: from.getTime(), to: to.getTime(), now: NOW.getTime(), since: plant.since },
            ...{ staleHours: 24, floodEnd: 5, placeOf: (uuid) => placeOf(plant, uuid) },
            dayOf: (at) => new Intl.DateTimeFormat('en-CA', { timeZone: plant.zone, dateStyle: 'short' }).format(at),
          });
          const report = await reportOf(plant.owner, from, to, variables);
          seen.floods += expected.floods.length;
          seen.chattering += expected.lists.chattering.length;
          seen.busy += expected.lists.busy.length;
          seen.unreached += expected.lists.unreached.length;
          expect(report).toMatchObject({
            ...expected.totals,
            medianSeconds: near(expected.totals.medianSeconds),
            p90Seconds: near(expected.totals.p90Seconds),
          });
          expect(report.load).toEqual(expected.load);
          expect(report.rules.map(({ uuid, alarms: number }: any) => [uuid, number])).toEqual(
            expected.rules.map((row) => [row.rule, row.alarms]),
          );
          const floods = report.floods.map((flood: any) =>
            [
              flood.siteUuid ?? flood.groupUuid,
              Date.parse(flood.beganAt),
              Date.parse(flood.endedAt),
              flood.alarms,
            ].join(),
          );
          expect(floods.toSorted()).toEqual(
            expected.floods
              .map(({ place: at, began, ended, alarms: own }) => [at, began, ended, own.length].join())
              .toSorted(),
          );
          for (const flood of report.floods) {
            const first = alarms.find(({ uuid }) => uuid === flood.firstAlarmUuid) as AlarmFacts;
            const own = alarms.filter(
              (alarm) =>
                matches(alarm) &&
                !alarm.quiet &&
                alarm.site !== null &&
                placeOf(plant, alarm.site) === (flood.siteUuid ?? flood.groupUuid) &&
                alarm.created === Date.parse(flood.beganAt),
            );
            expect(first.opened).toBe(Math.min(...own.map(({ opened }) => opened)));
          }
          const byUuid = (a: { uuid: string }, b: { uuid: string }) => (a.uuid < b.uuid ? -1 : 1);
          expect(report.recipients.toSorted(byUuid)).toEqual(
            expected.recipients
              .toSorted(byUuid)
              .map((row) => ({ ...row, name: `Person ${row.uuid.at(-1)}`, meanSeconds: near(row.meanSeconds) })),
          );
          expect(new Set(report.causes.map((row: any) => JSON.stringify(row)))).toEqual(
            new Set(expected.causes.map((row) => JSON.stringify(row))),
          );
          for (const [only, list] of Object.entries(expected.lists)) {
            const uuids = list.map(({ uuid }) => uuid).toSorted();
            expect(await listOf(plant.owner, from, to, only, variables), only).toEqual(uuids);
          }
        },
      ),
      { numRuns: 12, examples: [[0, days[0] as (typeof days)[0], burst, 'all']] },
    );
    // Every figure occurs at least once in the generated cases and the example.
    expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([]);
  });
});

describe('access to the alarm performance report', () => {
  const [from, to] = [new Date('2026-06-01T00:00:00Z'), new Date('2026-06-10T00:00:00Z')];
  const one = (plant: Plant, more: Partial<Draft> = {}) =>
    factsOf(plant, Date.parse('2026-06-05T00:00:00Z'), {
      ...{ site: 0, rule: 0, severity: 'minor', burst: 0, after: 0, late: 0, lasted: 60, acknowledged: null },
      ...{ people: [0], unreachable: false, quiet: false, notified: 'sent' as const, ...more },
    } as Draft);

  test('has no alarms of another customer, and for an operator only those of linked sites', async () => {
    const [london, york] = plants as [Plant, Plant];
    await store(london, [one(london), one(london, { site: 1 })]);
    await store(york, [one(york)]);
    expect((await reportOf(london.owner, from, to)).alarms).toBe(2);
    expect((await reportOf(york.owner, from, to)).alarms).toBe(1);
    const operator = await createUser(app.db, { customer: london.customer as never, level: 20, password: PASSWORD });
    await linkUser(app.db, operator, {
      ...{ uuid: london.sites[1]?.uuid, tocsin_customer_uuid: london.customer.uuid },
    } as never);
    const report = await reportOf(await app.browser(operator), from, to);
    expect([report.alarms, report.load.length]).toEqual([1, 1296]);
  });

  test('refuses a partner account, in the API and as a file', async () => {
    const [london] = plants as [Plant];
    const partner = await createUser(app.db, {
      ...{ customer: london.customer as never, level: 0, password: PASSWORD, partnerAccount: true },
    } as never);
    const browser = await app.browser(partner);
    const { errors } = await browser.graphql(
      `{ reportPerformance(rangeFrom: "2026-06-01T00:00:00Z", rangeTo: "2026-06-10T00:00:00Z") { alarms } }`,
    );
    expect(errors?.[0]).toMatchObject({
      ...{ message: 'Partner accounts cannot view reports.', extensions: { code: 'FORBIDDEN' } },
    });
    expect((await browser.get('/api/v1/reports/performance.csv')).statusCode).toBe(403);
  });

  test('refuses an unknown figure and a range that is too long', async () => {
    const [london] = plants as [Plant];
    const list = await london.owner.graphql(
      `{ alarmReport(rangeFrom: "2026-06-01T00:00:00Z", rangeTo: "2026-06-10T00:00:00Z", only: "colour") { totalCount } }`,
    );
    expect(list.errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', field: 'only' } });
    const report = await london.owner.graphql(
      `{ reportPerformance(rangeFrom: "2006-06-01T00:00:00Z", rangeTo: "2026-06-10T00:00:00Z") { alarms } }`,
    );
    expect(report.errors?.[0]?.message).toBe('A report covers at most ten years. Choose a later start.');
  });
});

describe('the targets', () => {
  const [from, to] = [new Date('2026-06-01T00:00:00Z'), new Date('2026-06-10T00:00:00Z')];
  const change = (browser: TestBrowser, uuid: string, patch: Record<string, number>) =>
    browser.graphql(
      `mutation ($uuid: UUID!, $patch: CustomerPatch!) {
         updateCustomer(input: { uuid: $uuid, patch: $patch }) { customer { dayAlarmsLimit floodEndAlarms staleHours } } }`,
      { uuid, patch },
    );

  test.each([
    [{ dayAlarmsTarget: 0 }, 'dayAlarmsTarget', 'Enter a whole number from 1 to 10,000.'],
    [{ periodAlarmsLimit: 1001 }, 'periodAlarmsLimit', 'Enter a whole number from 1 to 1,000.'],
    [{ floodEndAlarms: 11 }, 'floodEndAlarms', 'Enter a whole number from 1 to 10.'],
    [{ staleHours: 0 }, 'staleHours', 'Enter a whole number of hours from 1 to 8,760 (one year).'],
    [{ busyShareTarget: 101 }, 'busyShareTarget', 'Enter a whole percentage from 0 to 100.'],
    [{ dayAlarmsLimit: 149 }, 'dayAlarmsLimit', 'Enter a number that is not below the acceptable maximum.'],
    [
      { criticalShareTarget: 86 },
      'criticalShareTarget',
      'Major and critical together cannot exceed 100 %. Enter a smaller share.',
    ],
  ] as [Record<string, number>, string, string][])(
    'refuse %j with a message at the field',
    async (patch, field, message) => {
      const [london] = plants as [Plant];
      const { errors } = await change(london.owner, london.customer.uuid, patch);
      expect(errors?.[0]).toMatchObject({ message, extensions: { field } });
    },
  );

  test('are changed by owners only, and decide what is stale and where a flood ends', async () => {
    const [london] = plants as [Plant];
    const manager = await app.browser(
      await createUser(app.db, { customer: london.customer as never, level: 5, password: PASSWORD }),
    );
    expect((await change(manager, london.customer.uuid, { staleHours: 1 })).errors).toBeDefined();
    // Sixteen alarms open within ten minutes. The next alarm belongs to the same flood only if four recent alarms keep
    // the flood active.
    const begin = Date.parse('2026-06-05T00:00:00Z');
    const draftOf = (after: number) =>
      factsOf(london, begin, {
        ...{ site: 0, rule: null, severity: 'minor', burst: 0, after, late: 0, lasted: 7200, acknowledged: null },
        ...{ people: [0], unreachable: false, quiet: false, notified: 'sent' },
      } as Draft);
    await store(london, [...Array(12).fill(60), ...Array(4).fill(600), 700].map(draftOf));
    const figures = async () => {
      const { stale, floods } = await reportOf(london.owner, from, to);
      return [stale, floods.map((flood: any) => flood.alarms)];
    };
    expect(await figures()).toEqual([0, [16]]);
    const changed = await change(london.owner, london.customer.uuid, { staleHours: 1, floodEndAlarms: 4 });
    expect(changed.errors).toBeUndefined();
    expect(await figures()).toEqual([17, [17]]);
    await change(london.owner, london.customer.uuid, { staleHours: 24, floodEndAlarms: 5 });
  });
});

test('copies recipients and acknowledgement to columns of the alarm, and also counts old alarms without these copies', async () => {
  const [london] = plants as [Plant];
  const [from, to] = [new Date('2026-06-01T00:00:00Z'), new Date('2026-06-10T00:00:00Z')];
  const alarm = factsOf(london, Date.parse('2026-06-05T00:00:00Z'), {
    ...{ site: 0, rule: 0, severity: 'minor', burst: 0, after: 0, late: 0, lasted: 60, acknowledged: 90 },
    ...{ people: [0, 2], unreachable: false, quiet: false, notified: 'sent' },
  } as Draft);
  await store(london, [alarm]);
  const before = await reportOf(london.owner, from, to);
  expect(before).toMatchObject({ recipientAlarms: 2, medianSeconds: 90, addressed: 1 });
  // Removes the copies from the alarm's row, as in an alarm that is older than these columns. No trigger restores them.
  const update = 'update tocsin.alarm set recipient_uuids = null, acknowledged_seconds = null where uuid = $1';
  await serviceQuery(app.db, update, [alarm.uuid]);
  expect(await reportOf(london.owner, from, to)).toEqual(before);
  for (const only of ['addressed', 'acknowledged'])
    expect(await listOf(london.owner, from, to, only, { recipient: people[2] as string }), only).toEqual([alarm.uuid]);
  await serviceQuery(app.db, 'update tocsin.alarm set reason = null, acknowledge_json = null where uuid = $1', [
    alarm.uuid,
  ]);
  expect(await reportOf(london.owner, from, to)).toMatchObject({ acknowledged: 0, recipientAlarms: 2 });
});
