/**
 * PostgreSQL with a synchronous standby behind HAProxy. The primary is killed while devices send. Every acknowledged
 * reading must be on the promoted standby, and Tocsin must continue without a restart.
 */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serviceAccess } from '../../server/access.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openPostgres } from '../../server/platform/postgres.ts';
import { Failover } from '../../tools/cluster/failover.ts';
import { migrateTestDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { createCustomer, createUser, serviceQuery, setDefaultCustomer } from '../harness/database/factories.ts';
import { other, PostgresPair } from '../harness/database/postgres-pair.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { type SteadyDevice, startSteadyDevice, steadyProtocols } from '../harness/device/steady-device.ts';
import { isLong, long } from '../harness/long.ts';
import { startFaultProxy } from '../harness/machine/fault-proxy.ts';
import { type Balancer, ensureHaproxy, startBalancer } from '../harness/machine/haproxy.ts';
import { freePorts } from '../harness/machine/ports.ts';
import { scratchFolder } from '../harness/machine/scratch.ts';
import { startProcess, type TocsinProcess } from '../harness/server/processes.ts';
import { keepCompiledProduct, signIn } from '../harness/server/product.ts';

const EMAIL = 'owner@failover.test';
const PASSWORD = 'a long enough password';
const LIMIT_S = 30;
const FAILOVERS = isLong ? 4 : 1;
const haproxy = testDatabaseKind() === 'postgres' ? await ensureHaproxy() : { missing: 'only on PostgreSQL' };
if ('missing' in haproxy && testDatabaseKind() === 'postgres') console.log(haproxy.missing);

interface Site {
  pair: PostgresPair;
  balancer: Balancer;
  failover: Failover | undefined;
  /** Messages that `Failover` has reported. */
  said: string[];
  url: string;
  sensors: TestSensor[];
  processes: TocsinProcess[];
  devices: SteadyDevice[];
  /** Delays replication from the primary to the standby. */
  delayReplication(milliseconds: number): void;
  close(): Promise<void>;
}

/**
 * Starts the databases, the balancer, the processes and the devices. If `controlled` is false, replication is
 * asynchronous and nothing promotes the standby.
 */
async function startSite(processes: number, { controlled = true }: { controlled?: boolean } = {}): Promise<Site> {
  const folder = scratchFolder('failover');
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const delays: ((milliseconds: number) => void)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const pair = await PostgresPair.start({
      folder,
      async replicationPort(port) {
        const proxy = await startFaultProxy({ host: '127.0.0.1', port });
        undo.push(() => proxy.stop());
        delays.push((milliseconds) => proxy.delay(milliseconds));
        return proxy.port;
      },
    });
    undo.push(() => pair.stop());
    const [one, two] = (await freePorts(2)) as [number, number];
    const said: string[] = [];
    const failover = new Failover({ pair, checkPorts: { one, two }, say: (text) => said.push(text) });
    if (controlled) {
      undo.push(() => failover.close());
      await failover.start();
    }
    const url = pair.urlAt(pair.ports.one);
    const db = await openPostgres({ url, log: silentLog });
    await migrateTestDatabase(db);
    const customer = await createCustomer(db);
    await setDefaultCustomer(db, customer);
    await createUser(db, { customer, level: 1, email: EMAIL, password: PASSWORD });
    const sensors = await Promise.all(Array.from({ length: 6 }, () => createSensor(db, { customer })));
    await db.close();
    // The ports of the balancer are chosen before the processes start, because the processes reach the database through
    // the balancer.
    const [web, mqtt, tcp, postgres, ...rest] = (await freePorts(4 + 3 * processes)) as [
      number,
      number,
      number,
      number,
    ];
    const ports = Array.from({ length: processes }, (_, index) => {
      const [web, mqtt, tcp] = rest.slice(3 * index) as unknown as [number, number, number];
      return { web, mqtt, tcp };
    });
    const balancer = await startBalancer({
      ...{ folder, processes: ports, ports: { web, mqtt, tcp, postgres } },
      postgres: controlled
        ? [
            { port: pair.ports.one, check: one },
            { port: pair.ports.two, check: two },
          ]
        : [],
    });
    undo.push(() => balancer.child.stop());
    if (controlled) await expect.poll(() => accepts(pair.urlAt(postgres))).toBe(true);
    const started = await Promise.all(
      ports.map((own) => startProcess({ DATABASE_URL: controlled ? pair.urlAt(postgres) : url }, undefined, own)),
    );
    undo.push(() => Promise.all(started.map((process) => process.kill())));
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${web}/api/v1/config`)).status).toBe(200);
    const devices = sensors.map((sensor, index) =>
      startSteadyDevice({ ports: balancer.ports, sensor, protocol: steadyProtocols[index % 3] as 'http', pauseMs: 20 }),
    );
    undo.push(() => Promise.all(devices.map((device) => device.stop())));
    await expect.poll(() => devices.every(({ answered }) => answered.length > 30), { timeout: 120_000 }).toBe(true);
    return {
      pair,
      balancer,
      failover: controlled ? failover : undefined,
      said,
      url,
      sensors,
      processes: started,
      devices,
      delayReplication: (milliseconds) => {
        for (const delay of delays) delay(milliseconds);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  const connected = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => {});
  return connected;
}

/** Returns the number of acknowledged readings that are missing on a server. */
async function missingAt(port: number, site: Site): Promise<number> {
  const db = await openPostgres({ url: site.pair.urlAt(port), log: silentLog });
  try {
    let missing = 0;
    for (const { sensor, answered } of site.devices) {
      const rows = await serviceQuery<{ ms: number }>(
        db,
        'select round(extract(epoch from device_time) * 1000)::float8 as ms from tocsin.reading where channel_key = $1',
        [sensor.channels[0]?.key],
      );
      const stored = new Set(rows.map(({ ms }) => ms));
      missing += answered.filter(({ time }) => !stored.has(time)).length;
    }
    return missing;
  } finally {
    await db.close();
  }
}

const count = ({ devices }: Site) => devices.reduce((sum, { answered }) => sum + answered.length, 0);

describe.skipIf('missing' in haproxy)('PostgreSQL with a standby', () => {
  let site: Site | undefined;

  beforeAll(keepCompiledProduct);
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });

  test('keeps every acknowledged reading when the primary is killed, without a restart of Tocsin', {
    timeout: 400_000,
  }, async () => {
    site = await startSite(2);
    const { failover, said, devices, pair, processes, balancer } = site;
    if (!failover) throw new Error('The failover is on.');
    const url = `http://127.0.0.1:${balancer.ports.web}`;
    const headers = await signIn(url, EMAIL, PASSWORD);
    const times: string[] = [];
    for (let round = 0; round < FAILOVERS; round += 1) {
      await expect.poll(() => failover.standbyIsComplete, { timeout: 60_000 }).toBe(true);
      const old = failover.primary;
      await pair.kill(old);
      const killed = performance.now();
      const back = () => devices.map(({ answered }) => answered.find(({ sentAt }) => sentAt > killed)?.at);
      await expect.poll(() => back().filter(Boolean).length, { timeout: 90_000 }).toBe(devices.length);
      const seconds = back().map((at) => ((at as number) - killed) / 1000);
      times.push(`${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s`);
      expect(failover.primary, said.join('\n')).toBe(other(old));
      expect(Math.max(...seconds)).toBeLessThan(LIMIT_S);
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers,
        body: '{"query":"{ customers { totalCount } }"}',
      });
      expect(await answer.json()).toEqual({ data: { customers: { totalCount: 1 } } });
    }
    await Promise.all(devices.map((device) => device.stop()));
    expect(processes.map(({ product }) => [product.child.exitCode, product.child.signalCode])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(await missingAt(pair.ports[failover.primary], site)).toBe(0);
    const refusals = devices.flatMap(({ failures }) => failures.map(({ reason }) => reason.slice(0, 60)));
    // Every error asks the device to retry. No error rejects the frame permanently.
    expect(refusals.filter((reason) => /^4\d\d|^ERR (?!unavailable)/.test(reason))).toEqual([]);
    console.log(
      `After the kill of the primary the devices were answered within ${times.join(', ')}; ${count(site)} readings.`,
    );
  });

  test('does not confirm a transaction whose wait for the standby was cancelled', async () => {
    const folder = scratchFolder('unconfirmed');
    const pair = await PostgresPair.start({ folder });
    const db = await openPostgres({ url: pair.urlAt(pair.ports.one), log: silentLog });
    const access = serviceAccess(systemClock);
    const inNewTransaction = (text: string) => db.transaction(access, (tx) => tx.query(text));
    try {
      await migrateTestDatabase(db);
      await pair.setSynchronous('one', true);
      await pair.kill('two');
      const insert = inNewTransaction(
        "insert into tocsin_private.installation (name, value) values ('unconfirmed', '1')",
      ).catch((error: Error) => error);
      const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
      await expect.poll(async () => (await pair.ask('one', cancel)).length).toBe(1);
      expect(await insert).toMatchObject({ code: '08006', statusCode: 503 });
      // PostgreSQL itself reported success, but the row exists only on the primary. A failover would lose the row.
      const { rowCount } = await inNewTransaction("select from tocsin_private.installation where name = 'unconfirmed'");
      expect(rowCount).toBe(1);
    } finally {
      await pair.setSynchronous('one', false);
      await db.close();
      await pair.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('refuses connections to a standby with a request to try again', async () => {
    const folder = scratchFolder('standby');
    const pair = await PostgresPair.start({ folder });
    const db = await openPostgres({ url: pair.urlAt(pair.ports.two), log: silentLog });
    try {
      await expect(db.transaction(serviceAccess(systemClock), (tx) => tx.query('select 1'))).rejects.toMatchObject({
        code: '08006',
        statusCode: 503,
      });
      await pair.promote('two');
      await expect
        .poll(() => db.migration((tx) => tx.query('select 1 as one')).then(({ rows }) => rows))
        .toEqual([{ one: 1 }]);
    } finally {
      await db.close();
      await pair.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  // The same fault without a synchronous standby loses acknowledged readings. This proves that the failover test can
  // detect such losses.
  long('loses answered readings with an asynchronous standby that lags', { timeout: 400_000 }, async () => {
    site = await startSite(1, { controlled: false });
    const { pair, devices } = site;
    site.delayReplication(2000);
    await pause(3000);
    await pair.kill('one');
    await Promise.all(devices.map((device) => device.stop()));
    await pair.promote('two');
    expect(await missingAt(pair.ports.two, site)).toBeGreaterThan(0);
  });
});
