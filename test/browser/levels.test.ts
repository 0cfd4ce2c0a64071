/** What each kind of account sees in the console, and that the API answers the same whatever the console shows. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create, forbidden, missing, outcome } from '../api/api.ts';
import { buildStation, openAlarm, places, type Station, unique } from '../api/pumps.ts';
import type { TestBrowser } from '../harness/app.ts';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../harness/console.ts';
import { insertRow, linkUser, type UserRow } from '../harness/factories.ts';
import { goTo, settled } from '../harness/settled.ts';
import { stored } from './admin.ts';

const roles = ['owner', 'manager', 'operator', 'partner'] as const;
type Role = (typeof roles)[number];

let app: ConsoleApp;
/** The operator is linked to the first of the two. */
let stations: [Station, Station];
beforeAll(async () => {
  app = await startConsole();
  const { customer, operator } = app.people;
  stations = [await buildStation(app.db, customer), await buildStation(app.db, customer)];
  await linkUser(app.db, operator, stations[0].site);
  for (const station of stations) {
    await insertRow(app.db, 'tocsin.rule', {
      tocsin_customer_uuid: customer.uuid,
      tocsin_site_uuid: station.site.uuid,
      tocsin_asset_uuid: station.asset.uuid,
      tocsin_datapoint_uuid: station.datapoint.uuid,
      name: unique('Level high '),
      value_upper: 4,
    });
    await openAlarm(app.db, station, { message: 'Level high', at: '2026-03-02T07:00:00Z' });
  }
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** One window for all of them, one after the other, in which they go from page to page: a new one compiles the console anew. */
let inUse: { page: Page; by: Role } | undefined;
async function windowOf(role: Role): Promise<Page> {
  if (inUse?.by === role) return inUse.page;
  await leaveWindow();
  const page = await app.open('/reports', { as: app.people[role] as UserRow });
  inUse = { page, by: role };
  return page;
}
async function leaveWindow(): Promise<void> {
  if (inUse) await app.leave(inUse.page);
  inUse = undefined;
}
const browsers = new Map<Role, Promise<TestBrowser>>();
function browserOf(role: Role): Promise<TestBrowser> {
  const known = browsers.get(role) ?? app.browser(app.people[role]);
  browsers.set(role, known);
  return known;
}

const places1to9 = [
  'Sites',
  'Sensor List',
  'Sensor-log',
  'Sensor-Command',
  'Assets',
  'Data Points',
  'Rules & Alerts',
  'Groups',
  'Users',
  'Alarm Default Message',
];

interface Menus {
  userLevel: string;
  header: string[];
  sidebar: string[];
}

const menus: Record<Role, Menus> = {
  owner: {
    userLevel: '-10',
    header: ['Dashboard', 'Reports', 'Admin'],
    sidebar: [...places1to9, 'Audit Trail', 'Channels', 'Company'],
  },
  manager: { userLevel: '-5', header: ['Dashboard', 'Reports', 'Admin'], sidebar: [...places1to9, 'Channels'] },
  operator: { userLevel: '10', header: ['Dashboard', 'Reports'], sidebar: [] },
  partner: {
    userLevel: '-5',
    header: ['Dashboard', 'Reports', 'Admin'],
    sidebar: places1to9.filter((name) => name !== 'Assets'),
  },
};

const noAdmin = 'The admin area is for owners and managers';
const notYours = 'This page is not part of your account';
const ownersKeepIt = 'The company is kept by its owners';
const noPlant = "Alarms and reports are not part of a partner's account";

interface Area {
  path: string;
  /** What the browser's tab is called. */
  title?: string;
  /** Who may open it. Others read the sentence. */
  open: Partial<Record<Role, true | string>>;
  /** The button that makes a new one, and who has it. */
  button?: [name: string, ...roles: Role[]];
  /** What the button makes, for asking the server without the console. */
  made?: [noun: string, values: () => Record<string, unknown> | Promise<Record<string, unknown>>];
}

const plantOnly = { partner: noPlant };
const managersOnly = { operator: noAdmin, partner: notYours };
const maintainersOnly = { operator: noAdmin };
const [first, newcomer] = [() => stations[0], () => unique('newcomer-')];

const areas: Area[] = [
  { path: '/dashboard', open: plantOnly },
  { path: '/dashboard/alarms', open: plantOnly },
  { path: '/reports', title: 'Reports', open: plantOnly },
  { path: '/reports/health', title: 'Health report', open: plantOnly },
  { path: '/reports/sms', title: 'SMS report', open: plantOnly },
  { path: '/reports/acknowledgements', title: 'Acknowledgement report', open: plantOnly },
  { path: '/reports/alarms', title: 'Alarm report', open: plantOnly },
  {
    path: '/admin/sites',
    open: maintainersOnly,
    button: ['New site', 'owner', 'manager', 'partner'],
    made: ['site', () => ({ siteId: unique('NEW-'), name: 'New' })],
  },
  {
    path: '/admin/sensors',
    open: maintainersOnly,
    button: ['New sensor', 'owner', 'manager', 'partner'],
    made: ['sensor', () => ({ uid: unique('new-'), sensorType: 1 })],
  },
  { path: '/admin/sensor-log', open: maintainersOnly },
  {
    path: '/admin/sensor-command',
    open: maintainersOnly,
    button: ['New command', 'owner', 'manager', 'partner'],
    made: ['replyMessage', () => ({ uid: first().sensor.uid, replyCommand: 'REBOOT' })],
  },
  {
    path: '/admin/assets',
    open: managersOnly,
    button: ['New asset', 'owner', 'manager'],
    made: ['asset', () => ({ tocsinSiteUuid: first().site.uuid, name: unique('New ') })],
  },
  {
    path: '/admin/datapoints',
    open: managersOnly,
    button: ['New data point', 'owner', 'manager'],
    made: [
      'assetDatapoint',
      async () => ({
        tocsinAssetUuid: first().asset.uuid,
        tocsinSensorUuid: first().sensor.uuid,
        tocsinSensorChannelUuid: (await newChannel()).uuid,
        tocsinDatapointName: 'New',
        sensorType: 2,
      }),
    ],
  },
  {
    path: '/admin/rules',
    open: managersOnly,
    button: ['New rule', 'owner', 'manager'],
    made: ['rule', () => ({ ...places(first()), name: unique('New '), valueUpper: 4 })],
  },
  {
    path: '/admin/rules?tab=alerts',
    open: managersOnly,
    button: ['New rule alert', 'owner', 'manager'],
    made: ['ruleAlert', () => ({ tocsinSiteUuid: first().site.uuid, tocsinRuleName: unique('New ') })],
  },
  {
    path: '/admin/groups',
    open: maintainersOnly,
    button: ['New group', 'owner', 'manager'],
    made: ['group', () => ({ level: 3, name: unique('New ') })],
  },
  {
    path: '/admin/users',
    open: managersOnly,
    button: ['New user', 'owner', 'manager'],
    made: [
      'user',
      () => ({ username: newcomer(), displayName: 'New', email: `${newcomer()}@plant.example`, level: 40 }),
    ],
  },
  {
    path: '/admin/alarm-default-message',
    open: managersOnly,
    button: ['New message', 'owner', 'manager'],
    made: ['alarmDefaultMessage', () => ({ message: unique('{site} ') })],
  },
  {
    path: '/admin/audits',
    open: { manager: 'The audit trail is for owners', operator: noAdmin, partner: 'The audit trail is for owners' },
  },
  { path: '/admin/channels', open: managersOnly },
  { path: '/admin/company', open: { manager: ownersKeepIt, operator: noAdmin, partner: ownersKeepIt } },
];

let channelNumber = 1;
function newChannel(): Promise<{ uuid: string }> {
  channelNumber += 1;
  return insertRow(app.db, 'tocsin.sensor_channel', {
    tocsin_customer_uuid: app.people.customer.uuid,
    tocsin_sensor_uuid: first().sensor.uuid,
    name: 'New',
    channel_number: channelNumber,
  });
}

/** How many rows of each the API counts, before anything is made by the tests below. */
const counts: Record<string, Record<Role, number>> = {
  sites: { owner: 2, manager: 2, operator: 1, partner: 2 },
  sensors: { owner: 2, manager: 2, operator: 1, partner: 2 },
  sensorChannels: { owner: 2, manager: 2, operator: 1, partner: 2 },
  groups: { owner: 2, manager: 2, operator: 1, partner: 2 },
  assets: { owner: 2, manager: 2, operator: 1, partner: 0 },
  assetDatapoints: { owner: 2, manager: 2, operator: 1, partner: 0 },
  rules: { owner: 2, manager: 2, operator: 1, partner: 0 },
  alarms: { owner: 2, manager: 2, operator: 1, partner: 0 },
  siteUsers: { owner: 1, manager: 1, operator: 1, partner: 0 },
  // Themselves, and people with a higher level number.
  users: { owner: 4, manager: 2, operator: 1, partner: 1 },
};

describe.each(roles)('%s', (role) => {
  test('has its own links in the header and in the admin area', async () => {
    const { userLevel, header, sidebar } = menus[role];
    const page = await windowOf(role);
    await goTo(page, '/admin/sites');
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual(header);
    const admin = page.getByRole('navigation', { name: 'Admin' });
    expect(await admin.getByRole('link').allTextContents()).toEqual(sidebar);
    expect(await page.evaluate("localStorage.getItem('userlevel')")).toBe(userLevel);
  });

  test('arrives at a page that is open to it', async () => {
    const page = await windowOf(role);
    const arrives = role === 'partner' ? ['/admin/sites', '/admin/sites'] : ['/dashboard', '/reports'];
    for (const [index, path] of ['/', '/auth/login'].entries()) {
      await goTo(page, path);
      expect(new URL(page.url()).pathname, path).toBe(arrives[index]);
    }
    await leaveWindow();
    const visitor = await app.open('/auth/login');
    await signInByForm(visitor, app.people[role].email);
    await visitor.waitForURL(`**${arrives[1]}`);
    expect(await visitor.getByRole('main').getByText(noPlant, { exact: true }).count()).toBe(0);
    await app.leave(visitor);
  });

  test('counts through the API what is theirs to see', async () => {
    const fields = Object.keys(counts).map((field) => `${field} { totalCount }`);
    const data = await (await browserOf(role)).data(`{ ${fields.join(' ')} }`);
    expect(Object.fromEntries(Object.entries(data).map(([field, { totalCount }]: any) => [field, totalCount]))).toEqual(
      Object.fromEntries(Object.entries(counts).map(([field, of]) => [field, of[role]])),
    );
    const { audits } = await (await browserOf(role)).data('{ audits { totalCount } }');
    expect(audits.totalCount > 0).toBe(role === 'owner');
  });

  test.each(areas)('$path', async ({ path, title, open, button }) => {
    const page = await windowOf(role);
    await goTo(page, path);
    const sentence = open[role];
    const main = page.getByRole('main');
    expect(new URL(page.url()).pathname).toBe(path.split('?')[0]);
    if (typeof sentence === 'string') await main.getByText(sentence, { exact: true }).waitFor();
    else if (path.startsWith('/admin/')) await main.getByRole('heading', { level: 1 }).waitFor();
    // Before the name stands how many alarms wait.
    if (title) expect((await page.title()).replace(/^\(\d\) /, '')).toBe(`${title} · Tocsin`);
    for (const refusal of [noAdmin, notYours, noPlant, 'The audit trail is for owners'])
      expect(await main.getByText(refusal, { exact: true }).count(), refusal).toBe(refusal === sentence ? 1 : 0);
    if (!button) return;
    const [name, ...allowed] = button;
    const shown = await main.getByRole('button', { name, exact: true }).count();
    expect(shown > 0, name).toBe(allowed.includes(role));
  });
});

// After everybody has looked, since what is made here would be counted above.
describe.each(roles)('%s without the console', (role) => {
  test.each(areas.filter(({ made }) => made))('what is made on $path', async (area) => {
    const [noun, values] = area.made as NonNullable<Area['made']>;
    const { refusal } = await create(
      await browserOf(role),
      noun,
      await values(),
      noun === 'replyMessage' ? 'id' : 'uuid',
    );
    expect(refusal).toEqual(area.button?.includes(role) ? undefined : forbidden);
  });

  test('handles the alarms of the sites they see, and no others', async () => {
    const seen = counts.alarms?.[role] ?? 0;
    const alarms: { uuid: string }[] = [];
    for (const station of stations)
      alarms.push(await openAlarm(app.db, station, { message: `Flood of ${role}`, at: '2026-03-02T07:00:00Z' }));
    const page = await windowOf(role);
    // On a phone the button stands beside each alarm.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/dashboard/alarms');
    await settled(page);
    const buttons = page.getByRole('main').getByRole('button', { name: `Acknowledge Flood of ${role}` });
    expect(await buttons.count()).toBe(seen);
    for (const [index, { uuid }] of alarms.entries()) {
      const answer = await (await browserOf(role)).graphql(
        `mutation ($uuid: UUID!) {
          acknowledgeAlarm(input: { uuid: $uuid, reason: "On the way" }) { result { uuid } }
          resolveAlarm(input: { uuid: $uuid }) { result { uuid } } }`,
        { uuid },
      );
      const { refusal } = outcome(answer, answer.data?.resolveAlarm?.result);
      expect(refusal?.code).toEqual(index < seen ? undefined : missing.code);
      const [alarm] = await stored(app, 'alarm', { uuid });
      expect(alarm.resolved_date !== null).toBe(index < seen);
    }
  });
});

test('the list of people has those with a higher level number, and not oneself', async () => {
  const { owner, manager, operator, partner } = app.people;
  const mail = async (role: Role) => {
    const page = await windowOf(role);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/admin/users');
    await page.locator('tr[data-row]').first().waitFor();
    const text = (await page.locator('tr[data-row]').allTextContents()).join(' ');
    return [owner, manager, operator, partner].filter(({ email }) => text.includes(email));
  };
  expect(await mail('owner')).toEqual([manager, operator, partner]);
  expect(await mail('manager')).toEqual([operator]);
});
