/** The mutations in section 7 of the specification, except alarm mutations, which alarm-mutations.db.test.ts tests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeholders, unknownPlaceholderWords } from '../../domain/alarm/message.ts';
import { createUser, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, list, missing, outcome, remove, update } from './api.ts';
import { buildStation, highLevel, places, type Station, unique } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let station: Station;
/** A second station. Tests move references from one station to the other. */
let other: Station;
/** Groups of level 2, 3 and 4. */
let groups: { uuid: string }[];
let alert: { uuid: string };
let reasons: { uuid: string }[];
let colleague: { uuid: string };

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  owner = await app.browser(staff.owner);
  station = await buildStation(app.db, staff.customer);
  other = await buildStation(app.db, staff.customer);
  colleague = await createUser(app.db, { customer: staff.customer, level: 30 });
  groups = await Promise.all([2, 3, 4].map((level) => done(create(owner, 'group', { level, name: unique('Of ') }))));
  alert = await done(create(owner, 'ruleAlert', { tocsinSiteUuid: station.site.uuid, tocsinRuleName: 'High level' }));
  reasons = await Promise.all(
    ['Rain', 'Repair'].map((reason) => done(create(owner, 'reason', { ruleUuid: alert.uuid, reason }))),
  );
});
afterAll(() => app?.close());

type Values = Record<string, unknown>;

/**
 * Values for creating and changing rows. Each entry is a function, because the referenced rows exist only after the
 * setup.
 */
const nouns: Record<string, () => { values: Values; patch: Values }> = {
  site: () => ({
    values: {
      siteId: unique('S-'),
      name: 'Weir',
      location: 'River',
      description: 'By the mill',
      address: '1 Mill Lane',
      siteType: 'Pumping station',
      siteCategory: 'A',
      phoneNumber: '+353861234567',
      ...Object.fromEntries(groups.map(({ uuid }, index) => [`tocsinGroup${index + 2}Uuid`, uuid])),
      tocsinGroup5Uuid: station.office.uuid,
      tocsinHealthDurationHours: 12,
      gsmProvider: 'Three',
    },
    patch: { name: 'Old weir', tocsinGroup3Uuid: null, tocsinGroup5Uuid: null, tocsinHealthDurationHours: 48 },
  }),
  asset: () => ({
    values: { tocsinSiteUuid: station.site.uuid, name: unique('Mixer '), description: 'Tank 2', status: true },
    patch: { tocsinSensorUuid: station.sensor.uuid, status: false },
  }),
  sensor: () => ({
    values: { uid: unique('CT-'), sensorType: 3, status: 1, description: 'Counter' },
    patch: { status: 2, description: 'In the workshop' },
  }),
  sensorChannel: () => ({
    values: {
      tocsinSensorUuid: station.sensor.uuid,
      name: 'Door',
      description: 'Of the hatch',
      channelNumber: 4,
      channelTitleText: 'Hatch',
      channelNormalColor: '#00aa00',
      channelAlarmColor: '#AA0000',
      channelAlarmCondition: 1,
      channelMajorAlarmStatus: true,
      channelLowText: 'Shut',
      channelHighText: 'Open',
    },
    patch: { channelNumber: 5, channelAlarmCondition: 0 },
  }),
  assetDatapoint: () => ({
    values: {
      tocsinAssetUuid: station.asset.uuid,
      tocsinSensorUuid: other.sensor.uuid,
      tocsinSensorChannelUuid: other.channel.uuid,
      tocsinDatapointName: 'Flow',
      uom: 'l/s',
      sensorType: 2,
      tocsinAssetDatapointOrder: 3,
      datapointColor: '#123456',
      datapointTitleText: 'Outflow',
      description: 'At the gate',
    },
    patch: { tocsinDatapointName: 'Outflow', uom: 'm3/h', status: 1 },
  }),
  user: () => ({
    values: {
      username: unique('worker'),
      displayName: 'New worker',
      email: `${unique('worker')}@plant.example`,
      phoneNumber: '+353870000000',
      level: 25,
      status: true,
      emailNotification: true,
      smsNotification: true,
      whatsappNotification: false,
      appsNotification: false,
    },
    patch: { displayName: 'Seasoned worker', level: 15, whatsappNotification: true },
  }),
  reason: () => ({ values: { ruleUuid: alert.uuid, reason: unique('Reason ') }, patch: { reason: unique('Better ') } }),
  siteReason: () => ({
    values: { tocsinReasonUuid: reasons[0]!.uuid, tocsinSiteUuid: station.site.uuid },
    patch: { tocsinSiteUuid: other.site.uuid },
  }),
  rule: () => ({
    values: { ...places(station), name: 'High level', valueLower: 0.5, valueUpper: 4.5, debounce: 60 },
    patch: { valueLower: null, valueUpper: 5, debounce: 0 },
  }),
  ruleAlert: () => ({
    values: { tocsinSiteUuid: station.site.uuid, tocsinRuleName: unique('Rule '), indAck: false },
    patch: { indAck: true },
  }),
  ruleAlertUser: () => ({
    values: { tocsinRuleAlertUuid: alert.uuid, tocsinUserUuid: colleague.uuid, isAlert: true, isHealth: true },
    patch: { isAlert: false, isResolve: true },
  }),
  ruleEscalateUser: () => ({
    values: { tocsinRuleAlertUuid: alert.uuid, tocsinUserUuid: colleague.uuid },
    patch: { tocsinUserUuid: staff.manager.uuid },
  }),
  siteUser: () => ({
    values: { tocsinSiteUuid: station.site.uuid, tocsinUserUuid: colleague.uuid },
    patch: { tocsinSiteUuid: other.site.uuid },
  }),
  ...Object.fromEntries(
    [2, 3, 4, 5].map((level) => [
      `group of level ${level}`,
      () => ({ values: { level, name: unique('Area ') }, patch: { name: unique('District '), status: false } }),
    ]),
  ),
};

