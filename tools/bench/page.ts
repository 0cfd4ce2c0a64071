/**
 * Measures waiting times in a real browser. The cases are the overview of 5,000 sites after sign-in, an interaction
 * while 500 values per second arrive, and a trend of ten series with a million readings each. Prints one JSON line. Run
 * nothing else at the same time.
 *
 *   BENCH_SITES=5000 BENCH_READINGS=1000000 node tools/bench/page.ts [overview|trend]
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { board, states } from '../../test/harness/browser/board.ts';
import { launchAsUsersDo } from '../../test/harness/browser/chromium.ts';
import { startPostgres } from '../../test/harness/database/postgres.ts';
import { type Product, runAsUsersDo, startAsUsersDo } from '../../test/harness/server/product.ts';
import { quantile } from './quantile.ts';

const sites = Number(process.env.BENCH_SITES ?? 5000);
const readings = Number(process.env.BENCH_READINGS ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const only = process.argv[2];
const VALUES_PER_SECOND = 500;
const INTERACTIONS = 30;
const SERIES = 10;
const DAY = 86_400_000;

const window = { viewport: { width: 1440, height: 900 }, locale: 'en-GB' };

/** Resolves after two frames. All earlier changes are then visible on the screen. */
const painted = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

async function signInByForm(page: Page, url: string, path: string): Promise<number> {
  await page.goto(`${url}/auth/login?return=${encodeURIComponent(path)}`);
  await page.getByLabel('User Name').fill('owner@demo.example');
  await page.getByLabel('Password', { exact: true }).fill('tocsin-demo-plant');
  const began = performance.now();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  return began;
}

/**
 * Measures two durations: from the click on Sign In to the first tiles, and from the click on a filter to its result.
 */
async function openOverview(context: BrowserContext, url: string) {
  const page = await context.newPage();
  const began = await signInByForm(page, url, '/dashboard');
  await board(page).getByRole('link').first().waitFor();
  await painted(page);
  const tiles = performance.now() - began;
  const asked = performance.now();
  // The last filter shows sites without an alarm.
  await states(page).last().click();
  await board(page).and(page.locator('[aria-busy=false]')).locator('[data-state=normal]').first().waitFor();
  await painted(page);
  return { page, tiles, filtered: performance.now() - asked };
}

/** Returns the time from each input to the paint of its effect, as measured by the browser's Event Timing API. */
async function interactions(page: Page): Promise<number[]> {
  await page.evaluate(`
    window.slowest = new Map();
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries())
        if (interactionId) window.slowest.set(interactionId, Math.max(duration, window.slowest.get(interactionId) ?? 0));
    }).observe({ type: 'event', durationThreshold: 16 });
  `);
  const search = page.getByRole('searchbox').or(page.getByPlaceholder('Site, asset or ID')).first();
  for (let count = 0; count < INTERACTIONS; count += 1) {
    if (count % 3 === 2) await search.press(count % 2 === 0 ? 'a' : 'Backspace');
    else
      await states(page)
        .nth(count % 5)
        .click();
    await page.waitForTimeout(250);
  }
  const slow = (await page.evaluate('[...window.slowest.values()]')) as number[];
  // The browser does not report interactions shorter than a frame, so they count as 16 ms.
  return [...slow, ...Array.from({ length: Math.max(0, INTERACTIONS - slow.length) }, () => 16)];
}

async function overview(browser: Browser, product: Product) {
  const took: { tiles: number; filtered: number }[] = [];
  let last: Page | undefined;
  for (let round = 0; round < rounds + 1; round += 1) {
    await last?.context().close();
    const { page, ...times } = await openOverview(await browser.newContext(window), product.url);
    // The times of the first round do not count, because it warms up the server.
    if (round > 0) took.push(times);
    last = page;
  }
  const answered = await interactions(last as Page);
  await last?.context().close();
  const tiles = took.map((one) => one.tiles);
  return {
    sites,
    toFirstTilesMs: { median: quantile(tiles, 0.5), worst: quantile(tiles, 1) },
    toFilteredBoardMs: {
      median: quantile(
        took.map(({ filtered }) => filtered),
        0.5,
      ),
    },
    interactionToPaintMs: { count: answered.length, median: quantile(answered, 0.5), p95: quantile(answered, 0.95) },
    target: 'usable under 1500 ms after signing in; p95 of interactions under 100 ms while 500 values a second arrive',
  };
}

/**
 * Inserts a million readings, one per second, for each of ten analog data points. Returns the data points and the
 * range.
 */
