/**
 * Measures whether open pages leak memory. Uses the demo with 500 values per second. Opens the overview, a site and a
 * trend in a real browser. Collects garbage every minute and reads the heap size. At the end, it opens each page again:
 * memory that a freshly opened page also needs is not a leak. Prints one JSON line.
 *
 *   BENCH_MINUTES=60 node tools/bench/page-memory.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { launchAsUsersDo } from '../../test/harness/browser/chromium.ts';
import { startPostgres } from '../../test/harness/database/postgres.ts';
import { signIn, startAsUsersDo } from '../../test/harness/server/product.ts';
import { type Reading, slopeOf } from './slope.ts';

const minutes = Number(process.env.BENCH_MINUTES ?? 60);
const valuesPerSecond = Number(process.env.BENCH_VALUES ?? 500);
/** Folder for heap snapshots of the first and the last minute; undefined to write none. */
const heaps = process.env.BENCH_HEAPS;

interface Watched {
  name: string;
  page: Page;
  browser: CDPSession;
  series: Reading[];
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
const postgres = await startPostgres(undefined, 'durable');
await postgres.createDatabase('bench');
const product = await startAsUsersDo({
  DATABASE_URL: postgres.urlFor('bench'),
  TOCSIN_DATA_DIR: join(folder, 'data'),
  TOCSIN_DEMO: 'on',
  TOCSIN_DEMO_VALUES_PER_SECOND: String(valuesPerSecond),
});
const browser: Browser = await launchAsUsersDo();
try {
  const headers = await signIn(product.url, 'owner@demo.example', 'tocsin-demo-plant');
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  await context.addCookies(cookiesOf(headers.cookie as string));
  const { site, points } = await busiestSite(headers);
  const openAll = async () => [
    await watch(context, 'overview', '/dashboard'),
    await watch(context, 'site', `/dashboard/site/${site}`),
    await watch(context, 'trend', `/dashboard/trend?points=${points.join()}`),
  ];
  const watched = await openAll();
  const stored = storedValues();
  // Warm-up: the pages load their code, and the demo's devices start within seconds.
  await pause(60_000);
  const before = await stored.count();
  const began = performance.now();
  for (let minute = 0; minute <= minutes; minute += 1) {
    await pause(began + minute * 60_000 - performance.now());
    for (const one of watched) await note(one, minute);
    const first = minute === 0;
    if (heaps && (first || minute === minutes))
      for (const one of watched) await writeHeap(one, first ? 'first' : 'last');
    process.stderr.write(
      `${minute} ${watched.map(({ name, series }) => `${name} ${JSON.stringify(series.at(-1))}`).join(' ')}\n`,
    );
  }
  const rate = ((await stored.count()) - before) / ((performance.now() - began) / 1000);
  await stored.end();
  const anew = await openAll();
  await pause(60_000);
  for (const one of anew) await note(one, 0);
  console.log(
    JSON.stringify({
      machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
      node: process.version,
      minutes,
      storedValuesPerSecond: Math.round(rate),
      pages: Object.fromEntries(
        watched.map(({ name, series }, index) => [
          name,
          { ...slopeOf(series), openedAnewKb: anew[index]?.series[0]?.heapKb, series },
        ]),
      ),
      target: 'flat: the heap after garbage collection does not grow beyond that of a newly opened page',
    }),
  );
} finally {
  await browser.close();
  await product.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

function cookiesOf(header: string) {
  return header.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), domain: 'localhost', path: '/' };
  });
}

/** Returns the site with the most analog data points, and up to ten of these data points. */
async function busiestSite(headers: Record<string, string>): Promise<{ site: string; points: string[] }> {
  const query = `{ assetDatapoints(first: 500) {
    nodes { uuid sensorType asset { tocsinSiteUuid } } } }`;
  const answer = await fetch(`${product.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors } = (await answer.json()) as any;
  if (!data) throw new Error(`The data points could not be read: ${JSON.stringify(errors)}`);
  const points = (data.assetDatapoints.nodes as any[]).filter(({ sensorType }) => sensorType !== 1);
  const bySite = Map.groupBy(points, (point) => point.asset.tocsinSiteUuid as string);
  const [most] = [...bySite].toSorted(([, a], [, b]) => b.length - a.length);
  const [site, found] = most as [string, { uuid: string }[]];
  return { site, points: found.slice(0, 10).map(({ uuid }) => uuid) };
}

async function watch(context: BrowserContext, name: string, path: string): Promise<Watched> {
  const page = await context.newPage();
  page.on('pageerror', (error) => process.stderr.write(`${name}: ${error.message}\n`));
  await page.goto(`${product.url}${path}`);
  await page.getByRole('main').waitFor();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  return { name, page, browser: session, series: [] };
}

async function note({ browser, series }: Watched, minute: number): Promise<void> {
  await browser.send('HeapProfiler.collectGarbage');
  const { metrics } = await browser.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  series.push({
    minute,
    heapKb: Math.round(value('JSHeapUsedSize') / 1024),
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
  });
}

async function writeHeap({ name, browser }: Watched, which: string): Promise<void> {
  const parts: string[] = [];
  const take = ({ chunk }: { chunk: string }) => parts.push(chunk);
  browser.on('HeapProfiler.addHeapSnapshotChunk', take);
  await browser.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  browser.off('HeapProfiler.addHeapSnapshotChunk', take);
  writeFileSync(join(heaps as string, `${name}-${which}.heapsnapshot`), parts.join(''));
}

/** Returns a counter of stored values, which shows whether the run had enough load. */
function storedValues() {
  const url = new URL(postgres.adminUrl);
  url.pathname = '/bench';
  const client = new pg.Client(url.href);
  const ready = client.connect();
  return {
    async count(): Promise<number> {
      await ready;
      const { rows } = await client.query('select count(*)::int as count from tocsin.reading');
      return rows[0].count;
    },
    end: () => client.end(),
  };
}