describe('create, update and delete', () => {
  test.each(Object.keys(nouns))('%s', async (title) => {
    const noun = title.split(' ')[0]!;
    const { values, patch } = nouns[title]!();
    const fields = `uuid tocsinCustomerUuid ${Object.keys({ ...values, ...patch }).join(' ')}`;
    const created = await done(create(owner, noun, values, fields));
    expect(created).toMatchObject({ ...values, tocsinCustomerUuid: staff.customer.uuid });

    expect(await done(update(owner, noun, created.uuid, patch, fields))).toEqual({ ...created, ...patch });
    const read = async () =>
      (await owner.data(`query ($uuid: UUID!) { ${noun}(uuid: $uuid) { ${fields} } }`, { uuid: created.uuid }))[noun];
    expect(await read()).toEqual({ ...created, ...patch });

    expect(await done(remove(owner, noun, created.uuid))).toEqual({ uuid: created.uuid });
    expect(await read()).toBeNull();
    expect((await remove(owner, noun, created.uuid)).refusal).toEqual(missing);
    expect((await update(owner, noun, created.uuid, patch)).refusal).toEqual(missing);
  });
});

test('changes a data point’s status, colour, title and order separately', async () => {
  const fields = 'status datapointColor datapointTitleText tocsinAssetDatapointOrder tocsinDatapointName';
  const run = async (name: string, input: Values) => {
    const answer = await owner.graphql(
      `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { assetDatapoint { ${fields} } } }`,
      { input },
    );
    return outcome(answer, answer.data?.[name]?.assetDatapoint);
  };
  const { uuid } = other.datapoint;
  const before = (await owner.data(`query ($uuid: UUID!) { assetDatapoint(uuid: $uuid) { ${fields} } }`, { uuid }))
    .assetDatapoint;
  const coloured = { status: 2, datapointColor: '#c6162b', datapointTitleText: 'High' };
  expect((await run('updateAssetDatapointStatus', { uuid, ...coloured })).row).toEqual({ ...before, ...coloured });
  // A change of the status alone leaves the colour and the title unchanged.
  const calm = { ...before, ...coloured, status: 1 };
  expect((await run('updateAssetDatapointStatus', { uuid, status: 1 })).row).toEqual(calm);
  expect((await run('updateAssetDatapointOrder', { uuid, tocsinAssetDatapointOrder: 9 })).row).toEqual({
    ...calm,
    tocsinAssetDatapointOrder: 9,
  });
  expect((await run('updateAssetDatapointStatus', { uuid, status: 7 })).refusal).toMatchObject({ field: 'status' });
  const nobody = '00000000-0000-4000-8000-000000000000';
  expect((await run('updateAssetDatapointOrder', { uuid: nobody, tocsinAssetDatapointOrder: 1 })).refusal).toEqual(
    missing,
  );
});

test('a rule alert keeps its site and name; only indAck can change', async () => {
  for (const patch of [{ tocsinRuleName: 'Another' }, { tocsinSiteUuid: other.site.uuid }]) {
    const { refusal } = await update(owner, 'ruleAlert', alert.uuid, patch);
    expect(refusal?.message).toMatch(/is not defined by type "RuleAlertPatch"/);
  }
  expect(await done(update(owner, 'ruleAlert', alert.uuid, { indAck: false }, 'indAck tocsinRuleName'))).toEqual({
    indAck: false,
    tocsinRuleName: 'High level',
  });
});

