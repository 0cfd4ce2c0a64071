/** Alarm lists: filters, order, similar alarms, and alarms that wait for an action by the current user. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { severities } from '../../domain/rule/priority.ts';
import { disposeTestDatabases } from '../harness/database/database.ts';
import {
  createSite,
  insertRow,
  linkUser,
  type SiteRow,
  serviceQuery,
  type UserRow,
} from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { list } from './api.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let manager: TestBrowser;
let operator: TestBrowser;
let partner: TestBrowser;
let abbey: SiteRow;
let beck: SiteRow;
let north: { uuid: string };

const rule = '11111111-1111-4111-8111-111111111111';

beforeAll(async () => {
  app = await startTestApp();
  app.clock.set(new Date('2026-03-30T08:00:00Z'));
  staff = await app.staff();
  const { customer } = staff;
  abbey = await createSite(app.db, { customer, name: 'Abbey Lane' });
  beck = await createSite(app.db, { customer, name: 'Beck Side' });
  north = await insertRow(app.db, 'tocsin.group', { tocsin_customer_uuid: customer.uuid, level: 3, name: 'North' });
  await serviceQuery(app.db, 'update tocsin.site set tocsin_group3_uuid = $2 where uuid = $1', [beck.uuid, north.uuid]);
  await linkUser(app.db, staff.operator, beck);
  await alarm(abbey, { severity: 'minor', message: 'Battery low', date_time: '2026-01-02T05:00:00Z' });
  await alarm(abbey, {
    severity: 'major',
    message: 'Level high',
    date_time: '2026-03-30T07:00:00Z',
    rule_name: 'Level',
  });
  await alarm(beck, {
    ...{
      severity: 'critical',
      message: 'Flood',
      date_time: '2026-03-30T06:00:00Z',
      rule_name: 'Level',
      rule_uuid: rule,
    },
    ...{ escalation_step: 1, recipients: told(staff.operator, staff.manager) },
  });
  await alarm(beck, {
    severity: 'minor',
    message: 'Door open',
    date_time: '2026-03-30T05:00:00Z',
    ...byOwner,
    acknowledge_text: 'Locksmith called',
  });
  await alarm(beck, {
    ...{
      severity: 'critical',
      message: 'Flood',
      date_time: '2026-02-10T10:00:00Z',
      rule_name: 'Level',
      rule_uuid: rule,
    },
    ...{ resolved_date: '2026-02-12T10:00:00Z', recipients: told(staff.operator, staff.manager), ...byOwner },
  });
  await alarm(beck, {
    ...{ severity: 'major', message: 'Mains lost', date_time: '2026-03-01T10:00:00Z' },
    resolved_date: '2026-03-01T11:00:00Z',
  });
  owner = await app.browser(staff.owner);
  manager = await app.browser(staff.manager);
  operator = await app.browser(staff.operator);
  partner = await app.browser(staff.partner);
});
afterAll(async () => {
  await app?.close();
  await disposeTestDatabases();
});

const byOwner = {
  reason: 'Crew on the way',
  acknowledge_json: { name: 'Owen Hughes', at: '2026-03-30T07:30:00Z', reason: 'Crew on the way' },
};

function told(alert: UserRow, escalate: UserRow) {
  const person = ({ uuid, display_name: name }: UserRow) => ({ uuid, name, methods: [], skipped: [] });
  return { alert: [person(alert)], escalate: [person(escalate)], resolve: [], notes: [], subject: '', text: '' };
}

function alarm(site: SiteRow, values: Record<string, unknown>): Promise<{ uuid: string }> {
  const stored = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]),
  );
  return insertRow(app.db, 'tocsin.alarm', {
    tocsin_customer_uuid: site.tocsin_customer_uuid,
    tocsin_site_uuid: site.uuid,
    site_name: site.name,
    ...stored,
  });
}

type Arguments = Record<string, [string, unknown]>;
const shown = async (more: Arguments, browser = owner) =>
  (await list(browser, 'alarmList', 'message siteName', more)).map((row) => `${row.message} at ${row.siteName}`);
const open: Arguments = { isOpen: ['Boolean', true] };
const past: Arguments = { isOpen: ['Boolean', false] };

describe('the list of alarms', () => {
  test.each<[string, Arguments, string[]]>([
    ['not acknowledged', { state: ['String', 'waiting'] }, ['Flood', 'Level high', 'Battery low']],
    ['acknowledged', { state: ['String', 'acknowledged'] }, ['Door open']],
    ['escalated', { state: ['String', 'escalated'] }, ['Flood']],
    ['a rule', { ruleName: ['String', 'Level'] }, ['Flood', 'Level high']],
  ])('is filtered by %s', async (_, more, expected) => {
    expect((await shown({ ...open, ...more })).map((row) => row.replace(/ at .*/, ''))).toEqual(expected);
  });

  test.each<[string, string, string[]]>([
    ['the reason', 'crew WAY', ['Door open']],
    ['the note of the acknowledgement', 'locksmith', ['Door open']],
    ['who acknowledged it', 'hughes', ['Door open']],
    ['these and the site together', 'owen beck locksmith door', ['Door open']],
    ['the reason, which another has not', 'crew flood', []],
  ])('is searched by %s', async (_, search, expected) => {
    const more: Arguments = { ...open, search: ['String', search] };
    expect((await shown(more)).map((row) => row.replace(/ at .*/, ''))).toEqual(expected);
    const { alarmCount } = await owner.data(
      'query ($search: String) { alarmCount(isOpen: true, search: $search) { nodes } }',
      {
        search,
      },
    );
    expect(alarmCount.nodes).toEqual([expected.length]);
  });

  const range = 'rangeFrom: "2026-03-01T00:00:00Z", rangeTo: "2026-03-30T00:00:00Z"';
  test.each([
    ['alarmList(severity: "loud") { nodes { uuid } }', 'severity', 'Choose critical, major, minor or silent.'],
    ['alarmList(state: "asleep") { nodes { uuid } }', 'state', 'Choose waiting, acknowledged or escalated.'],
    [
      'alarmList(rangeFrom: "2026-03-30T00:00:00Z", rangeTo: "2026-03-01T00:00:00Z") { nodes { uuid } }',
      'rangeTo',
      'The range must end after it starts.',
    ],
    ['alarmCount(state: "asleep") { nodes }', 'state', 'Choose waiting, acknowledged or escalated.'],
    [
      'siteBoard(state: "asleep") { nodes { uuid } }',
      'state',
      'Choose critical, major, minor, silent, shelved, maintenance or normal.',
    ],
    [
      `deliveryReport(${range}, state: "lost") { nodes { uuid } }`,
      'state',
      'Choose queued, sent, delivered, kept, failed, out or taken.',
    ],
    [
      `deliveryFigures(${range}, inState: "lost") { nodes { sent } }`,
      'inState',
      'Choose queued, sent, delivered, kept, failed, out or taken.',
    ],
    [
      `deliveryReport(${range}, methodType: 5) { nodes { uuid } }`,
      'methodType',
      'Choose 1 (e-mail), 2 (WhatsApp), 3 (SMS) or 4 (app push).',
    ],
    ...['deliveryReport', 'deliveryFigures'].map((list) => [
      `${list}(${range}, ofKind: 99) { totalCount }`,
      'ofKind',
      'Choose 1 (alarm), 2 (health), 3 (resolve) or 4 (other).',
    ]),
    [`alarmBreakdown(${range}, most: -1) { sites { siteName } }`, 'most', '"most" must be a whole number, 0 or more.'],
  ])('responds to an unknown value with the choices: %s', async (question, field, sentence) => {
    const { errors } = await owner.graphql(`{ ${question} }`);
    expect(errors?.[0]).toMatchObject({ message: sentence, extensions: { field } });
  });

  test('is filtered by site and by a group of any level', async () => {
    expect(await shown({ ...open, siteUuid: ['UUID', abbey.uuid] })).toEqual([
      'Level high at Abbey Lane',
      'Battery low at Abbey Lane',
    ]);
    expect(await shown({ ...open, groupUuid: ['UUID', north.uuid] })).toEqual([
      'Flood at Beck Side',
      'Door open at Beck Side',
    ]);
  });

  test('filters past alarms by a range, and never hides an open one', async () => {
    const range: Arguments = {
      rangeFrom: ['Datetime', '2026-02-11T00:00:00Z'],
      rangeTo: ['Datetime', '2026-02-12T00:00:00Z'],
    };
    expect(await shown({ ...past, ...range })).toEqual(['Flood at Beck Side']);
    expect(await shown({ ...open, ...range })).toHaveLength(4);
    expect(await shown(range)).toEqual([
      'Flood at Beck Side',
      'Level high at Abbey Lane',
      'Battery low at Abbey Lane',
      'Door open at Beck Side',
      'Flood at Beck Side',
    ]);
  });

  test('is counted with every filter and for every user, without sorting', async () => {
    const count = async (more: Arguments, browser = owner) => {
      const names = Object.entries(more);
      const { alarmCount } = await browser.data(
        `query (${names.map(([name, [type]]) => `$${name}: ${type}`).join(', ')}) {
          alarmCount(${names.map(([name]) => `${name}: $${name}`).join(', ')}) { nodes } }`,
        Object.fromEntries(names.map(([name, [, value]]) => [name, value])),
      );
      return alarmCount.nodes;
    };
    const narrowed: Arguments[] = [
      open,
      past,
      { ...open, severity: ['String', 'minor'] },
      { ...open, search: ['String', 'beck'] },
      { ...open, state: ['String', 'waiting'] },
      { ...open, siteUuid: ['UUID', abbey.uuid] },
      { ...open, groupUuid: ['UUID', north.uuid] },
      { ...past, ruleName: ['String', 'Level'] },
      { ...past, rangeFrom: ['Datetime', '2026-02-13T00:00:00Z'] },
    ];
    for (const more of narrowed) {
      expect(await count(more), JSON.stringify(more)).toEqual([(await shown(more)).length]);
      expect(await count(more, operator), JSON.stringify(more)).toEqual([(await shown(more, operator)).length]);
    }
    expect(await count(open, partner)).toEqual([0]);
  });

  test('groups alarms by site, the worst site first', async () => {
    expect(await shown({ ...open, bySite: ['Boolean', true] })).toEqual([
      'Flood at Beck Side',
      'Door open at Beck Side',
      'Level high at Abbey Lane',
      'Battery low at Abbey Lane',
    ]);
  });

  test('offers the rules that have alarms; to an operator those of linked sites', async () => {
    expect(await owner.data('{ alarmRuleNames { nodes } }')).toEqual({ alarmRuleNames: { nodes: ['Level'] } });
    expect(await partner.data('{ alarmRuleNames { nodes } }')).toEqual({ alarmRuleNames: { nodes: [] } });
    expect(await shown(open, operator)).toEqual(['Flood at Beck Side', 'Door open at Beck Side']);
  });

  test('returns the time of the newest unacknowledged alarm with the counts', async () => {
    const [critical, , minor] = await list(owner, 'openAlarmCounts', 'severity newestUnacknowledged');
    expect(critical.newestUnacknowledged).not.toBeNull();
    expect(minor.severity).toBe('minor');
  });
});

