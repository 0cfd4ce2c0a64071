/** Values that must be unique, and the refusals of duplicates. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, update } from './api.ts';
import { buildStation, highLevel, type Station, unique } from './pumps.ts';

type Values = Record<string, unknown>;

/** A customer, its owner, and the rows to which new records of this customer refer. */
interface Side {
  staff: Staff;
  owner: TestBrowser;
  station: Station;
  secondChannel: { uuid: string };
  alert: { uuid: string };
  reasons: { uuid: string }[];
  people: { uuid: string }[];
}

let app: TestApp;
let ours: Side;
let theirs: Side;

async function buildSide(): Promise<Side> {
  const staff = await app.staff();
  const owner = await app.browser(staff.owner);
  const station = await buildStation(app.db, staff.customer);
  const alert = await done(create(owner, 'ruleAlert', { tocsinSiteUuid: station.site.uuid, tocsinRuleName: 'Level' }));
  const reason = (text: string) => done(create(owner, 'reason', { ruleUuid: alert.uuid, reason: text }));
  const person = () => createUser(app.db, { customer: staff.customer, level: 30 });
  const secondChannel = await done(
    create(owner, 'sensorChannel', { tocsinSensorUuid: station.sensor.uuid, name: 'Spare', channelNumber: 2 }),
  );
  return {
    staff,
    owner,
    station,
    secondChannel,
    alert,
    reasons: [await reason('Known'), await reason('Unknown')],
    people: [await person(), await person()],
  };
}

beforeAll(async () => {
  app = await startTestApp();
  ours = await buildSide();
  theirs = await buildSide();
  // Both customers use the same site ID, because site IDs and uids are unique only within a customer.
  for (const { owner, station } of [ours, theirs])
    await done(update(owner, 'site', station.site.uuid, { siteId: 'PS-EQUAL' }));
});
afterAll(() => app?.close());

interface Rule {
  noun: string;
  /** Two rows that differ only in the value that must be unique. */
  rows(side: Side): Promise<[Values, Values]> | [Values, Values];
  field: string;
  message: string;
  /** The field whose change makes the second row equal to the first; undefined if no such field can be changed. */
  clash?: string;
  /** Values that differ from those of the first row in spelling but count as equal. */
  alike?: Values;
}

const worker = (): Values => ({
  username: unique('w'),
  displayName: 'W',
  email: `${unique('w')}@plant.example`,
  level: 30,
});
const datapoint = ({ station }: Side, channel: { uuid: string }): Values => ({
  tocsinAssetUuid: station.asset.uuid,
  tocsinSensorUuid: station.sensor.uuid,
  tocsinSensorChannelUuid: channel.uuid,
  tocsinDatapointName: 'Level',
  sensorType: 2,
});

