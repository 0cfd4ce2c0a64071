/**
 * Product processes behind an external broker, and sensors that publish to the broker and record its acknowledgements.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import type { Database } from '../../server/platform/database.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import type { TestSensor } from '../harness/device/devices.ts';
import type { Product } from '../harness/server/product.ts';

export interface SentReading {
  uid: string;
  /** Device time in milliseconds, unique for each sensor. */
  time: number;
  acknowledged: boolean;
}

/** Sensors that publish one reading after the other with QoS 1 until `stop` is called. */
export class Publishers {
  readonly sent: SentReading[] = [];
  readonly #clients: MqttClient[] = [];
  readonly #loops: Promise<void>[] = [];
  #stopped = false;

  /**
   * Starts the sensors. `value` returns the value of a reading by its number. `everyMs` is the pause between two
   * readings.
   */
  async start(
    sensors: readonly TestSensor[],
    connection: (sensor: TestSensor) => { url: string; options?: IClientOptions },
    { value = (number: number) => number % 100, everyMs = 0 } = {},
  ): Promise<void> {
    await Promise.all(
      sensors.map(async ({ uid }, index) => {
        const { url, options } = connection(sensors[index] as TestSensor);
        const client = await connectAsync(url, { reconnectPeriod: 200, ...options });
        client.on('error', () => {});
        this.#clients.push(client);
        this.#loops.push(this.#publish(client, uid, value, everyMs));
      }),
    );
  }

  async #publish(client: MqttClient, uid: string, value: (number: number) => number, everyMs: number): Promise<void> {
    let time = 0;
    for (let number = 0; !this.#stopped; number += 1) {
      time = Math.max(Date.now(), time + 1);
      const reading: SentReading = { uid, time, acknowledged: false };
      this.sent.push(reading);
      // After a lost connection, the client publishes the message again until the broker acknowledges it.
      const acknowledged = client.publishAsync(`tocsin/${uid}/up`, `{"t":${time},"1":${value(number)}}`, { qos: 1 });
      reading.acknowledged = await acknowledged.then(
        () => true,
        () => false,
      );
      if (everyMs > 0) await pause(everyMs);
    }
  }

  get acknowledged(): SentReading[] {
    return this.sent.filter((one) => one.acknowledged);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    // Waits at most 5 s. Closing the client below ends a publish that the broker never acknowledges.
    await Promise.race([Promise.all(this.#loops), pause(5000)]);
    for (const client of this.#clients) client.end(true);
  }
}

/** Returns how often each reading is stored, by uid and device time. */
export async function storedReadings(db: Database): Promise<Map<string, number>> {
  const rows = await serviceQuery<{ uid: string; time: number; count: number }>(
    db,
    `select s.uid, round(extract(epoch from r.device_time) * 1000)::float8 as time, count(*)::int as count
     from tocsin.reading r join tocsin.sensor_channel c on c.key = r.channel_key
     join tocsin.sensor s on s.uuid = c.tocsin_sensor_uuid group by 1, 2`,
  );
  return new Map(rows.map(({ uid, time, count }) => [`${uid} ${time}`, count]));
}

/** Returns the acknowledged readings that are not stored. */
export async function missing(db: Database, readings: readonly SentReading[]): Promise<string[]> {
  const stored = await storedReadings(db);
  return readings.map(({ uid, time }) => `${uid} ${time}`).filter((key) => !stored.has(key));
}

/** Returns the process whose log says that it is connected to the MQTT broker. */
export function holderAmong(products: readonly Product[]): Product | undefined {
  return products.find(({ output, child }) => {
    const last = (pattern: RegExp) => [...output().matchAll(pattern)].at(-1)?.index ?? -1;
    const left = last(/no longer holds the lease/g);
    return (
      child.exitCode === null && child.signalCode === null && last(/(?<!not )connected to the MQTT broker/g) > left
    );
  });
}
