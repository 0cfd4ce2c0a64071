/** Waits until a page has finished loading and drawing. */
import type { Page, Request } from 'playwright-core';

const PATIENCE = 60_000;
const LOOK_AGAIN = 15;
const underWay = new WeakMap<Page, Set<Request>>();

/** Tracks the open requests of a page. */
export function followRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/**
 * Resolves when the router is idle, no request is open and nothing is marked as busy or loading. All these conditions
 * must still hold two frames later.
 */
export async function settled(page: Page): Promise<void> {
  const requests = underWay.get(page);
  if (!requests) throw new Error('The requests of this page are not tracked. Open it with the harness.');
  const began = performance.now();
  while (requests.size > 0 || !(await drawn(page)) || requests.size > 0) {
    if (performance.now() - began > PATIENCE)
      throw new Error(`${page.url()} does not settle: ${[...requests].map((request) => request.url()).join(' ')}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
  }
}

const drawn = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const { document, requestAnimationFrame, __TSR_ROUTER__: router } = globalThis as any;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const hasArrived = () =>
      router?.state.status === 'idle' &&
      router.state.resolvedLocation?.href === router.parseLocation(router.history.location).href;
    const still = () =>
      hasArrived() &&
      document.querySelector('main') !== null &&
      document.querySelector('[aria-busy=true], [role=status][aria-label=Loading]') === null;
    if (!still()) return false;
    await frame();
    await frame();
    return still();
  });

/** Navigates as a link of the console does, without reloading the page. */
export async function goTo(page: Page, path: string): Promise<void> {
  await settled(page);
  await page.evaluate((address) => (globalThis as any).history.pushState(null, '', address), path);
  await settled(page);
}
