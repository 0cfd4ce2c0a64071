import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type DemoFacts, type LiveChannel, type LiveSensor, planLife } from '../../db/demo/live.ts';
import { randomOf } from '../../db/demo/random.ts';
import { serviceAccess } from '../access.ts';
import { type Clock, randomToken } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { inWholeSteps, slowerBy } from './pace.ts';

export interface DemoLifeOptions {
  db: Database;
  clock: Clock;
  log: Log;
  /** Addresses of the doors, such as http://localhost:8080, mqtt://localhost:1883 and tcp://localhost:5055. */
  http: string;
  mqtt?: string | undefined;
  tcp?: string | undefined;
  /** How often a sensor sends. A large plant is slower, so that all of it together sends no more than a small one. */
  everySeconds?: readonly [least: number, most: number];
  /** What all of them send together, however often each has to for that. */
  valuesPerSecond?: number | undefined;
}

export interface DemoLife {
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const simulator = join(root, 'tools/simulate/main.ts');

/** Connections that stay open at each of the doors that have such. */
const MOST_CONNECTIONS = 100;

const STOP_MS = 5000;

/**
 * Lets the demo plant live: gives its sensors new tokens and starts the simulator as a process of its own, which speaks
 * to the doors as real devices do and ends with this one, however that ends.
 */
export async function startDemoLife(options: DemoLifeOptions): Promise<DemoLife> {
  const { db, clock, log } = options;
  const asleep: DemoLife = { stop: async () => {} };
  if (!existsSync(simulator)) {
    log.info('the demo plant stands still, because this installation has no simulator');
    return asleep;
  }
  const plan = await db.transaction(serviceAccess(clock), (tx) => makePlan(tx, options));
  if (plan.sensors.length === 0) return asleep;
  const child = startSimulator(JSON.stringify(plan), log);
  let stopping = false;
  const ended = once(child, 'close').then(([exitCode]) => {
    if (!stopping) log.warn('the demo plant stands still, because its simulator ended', { exitCode });
  });
  return {
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(impatience);
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
    // It runs all the same.
  }
  // A child that is gone already says so by its exit.
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

/** The plan of the simulator: what the plant was made of, as far as people left it there. */
async function makePlan(tx: Transaction, options: DemoLifeOptions) {
  const { rows } = await tx.query<{ value: DemoFacts }>(
    "select value from tocsin_private.installation where name = 'demo'",
  );
  const facts = rows[0]?.value;
  const life = new Map(facts ? planLife(facts).map((sensor) => [sensor.sensorUuid, sensor]) : []);
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
  const slower = slowerBy(
    sensors.rows.map(({ channels }) => channels.length),
    everySeconds,
    options.valuesPerSecond,
  );
  const doors = new Doors(options);
  return {
    seed: facts?.seed ?? '',
    server: doors.addresses,
    sensors: sensors.rows.map((row) => {
      const random = randomOf('life', row.uid);
      const { gsm, silence, badFrames, channels } = life.get(row.uuid) as LiveSensor;
      return {
        uid: row.uid,
        token: tokens.get(row.uuid) as string,
        // A number that has no column of its own in CSV takes a header, and that a second line, which TCP has no place for.
        door: row.channels.every(({ number }) => number >= 1 && number <= 999) ? doors.pick(random.next()) : 'http',
        format: row.format === 'auto' ? random.pick(['json', 'key-value', 'csv'] as const) : row.format,
        everySeconds: inWholeSteps(random.between(...everySeconds) * slower),
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

/** A channel that people added. */
function unknownChannel(type: 1 | 2 | 3): Partial<LiveChannel> | { kind: string; curve: string } {
  return type === 1 ? { kind: 'digital', curve: 'square' } : { kind: 'analog', curve: 'wander' };
}

/** A third each, as long as connections that stay open are few; the others call. */
class Doors {
  readonly addresses: Record<string, string>;
  readonly #open = { mqtt: 0, tcp: 0 };

  constructor({ http, mqtt, tcp }: DemoLifeOptions) {
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

/** New tokens, in place of those of an earlier start, which nobody knows any more. */
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
