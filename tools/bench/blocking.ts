/**
 * Measures how long six pages block the main thread while they open, and how much their layout shifts. Uses the demo on
 * the embedded database and a real browser with an empty cache. Blocking time is Lighthouse's total blocking time: for
 * each task after the first paint, the time beyond 50 ms. Prints one JSON line. Run nothing else at the same time.
 *
 *   BENCH_ROUNDS=5 node tools/bench/blocking.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { launchAsUsersDo } from '../../test/harness/browser/chromium.ts';
import { signIn, startAsUsersDo } from '../../test/harness/server/product.ts';
import { quantile } from './quantile.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Time to wait after opening a page, in milliseconds. By then, the page has loaded and drawn all data. */
const SETTLED = 6_000;
/** Time that the demo's devices need to start, in milliseconds. */
const DEMO_STARTS = 60_000;

interface Opened {
  blockedMs: number;
  shift: number;
}

async function open(context: BrowserContext, url: string): Promise<Opened> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.addInitScript(`
    globalThis.tasks = []; globalThis.shift = 0;
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value; })
      .observe({ type: 'layout-shift', buffered: true });`);
  await page.goto(url);
  await page.getByRole('main').waitFor();
  await page.waitForTimeout(SETTLED);
  const opened = await page.evaluate<Opened>(`(() => {
    const [{ startTime: painted }] = performance.getEntriesByName('first-contentful-paint');
    const after = tasks.filter(({ startTime, duration }) => startTime + duration > painted);
    return { blockedMs: after.reduce((sum, { duration }) => sum + duration - 50, 0), shift };
  })()`);
  await page.close();
  return opened;
}

async function firstSite(url: string, headers: Record<string, string>): Promise<string> {
  const body = JSON.stringify({ query: '{ sites(first: 1) { nodes { uuid } } }' });
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  return ((await answer.json()) as { data: { sites: { nodes: { uuid: string }[] } } }).data.sites.nodes[0]?.uuid ?? '';
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
const product = await startAsUsersDo({ TOCSIN_DATA_DIR: join(folder, 'data'), TOCSIN_DEMO: 'on' });
const browser = await launchAsUsersDo();
try {
  const headers = await signIn(product.url, 'manager@demo.example', 'tocsin-demo-plant');
  const context = await browser.newContext({ viewport: { width: 1350, height: 940 }, locale: 'en-GB' });
  await context.addCookies(
    (headers.cookie as string).split('; ').map((pair) => {
      const equals = pair.indexOf('=');
      return { name: pair.slice(0, equals), value: pair.slice(equals + 1), url: product.url };
    }),
  );
  const paths = [
    '/dashboard',
    '/dashboard/alarms',
    `/dashboard/site/${await firstSite(product.url, headers)}`,
    '/dashboard/trend',
    '/reports/health',
    '/admin/sites',
  ];
  await pause(DEMO_STARTS);
  const pages: Record<string, unknown> = {};
  for (const path of paths) {
    // The first visit warms up the server's caches.
    await open(context, product.url + path);
    const visits: Opened[] = [];
    for (let round = 0; round < rounds; round += 1) visits.push(await open(context, product.url + path));
    const blocked = visits.map(({ blockedMs }) => blockedMs);
    pages[path.replace(/[0-9a-f-]{36}/, ':uuid')] = {
      blockedMs: { median: quantile(blocked, 0.5), worst: quantile(blocked, 1) },
      layoutShift: Math.max(...visits.map(({ shift }) => Math.round(shift * 1000) / 1000)),
    };
  }
  console.log(
    JSON.stringify({
      machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
      node: process.version,
      pages,
      target: 'Lighthouse 95 on a desktop: blocked under about 190 ms',
    }),
  );
} finally {
  await browser.close();
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
