/**
 * One call saves a record together with its linked rows. If the API refuses any of the rows, the call saves nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { countRows, save, type Values } from './api.ts';
import { buildStation, type Station, unique } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let other: Staff;
let manager: TestBrowser;
let station: Station;
let helper: { uuid: string };
const nobody = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  other = await app.staff();
  manager = await app.browser(staff.manager);
  station = await buildStation(app.db, staff.customer);
  helper = await createUser(app.db, { customer: staff.customer, level: 20 });
});
afterAll(() => app?.close());

describe('a rule alert', () => {
  const told = (uuid: string, flags: Values = {}) => ({
    tocsinUserUuid: uuid,
    isAlert: true,
    isResolve: false,
    isHealth: false,
    ...flags,
  });
  const alert = (values: Values = {}): Values => ({
    tocsinSiteUuid: station.site.uuid,
    tocsinRuleName: unique('Level high '),
    indAck: true,
    escalateMinutes: 5,
    escalateIntervalMinutes: 10,
    escalateCount: 2,
    people: [told(staff.operator.uuid)],
    escalates: [helper.uuid],
    reasons: ['Storm', 'Blocked screen'],
    ...values,
  });
  const saveAlert = (input: Values, browser = manager) =>
    save(
      browser,
      'saveRuleAlert',
      input,
      `ruleAlert { uuid updatedAt escalateMinutes
        ruleAlertUsers { nodes { uuid tocsinUserUuid isAlert isResolve isHealth } }
        ruleEscalateUsers { nodes { tocsinUserUuid } } reasons { nodes { uuid reason } } }`,
    ).then((answer) => ({ ...answer, row: answer.row?.ruleAlert }));
  const rowsOf = async (uuid: string) => ({
    people: await countRows(app.db, 'rule_alert_user', 'tocsin_rule_alert_uuid = $1', [uuid]),
    escalates: await countRows(app.db, 'rule_escalate_user', 'tocsin_rule_alert_uuid = $1', [uuid]),
    reasons: await countRows(app.db, 'reason', 'rule_uuid = $1', [uuid]),
  });

  test('is created with people and reasons, and updated to the given ones', async () => {
    const values = alert();
    const made = await saveAlert(values);
    expect(made.refusal).toBeUndefined();
    expect(await rowsOf(made.row.uuid)).toEqual({ people: 1, escalates: 1, reasons: 2 });
    const storm = made.row.reasons.nodes.find(({ reason }: { reason: string }) => reason === 'Storm').uuid;
    app.clock.advance(1000);
    const changed = await saveAlert({
      ...values,
      uuid: made.row.uuid,
      seen: made.row.updatedAt,
      escalateMinutes: 30,
      people: [told(staff.operator.uuid, { isHealth: true }), told(helper.uuid)],
      escalates: [],
      reasons: ['Storm', 'Power cut'],
    });
    expect(changed.refusal).toBeUndefined();
    expect(changed.row.escalateMinutes).toBe(30);
    const people = changed.row.ruleAlertUsers.nodes;
    expect(people).toHaveLength(2);
    // Rows of unchanged users are not rewritten, so the audit trail records only real changes.
    expect(people).toContainEqual({ ...made.row.ruleAlertUsers.nodes[0], isHealth: true });
    expect(changed.row.reasons.nodes).toContainEqual({ uuid: storm, reason: 'Storm' });
    expect(await rowsOf(made.row.uuid)).toEqual({ people: 2, escalates: 0, reasons: 2 });
  });

  test.each([
    ['an unknown person', { people: [told(nobody)] }, 'people', /no longer exists/],
    ['a person twice', { people: [told(nobody), told(nobody)] }, 'people', /listed twice|no longer exists/],
    ['an escalation to nobody', { escalates: [nobody] }, 'escalates', /no longer exists/],
    ['a reason twice', { reasons: ['Storm', 'storm'] }, 'reasons', /twice/],
    ['a reason without words', { reasons: [''] }, 'reasons', /1 to 200/],
    ['minutes that cannot be', { escalateMinutes: 0 }, 'escalateMinutes', /from 1 to 10,080/],
    ['an escalation of no times', { escalateCount: 0 }, 'escalateCount', /switch off escalation/],
    ['more reasons than allowed', { reasons: Array.from({ length: 201 }, String) }, 'reasons', /at most 200/],
  ])('with %s is refused at its field, and nothing is stored', async (_what, wrong, field, sentence) => {
    const values = alert(wrong);
    const { refusal } = await saveAlert(values);
    expect(refusal).toMatchObject({ code: 'BAD_USER_INPUT', field });
    expect(refusal?.message).toMatch(sentence);
    expect(await countRows(app.db, 'rule_alert', 'tocsin_rule_name = $1', [values.tocsinRuleName])).toBe(0);
  });

  test('that already has more people than allowed can be changed, but not extended', async () => {
    const values = alert({ escalates: [], reasons: [] });
    const made = await saveAlert(values);
    const crowd: { uuid: string }[] = await serviceQuery(
      app.db,
      `with people as (
         insert into tocsin.user (tocsin_customer_uuid, username, display_name, email, level)
         select $1, 'crowd-' || number, 'Crowd', 'crowd-' || number || '@plant.example', 20
         from generate_series(1, 201) number returning uuid)
       insert into tocsin.rule_alert_user (tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid)
       select $1, $2, uuid from people returning tocsin_user_uuid as uuid`,
      [staff.customer.uuid, made.row.uuid],
    );
    const people = [told(staff.operator.uuid), ...crowd.map(({ uuid }) => told(uuid))];
    const change = { ...values, uuid: made.row.uuid, escalateMinutes: 7, people };
    expect((await saveAlert(change)).refusal).toBeUndefined();
    expect(await rowsOf(made.row.uuid)).toEqual({ people: 202, escalates: 0, reasons: 0 });
    const { refusal } = await saveAlert({ ...change, people: [...people, told(helper.uuid)] });
    expect(refusal).toMatchObject({
      field: 'people',
      message: 'A rule alert can notify at most 200 people. Remove some.',
    });
    expect(await rowsOf(made.row.uuid)).toEqual({ people: 202, escalates: 0, reasons: 0 });
  });

  test('stays unchanged if one of its rows is refused', async () => {
    const values = alert();
    const made = await saveAlert(values);
    const change = { ...values, uuid: made.row.uuid, escalateMinutes: 99, people: [], reasons: ['', 'New'] };
    expect((await saveAlert(change)).refusal?.field).toBe('reasons');
    expect(await rowsOf(made.row.uuid)).toEqual({ people: 1, escalates: 1, reasons: 2 });
    expect(await countRows(app.db, 'rule_alert', 'uuid = $1 and escalate_minutes = 5', [made.row.uuid])).toBe(1);
  });

  test('that changed meanwhile is not overwritten, even if only people or reasons changed', async () => {
    const values = alert();
    const made = await saveAlert(values);
    const mine = { ...values, uuid: made.row.uuid, seen: made.row.updatedAt };
    app.clock.advance(1000);
    const added = await manager.graphql(
      'mutation ($r: ReasonInput!) { createReason(input: { reason: $r }) { clientMutationId } }',
      { r: { ruleUuid: made.row.uuid, reason: 'Theirs' } },
    );
    expect(added.errors).toBeUndefined();
    expect((await saveAlert(mine)).refusal).toMatchObject({ code: 'CONFLICT' });
    expect(await rowsOf(made.row.uuid)).toMatchObject({ reasons: 3 });
  });

  test('keeps its site and rule, belongs to its customer, and is for managers only', async () => {
    const values = alert();
    const { uuid } = (await saveAlert(values)).row;
    expect((await saveAlert({ ...values, uuid, tocsinRuleName: 'Other' })).refusal?.field).toBe('tocsinRuleName');
    const stranger = await app.browser(other.manager);
    expect((await saveAlert({ ...values, uuid }, stranger)).refusal?.code).toBe('NOT_FOUND');
    expect((await saveAlert(alert(), stranger)).refusal?.field).toBe('tocsinSiteUuid');
    expect((await saveAlert(alert({ people: [told(other.operator.uuid)] }))).refusal?.field).toBe('people');
    const operator = await app.browser(staff.operator);
    expect((await saveAlert(alert(), operator)).refusal?.code).toBe('FORBIDDEN');
    expect((await saveAlert({ ...values, uuid }, operator)).refusal?.code).toBe('NOT_FOUND');
  });
});

describe('a site', () => {
  const links = { linkUsers: [], unlinkUsers: [], linkReasons: [], unlinkReasons: [] };
  const site = (values: Values = {}) => ({ siteId: unique('PS-'), name: 'Kelder Road', ...values });
  const saveSite = (input: Values, browser = manager) =>
    save(browser, 'saveSite', input, 'site { uuid lastUpdated name address tocsinHealthDurationHours }').then(
      (answer) => ({ ...answer, row: answer.row?.site }),
    );

  test('is created with its people, and keeps those the manager does not see', async () => {
    const made = await saveSite({ ...links, site: site({ address: 'Mill Lane' }), linkUsers: [helper.uuid] });
    expect(made.row).toMatchObject({ name: 'Kelder Road', address: 'Mill Lane', tocsinHealthDurationHours: 24 });
    await insertRow(app.db, 'tocsin.site_user', {
      tocsin_customer_uuid: staff.customer.uuid,
      tocsin_site_uuid: made.row.uuid,
      tocsin_user_uuid: staff.owner.uuid,
    });
    app.clock.advance(1000);
    const changed = await saveSite({
      ...links,
      uuid: made.row.uuid,
      seen: made.row.lastUpdated,
      site: site({ name: 'Mill Road' }),
      linkUsers: [staff.operator.uuid, staff.operator.uuid],
      unlinkUsers: [helper.uuid],
    });
    expect(changed.row).toMatchObject({ name: 'Mill Road', address: 'Mill Lane' });
    const linked = await serviceQuery(
      app.db,
      'select tocsin_user_uuid from tocsin.site_user where tocsin_site_uuid = $1',
      [made.row.uuid],
    );
    expect(linked.map((row: any) => row.tocsin_user_uuid).sort()).toEqual(
      [staff.owner.uuid, staff.operator.uuid].sort(),
    );
    const late = { ...links, uuid: made.row.uuid, seen: made.row.lastUpdated, site: site(), linkUsers: [helper.uuid] };
    expect((await saveSite(late)).refusal?.code).toBe('CONFLICT');
    expect(await countRows(app.db, 'site_user', 'tocsin_site_uuid = $1', [made.row.uuid])).toBe(2);
  });

  test('with an invalid link is refused at its field, and not created', async () => {
    const one = site();
    for (const wrong of [nobody, staff.owner.uuid, other.operator.uuid]) {
      expect((await saveSite({ ...links, site: one, linkUsers: [helper.uuid, wrong] })).refusal?.field).toBe('users');
    }
    expect((await saveSite({ ...links, site: one, linkReasons: [nobody] })).refusal?.field).toBe('reasons');
    expect(await countRows(app.db, 'site', 'site_id = $1', [one.siteId])).toBe(0);
    const taken = { ...links, site: site({ siteId: station.site.site_id }) };
    expect((await saveSite(taken)).refusal).toMatchObject({ code: 'CONFLICT', field: 'siteId' });
  });

  test('is saved by a partner without links, and by nobody of another customer', async () => {
    const partner = await app.browser(staff.partner);
    const made = await saveSite({ ...links, site: site() }, partner);
    expect(made.refusal).toBeUndefined();
    expect((await saveSite({ ...links, site: site(), linkUsers: [helper.uuid] }, partner)).refusal?.field).toBe(
      'users',
    );
    const stranger = await app.browser(other.manager);
    expect((await saveSite({ ...links, uuid: made.row.uuid, site: site() }, stranger)).refusal?.code).toBe('NOT_FOUND');
  });
});

describe('a user', () => {
  const links = { linkSites: [], unlinkSites: [] };
  const person = (values: Values = {}) => {
    const username = unique('ana');
    return { username, displayName: 'Ana Reyes', email: `${username}@plant.example`, level: 20, ...values };
  };
  const saveUser = (input: Values, browser = manager) => save(browser, 'saveUser', input, 'userUuid');

  test('is created with sites, invited, and changed', async () => {
    const ana = person();
    const { row, refusal } = await saveUser({ ...links, user: ana, linkSites: [station.site.uuid] });
    expect(refusal).toBeUndefined();
    expect(await countRows(app.db, 'site_user', 'tocsin_user_uuid = $1', [row.userUuid])).toBe(1);
    const invited = await serviceQuery(app.db, 'select from tocsin_private.pending_invitation where user_uuid = $1', [
      row.userUuid,
    ]);
    expect(invited).toHaveLength(1);
    const [{ updatedAt }] = (
      await manager.data(`{ users(filter: { uuid: { equalTo: "${row.userUuid}" } }) { nodes { updatedAt } } }`)
    ).users.nodes;
    app.clock.advance(1000);
    const change = { uuid: row.userUuid, seen: updatedAt, user: { ...ana, displayName: 'Ana Ruiz' } };
    expect((await saveUser({ ...change, linkSites: [], unlinkSites: [station.site.uuid] })).refusal).toBeUndefined();
    expect(await countRows(app.db, 'site_user', 'tocsin_user_uuid = $1', [row.userUuid])).toBe(0);
    expect((await saveUser({ ...links, ...change })).refusal?.code).toBe('CONFLICT');
  });

  test('with an invalid site is refused at its field, and neither created nor invited', async () => {
    const ana = person();
    expect((await saveUser({ ...links, user: ana, linkSites: [nobody] })).refusal?.field).toBe('sites');
    expect(await countRows(app.db, 'user', 'username = $1', [ana.username])).toBe(0);
  });

  test('gets no level that the manager is not allowed to give', async () => {
    expect((await saveUser({ ...links, user: person({ level: 0 }) })).refusal?.code).toBe('FORBIDDEN');
    const owner = { ...links, uuid: staff.owner.uuid, user: person() };
    expect((await saveUser(owner)).refusal?.code).toBe('NOT_FOUND');
    const stranger = await app.browser(other.manager);
    expect((await saveUser({ ...links, uuid: helper.uuid, user: person() }, stranger)).refusal?.code).toBe('NOT_FOUND');
  });
});

test('many users are linked to many sites at once, and existing links stay', async () => {
  const link = (sites: string[], users: string[]) => save(manager, 'linkSiteUsers', { sites, users }, 'linked');
  const both = [staff.operator.uuid, helper.uuid];
  expect((await link([station.site.uuid], both)).refusal).toBeUndefined();
  expect((await link([station.site.uuid], both)).refusal).toBeUndefined();
  expect(await countRows(app.db, 'site_user', 'tocsin_site_uuid = $1', [station.site.uuid])).toBe(2);
  expect((await link([nobody], both)).refusal?.field).toBe('users');
  expect((await link(Array(40).fill(station.site.uuid), Array(40).fill(helper.uuid))).refusal?.message).toMatch(
    /1,000/,
  );
});
