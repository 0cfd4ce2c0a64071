/**
 * Runs the whole product, with sensors for each of the three protocols. Reads what the product has stored from their
 * frames.
 */
import { execFile, spawn } from 'node:child_process';
import type { Config } from '../../server/config.ts';
import { type CustomerRow, createCustomer, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { createSensor, type NewSensor, type TestSensor } from '../harness/device/devices.ts';
import { startTestApp, type TestApp } from '../harness/server/app.ts';

export interface StoredFrame {
  raw: string;
  encoding: string;
  protocol: string;
  problem: string | null;
  note: string | null;
}

export class DevicesApp {
  readonly app: TestApp;
  readonly customer: CustomerRow;

  private constructor(app: TestApp, customer: CustomerRow) {
    this.app = app;
    this.customer = customer;
  }

  static async start(config: Partial<Config> = {}): Promise<DevicesApp> {
    const app = await startTestApp({ config });
    return new DevicesApp(app, await createCustomer(app.db));
  }

  close(): Promise<void> {
    return this.app.close();
  }

  get url(): string {
    return `${this.app.url}/api/v1/ingest`;
  }

  get tcpPort(): number {
    return this.app.gateway?.tcpPort as number;
  }

  get mqttPort(): number {
    return this.app.gateway?.mqttPort as number;
  }

  sensor(values: Partial<NewSensor> = {}): Promise<TestSensor> {
    const channels = [{ name: 'Level' }, { name: 'Flow' }, { name: 'Pressure' }];
    return createSensor(this.app.db, { customer: this.customer, channels, ...values });
  }

  readings(sensor: TestSensor): Promise<{ channel: number; time: Date; value: number }[]> {
    return serviceQuery(
      this.app.db,
      `select c.channel_number as channel, r.device_time as time, r.value from tocsin.reading r
       join tocsin.sensor_channel c on c.key = r.channel_key where c.tocsin_sensor_uuid = $1 order by 1, 2`,
      [sensor.uuid],
    );
  }

  frames(sensor: TestSensor): Promise<StoredFrame[]> {
    return serviceQuery(
      this.app.db,
      `select raw_data as raw, encoding, protocol, problem, note from tocsin.incoming_sensor_log
       where uid = $1 and tocsin_customer_uuid = $2 and encoding <> 'none' order by auto_id`,
      [sensor.uid, sensor.customerUuid],
    );
  }

  /** Returns the reasons of the refusals in the sensor log of this sensor. */
  async rejections(sensor: TestSensor): Promise<string[]> {
    const lines = await serviceQuery<{ problem: string }>(
      this.app.db,
      `select problem from tocsin.incoming_sensor_log
       where uid = $1 and tocsin_customer_uuid = $2 and encoding = 'none' order by auto_id`,
      [sensor.uid, sensor.customerUuid],
    );
    return lines.map(({ problem }) => problem);
  }

  async queue(sensor: TestSensor, command: string): Promise<number> {
    const { id } = await insertRow<{ id: number }>(this.app.db, 'tocsin.reply_message', {
      tocsin_customer_uuid: sensor.customerUuid,
      uid: sensor.uid,
      reply_command: command,
      queued_on: this.app.clock.now(),
    });
    return Number(id);
  }

  async disable(sensor: TestSensor): Promise<void> {
    await serviceQuery(this.app.db, 'update tocsin.sensor set status = 0 where uuid = $1', [sensor.uuid]);
  }

  async revoke(sensor: TestSensor): Promise<void> {
    await serviceQuery(
      this.app.db,
      'update tocsin_private.device_token set revoked_at = $2 where tocsin_sensor_uuid = $1',
      [sensor.uuid, this.app.clock.now()],
    );
  }
}

export interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs a program with the given input and waits until it ends. */
export function run(program: string, args: readonly string[], input?: string | Buffer): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: 20_000 }, (error, output, errors) =>
      resolve({ code: error ? ((error.code as unknown as number) ?? null) : 0, output, errors }),
    );
    child.stdin?.end(input);
  });
}

export interface Running {
  lines: string[];
  ended: Promise<number | null>;
  stop(): void;
  /** Resolves when the program has printed this number of lines. */
  hear(count: number): Promise<string[]>;
}

/** Starts a program in the background, with line-buffered output. */
export function watch(program: string, args: readonly string[]): Running {
  const child = spawn('stdbuf', ['-oL', program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  // Kills the program even if the test fails.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let text = '';
  let wake = () => {};
  const lines: string[] = [];
  const take = (chunk: Buffer) => {
    text += chunk;
    const all = text.split('\n');
    text = all.pop() ?? '';
    lines.push(...all);
    wake();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    lines,
    ended,
    stop: () => child.kill(),
    async hear(count) {
      while (lines.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return lines;
    },
  };
}
