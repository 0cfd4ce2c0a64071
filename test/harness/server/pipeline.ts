import { afterAll, beforeAll, beforeEach } from 'vitest';
import { LiveHub } from '../../../server/live/hub.ts';
import { Evaluator } from '../../../server/pipeline/evaluator.ts';
import type { Answer, Delivery, Device, Taken } from '../../../server/pipeline/intake.ts';
import { Pipeline } from '../../../server/pipeline/pipeline.ts';
import { HandClock } from '../../../server/platform/clock.ts';
import type { Database } from '../../../server/platform/database.ts';
import { silentLog } from '../../../server/platform/log.ts';
import { disposeTestDatabases, openTestDatabase } from '../database/database.ts';
import { type CustomerRow, createCustomer, serviceQuery } from '../database/factories.ts';
import { createSensor, type NewSensor, type TestSensor } from '../device/devices.ts';

export const START = new Date('2026-03-04T08:00:00Z');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const at = (offsetMs: number) => new Date(START.getTime() + offsetMs);

/**
 * Returns a test bench with a pipeline but without a gateway. The tests of a file share one database. Each test gets a
 * new pipeline with the same start time.
 */
export function testPipeline(): PipelineBench {
  const bench = new PipelineBench();
  beforeAll(() => bench.open());
  beforeEach(() => bench.begin());
  afterAll(() => bench.close());
  return bench;
}

class PipelineBench {
  db!: Database;
  customer!: CustomerRow;
  clock!: HandClock;
  live!: LiveHub;
  pipeline!: Pipeline;

  async open(): Promise<void> {
    this.db = await openTestDatabase();
    this.customer = await createCustomer(this.db);
  }

  async begin(): Promise<void> {
    this.clock = new HandClock(START);
    this.live = new LiveHub();
    await this.restart();
  }

  async close(): Promise<void> {
    await this.pipeline?.close();
    await this.db?.close();
    await disposeTestDatabases();
  }

  /** Closes the pipeline after its pending writes have finished, and starts a new pipeline. */
  async restart(): Promise<void> {
    await this.pipeline?.close();
    this.pipeline = await this.start();
  }

  /** Starts another pipeline on the same database, as a second process would. */
  start = (db = this.db): Promise<Pipeline> =>
    Pipeline.start({
      db,
      clock: this.clock,
      log: silentLog,
      live: this.live,
      evaluator: new Evaluator(),
      flood: { perSecond: 50, burst: 500 },
      commandRetryMs: 60_000,
      keepReadingsMs: 400 * DAY,
      timers: false,
    });

  /** Returns the same database with some methods replaced. */
  variant = (changes: Partial<Database>): Database =>
    new Proxy(this.db, {
      get: (target, name) => {
        const value = name in changes ? changes[name as keyof Database] : target[name as keyof Database];
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });

  sensorWith = (values: Partial<NewSensor> = {}): Promise<TestSensor> =>
    createSensor(this.db, { customer: this.customer, ...values });

  signedIn = async (sensor: TestSensor, intake = this.pipeline): Promise<Device> => {
    const device = await intake.identify(sensor.uid, sensor.token);
    if (!device.ok) throw new Error(device.sentence);
    return device;
  };

  send = async (
    sensor: TestSensor,
    body: string | Buffer | object,
    more: Partial<Delivery> & { intake?: Pipeline } = {},
  ): Promise<Answer> => {
    const { intake = this.pipeline, ...delivery } = more;
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return intake.receive(await this.signedIn(sensor, intake), {
      protocol: 'http',
      body: Buffer.from(text as string),
      ...delivery,
    });
  };

  taken = async (sensor: TestSensor, body: string | object, more?: Partial<Delivery>): Promise<Taken> => {
    const answer = await this.send(sensor, body, more);
    if (!answer.ok) throw new Error(answer.sentence);
    return answer;
  };

  readingsOf = (sensor: TestSensor) =>
    serviceQuery(
      this.db,
      `select c.channel_number as channel, r.device_time as time, r.value from tocsin.reading r
       join tocsin.sensor_channel c on c.key = r.channel_key where c.tocsin_sensor_uuid = $1 order by 1, 2`,
      [sensor.uuid],
    );

  framesOf = (sensor: TestSensor) =>
    serviceQuery(
      this.db,
      `select raw_data as raw, encoding, protocol, problem, note from tocsin.incoming_sensor_log
       where uid = $1 and tocsin_customer_uuid = $2 order by auto_id`,
      [sensor.uid, sensor.customerUuid],
    );
}
