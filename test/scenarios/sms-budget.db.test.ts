/** SMS budgets: minor alarms stop using SMS when the budget is used up, and nobody is left without a notification. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serviceAccess } from '../../server/access.ts';
import { queueNotifications } from '../../server/notification/queue.ts';
import { insertRow, type SiteRow, type UserRow } from '../harness/database/factories.ts';
import { type HttpReceiver, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../harness/provider/smtp.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { Plant, type Station } from './plant.ts';

const sms = { sms_notification: true, phone_number: '+44 7700 900001', whatsapp_notification: false };
const smsOnly = { ...sms, email_notification: false, phone_number: '+44 7700 900002' };
let plant: Plant;
let smtp: SmtpCatcher;
let gateway: HttpReceiver;
let owner: UserRow;
let both: UserRow;
let onlySms: UserRow;
beforeAll(async () => {
  [smtp, gateway] = await Promise.all([startSmtpCatcher(), startHttpReceiver()]);
  plant = await Plant.start({
    ...{ publicUrl: 'https://tocsin.example', smtpUrl: smtp.url, mailFrom: 'Tocsin <alarm@plant.example>' },
    sms: {
      ...{ by: 'gateway', url: `${gateway.url}/send`, method: 'POST', body: '{"to":"{to}","text":"{text}"}' },
      ...{ headers: {}, success: undefined, id: 'id' },
    },
  });
  owner = await plant.person({ name: 'Olive', level: 0, flags: sms });
  both = await plant.person({ name: 'Bea', flags: sms });
  onlySms = await plant.person({ name: 'Sam', flags: smsOnly });
});
beforeEach(async () => {
  await plant.pass(0);
  gateway.always({ body: { id: 'sms' } });
  await setBudget(null, null);
  await plant.query(`delete from tocsin_private.sms_usage`);
  await plant.query(`delete from tocsin_private.sms_budget_warning`);
  await plant.query(`delete from tocsin.notification where kind = 'system'`);
  await plant.query(`update tocsin.notification set state = 'failed', sent_at = null where method_type = 3`);
});
afterAll(async () => {
  await plant?.close();
  await Promise.all([smtp, gateway].map((server) => server?.stop()));
});

const updateCustomer =
  'mutation ($uuid: UUID!, $patch: CustomerPatch!) { updateCustomer(input: { uuid: $uuid, patch: $patch }) { customer { uuid } } }';

async function setBudget(day: number | null, month: number | null): Promise<void> {
  const values = [plant.customer.uuid, day, month];
  await plant.query('update tocsin.customer set sms_day_budget = $2, sms_month_budget = $3 where uuid = $1', values);
}

/** Sets a budget that is already used up. */
async function setUsedUpBudget(): Promise<void> {
  await setBudget(1, null);
  await plant.query(
    `insert into tocsin_private.sms_usage as u (tocsin_customer_uuid, account_uuid, day, segments) values ($1, $1, $2::timestamptz::date, 1)
     on conflict (account_uuid, day) do update set segments = 1`,
    [plant.customer.uuid, plant.clock.now()],
  );
}

const BUDGETS = `{ smsBudgets { nodes { unitOfficeUuid uoName dayBudget monthBudget today dayUsed monthUsed daySuppressed monthSuppressed } } }`;
async function budgets(as: UserRow = owner): Promise<any[]> {
  // Uses a new session, because the tests advance the clock by days.
  return (await (await plant.app.browser(as)).data(BUDGETS)).smsBudgets.nodes;
}

interface Alarmed extends Station {
  alarmUuid: string;
}

/** Opens an alarm of a new rule at a new site. */
async function alarm(
  people: { alert?: UserRow[]; resolve?: UserRow[]; escalate?: UserRow[] },
  { priority = 'medium', office }: { priority?: string; office?: string } = {},
): Promise<Alarmed> {
  const station = await plant.station();
  if (office) {
    await plant.query('update tocsin.site set tocsin_group5_uuid = $2 where uuid = $1', [station.site.uuid, office]);
  }
  const { name } = await plant.rule(station, { priority });
  await plant.alert(station.site, name, people, { escalate_minutes: 15 });
  await plant.send(station, 120);
  await plant.settle();
  const [open] = await plant.open(station.site);
  return { ...station, alarmUuid: open.uuid };
}