test('finds similar alarms by rule or data point, with their reasons', async () => {
  const [flood] = await list(owner, 'alarmList', 'similar { nodes { message dateTime reason } }', {
    ...open,
    search: ['String', 'flood'],
  });
  expect(flood.similar.nodes).toEqual([
    { message: 'Flood', dateTime: '2026-02-10T10:00:00.000000+00:00', reason: 'Crew on the way' },
  ]);
  const [battery] = await list(owner, 'alarmList', 'similar { nodes { message } }', {
    ...open,
    search: ['String', 'battery'],
  });
  expect(battery.similar.nodes).toEqual([]);
});

describe('alarms that wait for the current user', () => {
  const waiting = async (browser: TestBrowser) =>
    (await list(browser, 'alarmsWaitingForMe', 'message')).map(({ message }) => message);

  test('are those of which the user was notified, including by escalation, until somebody acknowledges', async () => {
    expect(await waiting(operator)).toEqual(['Flood']);
    expect(await waiting(manager)).toEqual(['Flood']);
    expect(await waiting(owner)).toEqual([]);
    expect(await waiting(partner)).toEqual([]);
  });

  test('lists the user’s own messages only, newest first', async () => {
    const [flood] = await list(owner, 'alarmList', 'uuid', { ...open, search: ['String', 'flood'] });
    const message = (user: UserRow, time: string, text: string) =>
      insertRow(app.db, 'tocsin.notification', {
        ...{ tocsin_customer_uuid: staff.customer.uuid, tocsin_site_uuid: beck.uuid, tocsin_alarm_uuid: flood.uuid },
        ...{ tocsin_user_uuid: user.uuid, recipient_name: user.display_name, address: user.email },
        ...{ method_type: 1, message_type: 1, notify_message: text, notify_time: time },
      });
    await message(staff.operator, '2026-03-30T06:01:00Z', 'first');
    await message(staff.operator, '2026-03-30T06:31:00Z', 'second');
    await message(staff.owner, '2026-03-30T06:31:00Z', 'to the owner');
    const mine = async (browser: TestBrowser) =>
      (await list(browser, 'myNotifications', 'notifyMessage')).map(({ notifyMessage }) => notifyMessage);
    expect(await mine(operator)).toEqual(['second', 'first']);
    expect(await mine(owner)).toEqual(['to the owner']);
    expect(await mine(manager)).toEqual([]);
    // The owner is not among the alarm's recipients but was notified of it, so the alarm waits for the owner too.
    expect(await waiting(owner)).toEqual(['Flood']);
  });
});

