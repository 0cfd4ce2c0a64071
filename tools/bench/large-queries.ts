/**
 * Measures the most expensive queries that a signed-in operator can send: how much the server's memory grows, and the
 * longest time that a device sending at the same time has to wait. Prints one JSON line.
 *
 *   node tools/bench/large-queries.ts [postgres|embedded]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildSchema, type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { startPostgres } from '../../test/harness/database/postgres.ts';
import { signIn, startAsUsersDo } from '../../test/harness/server/product.ts';

const kind = process.argv[2] ?? 'postgres';
const DEVICE_EVERY_MS = 20;
const SAMPLE_EVERY_MS = 10;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

const aliased = (count: number, field: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => field(index)).join(' ');
const nested = (outer: number, inner: number, fields: string) =>
  `{ notifications(first: ${outer}) { nodes { customer { notifications(first: ${inner}) { nodes { ${fields} } } } } } }`;

/** Returns a query that is close to the limits on fields and depth, and that requests one row of each list. */
function wide(root: string, most: number): string {
  const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../web/api/schema.graphql'), 'utf8'));
  let left = most;
  const select = (type: GraphQLObjectType, depth: number): string => {
    const fields = Object.values(type.getFields()).filter(
      ({ args }) => !args.some(({ type }) => `${type}`.endsWith('!')),
    );
    const leaves = fields.filter(({ type }) => isLeafType(getNamedType(type)));
    const plain = leaves.map(({ name }) => name).slice(0, Math.max(0, left));
    left -= plain.length;
    const parts = plain;
    for (const { name, args, type } of fields) {
      const inner = getNamedType(type);
      if (!isObjectType(inner) || depth >= 13 || left < 2 || name === 'edges') continue;
      left -= 1;
      parts.push(
        `${name}${args.some((one) => one.name === 'first') ? '(first: 1)' : ''} { ${select(inner, depth + 1)} }`,
      );
    }
    return parts.length > 0 ? parts.join(' ') : '__typename';
  };
  const connection = getNamedType(schema.getQueryType()!.getFields()[root]!.type) as GraphQLObjectType;
  return `{ ${root}(first: 1) { ${select(connection, 2)} } }`;
}

interface Attempt {
  name: string;
  query: string;
  /** Number of requests that are sent at the same time. */
  atOnce: number;
}

const attempts: Attempt[] = [
  {
    name: '10 aliases of a nested list without first',
    query: `{ notifications { nodes { customer { ${aliased(10, (i) => `a${i}: notifications { nodes { uuid } }`)} } } } }`,
    atOnce: 1,
  },
  {
    name: '28 aliases, three at once',
    query: `{ notifications { nodes { customer { ${aliased(28, (i) => `a${i}: notifications { nodes { uuid } }`)} } } } }`,
    atOnce: 3,
  },
  ...[10, 19, 50, 200].map((outer) => ({
    name: `${outer} times 500 rows with one value`,
    query: nested(outer, 500, 'uuid'),
    atOnce: 1,
  })),
  ...[1, 2, 3, 5, 20].map((outer) => ({
    name: `${outer} times 500 rows with 12 values`,
    query: nested(
      outer,
      500,
      'uuid notifyMessage notifyTime ackTime shownState recipientName address methodType kind attempts providerAnswer attemptLog',
    ),
    atOnce: 1,
  })),
  {
    name: '500 frames with 29 aliases',
    query: `{ incomingSensorLogs { nodes { ${aliased(29, (i) => `a${i}: rawData`)} } } }`,
    atOnce: 1,
  },
  { name: '19 times 500 rows with one value, eight at once', query: nested(19, 500, 'uuid'), atOnce: 8 },
  { name: '290 fields', query: wide('sites', 290), atOnce: 1 },
  { name: '290 fields, eight different queries at once', query: wide('sites', 290), atOnce: 8 },
  { name: '90 fields, eight different queries at once', query: wide('sites', 90), atOnce: 8 },
];

