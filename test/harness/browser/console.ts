/** Runs the built console in a real Chromium, served by the real app. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { setDefaultCustomer } from '../database/factories.ts';
import {
  PASSWORD,
  type Staff,
  startTestApp,
  type TestApp,
  type TestAppOptions,
  type TestBrowser,
} from '../server/app.ts';
import { launchBrowser } from './chromium.ts';
import { followRequests } from './settled.ts';
import { keepVisits, type VisitOptions } from './visits.ts';
import { closeWindowsOf, leaveWindow, takeWindow, type WindowOptions } from './window.ts';

const consoleDir = join(import.meta.dirname, '../../../dist/console');

type Person = { email: string; tocsin_customer_uuid: string };

export interface ConsoleApp extends TestApp {
  people: Staff;
  /**
   * Opens a clean window with its own cookies and storage. `troubles` records script errors and 5xx responses in the
   * window.
   */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /**
   * Reuses a window in which this person is signed in, and follows a link to the address. Clears cached responses and
   * storage, but keeps other state of the page, such as the theme. Tests that need a clean page call `open`.
   */
  visit(path: string, options: VisitOptions): Promise<Page>;
  /** Returns a window to the pool before the test file ends. */
  leave(page: Page): Promise<void>;
}

export interface OpenOptions extends WindowOptions {
  /** The person to sign in first, without the login screen. */
  as?: Person;
}

/** Script errors and 5xx responses of all pages in a test file. */
export const troubles: string[] = [];

/** The browser and the default product, which all test files of a process share. */
let browser: Promise<Browser> | undefined;
let plainApp: Promise<TestApp> | undefined;

/**
 * Starts a product with these options. Without options, uses the product that all test files of the process share. In
 * both cases, adds a customer with its people.
 */
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
    // The browser itself logs 4xx responses, and some tests cause them on purpose.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      troubles.push(`${path}: ${message.text()}`);
  });
}

/** Returns a function that signs a person in once and caches the session. Verifying a password is slow by design. */
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