test('visits every waiting alarm, although each page leaves the list before the next is read', async () => {
  const same = { severity: 'minor', rule_name: 'Paged', date_time: '2026-03-30T04:00:00Z' };
  const made = await Promise.all([...'abcdefg'].map((letter) => alarm(beck, { ...same, message: letter })));
  const query = `query ($after: Cursor) {
    alarmList(isOpen: true, state: "waiting", ruleName: "Paged", orderBy: [DATE_TIME_ASC, PRIMARY_KEY_ASC], first: 3, after: $after) {
      pageInfo { hasNextPage endCursor } nodes { uuid }
    }
  }`;
  const met: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { alarmList } = await owner.data(query, { after });
    const uuids = alarmList.nodes.map(({ uuid }: { uuid: string }) => uuid);
    met.push(...uuids);
    await serviceQuery(app.db, 'update tocsin.alarm set acknowledge_json = $2, reason = $3 where uuid = any($1)', [
      uuids,
      JSON.stringify(byOwner.acknowledge_json),
      byOwner.reason,
    ]);
    ({ endCursor: after, hasNextPage: more } = alarmList.pageInfo);
  }
  expect(met.sort()).toEqual(made.map(({ uuid }) => uuid).sort());
});

test.each([
  ['alarms', 'reason', 'REASON_ASC'],
  ['alarms', 'reason', 'REASON_DESC'],
  ['alarms', 'reason', 'RESOLVED_DATE_ASC, REASON_DESC'],
  ['sites', 'gsmSignalStrength', 'GSM_SIGNAL_STRENGTH_ASC'],
  ['sites', 'gsmSignalStrength', 'GSM_SIGNAL_STRENGTH_DESC'],
])(
  'pages of %s by %s in the order %s contain every row once, also those without a value',
  async (rows, column, order) => {
    if (rows === 'sites') {
      for (const strength of [-70, null, 0, null]) {
        const { uuid } = await createSite(app.db, { customer: staff.customer });
        await serviceQuery(app.db, 'update tocsin.site set gsm_signal_strength = $2 where uuid = $1', [uuid, strength]);
      }
    }
    const orderBy = `orderBy: [${order}, PRIMARY_KEY_ASC]`;
    const all = (await owner.data(`{ ${rows}(${orderBy}) { nodes { uuid ${column} } } }`))[rows].nodes;
    const met: string[] = [];
    for (let after: string | null = null, more = true; more && met.length <= all.length; ) {
      const page: any = await owner.data(
        `query ($after: Cursor) { ${rows}(${orderBy}, first: 1, after: $after) { pageInfo { hasNextPage endCursor } nodes { uuid } } }`,
        { after },
      );
      met.push(...page[rows].nodes.map(({ uuid }: { uuid: string }) => uuid));
      ({ endCursor: after, hasNextPage: more } = page[rows].pageInfo);
    }
    expect(met).toEqual(all.map(({ uuid }: { uuid: string }) => uuid));
    const values = new Set(all.map((row: any) => row[column]));
    expect(values.size).toBeGreaterThan(1);
    expect(values).toContain(null);
  },
);

test('the database ranks severities in the order of domain/rule/priority.ts', async () => {
  const [row] = await serviceQuery(app.db, 'select tocsin_private.severities() as names');
  expect(row.names).toEqual([...severities]);
});