const names: Record<number, string> = { 1: 'mail', 3: 'sms' };
/** Returns the notifications of a site, such as `alarm Bea sms`. */
async function notified({ site }: { site: SiteRow }): Promise<string[]> {
  return (await plant.messages(site))
    .map(({ kind, person, method }) => `${kind} ${person} ${names[method]}`)
    .toSorted();
}

/** Opens minor alarms until one of them sends no SMS. Returns that alarm and the number of SMS sent before it. */
async function useUp(): Promise<{ last: Alarmed; sent: number }> {
  for (let sent = 0; sent < 20; sent += 1) {
    const last = await alarm({ alert: [both] });
    if (!(await notified(last)).includes('alarm Bea sms')) return { last, sent };
  }
  throw new Error('The budget was never used up.');
}

async function office(name: string, day: number | null): Promise<string> {
  const { uuid } = await insertRow(plant.db, 'tocsin.group', {
    ...{ tocsin_customer_uuid: plant.customer.uuid, level: 5, name, sms_day_budget: day },
  });
  return uuid;
}

const eventsOf = (uuid: string) =>
  plant.query('select kind, sentence, detail from tocsin.alarm_event where tocsin_alarm_uuid = $1 order by id', [uuid]);

describe('without a budget', () => {
  test('SMS are sent and nothing is counted', async () => {
    expect(await notified(await alarm({ alert: [both] }))).toEqual(['alarm Bea mail', 'alarm Bea sms']);
    expect(await plant.query('select * from tocsin_private.sms_usage')).toEqual([]);
    expect(await budgets()).toEqual([]);
  });
});

describe('a used-up budget', () => {
  test('stops SMS about minor alarms only, and says so in the timeline, the explanation and the report', async () => {
    await setBudget(5, 100);
    const { last, sent } = await useUp();
    expect(sent).toBeGreaterThan(1);
    expect(await notified(last)).toEqual(['alarm Bea mail']);
    const [budget] = await budgets();
    expect(budget).toMatchObject({
      uoName: null,
      dayBudget: 5,
      monthBudget: 100,
      daySuppressed: 1,
      monthSuppressed: 1,
    });
    expect(budget.dayUsed).toBeLessThanOrEqual(5);
    expect(budget.monthUsed).toBe(budget.dayUsed);
    const [, event] = await eventsOf(last.alarmUuid);
    expect(event).toEqual({
      kind: 'not-notified',
      sentence:
        "The SMS to Bea was not sent, because the company's SMS budget for today is used up. They are notified by e-mail.",
      detail: { because: 'budget', stage: 'budget', suppressed: 'opening', user: both.uuid },
    });
    const { explainAlarm } = await (await plant.app.browser(owner)).data(
      'query ($uuid: UUID!) { explainAlarm(uuid: $uuid) { stages { name held { because userUuid } } } }',
      { uuid: last.alarmUuid },
    );
    expect(explainAlarm.stages.at(-1)).toEqual({ name: 'budget', held: [{ because: 'budget', userUuid: both.uuid }] });

    for (const priority of ['high', 'critical']) {
      expect(await notified(await alarm({ alert: [both] }, { priority }))).toContain('alarm Bea sms');
    }
    expect((await budgets())[0].dayUsed).toBeGreaterThan(budget.dayUsed);
    expect(await notified(await alarm({ alert: [onlySms] }))).toEqual(['alarm Sam sms']);
  });

  test('counts what the provider billed, like the report', async () => {
    await setBudget(100, null);
    await alarm({ alert: [both, onlySms] });
    const [{ segments }] = await plant.query(
      `select sum(segments)::int as segments from tocsin.notification where method_type = 3 and state = 'sent'`,
    );
    expect(segments).toBeGreaterThan(0);
    expect((await budgets())[0]).toMatchObject({ dayUsed: segments, monthUsed: segments });
  });

  test('also stops SMS about escalations and resolutions of minor alarms', async () => {
    await setUsedUpBudget();
    const station = await alarm({ alert: [both], resolve: [both], escalate: [both] });
    await plant.pass(16 * 60);
    await plant.send(station, 50);
    await plant.settle();
    expect(await notified(station)).toEqual(['alarm Bea mail', 'escalation Bea mail', 'resolve Bea mail']);
  });

  test('does not send SMS for repeats of a chattering alarm', async () => {
    await setUsedUpBudget();
    const station = await alarm({ alert: [both], resolve: [both] });
    for (let round = 0; round < 3; round += 1) {
      for (const value of [50, 120]) {
        await plant.pass(20);
        await plant.send(station, value);
      }
    }
    await plant.pass(11 * 60);
    const messages = await notified(station);
    expect(messages.filter((message) => message.endsWith('sms'))).toEqual([]);
    expect(messages.filter((message) => message === 'alarm Bea mail').length).toBeGreaterThan(1);
  });

  test('of a unit office concerns its sites only', async () => {
    const [north, south] = [await office('North', 1), await office('South', null)];
    expect(await notified(await alarm({ alert: [both] }, { office: north }))).toEqual(['alarm Bea mail']);
    expect(await notified(await alarm({ alert: [both] }, { office: south }))).toContain('alarm Bea sms');
    const [suppressed] = await eventsOf((await alarm({ alert: [both] }, { office: north })).alarmUuid).then((rows) =>
      rows.slice(1),
    );
    expect(suppressed.sentence).toContain('because the SMS budget of North for today is used up.');
    expect(await budgets()).toMatchObject([{ unitOfficeUuid: north, uoName: 'North', dayUsed: 0, daySuppressed: 2 }]);
    await plant.query('delete from tocsin.group where name = $1', ['North']);
  });
});

