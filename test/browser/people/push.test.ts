import { type Browser, chromium, type Page, type Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeBrowser } from '../../harness/browser/chromium.ts';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { settled } from '../../harness/browser/settled.ts';
import { serviceQuery, type UserRow } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { type HttpReceiver, makePushSubscriber, startHttpReceiver } from '../../harness/provider/http-receiver.ts';
import { createWell, flood, settle, setUser, stored } from '../support/alarm-plant.ts';

const reasons = ['Crew on the way', 'Sensor fault'];

let app: ConsoleApp;
let browser: Browser | undefined;
let pushService: HttpReceiver;
beforeAll(async () => {
  pushService = await startHttpReceiver();
  pushService.always({ status: 201 });
  const push = { subject: 'mailto:ops@plant.example', services: [pushService.url] };
  app = await startConsole({ config: { push } });
  await setUser(app, app.people.manager, { apps_notification: true });
  if (wholeBrowser) browser = await chromium.launch({ executablePath: wholeBrowser, args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await pushService?.stop();
  expect(troubles.splice(0)).toEqual([]);
});

/**
 * Opens a signed-in window that may show notifications. Only the push service's response to a subscription is faked.
 * Permission, service worker, server calls, pushes and notifications are real.
 */
async function openWith(person: UserRow, subscription: string): Promise<Page> {
  const context = await (browser as Browser).newContext({
    baseURL: app.url.replace('localhost', '127.0.0.1'),
    permissions: ['notifications'],
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.addInitScript((json) => {
    let current: object | null = null;
    const manager = (globalThis as any).PushManager.prototype;
    manager.getSubscription = async () => current;
    manager.subscribe = async ({ applicationServerKey }: any) => {
      const { endpoint, ...rest } = JSON.parse(json);
      current = {
        endpoint,
        options: { applicationServerKey: applicationServerKey.buffer },
        toJSON: () => ({ endpoint, ...rest }),
        unsubscribe: async () => {
          current = null;
          return true;
        },
      };
      return current;
    };
  }, subscription);
  const { cookies } = await app.browser(person);
  const url = app.url.replace('localhost', '127.0.0.1');
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
  await page.goto('/reports');
  return page;
}

interface Shown {
  title: string;
  body: string;
  path: string;
  stays: boolean;
  actions: string[];
}

/** Passes pushes to the service worker as the browser does. Returns a function that returns the notifications shown. */
async function deliver(page: Page, ...pushes: string[]): Promise<() => Promise<Shown[]>> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  for (const data of pushes) {
    const { origin } = new URL(page.url());
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registration, data });
  }
  return () =>
    page.evaluate(async () => {
      const worker = await (globalThis as any).navigator.serviceWorker.getRegistration('/');
      return (await worker.getNotifications()).map(({ title, body, data, requireInteraction, actions }: any) => ({
        ...{ title, body, path: data.path, stays: requireInteraction },
        actions: actions.map((one: any) => one.title),
      }));
    });
}

/**
 * Presses Acknowledge on the only notification. Returns the address that the service worker would open. The simulated
 * press opens no window, because browsers require a real click.
 */
async function clickAcknowledge(page: Page): Promise<string> {
  const [worker] = page.context().serviceWorkers();
  return (worker as Worker).evaluate(async () => {
    const self = globalThis as any;
    const [notification] = await self.registration.getNotifications();
    const opened = new Promise<string>((resolve) => {
      self.clients.openWindow = async (address: string) => resolve(address);
    });
    self.dispatchEvent(new self.NotificationEvent('notificationclick', { notification, action: 'acknowledge' }));
    return opened;
  });
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Acknowledge alarm' });
const choiceOf = (page: Page) => page.getByRole('switch', { name: 'Notify me on this device' });

describe.skipIf(!wholeBrowser)('alarms on this device', () => {
  test('are switched on in the user menu, and a notification opens the acknowledge dialog', async () => {
    const { manager } = app.people;
    const subscriber = makePushSubscriber(`${pushService.url}/device`);
    const page = await openWith(manager, subscriber.address);
    await page.getByRole('button', { name: /^User menu/ }).click();
    const choice = choiceOf(page);
    expect(await choice.getAttribute('aria-checked')).toBe('false');
    await choice.click();
    await page.getByText('This device now gets alarms.').waitFor();
    await expect.poll(() => choice.getAttribute('aria-checked')).toBe('true');

    const well = await createWell(app, 'Dunmere', { ruleName: 'Reservoir high', reasons, told: [manager] });
    const alarm = await flood(app, well);
    await settle(app);
    const { payload } = subscriber.open(await pushService.waitFor(({ url }) => url.pathname === '/device'));
    const second = { ...payload, text: 'The same message, a second attempt.' };
    const shown = await deliver(page, JSON.stringify(payload), JSON.stringify(second));
    const path = new URL(payload.link).pathname;
    await expect
      .poll(shown)
      .toEqual([{ title: payload.title, body: second.text, path, stays: true, actions: ['Acknowledge'] }]);
    expect(payload.title).toMatch(/^CRITICAL: .*Reservoir high/);
    expect(payload.text).toMatch(/^CRITICAL: /);

    // The helper dispatches the click event itself, because a test cannot press buttons in the operating system's
    // notifications.
    const opened = await clickAcknowledge(page);
    expect(new URL(opened).pathname).toBe(path);
    expect(await shown()).toEqual([]);

    await page.goto(opened);
    await dialogOf(page).getByRole('button', { name: 'Crew on the way' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({ by: manager.uuid, channel: 'push' });
    await page.context().close();
  });

  long('shows a notification for an unreadable push; push is switched off in the menu and by signing out', async () => {
    const { owner } = app.people;
    const subscriber = makePushSubscriber(`${pushService.url}/shared`);
    const page = await openWith(owner, subscriber.address);
    await page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)");
    const evil = JSON.stringify({
      title: 'Hatch',
      text: 'Open',
      link: 'https://evil.example//evil.example/a',
      key: 'k',
    });
    const shown = await deliver(page, 'no json at all', evil);
    await expect
      .poll(async () => (await shown()).map(({ title, path }) => [title, path]).sort())
      .toEqual([
        ['Hatch', '/dashboard/alarms'],
        ['Tocsin', '/dashboard/alarms'],
      ]);

    const known = async () =>
      (
        await serviceQuery(app.db, 'select uuid from tocsin.push_subscription where tocsin_user_uuid = $1', [
          owner.uuid,
        ])
      ).length;
    const choice = choiceOf(page);
    await page.getByRole('button', { name: /^User menu/ }).click();
    await choice.click();
    // The page tells this user that app push is off in their profile.
    await page.getByText(/App push is off in your profile/).waitFor();
    await expect.poll(known).toBe(1);
    await choice.click();
    await page.getByText('This device no longer gets alarms.').waitFor();
    await expect.poll(known).toBe(0);
    await choice.click();
    await expect.poll(known).toBe(1);
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/auth/login');
    expect(await known()).toBe(0);
    await page.context().close();
  });
});

describe('the entry in the user menu', () => {
  async function openMenu(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('button', { name: 'Logout' }).waitFor();
    await settled(page);
  }

  long('is hidden if the server sends no push, and says what to do if the browser blocks notifications', async () => {
    const page = await app.open('/api/v1/config', { as: app.people.owner });
    await page.route('**/api/v1/config', async (route) => {
      const answer = await route.fetch();
      const config = await answer.json();
      expect(config.pushKey).toMatch(/^[\w-]{87}$/);
      await route.fulfill({ response: answer, json: { ...config, pushKey: null } });
    });
    await page.goto('/reports');
    await openMenu(page);
    expect(await page.getByText(/on this device/).count()).toBe(0);

    await page.unroute('**/api/v1/config');
    await page.goto('/reports');
    await page.evaluate("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })");
    await openMenu(page);
    await page.getByText(/The browser blocks notifications from the console\. Allow them/).waitFor();
    expect(await choiceOf(page).count()).toBe(0);
    await app.leave(page);
  });

  test('is hidden for a partner account, which gets no notifications', async () => {
    const page = await app.open('/admin/sites', { as: app.people.partner });
    await openMenu(page);
    expect(await page.getByText(/on this device/).count()).toBe(0);
    await app.leave(page);
  });
});