const rules: Record<string, Rule> = {
  'a data point is unique by asset, sensor and channel': {
    noun: 'assetDatapoint',
    rows: async (side) => {
      // Creates a new pump, because the station's pump already has a data point for the first channel.
      const pump = await done(
        create(side.owner, 'asset', { tocsinSiteUuid: side.station.site.uuid, name: unique('Pump ') }),
      );
      return [
        { ...datapoint(side, side.station.channel), tocsinAssetUuid: pump.uuid },
        { ...datapoint(side, side.secondChannel), tocsinAssetUuid: pump.uuid },
      ];
    },
    clash: 'tocsinSensorChannelUuid',
    field: 'tocsinSensorChannelUuid',
    message: 'The asset already has a data point for this sensor and channel. Choose another channel.',
  },
  'a reason is unique within a rule': {
    noun: 'reason',
    rows: ({ alert }) => [
      { ruleUuid: alert.uuid, reason: 'Pump repaired' },
      { ruleUuid: alert.uuid, reason: 'Rain' },
    ],
    clash: 'reason',
    alike: { reason: 'PUMP repaired' },
    field: 'reason',
    message: 'The rule already has this reason. Enter another one.',
  },
  'rules JSON is unique by rule name and site id': {
    noun: 'rulesJson',
    rows: ({ station }) => [
      { ruleName: 'Storm', siteId: 'PS-EQUAL', ruleJson: highLevel(station) },
      { ruleName: 'Flood', siteId: 'PS-EQUAL', ruleJson: highLevel(station) },
    ],
    clash: 'ruleName',
    field: 'ruleName',
    message: 'The site already has a multi-condition rule with this name. Choose another name.',
  },
  'a rule alert is unique by site and rule name': {
    noun: 'ruleAlert',
    rows: ({ station }) => [
      { tocsinSiteUuid: station.site.uuid, tocsinRuleName: 'High' },
      { tocsinSiteUuid: station.site.uuid, tocsinRuleName: 'Low' },
    ],
    field: 'tocsinRuleName',
    message: 'The site already has a rule alert for this rule name. Change that rule alert, or choose another name.',
  },
  'a rule alert tells a person once': {
    noun: 'ruleAlertUser',
    rows: ({ alert, people }) => [
      { tocsinRuleAlertUuid: alert.uuid, tocsinUserUuid: people[0]!.uuid },
      { tocsinRuleAlertUuid: alert.uuid, tocsinUserUuid: people[1]!.uuid },
    ],
    field: 'tocsinUserUuid',
    message: 'This person is already a recipient of this rule alert. Change that entry, or choose another person.',
  },
  'a rule alert escalates to a person once': {
    noun: 'ruleEscalateUser',
    rows: ({ alert, people }) => [
      { tocsinRuleAlertUuid: alert.uuid, tocsinUserUuid: people[0]!.uuid },
      { tocsinRuleAlertUuid: alert.uuid, tocsinUserUuid: people[1]!.uuid },
    ],
    clash: 'tocsinUserUuid',
    field: 'tocsinUserUuid',
    message: 'This person is already in the escalation of this rule alert. Choose another person.',
  },
  'a person is linked to a site once': {
    noun: 'siteUser',
    rows: ({ station, people }) => [
      { tocsinSiteUuid: station.site.uuid, tocsinUserUuid: people[0]!.uuid },
      { tocsinSiteUuid: station.site.uuid, tocsinUserUuid: people[1]!.uuid },
    ],
    clash: 'tocsinUserUuid',
    field: 'tocsinUserUuid',
    message: 'This person is already linked to the site. Change that link, or choose another person.',
  },
  'a reason is linked to a site once': {
    noun: 'siteReason',
    rows: ({ station, reasons }) => [
      { tocsinReasonUuid: reasons[0]!.uuid, tocsinSiteUuid: station.site.uuid },
      { tocsinReasonUuid: reasons[1]!.uuid, tocsinSiteUuid: station.site.uuid },
    ],
    clash: 'tocsinReasonUuid',
    field: 'tocsinReasonUuid',
    message: 'This reason is already linked to the site. Choose another one.',
  },
  'a user’s e-mail address is unique': {
    noun: 'user',
    rows: () => [{ ...worker(), email: 'Ann@plant.example' }, worker()],
    clash: 'email',
    alike: { email: 'ann@PLANT.example' },
    field: 'email',
    message: 'Another user has this e-mail address. Use another.',
  },
  'a user name is unique': {
    noun: 'user',
    rows: () => [{ ...worker(), username: 'Bert' }, worker()],
    clash: 'username',
    alike: { username: 'bert' },
    field: 'username',
    message: 'Another user has this user name. Choose another.',
  },
  'a group’s name is unique on its level': {
    noun: 'group',
    rows: () => [
      { level: 4, name: 'North' },
      { level: 4, name: 'South' },
    ],
    clash: 'name',
    alike: { name: 'NORTH' },
    field: 'name',
    message: 'There is already a group with this name on this level. Choose another name.',
  },
  'a site id is unique': {
    noun: 'site',
    rows: () => [
      { siteId: 'PS-900', name: 'One' },
      { siteId: 'PS-901', name: 'Two' },
    ],
    clash: 'siteId',
    field: 'siteId',
    message: 'Another site has this ID. Choose another ID.',
  },
  'a sensor’s uid is unique': {
    noun: 'sensor',
    rows: () => [
      { uid: 'NM-900', sensorType: 1 },
      { uid: 'NM-901', sensorType: 1 },
    ],
    clash: 'uid',
    field: 'uid',
    message: 'Another sensor has this uid. Choose another.',
  },
  'a channel number is unique in its sensor': {
    noun: 'sensorChannel',
    rows: ({ station }) => [
      { tocsinSensorUuid: station.sensor.uuid, name: 'Door', channelNumber: 31 },
      { tocsinSensorUuid: station.sensor.uuid, name: 'Door', channelNumber: 32 },
    ],
    clash: 'channelNumber',
    field: 'channelNumber',
    message: 'This sensor already has a channel with this number. Choose another number.',
  },
  'an asset’s name is unique on its site': {
    noun: 'asset',
    rows: ({ station }) => [
      { tocsinSiteUuid: station.site.uuid, name: 'Mixer' },
      { tocsinSiteUuid: station.site.uuid, name: 'Valve' },
    ],
    clash: 'name',
    alike: { name: 'mixer' },
    field: 'name',
    message: 'The site already has an asset with this name. Choose another name.',
  },
  'a default message is unique': {
    noun: 'alarmDefaultMessage',
    rows: () => [{ message: 'Look at {site}' }, { message: 'Go to {site}' }],
    clash: 'message',
    field: 'message',
    message: 'There is already a default message with this text. Enter another one.',
  },
};

