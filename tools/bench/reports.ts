/**
 * Measures reports on a large plant with 5,000 sites, a million messages and a million alarms. Measures the queries of
 * each screen, workbooks of up to 300,000 rows and their memory, and the first card after sign-in in a real browser.
 * Prints one JSON line. Run nothing else at the same time.
 *
 *   BENCH_SHARE=1 node tools/bench/reports.ts [health, sms, alarms, performance or another screen]
 *
 * BENCH_SHARE scales the plant; for example, 0.1 creates a tenth of it. BENCH_DATABASE is the URL of a database that
 * already contains the plant.
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import pg from 'pg';
import { launchAsUsersDo } from '../../test/harness/browser/chromium.ts';
import { startPostgres } from '../../test/harness/database/postgres.ts';
import { type Product, runAsUsersDo, signIn, startAsUsersDo } from '../../test/harness/server/product.ts';
import { plantSql } from './report-plant.ts';
import { askScreen, reportScreens } from './report-screens.ts';

const share = Number(process.env.BENCH_SHARE ?? 1);
const only = process.argv[2];
const rounds = 7;
const DAY = 86_400_000;
const ZONE = 'Europe/London';
const targets: Record<string, number> = { health: 300, sms: 500, alarms: 1000, performance: 1500, firstCard: 1000 };
const person = { email: 'owner@demo.example', password: 'tocsin-demo-plant' };

/** Figures about the creation of the plant, such as its duration. */
const plantFigures: Record<string, number> = {};
const given = process.env.BENCH_DATABASE;
const postgres = given ? undefined : await startPostgres(undefined, 'durable');
let product: Product | undefined;
try {
  const settings = { DATABASE_URL: given ?? (await madePlant()), TOCSIN_HOST: '127.0.0.1' };
  product = await startAsUsersDo({ ...settings, TOCSIN_DEMO: 'on', TOCSIN_ROLES: 'web' });
  const { url } = product;
  const headers = await signIn(url, person.email, person.password);
  const figures: Record<string, unknown> = {};
  for (const [screen, questions] of Object.entries(reportScreens(new Date(), ZONE))) {
    if (only !== undefined && only !== screen) continue;
    const ms = await middle(() => askScreen(url, headers, questions));
    figures[screen] = { ms, ...(targets[screen] !== undefined && { target: `under ${targets[screen]}` }) };
    console.error(`${screen}: ${ms} ms`);
  }
  if (only === undefined) {
    figures.firstCard = { ms: await middle(() => firstCard(url)), target: `under ${targets.firstCard}` };
    // The largest file is downloaded twice. The first download grows the heap, and the second one reuses that memory.
    for (const [file, rows] of Object.entries({
      '10k': 10_000,
      '100k': 100_000,
      '300k': 300_000,
      '300kAgain': 300_000,
    })) {
      figures[`xlsx${file}`] = await downloadWorkbook(url, headers, product.child.pid as number, rows);
    }
  }
  console.log(
    JSON.stringify({
      bench: 'reports',
      machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
      share,
      ...plantFigures,
      ...figures,
      load: loadavg()[0],
    }),
  );
} finally {
  await product?.stop();
  await postgres?.stop();
}

/**
 * Creates the demo, because its users can sign in, and adds the large plant to its first customer. Returns the database
 * URL.
 */
async function madePlant(): Promise<string> {
  await postgres?.createDatabase('bench');
  const url = postgres?.urlFor('bench') as string;
  const made = await runAsUsersDo(['server/cli/demo.ts'], { DATABASE_URL: url });
  if (made.code !== 0) throw new Error(made.output);
  const client = new pg.Client(url);
  await client.connect();
  for (const sql of plantSql({
    sites: Math.round(5000 * share),
    messages: Math.round(1_000_000 * share),
    alarms: Math.round(1_000_000 * share),
  })) {
    const began = performance.now();
    await client.query(sql);
    if (sql.startsWith('insert into tocsin.alarm ')) {
      plantFigures.microsecondsPerAlarm = Math.round((1000 * (performance.now() - began)) / (1_000_000 * share));
    }
  }
  plantFigures.computeHoursMs = await computeHours(client);
  await client.end();
  return url;
}

/**
 * Computes the alarm hours, as the engine does. The measured server runs without an engine, so that the benchmark
 * measures only the queries.
 */
async function computeHours(client: pg.Client): Promise<number> {
  const began = performance.now();
  await client.query('set role tocsin_service');
  for (let done = true; done; ) {
    const { rows } = await client.query('select tocsin_definer.compute_next_alarm_hours(now(), 24) as done');
    done = rows[0].done;
  }
  await client.query('reset role');
  await client.query('vacuum analyze tocsin_private.alarm_hour');
  return Math.round(performance.now() - began);
}

/** Runs a warm-up and several rounds. Returns the median of the rounds. */
async function middle(ask: () => Promise<number>): Promise<number> {
  await ask();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await ask());
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number);
}

/**
 * Measures the time from the click on Sign In to the figures of the first card. The console's files are in the
 * browser's cache.
 */
async function firstCard(url: string): Promise<number> {
  const browser = await launchAsUsersDo();
  try {
    const page = await browser.newPage();
    await page.goto(`${url}/auth/login`, { waitUntil: 'networkidle' });
    await page.getByLabel('User Name').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    const began = performance.now();
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.locator('main a[href="/reports/health"] b, main a[href="/reports/sms"] b').first().waitFor();
    return performance.now() - began;
  } finally {
    await browser.close();
  }
}

/** Returns the duration of the download and how much the server's memory grew during the download. */
async function downloadWorkbook(url: string, headers: Record<string, string>, pid: number, rows: number) {
  const memory = async () => {
    const resident = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
    return Number(resident?.[1] ?? 0) / 1024;
  };
  const day = (back: number) => new Date(Date.now() - back * DAY).toISOString().slice(0, 10);
  // The plant has a million messages, spread evenly over ninety days. This number of days contains about `rows` of
  // them.
  const days = Math.max(1, Math.round((90 * rows) / 1_000_000));
  const before = await memory();
  let most = before;
  const watch = setInterval(async () => {
    most = Math.max(most, await memory());
  }, 100);
  const began = performance.now();
  const answer = await fetch(`${url}/api/v1/reports/delivery.xlsx?from=${day(days + 1)}&to=${day(2)}`, { headers });
  if (!answer.ok) throw new Error(await answer.text());
  let bytes = 0;
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) bytes += chunk.length;
  clearInterval(watch);
  return {
    ms: Math.round(performance.now() - began),
    bytes,
    memoryBeforeMb: Math.round(before),
    memoryGrowthMb: Math.round(most - before),
  };
}
