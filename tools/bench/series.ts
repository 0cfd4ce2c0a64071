/**
 * Measures chart queries through the API on PostgreSQL, with the demo and a million additional readings of one data
 * point. Also measures the roll-up of one minute of a large plant. Prints one JSON line. Run nothing else at the same
 * time.
 */
import { availableParallelism, cpus } from 'node:os';
import pg from 'pg';
import { startPostgres } from '../../test/harness/database/postgres.ts';
import { type Product, signIn, startAsUsersDo } from '../../test/harness/server/product.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const rounds = Number(process.env.BENCH_ROUNDS ?? 25);
const width = 1200;

const query = `query ($uuids: [UUID]!, $from: Datetime!, $to: Datetime!, $width: Int!) {
  series(datapointUuids: $uuids, from: $from, to: $to, width: $width) { datapointUuid resolution bucketMs times mins maxs means } }`;

interface Range {
  from: number;
  to: number;
}

async function timeChart(url: string, headers: Record<string, string>, uuid: string, { from, to }: Range) {
  const body = JSON.stringify({
    query,
    variables: { uuids: [uuid], from: new Date(from).toISOString(), to: new Date(to).toISOString(), width },
  });
  const times: number[] = [];
  let answer = '';
  for (let round = 0; round < rounds + 3; round += 1) {
    const began = performance.now();
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    answer = await response.text();
    if (round >= 3) times.push(performance.now() - began);
  }
  const { data, errors } = JSON.parse(answer);
  if (errors) throw new Error(answer);
  const [series] = data.series;
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] as number);
  return {
    resolution: series.resolution,
    points: series.times.length,
    kilobytes: Math.round(answer.length / 1024),
    bestMs: at(0),
    medianMs: at(0.5),
    p95Ms: at(0.95),
  };
}

/** Inserts readings at a fixed interval, with the channels interleaved as in a real plant. */
const FILL = `
  insert into tocsin.reading (channel_key, device_time, server_time, value)
  select k, t, t + interval '1 second', 50 + 40 * sin(date_part('epoch', t) / 3000) + random()
  from generate_series($2::timestamptz, $3, $4::interval) t, unnest($1::int[]) k`;

const postgres = await startPostgres();
let product: Product | undefined;
const figures: Record<string, unknown> = {
  machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
  node: process.version,
  width,
};
const admin = new pg.Client(postgres.adminUrl.replace(/\/postgres$/, '/series'));
try {
  await postgres.createDatabase('series');
  product = await startAsUsersDo({ TOCSIN_DEMO: 'on', DATABASE_URL: postgres.urlFor('series') });
  await admin.connect();
  await admin.query('set role tocsin_service');
  const ask = async (text: string, values: unknown[] = []) => (await admin.query(text, values)).rows;

  const headers = await signIn(product.url, 'owner@demo.example', 'tocsin-demo-plant');
  const list = await fetch(`${product.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: '{ assetDatapoints(first: 3) { nodes { uuid sensorChannel { uuid } } } }' }),
  });
  const nodes = ((await list.json()) as any).data.assetDatapoints.nodes;
  const channels: number[] = [];
  for (const { sensorChannel } of nodes) {
    const rows = await ask('select key from tocsin.sensor_channel where uuid = $1', [sensorChannel.uuid]);
    channels.push(rows[0].key);
  }

  const end = Math.floor(performance.timeOrigin / DAY) * DAY - DAY;
  const long = { from: end - 1_000_000 * 1000, to: end };
  const short = { from: end - 8 * HOUR, to: end };
  const shortest = { from: end - 2 * HOUR, to: end };
  await ask('delete from tocsin.reading where channel_key = any ($1)', [channels]);
  await ask(FILL, [[channels[0]], new Date(long.from), new Date(long.to - 1), '1 second']);
  // Inserts a million readings in each of two ranges, interleaved with another channel: 35 per second for 8 hours, and
  // 139 per second for 2 hours.
  await ask(FILL, [[channels[1], 2_000_000], new Date(short.from), new Date(short.to - 1), '28800 microseconds']);
  await ask(FILL, [[channels[2], 2_000_001], new Date(shortest.from), new Date(shortest.to - 1), '7200 microseconds']);
  for (let from = long.from; from < long.to; from += DAY) {
    await ask('select tocsin_private.roll_up_readings($1, $2)', [new Date(from), new Date(from + DAY)]);
  }
  await ask(
    `insert into tocsin_private.milestone (name, at) values ('rolled-up', $1) on conflict (name) do update set at = excluded.at`,
    [new Date(end + HOUR)],
  );
  // Runs VACUUM ANALYZE, because autovacuum is disabled on the test server.
  await admin.query('reset role');
  await admin.query('vacuum analyze');

  const target = 'under 150 ms';
  figures.millionFromRollups = { ...(await timeChart(product.url, headers, nodes[0].uuid, long)), target };
  figures.millionInEightHours = { ...(await timeChart(product.url, headers, nodes[1].uuid, short)), target };
  figures.millionRaw = { ...(await timeChart(product.url, headers, nodes[2].uuid, shortest)), target };

  await admin.query('set role tocsin_service');
  await ask(
    `insert into tocsin.reading (channel_key, device_time, server_time, value)
     select 3000000 + c, $1::timestamptz + s * interval '1 second' + c * interval '90 microseconds',
       $1::timestamptz + s * interval '1 second' + c * interval '90 microseconds' + interval '200 milliseconds', random()
     from generate_series(0, 119) s, generate_series(1, 10000) c`,
    [new Date(end + 2 * HOUR)],
  );
  await ask('select tocsin_private.summarise_arrival_index()');
  const minutes: number[] = [];
  for (const minute of [0, 1]) {
    const began = performance.now();
    const from = end + 2 * HOUR + minute * 60_000;
    await ask('select tocsin_private.roll_up_readings($1, $2)', [new Date(from), new Date(from + 60_000)]);
    minutes.push(Math.round(performance.now() - began));
  }
  figures.rollUpOfAMinuteOf10000ChannelsMs = { value: minutes, target: 'far under 60000' };
} finally {
  await admin.end().catch(() => {});
  await product?.stop();
  await postgres.stop();
}
console.log(JSON.stringify(figures));