describe.each(Object.entries(rules))('%s', (_title, rule) => {
  test('refuses a duplicate at its field, on create and on update, and a row does not conflict with itself', async () => {
    const { noun, clash, alike, field, message } = rule;
    const { owner } = ours;
    const [first, second] = await rule.rows(ours);
    const a = await done(create(owner, noun, first));
    const b = await done(create(owner, noun, second));
    const refusal = { code: 'CONFLICT', field, message };
    // The second user has different values from the first one in all fields except the tested one.
    const again = noun === 'user' ? { ...worker(), [field]: first[field] } : first;
    expect((await create(owner, noun, again)).refusal).toEqual(refusal);
    if (alike) expect((await create(owner, noun, { ...again, ...alike })).refusal).toEqual(refusal);
    if (!clash) return;
    const patch = { [clash]: first[clash] };
    expect((await update(owner, noun, b.uuid, patch)).refusal).toEqual(refusal);
    expect((await update(owner, noun, a.uuid, patch)).row).toEqual({ uuid: a.uuid });
  });

  test('accepts an identical row of another customer', async () => {
    const [first] = await rule.rows(theirs);
    expect((await create(theirs.owner, rule.noun, first)).row).toHaveProperty('uuid');
  });
});

test('refuses a site id that differs only in case, at its field; a site may change its own', async () => {
  const { owner, station } = ours;
  const [id, other] = [unique('CASE-'), unique('ELSE-')];
  const site = await done(create(owner, 'site', { siteId: id, name: 'One' }));
  const second = await done(create(owner, 'site', { siteId: other, name: 'Two' }));
  const small = id.toLowerCase();
  const message = `Another site has the ID ${id}, which differs only in upper and lower case. Choose another ID.`;
  const refusal = { code: 'CONFLICT', field: 'siteId', message };
  expect((await create(owner, 'site', { siteId: small, name: 'Three' })).refusal).toEqual(refusal);
  expect((await update(owner, 'site', second.uuid, { siteId: small })).refusal).toEqual(refusal);
  const copy = await owner.graphql('mutation ($input: CopySiteInput!) { copySite(input: $input) { site { uuid } } }', {
    input: { uuid: station.site.uuid, siteId: small, name: 'Copy' },
  });
  expect(copy.errors?.[0]).toMatchObject({ message, extensions: { code: 'CONFLICT', field: 'siteId' } });
  const saved = await owner.graphql('mutation ($input: SaveSiteInput!) { saveSite(input: $input) { site { uuid } } }', {
    input: {
      site: { siteId: small, name: 'Saved' },
      linkUsers: [],
      unlinkUsers: [],
      linkReasons: [],
      unlinkReasons: [],
    },
  });
  expect(saved.errors?.[0]).toMatchObject({ message });
  expect((await update(owner, 'site', site.uuid, { siteId: small })).row).toEqual({ uuid: site.uuid });
  await done(create(theirs.owner, 'site', { siteId: id, name: 'Theirs' }));
});

test('accepts the same reason in another rule, and the same group name on another level', async () => {
  const { owner, station } = ours;
  const other = await done(create(owner, 'ruleAlert', { tocsinSiteUuid: station.site.uuid, tocsinRuleName: 'Other' }));
  await done(create(owner, 'reason', { ruleUuid: other.uuid, reason: 'Known' }));
  for (const level of [2, 3]) await done(create(owner, 'group', { level, name: 'Same name' }));
});

test('links a reason to a person at a site once', async () => {
  const { owner, station, reasons, people } = ours;
  const link = {
    tocsinReasonUuid: reasons[0]!.uuid,
    tocsinSiteUuid: station.site.uuid,
    tocsinUserUuid: people[0]!.uuid,
  };
  await done(create(owner, 'userReason', link));
  expect((await create(owner, 'userReason', link)).refusal).toEqual({
    code: 'CONFLICT',
    field: 'tocsinReasonUuid',
    message: 'This reason is already linked to the person at this site. Choose another one.',
  });
  await done(create(owner, 'userReason', { ...link, tocsinUserUuid: people[1]!.uuid }));
});

test('refuses rules JSON for another customer’s site id', async () => {
  const only = await done(create(theirs.owner, 'site', { siteId: unique('ONLY-'), name: 'Theirs' }, 'siteId'));
  const rule = { ruleName: 'Storm', ruleJson: highLevel(ours.station) };
  const message = 'No site has this ID. Use the ID of one of your sites.';
  const refusal = { code: 'BAD_USER_INPUT', field: 'siteId', message };
  expect((await create(ours.owner, 'rulesJson', { ...rule, siteId: only.siteId })).refusal).toEqual(refusal);
  expect((await create(ours.owner, 'rulesJson', { ...rule, siteId: 'NOWHERE' })).refusal).toEqual(refusal);
});
