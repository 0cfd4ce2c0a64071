/** Alarms for browser tests, opened by readings or reported by people. */
import type { Page } from 'playwright-core';
import type { ConsoleApp } from '../../harness/browser/console.ts';
import {
  createSite,
  insertRow,
  linkUser,
  type SiteRow,
  serviceQuery,
  type UserRow,
} from '../../harness/database/factories.ts';
import { createSensor, type TestSensor } from '../../harness/device/devices.ts';
import type { TestBrowser } from '../../harness/server/app.ts';

const SECOND = 1000;

export interface Well {
  site: SiteRow;
  sensor: TestSensor;
  ruleName: string;
}

export interface WellOptions {
  ruleName: string;
  reasons?: string[];
  told?: UserRow[];
  escalate?: UserRow[];
}

/** Creates a site for reported alarms. Its operator is notified by SMS. */
export async function createQuay(app: ConsoleApp): Promise<SiteRow> {
  const { customer, operator } = app.people;
  await setUser(app, operator, { sms_notification: true, phone_number: '+44 20 7946 0123' });
  const quay = await createSite(app.db, { customer, name: 'Quay Street' });
  await linkUser(app.db, operator, quay);
  return quay;
}

/** Creates a site with a well and a rule for the well's level. The operator is linked to the site. */
export async function createWell(app: ConsoleApp, name: string, options: WellOptions): Promise<Well> {
  const { customer, operator } = app.people;
  const { ruleName, reasons = [], told = [], escalate = [] } = options;
  const own = { tocsin_customer_uuid: customer.uuid };
  const site = await createSite(app.db, { customer, name });
  await linkUser(app.db, operator, site);
  const sensor = await createSensor(app.db, { customer, site, channels: [{ name: 'Level' }] });
  await insertRow(app.db, 'tocsin.rule', {
    ...own,
    tocsin_site_uuid: site.uuid,
    tocsin_asset_uuid: sensor.assetUuid,
    tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid,
    name: ruleName,
    value_lower: 0.5,
    value_upper: 4.2,
    debounce: 60,
    priority: 'critical',
  });
  const alert = await insertRow<{ uuid: string }>(app.db, 'tocsin.rule_alert', {
    ...own,
    tocsin_site_uuid: site.uuid,
    tocsin_rule_name: ruleName,
  });
  const join = { ...own, tocsin_rule_alert_uuid: alert.uuid };
  for (const person of told)
    await insertRow(app.db, 'tocsin.rule_alert_user', { ...join, tocsin_user_uuid: person.uuid, is_alert: true });
  for (const person of escalate)
    await insertRow(app.db, 'tocsin.rule_escalate_user', { ...join, tocsin_user_uuid: person.uuid });
  for (const reason of reasons) await insertRow(app.db, 'tocsin.reason', { ...own, rule_uuid: alert.uuid, reason });
  return { site, sensor, ruleName };
}

/** Raises the level until the alarm opens and its notifications are sent. Returns the alarm's uuid. */
export async function flood(app: ConsoleApp, well: Well): Promise<string> {
  const levels = [
    [180, 3.1],
    [150, 3.4],
    [120, 3.9],
    [90, 4.31],
    [0, 4.5],
  ] as const;
  for (const [secondsAgo, level] of levels) await send(app, well, level, secondsAgo);
  await settle(app);
  const [alarm] = await serviceQuery<{ uuid: string }>(
    app.db,
    'select uuid from tocsin.alarm where tocsin_site_uuid = $1 and resolved_date is null and rule_name = $2',
    [well.site.uuid, well.ruleName],
  );
  if (!alarm) throw new Error(`${well.site.name} raised no alarm.`);
  return alarm.uuid;
}

/** Sends a reading of the well's level. */
export function send(app: ConsoleApp, well: Well, level: number, secondsAgo: number): Promise<void> {
  return sendAll(app, well, { 1: level }, secondsAgo);
}