describe('a recipient', () => {
  test('gets the SMS if the other method has no sender', async () => {
    await setUsedUpBudget();
    const [channels] = await plant.query(`select value from tocsin_private.installation where name = 'channels'`);
    const withoutMail = channels.value.map((one: any) =>
      one.methodType === 1 ? { ...one, isConfigured: false } : one,
    );
    await plant.query(`update tocsin_private.installation set value = $1 where name = 'channels'`, [
      JSON.stringify(withoutMail),
    ]);
    expect(await notified(await alarm({ alert: [both] }))).toContain('alarm Bea sms');
    await plant.query(`update tocsin_private.installation set value = $1 where name = 'channels'`, [
      JSON.stringify(channels.value),
    ]);
  });

  test('gets the SMS once all other notifications have failed', async () => {
    await setUsedUpBudget();
    const station = await alarm({ alert: [both] });
    expect(await notified(station)).toEqual(['alarm Bea mail']);
    await plant.query(`update tocsin.notification set state = 'failed' where tocsin_alarm_uuid = $1`, [
      station.alarmUuid,
    ]);
    await plant.pass(5);
    expect(await notified(station)).toEqual(['alarm Bea mail', 'alarm Bea sms']);
    expect(
      await plant.query('select * from tocsin_private.suppressed_sms where tocsin_alarm_uuid = $1', [
        station.alarmUuid,
      ]),
    ).toEqual([]);
  });

  test('gets the SMS if the other notification is still not sent after three attempts', async () => {
    await setUsedUpBudget();
    const station = await alarm({ alert: [both] });
    const attempted = `update tocsin.notification set state = 'queued', attempts = $2, next_attempt_at = 'infinity' where tocsin_alarm_uuid = $1`;
    await plant.query(attempted, [station.alarmUuid, 2]);
    await plant.pass(5);
    expect(await notified(station)).toEqual(['alarm Bea mail']);
    await plant.query(attempted, [station.alarmUuid, 3]);
    await plant.pass(5);
    expect(await notified(station)).toEqual(['alarm Bea mail', 'alarm Bea sms']);
  });

  test('gets no SMS if the alarm resolved before the other notification failed', async () => {
    await setUsedUpBudget();
    const station = await alarm({ alert: [both] });
    await plant.pass(1);
    await plant.send(station, 50);
    await plant.query(`update tocsin.notification set state = 'failed' where tocsin_alarm_uuid = $1`, [
      station.alarmUuid,
    ]);
    await plant.pass(5);
    expect(await notified(station)).toEqual(['alarm Bea mail']);
  });
});

test('with generated alarms, every recipient is notified by at least one method, whatever the budget', async () => {
  const people = [both, onlySms, await plant.person({ name: 'Max', flags: { sms_notification: false } })];
  const opening = fc.record({
    who: fc.subarray([0, 1, 2], { minLength: 1 }),
    priority: fc.constantFrom('low', 'medium', 'high'),
    minutes: fc.constantFrom(0, 5, 700),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(opening, { minLength: 1, maxLength: 5 }),
      async (day, openings) => {
        await setBudget(null, null);
        await setBudget(day, null);
        for (const { who, priority, minutes } of openings) {
          await plant.pass(minutes * 60);
          const recipients = who.map((index) => people[index] as UserRow);
          const told = await notified(await alarm({ alert: recipients }, { priority }));
          for (const index of who) {
            expect(told.some((message) => message.startsWith(`alarm ${['Bea', 'Sam', 'Max'][index]} `))).toBe(true);
          }
        }
      },
    ),
    { numRuns: 6 },
  );
});