test('creates and updates default messages, actions and rules JSON', async () => {
  const message = await done(create(owner, 'alarmDefaultMessage', { message: unique('Look at ') }));
  const better = unique('Go to ');
  expect(await done(update(owner, 'alarmDefaultMessage', message.uuid, { message: better }, 'message'))).toEqual({
    message: better,
  });

  const tocsinUsers = `${staff.owner.uuid}, ${staff.manager.uuid}`;
  const told = { ...places(station), action: 2, tocsinUsers, acknowledge: true };
  expect((await create(owner, 'action', { ...told, tocsinUsers: 'a,b' })).refusal).toEqual({
    code: 'BAD_USER_INPUT',
    field: 'tocsinUsers',
    message: 'Enter user uuids, separated by commas.',
  });
  const action = await done(create(owner, 'action', told, `uuid ${Object.keys(told).join(' ')}`));
  expect(action).toMatchObject(told);
  const patch = { action: 3, replyCommand: 'STOP PUMP', acknowledge: false };
  expect(
    await done(update(owner, 'action', action.uuid, patch, 'action replyCommand acknowledge tocsinUsers')),
  ).toEqual({ ...patch, tocsinUsers });

  const ruleJson = highLevel(station, 'all');
  const values = { ruleName: unique('Both '), siteId: station.site.site_id, ruleJson };
  const json = await done(create(owner, 'rulesJson', values, 'uuid ruleJson site { uuid }'));
  expect(json).toMatchObject({ ruleJson, site: { uuid: station.site.uuid } });
  const either = highLevel(station, 'any');
  expect(await done(update(owner, 'rulesJson', json.uuid, { ruleJson: either }, 'ruleJson ruleName'))).toEqual({
    ruleJson: either,
    ruleName: values.ruleName,
  });
  const empty = JSON.stringify({ conditions: { all: [] }, event: { type: 'alarm' } });
  for (const broken of ['{', '[]', '"text"', '{}', empty, highLevel(other, 'all')]) {
    expect((await update(owner, 'rulesJson', json.uuid, { ruleJson: broken })).refusal).toMatchObject({
      field: 'ruleJson',
    });
  }
});

test('a message accepts only known placeholders, but a stored message can still be saved', async () => {
  const known = placeholders.map(({ name }) => `{${name}}`).join(' ');
  const values = { ...places(station), name: unique('Named '), valueUpper: 4.5, message: known };
  const rule = await done(create(owner, 'rule', values));
  const unknown = `${known} {who} {alarm time} {who}`;
  const refusal = { code: 'BAD_USER_INPUT', field: 'message', message: unknownPlaceholderWords(unknown) };
  expect((await update(owner, 'rule', rule.uuid, { message: unknown })).refusal).toEqual(refusal);
  expect((await create(owner, 'rule', { ...values, name: unique('Named '), message: unknown })).refusal).toEqual(
    refusal,
  );
  expect((await create(owner, 'alarmDefaultMessage', { message: unknown })).refusal).toEqual(refusal);
  const event = { type: 'alarm', params: { message: unknown } };
  const ruleJson = JSON.stringify({ ...JSON.parse(highLevel(station)), event });
  expect(
    (await create(owner, 'rulesJson', { ruleName: unique('J '), siteId: station.site.site_id, ruleJson })).refusal,
  ).toEqual({ ...refusal, field: 'ruleJson' });

  // Rules from older versions can contain a message with an unknown placeholder. Such rules can still be saved.
  await serviceQuery(app.db, 'update tocsin.rule set message = $2 where uuid = $1', [rule.uuid, unknown]);
  await done(update(owner, 'rule', rule.uuid, { valueUpper: 5, message: unknown }));
  await done(create(owner, 'rule', { ...values, name: unique('Copy '), message: unknown }));
});

test.each([
  'deleteAction',
  'deleteAlarm',
  'deleteReplyMessage',
  'updateReplyMessage',
  'updateUserReason',
  'createAudit',
  'deleteAudit',
  'createNotification',
  'createCustomer',
  'deleteCustomer',
  'updatePartner',
])('the API has no mutation %s', async (name) => {
  const { errors } = await owner.graphql(`mutation { ${name}(input: {}) { clientMutationId } }`);
  expect(errors?.[0]?.message).toMatch(new RegExp(`^Cannot query field "${name}" on type "Mutation"`));
});