const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
const postgres = kind === 'postgres' ? await startPostgres(undefined, 'durable') : undefined;
await postgres?.createDatabase('bench');
const product = await startAsUsersDo({
  ...(postgres && { DATABASE_URL: postgres.urlFor('bench') }),
  TOCSIN_DATA_DIR: join(folder, 'data'),
  TOCSIN_DEMO: 'on',
});
try {
  const owner = await signIn(product.url, 'owner@demo.example', 'tocsin-demo-plant');
  const operator = await signIn(product.url, 'operator@demo.example', 'tocsin-demo-plant');
  const device = await makeDevice(owner);
  await pause(20_000);
  await measure(device, { name: 'warm-up', query: nested(1, 10, 'uuid'), atOnce: 1 }, operator);
  const results = [];
  const chosen = attempts.filter(({ name }) => name.includes(process.env.BENCH_ONLY ?? ''));
  for (const attempt of chosen) {
    const result = await measure(device, attempt, operator);
    process.stderr.write(`${JSON.stringify(result)}\n`);
    results.push(result);
    if (product.child.exitCode !== null) break;
  }
  const quiet = await measure(device, { name: 'no query', query: '', atOnce: 0 }, operator);
  console.log(
    JSON.stringify({
      machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
      node: process.version,
      database: kind,
      quiet,
      results,
      target: 'memory rises by at most 100 MB, a device waits at most 250 ms',
    }),
  );
} finally {
  await product.stop();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function ask(headers: Record<string, string>, query: string, variables = {}): Promise<any> {
  const body = JSON.stringify({ query, variables });
  const answer = await fetch(`${product.url}/graphql`, { method: 'POST', headers, body });
  return answer.json();
}

async function makeDevice(headers: Record<string, string>): Promise<{ uid: string; token: string }> {
  const uid = 'BENCH-1';
  const { data, errors } = await ask(
    headers,
    `mutation ($input: RegisterSensorInput!) { registerSensor(input: $input) { credentials { token } } }`,
    { input: { uid, sensorType: 2 } },
  );
  if (!data) throw new Error(JSON.stringify(errors));
  return { uid, token: data.registerSensor.credentials.token };
}

function residentMb(): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${product.child.pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

async function measure(device: { uid: string; token: string }, attempt: Attempt, headers: Record<string, string>) {
  await pause(1500);
  const before = residentMb();
  let peak = before;
  let asking = true;
  const waits: number[] = [];
  const sampling = (async () => {
    while (asking) {
      peak = Math.max(peak, residentMb());
      await pause(SAMPLE_EVERY_MS);
    }
  })();
  const sending: Promise<void>[] = [];
  const devices = (async () => {
    while (asking) {
      sending.push(send(device, waits).catch(() => void waits.push(Number.POSITIVE_INFINITY)));
      await pause(DEVICE_EVERY_MS);
    }
  })();
  const began = performance.now();
  const answers: { status: number; bytes: number; code: string | undefined }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = Array.from({ length: attempt.atOnce }, async (_, index) => {
      // The new operation name prevents the server from using a cached plan.
      const query = attempt.query.replace(/^/, `query Round${round}Number${index} `);
      const body = JSON.stringify({ query });
      const answer = await fetch(`${product.url}/graphql`, { method: 'POST', headers, body });
      const text = Buffer.from(await answer.arrayBuffer());
      const code = text.length < 2000 ? /"code":"(\w+)"/.exec(text.toString())?.[1] : undefined;
      answers.push({ status: answer.status, bytes: text.length, code });
    });
    await Promise.all(asked).catch((error: Error) => process.stderr.write(`${attempt.name}: ${error.message}\n`));
    await pause(300);
  }
  const took = Math.round(performance.now() - began - ROUNDS * 300);
  asking = false;
  await Promise.all([sampling, devices]);
  await Promise.allSettled(sending);
  return {
    name: attempt.name,
    status: [...new Set(answers.map(({ status, code }) => `${status} ${code ?? ''}`.trim()))],
    megabytes: Math.round(Math.max(0, ...answers.map(({ bytes }) => bytes)) / 10_485.76) / 100,
    msPerRound: Math.round(took / ROUNDS),
    deviceWaitMs: Math.round(Math.max(0, ...waits)),
    memoryRiseMb: Math.round(peak - before),
  };
}

async function send(device: { uid: string; token: string }, waits: number[]): Promise<void> {
  const began = performance.now();
  const answer = await fetch(`${product.url}/api/v1/ingest/${device.uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${device.token}` },
    body: '1=1',
  });
  await answer.arrayBuffer();
  waits.push(performance.now() - began);
}