test('transactions at the same time do not exceed the budget together', async () => {
  const stations = await Promise.all(Array.from({ length: 8 }, () => plant.station()));
  await setBudget(5, null);
  const recipient = {
    ...{ uuid: both.uuid, name: 'Bea', skipped: [] },
    methods: [
      { method: 1 as const, address: both.email },
      { method: 3 as const, address: '+447700900001' },
    ],
  };
  const now = plant.clock.now().getTime();
  await Promise.all(
    stations.map(async ({ site }) => {
      const { uuid } = await insertRow(plant.db, 'tocsin.alarm', {
        ...{
          tocsin_customer_uuid: plant.customer.uuid,
          tocsin_site_uuid: site.uuid,
          site_name: site.name,
          severity: 'minor',
        },
        ...{ message: 'Level high', date_time: plant.clock.now() },
      });
      const draft = {
        ...{ alarmUuid: uuid, customerUuid: plant.customer.uuid, siteUuid: site.uuid, kind: 'alarm' as const, step: 0 },
        ...{
          topic: site.uuid,
          at: now,
          messageType: 1 as const,
          severity: 'minor' as const,
          subject: 'High',
          text: 'High',
        },
        people: [recipient],
      };
      await plant.db.transaction(serviceAccess(plant.clock), (tx) => queueNotifications(tx, [draft], now));
    }),
  );
  const told = (await Promise.all(stations.map(notified))).flat();
  expect(told.filter((message) => message === 'alarm Bea mail')).toHaveLength(8);
  const [{ dayUsed, daySuppressed }] = await budgets();
  const sent = told.filter((message) => message === 'alarm Bea sms').length;
  expect([sent + daySuppressed, dayUsed]).toEqual([8, 5]);
});

describe('the periods', () => {
  const at = async (time: string) => {
    plant.clock.set(new Date(time));
    await plant.settle();
  };

  test('are the days and months of the customer’s time zone', async () => {
    await setBudget(5, 7);
    await at('2026-03-31T21:30:00Z');
    await useUp();
    const [march] = await budgets();
    expect(march.today).toBe('2026-03-31');
    // In London, it is then 00:30 on 1 April.
    await at('2026-03-31T23:30:00Z');
    expect(await budgets()).toMatchObject([{ today: '2026-04-01', dayUsed: 0, monthUsed: 0 }]);
    expect((await useUp()).sent).toBeGreaterThan(1);
    await at('2026-04-01T23:30:00Z');
    const { last } = await useUp();
    const [, event] = await eventsOf(last.alarmUuid);
    expect(event.sentence).toContain("the company's SMS budget for this month is used up");
    expect((await budgets())[0].monthUsed).toBeLessThanOrEqual(7);
  });

  test('include the 25 hours of the day on which summer time ends', async () => {
    await at('2026-10-24T23:30:00Z');
    await setBudget(5, null);
    await useUp();
    const [first] = await budgets();
    expect(first).toMatchObject({ today: '2026-10-25' });
    await at('2026-10-25T23:30:00Z');
    expect(await budgets()).toMatchObject([{ today: '2026-10-25', dayUsed: first.dayUsed }]);
    expect(await notified(await alarm({ alert: [both] }))).toEqual(['alarm Bea mail']);
    await at('2026-10-26T00:00:00Z');
    expect(await budgets()).toMatchObject([{ today: '2026-10-26', dayUsed: 0, monthUsed: first.dayUsed }]);
    expect(await notified(await alarm({ alert: [both] }))).toContain('alarm Bea sms');
  });

  test('of a first budget include the SMS of the month so far', async () => {
    await at('2026-11-09T12:00:00Z');
    await alarm({ alert: [both, onlySms] });
    await at('2026-11-10T12:00:00Z');
    await alarm({ alert: [both] });
    await setBudget(50, 500);
    const [counted] = await budgets();
    expect([counted.dayUsed, counted.monthUsed]).toEqual([1, 3]);
  });
});

