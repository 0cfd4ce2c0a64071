/**
 * A pool of browser windows. A new window compiles the whole console, but a reused window opens an address in a third
 * of that time.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface WindowOptions {
  phone?: boolean;
  dark?: boolean;
  /** The time at which the browser's clock is frozen. */
  time?: Date;
  /** Runs before the first page loads. Its effects cannot be undone, so the window is not reused. */
  prepare?(page: Page, context: BrowserContext): Promise<void>;
}

interface Kept {
  page: Page;
  kind: string;
  /** An address with the same origin that does not load the console. */
  blank: string;
}

export const sizeOf = (phone = false) => (phone ? { width: 360, height: 740 } : { width: 1440, height: 900 });
/** Page events whose listeners are removed when a window is reused. */
const events = [
  'request',
  'requestfinished',
  'requestfailed',
  'response',
  'console',
  'pageerror',
  'dialog',
  'download',
];
const idle: Kept[] = [];
const busy = new Map<Page, Kept>();

/** Returns a window with these cookies and no other stored data. */
export async function takeWindow(
  browser: Browser,
  origin: string,
  { phone, dark, time, prepare }: WindowOptions,
  cookies: readonly (readonly [name: string, value: string])[],
): Promise<Page> {
  const colorScheme = dark ? 'dark' : 'light';
  const kind = [origin, phone ? 'phone' : 'wide', time ? 'standing clock' : 'running clock'].join(' ');
  const known = prepare ? -1 : idle.findLastIndex((window) => window.kind === kind);
  let page: Page;
  if (known >= 0) {
    const [window] = idle.splice(known, 1) as [Kept];
    page = window.page;
    busy.set(page, window);
    await page.emulateMedia({ media: null, colorScheme, reducedMotion: 'reduce' });
  } else {
    const context = await browser.newContext({
      baseURL: origin,
      viewport: sizeOf(phone),
      hasTouch: phone ?? false,
      colorScheme,
      reducedMotion: 'reduce',
      // The packaged browser's default locale is not valid for Intl.
      locale: 'en-GB',
    });
    context.setDefaultTimeout(60_000);
    page = await context.newPage();
    if (!prepare) busy.set(page, { page, kind, blank: `${origin}/api/v1/config` });
  }
  if (time) await page.clock.setFixedTime(time);
  await page.context().addCookies(
    cookies.map(([name, value]) => ({
      name,
      value,
      domain: new URL(origin).hostname,
      path: '/',
      httpOnly: name === 'tocsin_session',
    })),
  );
  await prepare?.(page, page.context());
  return page;
}

/** Returns a window to the pool. */
export async function leaveWindow(page: Page): Promise<void> {
  const window = busy.get(page);
  if (!window) {
    await page.context().close();
    return;
  }
  busy.delete(page);
  try {
    await clear(window);
    idle.push(window);
  } catch {
    // A failed test may leave the window in any state, so it is not reused.
    await page.context().close();
  }
}

/** Closes the windows of a product that is stopping. */
export async function closeWindowsOf(origin: string): Promise<void> {
  for (const window of idle.filter(({ kind }) => kind.startsWith(`${origin} `))) {
    idle.splice(idle.indexOf(window), 1);
    await window.page.context().close();
  }
}

async function clear({ page, kind, blank }: Kept): Promise<void> {
  await page.unrouteAll();
  forgetListeners(page);
  await page.setViewportSize(sizeOf(kind.includes(' phone ')));
  await page.mouse.move(0, 0);
  // Storage is cleared after navigating away, because a page may write to it while it unloads.
  await page.goto(blank);
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await page.context().clearCookies();
}

export function forgetListeners(page: Page): void {
  for (const event of events) page.removeAllListeners(event);
}