test('deletes user reasons by their reason, and no others', async () => {
  const link = (reason: number, user: { uuid: string }) =>
    done(
      create(owner, 'userReason', {
        tocsinReasonUuid: reasons[reason]!.uuid,
        tocsinUserUuid: user.uuid,
        tocsinSiteUuid: station.site.uuid,
      }),
    );
  await link(0, colleague);
  await link(0, staff.operator);
  const kept = await link(1, colleague);
  const run = () =>
    owner.data('mutation ($r: UUID!) { deleteUserReasons(input: { tocsinReasonUuid: $r }) { deletedCount } }', {
      r: reasons[0]!.uuid,
    });
  expect((await run()).deleteUserReasons.deletedCount).toBe(2);
  expect(await list(owner, 'userReasons', 'uuid')).toEqual([{ uuid: kept.uuid }]);
  expect((await run()).deleteUserReasons.deletedCount).toBe(0);
});

test('deletes rules JSON by rule name and site id', async () => {
  const rule = (at: Station) => ({ ruleName: 'Storm', siteId: at.site.site_id, ruleJson: highLevel(at, 'all') });
  await done(create(owner, 'rulesJson', rule(station)));
  const kept = await done(create(owner, 'rulesJson', rule(other)));
  const run = async () => {
    const answer = await owner.graphql(
      'mutation ($s: String!) { deleteRulesJson(input: { ruleName: "Storm", siteId: $s }) { rulesJson { siteId } } }',
      { s: station.site.site_id },
    );
    return outcome(answer, answer.data?.deleteRulesJson?.rulesJson);
  };
  expect((await run()).row).toEqual({ siteId: station.site.site_id });
  expect((await run()).refusal).toEqual(missing);
  const left = await list(owner, 'rulesJsons', 'uuid', {
    filter: ['RulesJsonFilter', { ruleName: { equalTo: 'Storm' } }],
  });
  expect(left).toEqual([{ uuid: kept.uuid }]);
});

test.each(['site', 'asset', 'sensor'])('refuses a %s of another customer at its field', async (noun) => {
  const { uuid: tocsinCustomerUuid } = (await app.staff()).customer;
  const { refusal } = await create(owner, noun, { ...nouns[noun]!().values, tocsinCustomerUuid });
  expect(refusal).toMatchObject({ code: 'FORBIDDEN', field: 'tocsinCustomerUuid' });
  expect(refusal?.message).toMatch(/^This is not your customer\. Omit the field/);
});

test('a reason refers to its rule alert by the rule’s uuid', async () => {
  const values = {
    tocsinSiteUuid: station.site.uuid,
    tocsinAssetUuid: station.asset.uuid,
    tocsinDatapointUuid: station.datapoint.uuid,
    valueUpper: 9,
  };
  const rule = await done(create(owner, 'rule', { ...values, name: 'Level of reasons' }));
  const early = await create(owner, 'reason', { ruleUuid: rule.uuid, reason: 'Too early' });
  expect(early.refusal).toMatchObject({ code: 'BAD_USER_INPUT', field: 'ruleUuid' });
  const alert = await done(
    create(owner, 'ruleAlert', { tocsinSiteUuid: station.site.uuid, tocsinRuleName: 'Level of reasons' }),
  );
  const reason = await done(create(owner, 'reason', { ruleUuid: rule.uuid, reason: 'Pump cleaned' }, 'ruleUuid'));
  expect(reason.ruleUuid).toBe(alert.uuid);
  const [count] = await serviceQuery(app.db, 'select count(*)::int as n from tocsin.reason where rule_uuid = $1', [
    alert.uuid,
  ]);
  expect(count.n).toBe(1);
});

test('a manager marks a reason as nuisance, which a new reason is not', async () => {
  const alert = await done(
    create(owner, 'ruleAlert', { tocsinSiteUuid: station.site.uuid, tocsinRuleName: 'Level of nuisance' }),
  );
  const [manager, operator] = [await app.browser(staff.manager), await app.browser(staff.operator)];
  const reason = await done(
    create(manager, 'reason', { ruleUuid: alert.uuid, reason: 'Pump starting' }, 'uuid isNuisance'),
  );
  expect(reason.isNuisance).toBe(false);
  await done(update(manager, 'reason', reason.uuid, { isNuisance: true }));
  const [row] = await serviceQuery(app.db, 'select is_nuisance from tocsin.reason where uuid = $1', [reason.uuid]);
  expect(row.is_nuisance).toBe(true);
  expect((await update(operator, 'reason', reason.uuid, { isNuisance: false })).refusal).toBeDefined();
});