describe('the warning at 80 %', () => {
  const warnings = () =>
    plant.query(
      `select recipient_name as name, method_type as method, subject from tocsin.notification where kind = 'system' order by notify_time, subject`,
    );

  test('goes to the owners by e-mail, once for each day and month', async () => {
    await setBudget(5, 100);
    await useUp();
    await plant.pass(60);
    await plant.pass(3600);
    expect(await warnings()).toEqual([
      { name: 'Olive', method: 1, subject: expect.stringMatching(/^The company's SMS budget for today: \d+ % used$/) },
    ]);
    await setBudget(5, 5);
    await plant.pass(60);
    expect((await warnings()).map(({ subject }) => subject)[1]).toContain('SMS budget for this month');
    await plant.pass(60);
    expect(await warnings()).toHaveLength(2);
    // On the next day, the warning is sent again.
    await plant.pass(24 * 3600);
    await setBudget(5, null);
    await useUp();
    await plant.pass(60);
    expect((await warnings()).map(({ subject }) => subject)[2]).toContain('SMS budget for today');
  });

  test('is not sent below 80 %', async () => {
    await setBudget(1000, null);
    await alarm({ alert: [both] });
    await plant.pass(60);
    expect(await warnings()).toEqual([]);
  });
});

describe('the settings', () => {
  const group =
    'mutation ($group: GroupInput!) { createGroup(input: { group: $group }) { group { uuid smsDayBudget smsMonthBudget } } }';
  const refusal = async (browser: TestBrowser, text: string, variables: object) => {
    const [error] = (await browser.graphql(text, variables as Record<string, unknown>)).errors ?? [];
    return error && [error.extensions?.field, error.message];
  };

  test.each([
    [
      { smsDayBudget: 0 },
      'smsDayBudget',
      'Enter a whole number of segments from 1 to 1,000,000, or leave the field empty.',
    ],
    [
      { smsMonthBudget: -1 },
      'smsMonthBudget',
      'Enter a whole number of segments from 1 to 1,000,000, or leave the field empty.',
    ],
    [{ smsDayBudget: 11, smsMonthBudget: 10 }, 'smsDayBudget', 'Enter a number that is at most the monthly budget.'],
  ])('refuse %j at the field', async (patch, field, sentence) => {
    const browser = await plant.app.browser(owner);
    expect(await refusal(browser, updateCustomer, { uuid: plant.customer.uuid, patch })).toEqual([field, sentence]);
    expect(await refusal(browser, group, { group: { level: 5, name: 'West', ...patch } })).toEqual([field, sentence]);
  });

  test('refuse a budget for a group that is no unit office', async () => {
    const given = { group: { level: 4, name: 'West', smsDayBudget: 5 } };
    expect(await refusal(await plant.app.browser(owner), group, given)).toEqual([
      'level',
      'Choose level 5. Only groups of this level have an SMS budget.',
    ]);
  });

  test('are for owners; managers set those of unit offices, and operators see none', async () => {
    await setBudget(50, null);
    const manager = await plant.person({ level: 5 });
    const operator = await plant.person({ level: 20 });
    const patch = { uuid: plant.customer.uuid, patch: { smsDayBudget: 99 } };
    for (const person of [manager, operator]) await (await plant.app.browser(person)).graphql(updateCustomer, patch);
    expect(await budgets(manager)).toMatchObject([{ dayBudget: 50 }]);
    expect(await budgets(operator)).toEqual([]);
    const made = await (await plant.app.browser(manager)).data(group, {
      group: { level: 5, name: 'East', smsDayBudget: 7 },
    });
    expect(made.createGroup.group).toMatchObject({ smsDayBudget: 7, smsMonthBudget: null });
    expect(
      await refusal(await plant.app.browser(operator), group, { group: { level: 5, name: 'X', smsDayBudget: 7 } }),
    ).toBeDefined();
    expect((await budgets(manager)).map(({ dayBudget }) => dayBudget)).toEqual([50, 7]);
  });

  test('of one customer are not seen by another', async () => {
    const other = await plant.app.staff();
    const browser = await plant.app.browser(other.owner);
    expect((await browser.data(BUDGETS)).smsBudgets.nodes).toEqual([]);
    await browser.graphql(updateCustomer, { uuid: plant.customer.uuid, patch: { smsDayBudget: 1 } });
    const [row] = await plant.query('select sms_day_budget from tocsin.customer where uuid = $1', [
      plant.customer.uuid,
    ]);
    expect(row.sms_day_budget).toBeNull();
  });
});
