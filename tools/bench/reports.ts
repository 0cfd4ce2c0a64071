/**
 * How long reports take on a large plant: health of 5,000 sites over twelve weeks, SMS over a million messages, alarms over a
 * million alarms, a workbook of 100,000 rows, and the first card after signing in. Prints one JSON line. Nothing else should run
 * meanwhile.
 *
 *   BENCH_SHARE=1 node tools/bench/reports.ts
 *
 * BENCH_SHARE makes the plant smaller, such as 0.1 for a tenth.
 */
import pg from 'pg';
import { startPostgres } from '../../test/harness/postgres.ts';
import { type Product, runAsUsersDo, signIn, startAsUsersDo } from '../../test/harness/product.ts';
import { plantSql } from './report-plant.ts';

const share = Number(process.env.BENCH_SHARE ?? 1);
const rounds = 7;
const DAY = 86_400_000;

const postgres = await startPostgres(undefined, 'durable');
let product: Product | undefined;
try {
  await postgres.createDatabase('bench');
  const settings = { DATABASE_URL: postgres.urlFor('bench'), TOCSIN_HOST: '127.0.0.1' };
  // The demo brings people who can sign in; the large plant is added to its first customer.
  const made = await runAsUsersDo(['server/cli/demo.ts'], settings);
  if (made.code !== 0) throw new Error(made.output);
  const client = new pg.Client(settings.DATABASE_URL);
  await client.connect();
  for (const sql of plantSql({
    sites: Math.round(5000 * share),
    messages: Math.round(1_000_000 * share),
    alarms: Math.round(1_000_000 * share),
  })) {
    await client.query(sql);
  }
  await client.end();
  product = await startAsUsersDo({ ...settings, TOCSIN_DEMO: 'on', TOCSIN_ROLES: 'web' });
  const { url, child } = product;
  const headers = await signIn(url, 'owner@demo.example', 'tocsin-demo-plant');
  const monday = Math.floor((Date.now() / DAY - 4) / 7) * 7 + 4;
  const starts = Array.from({ length: 13 }, (_, week) => new Date((monday - 7 * (12 - week)) * DAY).toISOString());
  const range = `rangeFrom: "${new Date(Date.now() - 90 * DAY).toISOString()}", rangeTo: "${new Date().toISOString()}"`;
  const ask = async (query: string) => {
    const began = performance.now();
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    const { errors } = (await answer.json()) as { errors?: { message: string }[] };
    if (errors) throw new Error(errors[0]?.message);
    return performance.now() - began;
  };
  const middle = async (query: string) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await ask(query));
    return Math.round(times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number);
  };
  const weeks = `weekStarts: ${JSON.stringify(starts)}, today: "${new Date(Math.floor(Date.now() / DAY) * DAY).toISOString()}"`;
  const healthMs = await middle(
    `{ healthReportByUnitOffice(${weeks}) { nodes { uuid w1Count todaycount expected } } }`,
  );
  const smsMs = await middle(`{ smsReportByUnitOffice(${range}) { nodes { uuid smsCount eqs } } }`);
  const alarmMs = await middle(
    `{ alarmFigures(${range}) { alarms medianSeconds p90Seconds } alarmsBySite(${range}, first: 10) { nodes { uuid alarms } } }`,
  );
  const workbook = await downloadWorkbook(url, headers, child.pid as number);
  const cardMs = await firstCard(url);
  console.log(JSON.stringify({ bench: 'reports', share, healthMs, smsMs, alarmMs, ...workbook, cardMs }));
} finally {
  await product?.stop();
  await postgres.stop();
}

/** How long the download takes, and by how much the memory of the server grows while it comes. */
async function downloadWorkbook(url: string, headers: Record<string, string>, pid: number) {
  const memory = async () => {
    const { readFile } = await import('node:fs/promises');
    const resident = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
    return Number(resident?.[1] ?? 0) / 1024;
  };
  const day = (back: number) => new Date(Date.now() - back * DAY).toISOString().slice(0, 10);
  const before = await memory();
  const began = performance.now();
  // Nine days of a million messages in ninety are 100,000 rows.
  const answer = await fetch(`${url}/api/v1/reports/delivery.xlsx?from=${day(10)}&to=${day(2)}`, { headers });
  let most = before;
  let bytes = 0;
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    bytes += chunk.length;
    if (bytes % 7 === 0) most = Math.max(most, await memory());
  }
  return {
    xlsxMs: Math.round(performance.now() - began),
    xlsxBytes: bytes,
    xlsxMemoryGrowthMb: Math.round(Math.max(most, await memory()) - before),
  };
}

/** What the first card asks for, after a sign-in of its own. */
async function firstCard(url: string): Promise<number> {
  const began = performance.now();
  const headers = await signIn(url, 'owner@demo.example', 'tocsin-demo-plant');
  const range = `rangeFrom: "${new Date(Date.now() - 30 * DAY).toISOString()}", rangeTo: "${new Date().toISOString()}"`;
  await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: `{ smsReportByUnitOffice(${range}) { nodes { uuid smsCount eqs } } }` }),
  }).then((answer) => answer.arrayBuffer());
  return Math.round(performance.now() - began);
}
