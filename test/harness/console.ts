/** The built console in a real Chromium, served by the real app. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD, type Staff, startTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { launchBrowser } from './chromium.ts';
import { setDefaultCustomer } from './factories.ts';

const consoleDir = join(import.meta.dirname, '../../dist/console');

export interface ConsoleApp extends TestApp {
  people: Staff;
  /** A fresh window: its own cookies and storage. Fails the test at the end when a script threw or a call answered 5xx. */
  open(path: string, options?: OpenOptions): Promise<Page>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Signs this person in first, without the login screen. */
  as?: { email: string; tocsin_customer_uuid: string };
  phone?: boolean;
  dark?: boolean;
  /** Before the first page loads. */
  prepare?(page: Page, context: BrowserContext): Promise<void>;
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
  const windows = new Set<BrowserContext>();
  return {
    ...app,
    people,
    async open(path, { as, phone, dark, prepare, ...context } = {}) {
      const opened = await chromium.newContext({
        baseURL: app.url.replace('localhost', '127.0.0.1'),
        viewport: phone ? { width: 360, height: 740 } : { width: 1440, height: 900 },
        hasTouch: phone ?? false,
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        ...context,
      });
      windows.add(opened);
      opened.once('close', () => windows.delete(opened));
      const page = await opened.newPage();
      page.on('pageerror', (error) => troubles.push(`${path}: ${error.message}`));
      page.on('response', (response) => {
        if (response.status() >= 500) troubles.push(`${path}: ${response.url()} answered ${response.status()}`);
      });
      page.on('console', (message) => {
        // A 4xx is logged by the browser itself, and some tests provoke it.
        if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
          troubles.push(`${path}: ${message.text()}`);
      });
      if (as) await signInByCookie(app, opened, as);
      await prepare?.(page, opened);
      await page.goto(path);
      return page;
    },
    async close() {
      await Promise.all([...windows].map((window) => window.close()));
      if (options) await app.close();
    },
  };
}

async function signInByCookie(
  app: TestApp,
  context: BrowserContext,
  person: { email: string; tocsin_customer_uuid: string },
): Promise<void> {
  const browser = await app.browser(person);
  await context.addCookies(
    [...browser.cookies].map(([name, value]) => ({
      name,
      value,
      domain: '127.0.0.1',
      path: '/',
      httpOnly: name === 'tocsin_session',
    })),
  );
}

export async function signInByForm(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('User Name').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}
