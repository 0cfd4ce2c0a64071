/** The built console in a real Chromium, served by the real app. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { PASSWORD, type Staff, startTestApp, type TestApp, type TestAppOptions, type TestBrowser } from './app.ts';
import { launchBrowser } from './chromium.ts';
import { setDefaultCustomer } from './factories.ts';
import { followRequests } from './settled.ts';
import { keepVisits, type VisitOptions } from './visits.ts';
import { closeWindowsOf, leaveWindow, takeWindow, type WindowOptions } from './window.ts';

const consoleDir = join(import.meta.dirname, '../../dist/console');

type Person = { email: string; tocsin_customer_uuid: string };

export interface ConsoleApp extends TestApp {
  people: Staff;
  /**
   * A window as good as new: its own cookies and storage, and nothing of whoever used it before. Fails the test at the end
   * when a script threw or a call answered 5xx.
   */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /**
   * A window in which this person works already, gone to the address as by a link. It has forgotten what the server said and
   * what was kept in the browser; what the page itself holds, such as a theme, is not forgotten: such a test opens its own.
   */
  visit(path: string, options: VisitOptions): Promise<Page>;
  /** Gives a window back before the end of the file, for others to use. */
  leave(page: Page): Promise<void>;
}

export interface OpenOptions extends WindowOptions {
  /** Signs this person in first, without the login screen. */
  as?: Person;
}

/** Everything a page did that it should not have done, gathered over a file's tests. */
export const troubles: string[] = [];

/** One browser, and one product without special settings, serve all files of a process; they end with it. */
let browser: Promise<Browser> | undefined;
let plainApp: Promise<TestApp> | undefined;

/** A customer with people of its own, whom visitors meet, in the product that was asked for. */
export async function startConsole(options?: TestAppOptions): Promise<ConsoleApp> {
  if (!existsSync(join(consoleDir, 'index.html'))) throw new Error('Build the console first: npm run build');
  if (!options) plainApp ??= startTestApp({ consoleDir });
  const app = await (options ? startTestApp({ ...options, consoleDir }) : (plainApp as Promise<TestApp>));
  const people = await app.staff();
  if (!options) await setDefaultCustomer(app.db, people.customer);
  browser ??= launchBrowser();
  const chromium = await browser;
  const origin = app.url.replace('localhost', '127.0.0.1');
  const windows = new Set<Page>();
  const sessionOf = keptSessions(app);
  const leave = async (page: Page) => {
    windows.delete(page);
    await leaveWindow(page);
  };
  const open: ConsoleApp['open'] = async (path, { as, ...window } = {}) => {
    const page = await takeWindow(chromium, origin, window, as ? await sessionOf(as) : []);
    windows.add(page);
    watch(page, path);
    await page.goto(path);
    return page;
  };
  const visits = keepVisits({
    ...{ open, leave, watch },
    sessionOf: async (person) => new Map(await sessionOf(person)).get('tocsin_session'),
  });
  return {
    ...app,
    people,
    open,
    visit: visits.visit,
    async leave(page) {
      if (!(await visits.keep(page))) await leave(page);
    },
    async close() {
      await Promise.all([...windows].map(leave));
      if (!options) return;
      await closeWindowsOf(origin);
      await app.close();
    },
  };
}

function watch(page: Page, path: string): void {
  followRequests(page);
  page.on('pageerror', (error) => troubles.push(`${path}: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 500) troubles.push(`${path}: ${response.url()} answered ${response.status()}`);
  });
  page.on('console', (message) => {
    // A 4xx is logged by the browser itself, and some tests provoke it.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      troubles.push(`${path}: ${message.text()}`);
  });
}

/** Checking a password takes long by design, so whoever opens a second window gets the session of the first while it lasts. */
function keptSessions(app: TestApp): (person: Person) => Promise<[name: string, value: string][]> {
  const known = new Map<string, TestBrowser>();
  return async (person) => {
    let signedIn = known.get(person.email);
    const status = await signedIn?.get('/api/v1/auth/login');
    if (!signedIn || status?.json().loggedIn !== true) {
      signedIn = await app.browser(person);
      known.set(person.email, signedIn);
    }
    return [...signedIn.cookies];
  };
}

export async function signInByForm(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('User Name').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}