/** Sends a frame with the values of several channels. */
export async function sendAll(
  app: ConsoleApp,
  { sensor }: Well,
  values: Readonly<Record<number, number>>,
  secondsAgo: number,
): Promise<void> {
  const pipeline = app.gateway?.pipeline;
  const device = await pipeline?.identify(sensor.uid, sensor.token);
  if (!pipeline || !device?.ok) throw new Error('The device is not known.');
  const body = Buffer.from(JSON.stringify({ time: app.clock.now().getTime() - secondsAgo * SECOND, ...values }));
  const answer = await pipeline.receive(device, { protocol: 'http', body });
  if (!answer.ok) throw new Error(answer.sentence);
}

/** Runs all work that is due. The second tick handles work that became due during the first one. */
export async function settle(app: ConsoleApp): Promise<void> {
  await app.gateway?.pipeline.behind.flush();
  await app.engine?.tick();
  await app.engine?.tick();
}

/** Sessions, keyed by e-mail address. Each user signs in only once, because verifying a password is slow by design. */
const sessions = new WeakMap<ConsoleApp, Map<string, TestBrowser>>();

async function signedIn(app: ConsoleApp, person: UserRow): Promise<TestBrowser> {
  const known = sessions.get(app) ?? new Map<string, TestBrowser>();
  sessions.set(app, known);
  const browser = known.get(person.email);
  if (browser && (await browser.get('/api/v1/auth/login')).json().loggedIn === true) return browser;
  const fresh = await app.browser(person);
  known.set(person.email, fresh);
  return fresh;
}

/** Reports an alarm as a person does, without a rule and reasons. Returns its uuid. */
export async function report(app: ConsoleApp, site: SiteRow, message: string): Promise<string> {
  const owner = await signedIn(app, app.people.owner);
  const { createAlarm } = await owner.data(
    'mutation ($alarm: AlarmInput!) { createAlarm(input: { alarm: $alarm }) { alarm { uuid } } }',
    { alarm: { message, tocsinSiteUuid: site.uuid, dateTime: app.clock.now().toISOString() } },
  );
  return createAlarm.alarm.uuid;
}

export async function acknowledgeAs(app: ConsoleApp, person: UserRow, uuid: string, reason: string): Promise<void> {
  const browser = await signedIn(app, person);
  await browser.data(
    'mutation ($input: AcknowledgeAlarmInput!) { acknowledgeAlarm(input: $input) { result { uuid } } }',
    { input: { uuid, reason } },
  );
}

export async function resolveAs(app: ConsoleApp, person: UserRow, uuid: string, note?: string): Promise<void> {
  const browser = await signedIn(app, person);
  await browser.data('mutation ($input: ResolveAlarmInput!) { resolveAlarm(input: $input) { result { uuid } } }', {
    input: { uuid, note },
  });
}

export interface StoredAlarm {
  acknowledge_json: { by: string; reason: string; text: string | null; channel: string } | null;
  resolved_date: Date | null;
  resolve_note: string | null;
}

export async function stored(app: ConsoleApp, uuid: string): Promise<StoredAlarm> {
  const [row] = await serviceQuery<StoredAlarm>(
    app.db,
    'select acknowledge_json, resolved_date, resolve_note from tocsin.alarm where uuid = $1',
    [uuid],
  );
  if (!row) throw new Error('The alarm is not there.');
  return row;
}

export async function setUser(app: ConsoleApp, person: UserRow, columns: Record<string, unknown>): Promise<void> {
  const names = Object.keys(columns);
  await serviceQuery(
    app.db,
    `update tocsin.user set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where uuid = $1`,
    [person.uuid, ...Object.values(columns)],
  );
}

export const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^(Acknowledge|Resolve)/ });
export const rowOf = (page: Page, message: string) => page.locator('tr[data-alarm]', { hasText: message });
export const gone = (page: Page) => dialogOf(page).waitFor({ state: 'detached' });

/**
 * Ends the session at the moment at which the page sends this mutation, so that no other request detects the ended
 * session first.
 */
export async function endSessionWith(page: Page, change: 'AcknowledgeAlarm' | 'ResolveAlarms'): Promise<void> {
  let hasEnded = false;
  await page.route('**/graphql', async (route) => {
    if (!hasEnded && route.request().postData()?.includes(`mutation ${change}`)) {
      hasEnded = true;
      await page.context().clearCookies();
    }
    await route.continue();
  });
}
