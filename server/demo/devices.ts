import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type DemoFacts, type LiveChannel, type LiveSensor, planLiveSensors } from '../../db/demo/live.ts';
import { randomOf } from '../../db/demo/random.ts';
import { serviceAccess } from '../access.ts';
import { type Clock, randomToken } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { intervalFactor, roundInterval } from './pace.ts';

export interface DemoDevicesOptions {
  db: Database;
  clock: Clock;
  log: Log;
  /** Addresses of the gateway, such as http://localhost:8080, mqtt://localhost:1883 and tcp://localhost:5055. */
  http: string;
  mqtt?: string | undefined;
  tcp?: string | undefined;
  /**
   * Range of sending intervals, in seconds. Devices of a large plant send less often, so that the total load equals
   * that of a small plant.
   */
  everySeconds?: readonly [least: number, most: number];
  /** Number of values per second that the whole plant sends. Overrides the intervals. */
  valuesPerSecond?: number | undefined;
}

export interface DemoDevices {
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const simulator = join(root, 'tools/simulate/main.ts');

/** Maximum number of open connections for each of the protocols MQTT and TCP. */
const MOST_CONNECTIONS = 100;

const STOP_MS = 5000;

/**
 * Issues new tokens for the demo's sensors and starts the simulator as a child process, which sends frames as devices
 * do. The simulator ends when this process ends, even if this process is killed.
 */
export async function startDemoDevices(options: DemoDevicesOptions): Promise<DemoDevices> {
  const { db, clock, log } = options;
  const notStarted: DemoDevices = { stop: async () => {} };
  if (!existsSync(simulator)) {
    log.info('the demo devices are off, because this installation has no simulator');
    return notStarted;
  }
  const plan = await db.transaction(serviceAccess(clock), (tx) => makePlan(tx, options));
  if (plan.sensors.length === 0) return notStarted;
  const child = startSimulator(JSON.stringify(plan), log);
  let stopping = false;
  const ended = once(child, 'close').then(([exitCode]) => {
    if (!stopping) log.warn('the demo devices stopped sending, because the simulator ended', { exitCode });
  });
  return {
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(killTimer);
    },
  };
}

function startSimulator(plan: string, log: Log): ChildProcess {
  const child = spawn(process.execPath, [simulator, '--plan', '-', '--curves', join(root, 'db/demo/plant/shapes.ts')], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: {},
  });
  const pass = (output: Readable | null, level: 'info' | 'warn') =>
    output && createInterface({ input: output }).on('line', (line) => log[level](`demo plant: ${line}`));
  pass(child.stdout, 'info');
  pass(child.stderr, 'warn');
  child.on('error', (error) => log.warn('the simulator of the demo plant could not be started', { error }));
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The simulator runs with normal priority.
  }
  // Ignores errors from writing to a simulator that has ended. Its exit is already logged.
  child.stdin?.on('error', () => {});
  child.stdin?.end(plan);
  return child;
}

interface SensorRow {
  uuid: string;
  customer: string;
  uid: string;
  format: 'auto' | 'json' | 'key-value' | 'csv';
  channels: { uuid: string; number: number; type: 1 | 2 | 3 }[];
}

/** Creates the simulator's plan with all active sensors of the demo that still exist. */
async function makePlan(tx: Transaction, options: DemoDevicesOptions) {
  const { rows } = await tx.query<{ value: DemoFacts }>(
    "select value from tocsin_private.installation where name = 'demo'",
  );
  const facts = rows[0]?.value;
  const life = new Map(facts ? planLiveSensors(facts).map((sensor) => [sensor.sensorUuid, sensor]) : []);
  const sensors = await tx.query<SensorRow>(
    `select s.uuid, s.tocsin_customer_uuid as customer, s.uid, s.frame_format as format,
       jsonb_agg(jsonb_build_object('uuid', c.uuid, 'number', c.channel_number, 'type', s.sensor_type)
         order by c.channel_number) as channels
     from tocsin.sensor s join tocsin.sensor_channel c on c.tocsin_sensor_uuid = s.uuid
     where s.uuid = any ($1) and s.status = 1 group by s.uuid order by s.uid, s.uuid`,
    [[...life.keys()]],
  );
  const tokens = await giveTokens(tx, sensors.rows);
  const everySeconds = options.everySeconds ?? [15, 30];
  const factor = intervalFactor(
    sensors.rows.map(({ channels }) => channels.length),
    everySeconds,
    options.valuesPerSecond,
  );
  const protocols = new ProtocolPicker(options);
  return {
    seed: facts?.seed ?? '',
    server: protocols.addresses,
    sensors: sensors.rows.map((row) => {
      const random = randomOf('life', row.uid);
      const { gsm, silence, badFrames, channels } = life.get(row.uuid) as LiveSensor;
      return {
        uid: row.uid,
        token: tokens.get(row.uuid) as string,
        // The CSV format has columns only for channels 1 to 999. Other channels need a header line, which does not fit
        // into a one-line TCP frame.
        protocol: row.channels.every(({ number }) => number >= 1 && number <= 999)
          ? protocols.pick(random.next())
          : 'http',
        format: row.format === 'auto' ? random.pick(['json', 'key-value', 'csv'] as const) : row.format,
        everySeconds: roundInterval(random.between(...everySeconds) * factor),
        gsm,
        silence,
        badFrames,
        channels: row.channels.map(({ uuid, number, type }) => ({
          channel: String(number),
          ...(channels.get(uuid) ?? unknownChannel(type)),
        })),
      };
    }),
  };
}

/** Returns the simulated signal of a channel that a user added to the demo. */
function unknownChannel(type: 1 | 2 | 3): Partial<LiveChannel> | { kind: string; curve: string } {
  return type === 1 ? { kind: 'digital', curve: 'square' } : { kind: 'analog', curve: 'wander' };
}

/** Distributes sensors evenly across the protocols. Sensors above the connection limit use HTTP. */
class ProtocolPicker {
  readonly addresses: Record<string, string>;
  readonly #open = { mqtt: 0, tcp: 0 };

  constructor({ http, mqtt, tcp }: DemoDevicesOptions) {
    this.addresses = { http, ...(mqtt !== undefined && { mqtt }), ...(tcp !== undefined && { tcp }) };
  }

  pick(chance: number): 'http' | 'mqtt' | 'tcp' {
    const wanted = chance < 1 / 3 ? 'mqtt' : chance < 2 / 3 ? 'tcp' : 'http';
    if (wanted === 'http' || this.addresses[wanted] === undefined || this.#open[wanted] >= MOST_CONNECTIONS)
      return 'http';
    this.#open[wanted] += 1;
    return wanted;
  }
}

/** Replaces all tokens, because the database stores earlier tokens only as hashes. */
async function giveTokens(tx: Transaction, sensors: readonly SensorRow[]): Promise<Map<string, string>> {
  const tokens = new Map(sensors.map(({ uuid }) => [uuid, randomToken()]));
  await tx.query('delete from tocsin_private.device_token where tocsin_sensor_uuid = any ($1)', [[...tokens.keys()]]);
  await tx.query(
    `insert into tocsin_private.device_token (tocsin_customer_uuid, tocsin_sensor_uuid, token_hash)
     select customer, sensor, decode(hash, 'hex') from unnest($1::uuid[], $2::uuid[], $3::text[]) as t (customer, sensor, hash)`,
    [
      sensors.map(({ customer }) => customer),
      sensors.map(({ uuid }) => uuid),
      [...tokens.values()].map((token) => createHash('sha256').update(token).digest('hex')),
    ],
  );
  return tokens;
}