async function fillSeries(adminUrl: string): Promise<{ points: string[]; from: number; to: number }> {
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  try {
    await admin.query('set role tocsin_service');
    const { rows } = await admin.query(
      `select d.uuid, c.key from tocsin.asset_datapoint d
       join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
       join tocsin.user u on u.tocsin_customer_uuid = d.tocsin_customer_uuid and u.email = 'owner@demo.example'
       where d.sensor_type = 2 order by d.uuid limit $1`,
      [SERIES],
    );
    const to = Math.floor(performance.timeOrigin / DAY) * DAY - DAY;
    const from = to - readings * 1000;
    const keys = rows.map(({ key }) => key);
    await admin.query('delete from tocsin.reading where channel_key = any ($1)', [keys]);
    for (let day = from; day < to; day += DAY) {
      const end = Math.min(to, day + DAY);
      await admin.query(
        `insert into tocsin.reading (channel_key, device_time, server_time, value)
         select k, t, t + interval '1 second', 50 + 40 * sin(date_part('epoch', t) / (2000 + k % 1000)) + random()
         from generate_series($2::timestamptz, $3, interval '1 second') t, unnest($1::int[]) k`,
        [keys, new Date(day), new Date(end - 1)],
      );
      await admin.query('select tocsin_private.roll_up_readings($1, $2)', [new Date(day), new Date(end)]);
    }
    await admin.query(
      `insert into tocsin_private.milestone (name, at) values ('rolled-up', $1) on conflict (name) do update set at = excluded.at`,
      [new Date(to + 3_600_000)],
    );
    await admin.query('reset role');
    await admin.query('vacuum analyze tocsin.reading');
    return { points: rows.map(({ uuid }) => uuid), from, to };
  } finally {
    await admin.end();
  }
}

async function trend(browser: Browser, product: Product, adminUrl: string) {
  const { points, from, to } = await fillSeries(adminUrl);
  const context = await browser.newContext(window);
  const page = await context.newPage();
  await signInByForm(page, product.url, '/dashboard');
  await board(page).getByRole('link').first().waitFor();
  const range = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  const opened: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const answered = page.waitForResponse((response) => /query TrendSeries/.test(response.request().postData() ?? ''));
    const began = performance.now();
    await page.goto(`${product.url}/dashboard/trend?points=${points.join()}&${range}`);
    await (await answered).finished();
    await page.locator('.uplot canvas').first().waitFor();
    await painted(page);
    opened.push(performance.now() - began);
  }
  const frames = await panFrames(page);
  await context.close();
  return {
    series: points.length,
    readingsEach: readings,
    toFirstPaintMs: { median: quantile(opened, 0.5), worst: quantile(opened, 1) },
    panningFrameMs: { frames: frames.length, median: quantile(frames, 0.5), p95: quantile(frames, 0.95) },
    target: 'smooth: p95 of frames while panning under 33 ms',
  };
}

/** Returns the times between consecutive frames, in milliseconds, while the chart is dragged for some seconds. */
async function panFrames(page: Page): Promise<number[]> {
  await page.evaluate(`
    window.frames_ = []; window.panning = true; let last = performance.now();
    requestAnimationFrame(function frame(now) {
      window.frames_.push(now - last); last = now; if (window.panning) requestAnimationFrame(frame);
    });
  `);
  const box = await page.locator('.uplot .u-over').first().boundingBox();
  if (!box) throw new Error('The page shows no chart.');
  const [middle, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.keyboard.down('Shift');
  await page.mouse.move(middle, y);
  await page.mouse.down();
  for (let step = 0; step < 180; step += 1) await page.mouse.move(middle + 300 * Math.sin(step / 15), y, { steps: 1 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  return (await page.evaluate('window.panning = false, window.frames_.slice(2)')) as number[];
}

const postgres = await startPostgres(undefined, 'durable');
const browser = await launchAsUsersDo();
let product: Product | undefined;
const figures: Record<string, unknown> = {
  machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
  node: process.version,
};
try {
  await postgres.createDatabase('bench');
  const settings = { DATABASE_URL: postgres.urlFor('bench') };
  const { code, output } = await runAsUsersDo(['server/cli/demo.ts', '--sites', String(sites)], settings);
  if (code !== 0) throw new Error(output);
  const admin = new URL(postgres.adminUrl);
  admin.pathname = '/bench';
  // Runs VACUUM ANALYZE now, as autovacuum would soon do.
  const client = new pg.Client(admin.href);
  await client.connect();
  await client.query('vacuum analyze');
  product = await startAsUsersDo({
    ...settings,
    TOCSIN_DEMO: 'on',
    TOCSIN_DEMO_VALUES_PER_SECOND: String(VALUES_PER_SECOND),
  });
  // After the start, rolling up the demo's history takes minutes. The benchmark waits for this to finish, because a
  // real plant has no such backlog.
  const rolledUp = `select from tocsin_private.milestone where name = 'rolled-up' and at > now() - interval '3 minutes'`;
  while ((await client.query(rolledUp)).rowCount === 0) await pause(5000);
  await client.end();
  figures.load = loadavg()[0];
  if (only !== 'trend') figures.overview = await overview(browser, product);
  if (only !== 'overview') figures.trend = await trend(browser, product, admin.href);
} finally {
  await browser.close();
  await product?.stop();
  await postgres.stop();
}
console.log(JSON.stringify(figures));
process.exit(0);
