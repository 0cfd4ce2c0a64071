/** Tests which users are reachable, which rules reach nobody, and how disabling a user affects rule alerts. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, unreachableBecause } from '../../domain/notification/recipients.ts';
import { createUser, insertRow, linkUser, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import { PASSWORD, type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, list, save, update } from './api.ts';
import { buildStation, places, type Station, unique } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let manager: TestBrowser;
let operator: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  manager = await app.browser(staff.manager);
  operator = await app.browser(staff.operator);
});
afterAll(() => app?.close());

const person = (displayName: string, more: Record<string, unknown> = {}): Promise<UserRow> =>
  createUser(app.db, { customer: staff.customer, level: 20, password: PASSWORD, displayName, ...more });
const disable = (user: UserRow) =>
  serviceQuery(app.db, 'update tocsin.user set status = false where uuid = $1', [user.uuid]);

interface Plan {
  people?: readonly UserRow[];
  escalates?: readonly UserRow[];
  uuid?: string;
  indAck?: boolean;
}
const planInput = (station: Station, ruleName: string, { people = [], escalates = [], uuid, indAck = true }: Plan) => ({
  ...{ tocsinSiteUuid: station.site.uuid, tocsinRuleName: ruleName, indAck, reasons: [] },
  ...{ escalateMinutes: 15, escalateIntervalMinutes: 15, escalateCount: 3 },
  people: people.map((user) => ({ tocsinUserUuid: user.uuid, isAlert: true, isResolve: false, isHealth: true })),
  escalates: escalates.map(({ uuid: user }) => user),
  ...(uuid && { uuid }),
});
const savePlan = (station: Station, ruleName: string, plan: Plan) =>
  save(manager, 'saveRuleAlert', planInput(station, ruleName, plan), 'ruleAlert { uuid }');

async function ruleAt(name = unique('Level high ')): Promise<{ station: Station; name: string; uuid: string }> {
  const station = await buildStation(app.db, staff.customer);
  const rule = await done(create(manager, 'rule', { ...places(station), name, valueUpper: 4 }));
  return { station, name, uuid: rule.uuid };
}
const unreached = async (station: Station, browser = manager) =>
  (
    await list(browser, 'rulesReachingNobody', 'ruleName kind because', { siteUuid: ['UUID', station.site.uuid] })
  ).filter(({ kind }) => kind !== 'silence');

test('the database and the domain agree for every user whether notifications reach them', async () => {
  const phones = ['', '+44 20 7946 0123', '0044 20 7946 0123', '020 7946 0123', 'call me', '+49 (0)151 23456789'];
  const people = fc.record({
    active: fc.boolean(),
    email: fc.constantFrom('mia@plant.example', 'mia@plant'),
    phone: fc.constantFrom(...phones),
    push: fc.integer({ min: 0, max: 1 }),
    wants: fc.record({ email: fc.boolean(), sms: fc.boolean(), whatsapp: fc.boolean(), push: fc.boolean() }),
  });
  const user = await person('Generated');
  await fc.assert(
    fc.asyncProperty(people, async ({ active, email, phone, push, wants }) => {
      await serviceQuery(
        app.db,
        `update tocsin.user set status = $2, phone_number = $3, email_notification = $4, sms_notification = $5,
           whatsapp_notification = $6, apps_notification = $7, email = $8 where uuid = $1`,
        [user.uuid, active, phone, wants.email, wants.sms, wants.whatsapp, wants.push, email],
      );
      await serviceQuery(app.db, 'delete from tocsin.push_subscription where tocsin_user_uuid = $1', [user.uuid]);
      if (push > 0) {
        await insertRow(app.db, 'tocsin.push_subscription', {
          ...{ tocsin_customer_uuid: staff.customer.uuid, tocsin_user_uuid: user.uuid },
          ...{ endpoint: 'https://push.example/1', subscription: '{"endpoint":"https://push.example/1"}', device: '' },
        });
      }
      const known: Person = {
        ...{ uuid: user.uuid, name: 'Generated', active, varified: true, email, phone, wants },
        pushAddresses: push > 0 ? ['one'] : [],
      };
      const [row] = await list(manager, 'peopleReach', 'unreachableBecause', { personUuids: ['[UUID]!', [user.uuid]] });
      expect(row.unreachableBecause).toBe(unreachableBecause(known));
    }),
    { numRuns: 60 },
  );
});

describe('a rule reaches nobody', () => {
  test('without a rule alert, or with one without recipients', async () => {
    const { station, name } = await ruleAt();
    expect(await unreached(station)).toEqual([{ ruleName: name, kind: 'rule', because: 'no-alert' }]);
    await done(savePlan(station, name, {}));
    expect(await unreached(station)).toEqual([{ ruleName: name, kind: 'rule', because: 'nobody' }]);
  });

  test.each([
    ['disabled', { status: false }],
    ['without a method', { email_notification: false }],
    ['without an address for their only method', { email_notification: false, sms_notification: true }],
  ])('when its only recipient is %s', async (_, change) => {
    const { station, name } = await ruleAt();
    const nina = await person('Nina');
    await done(savePlan(station, name, { people: [nina] }));
    expect(await unreached(station)).toEqual([]);
    const [[column, value]] = Object.entries(change) as [[string, boolean]];
    for (const [one, to] of Object.entries(change))
      await serviceQuery(app.db, `update tocsin.user set ${one} = $2 where uuid = $1`, [nina.uuid, to]);
    expect(await unreached(station), `${column} ${value}`).toEqual([
      { ruleName: name, kind: 'rule', because: 'nobody' },
    ]);
  });

  test('when its only recipient is deleted', async () => {
    const { station, name } = await ruleAt();
    const nina = await person('Nina');
    await done(savePlan(station, name, { people: [nina] }));
    await serviceQuery(app.db, 'delete from tocsin.user where uuid = $1', [nina.uuid]);
    expect(await unreached(station)).toMatchObject([{ because: 'nobody' }]);
  });

  test('unless an action reaches somebody, or the escalation of an alarm that must be acknowledged', async () => {
    const { station, name } = await ruleAt();
    const [nina, omar] = [await person('Nina'), await person('Omar')];
    const alert = await done(savePlan(station, name, { people: [nina], escalates: [omar] }));
    await disable(nina);
    expect(await unreached(station)).toEqual([]);
    const { uuid } = alert.ruleAlert ?? alert;
    await done(savePlan(station, name, { people: [nina], escalates: [omar], uuid, indAck: false }));
    expect(await unreached(station)).toMatchObject([{ because: 'nobody' }]);
    const action = await done(create(manager, 'action', { ...places(station), action: 1, notifyTo: omar.uuid }));
    expect(await unreached(station)).toEqual([]);
    await disable(omar);
    expect(await unreached(station)).toMatchObject([{ because: 'nobody' }]);
    expect(action.uuid).toBeTruthy();
  });

  test('is shown to an operator for linked sites, and never to a partner account', async () => {
    const { station } = await ruleAt();
    expect(await unreached(station, operator)).toEqual([]);
    await linkUser(app.db, staff.operator, station.site);
    expect(await unreached(station, operator)).toHaveLength(1);
    expect(await unreached(station, await app.browser(staff.partner))).toEqual([]);
  });
});

describe('a disabled user', () => {
  const refusal =
    'Nina is disabled and would receive no notification. Choose someone else, or enable the account first.';

  test('is refused as a new recipient, escalation target and person of an action', async () => {
    const { station, name } = await ruleAt();
    const nina = await person('Nina', { status: false });
    expect((await savePlan(station, name, { people: [nina] })).refusal).toMatchObject({
      field: 'people',
      message: refusal,
    });
    expect((await savePlan(station, name, { escalates: [nina] })).refusal).toMatchObject({
      field: 'escalates',
      message: refusal,
    });
    const alert = await done(create(manager, 'ruleAlert', { tocsinSiteUuid: station.site.uuid, tocsinRuleName: name }));
    const link = { tocsinRuleAlertUuid: alert.uuid, tocsinUserUuid: nina.uuid };
    for (const noun of ['ruleAlertUser', 'ruleEscalateUser']) {
      expect((await create(manager, noun, link)).refusal, noun).toMatchObject({ message: refusal });
    }
    for (const action of [
      { action: 1, notifyTo: nina.uuid },
      { action: 2, tocsinUsers: nina.uuid },
    ]) {
      expect((await create(manager, 'action', { ...places(station), ...action })).refusal).toMatchObject({
        field: action.action === 1 ? 'notifyTo' : 'tocsinUsers',
        message: refusal,
      });
    }
  });

  test('stays in a rule alert that already has them, which can otherwise be changed', async () => {
    const { station, name } = await ruleAt();
    const [nina, omar] = [await person('Nina'), await person('Omar')];
    const saved = await done(savePlan(station, name, { people: [nina], escalates: [nina] }));
    const { uuid } = saved.ruleAlert ?? saved;
    const action = await done(create(manager, 'action', { ...places(station), action: 1, notifyTo: nina.uuid }));
    await disable(nina);
    await done(savePlan(station, name, { people: [nina, omar], escalates: [nina], uuid, indAck: false }));
    await done(update(manager, 'action', action.uuid, { escalate: true }));
  });
});

describe('disabling a user', () => {
  const affected = (...people: UserRow[]) =>
    list(manager, 'ruleAlertsOfPeople', 'ruleName roles reachesNobodyThen', {
      personUuids: ['[UUID]!', people.map(({ uuid }) => uuid)],
    });

  test('lists first the rule alerts that would reach nobody, then those that reach others', async () => {
    const [alone, shared] = [await ruleAt('A alone'), await ruleAt('B shared')];
    const [nina, omar] = [await person('Nina'), await person('Omar')];
    await done(savePlan(alone.station, alone.name, { people: [nina], escalates: [nina] }));
    await done(savePlan(shared.station, shared.name, { people: [nina], escalates: [omar] }));
    expect(await affected(nina)).toEqual([
      { ruleName: 'A alone', roles: 'notified,escalation', reachesNobodyThen: true },
      { ruleName: 'B shared', roles: 'notified', reachesNobodyThen: false },
    ]);
    // With both users disabled, the second rule alert also reaches nobody.
    expect((await affected(nina, omar)).map(({ reachesNobodyThen }) => reachesNobodyThen)).toEqual([true, true]);
  });

  test('replaces the user everywhere in the same transaction', async () => {
    const { station, name } = await ruleAt();
    const [nina, omar] = [await person('Nina'), await person('Omar')];
    await done(savePlan(station, name, { people: [nina, omar], escalates: [nina] }));
    await done(create(manager, 'action', { ...places(station), action: 2, tocsinUsers: nina.uuid }));
    await done(save(manager, 'disableUsers', { users: [nina.uuid], replacement: omar.uuid }, 'disabledCount'));
    expect(await unreached(station)).toEqual([]);
    expect(await affected(nina)).toEqual([]);
    expect(await affected(omar)).toMatchObject([{ ruleName: name, roles: 'notified,escalation' }]);
    const [action] = await serviceQuery(app.db, 'select tocsin_users from tocsin.action where tocsin_site_uuid = $1', [
      station.site.uuid,
    ]);
    expect(action.tocsin_users).toBe(omar.uuid);
    const [row] = await serviceQuery(app.db, 'select status from tocsin.user where uuid = $1', [nina.uuid]);
    expect(row.status).toBe(false);
  });

  test('links the replacement to the sites of these rule alerts and actions, which were listed before', async () => {
    const [linked, other, acting] = [await ruleAt(), await ruleAt(), await ruleAt()];
    const [nina, omar] = [await person('Nina'), await person('Omar')];
    await done(savePlan(linked.station, linked.name, { people: [nina] }));
    await done(savePlan(other.station, other.name, { escalates: [nina] }));
    await done(create(manager, 'action', { ...places(acting.station), action: 1, notifyTo: nina.uuid }));
    await linkUser(app.db, omar, linked.station.site);
    const gained = (replacement: UserRow, browser = manager) =>
      list(browser, 'sitesForReplacement', 'uuid', {
        personUuids: ['[UUID]!', [nina.uuid]],
        replacement: ['UUID!', replacement.uuid],
      });
    const expected = [other.station.site.uuid, acting.station.site.uuid].sort();
    expect((await gained(omar)).map(({ uuid }) => uuid).sort()).toEqual(expected);
    expect(await gained(staff.manager)).toEqual([]);
    expect(await gained(omar, operator)).toEqual([]);
    await done(save(manager, 'disableUsers', { users: [nina.uuid], replacement: omar.uuid }, 'disabledCount'));
    const links = await serviceQuery(
      app.db,
      'select tocsin_site_uuid as site from tocsin.site_user where tocsin_user_uuid = $1',
      [omar.uuid],
    );
    expect(links.map(({ site }) => site).sort()).toEqual([linked.station.site.uuid, ...expected].sort());
    expect(await gained(omar)).toEqual([]);
  });

  test('refuses a partner account as the replacement and changes nothing', async () => {
    const { station, name } = await ruleAt();
    const nina = await person('Nina');
    await done(savePlan(station, name, { people: [nina] }));
    const input = { users: [nina.uuid], replacement: staff.partner.uuid };
    const owner = await app.browser(staff.owner);
    expect((await save(owner, 'disableUsers', input, 'disabledCount')).refusal).toMatchObject({
      field: 'replacement',
      message: expect.stringMatching(/is a partner account and cannot open alarms\. Choose a person\.$/),
    });
    expect(await affected(nina)).toMatchObject([{ ruleName: name }]);
  });

  test('changes nothing if the replacement is disabled too, or the user is above the manager', async () => {
    const { station, name } = await ruleAt();
    const [nina, gone] = [await person('Nina'), await person('Gone', { status: false })];
    await done(savePlan(station, name, { people: [nina] }));
    const refused = await save(
      manager,
      'disableUsers',
      { users: [nina.uuid], replacement: gone.uuid },
      'disabledCount',
    );
    expect(refused.refusal).toMatchObject({
      field: 'replacement',
      message: expect.stringMatching(/^Gone is disabled/),
    });
    const omar = await person('Omar');
    const above = await save(
      manager,
      'disableUsers',
      { users: [nina.uuid, staff.owner.uuid], replacement: omar.uuid },
      'disabledCount',
    );
    expect(above.refusal).toMatchObject({ code: 'NOT_FOUND' });
    const [row] = await serviceQuery(app.db, 'select status from tocsin.user where uuid = $1', [nina.uuid]);
    expect(row.status).toBe(true);
    expect(await affected(nina)).toMatchObject([{ ruleName: name }]);
  });
});
