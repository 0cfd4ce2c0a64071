/**
 * Product processes behind an external broker, and sensors that publish to this broker. The sensors record which
 * messages the broker acknowledges.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import type { Product } from '../server/product.ts';

export interface SentReading {
  uid: string;
  /** Device time in milliseconds, unique for each sensor. */
  time: number;
  acknowledged: boolean;
}

/** Sensors that publish readings one by one with QoS 1 until `stop` is called. */
export class Publishers {
  readonly sent: SentReading[] = [];
  readonly #clients: MqttClient[] = [];
  readonly #loops: Promise<void>[] = [];
  #stopped = false;

  /**
   * Starts the sensors. `value` maps the sequence number of a reading to its value. `everyMs` is the pause between two
   * readings, in milliseconds.
   */
  async start<S extends { uid: string }>(
    sensors: readonly S[],
    connection: (sensor: S) => { url: string; options?: IClientOptions },
    { value = (number: number) => number % 100, everyMs = 0 } = {},
  ): Promise<void> {
    await Promise.all(
      sensors.map(async (sensor) => {
        const { url, options } = connection(sensor);
        const client = await connectAsync(url, { reconnectPeriod: 200, ...options });
        client.on('error', () => {});
        this.#clients.push(client);
        this.#loops.push(this.#publish(client, sensor.uid, value, everyMs));
      }),
    );
  }

  async #publish(client: MqttClient, uid: string, value: (number: number) => number, everyMs: number): Promise<void> {
    let time = 0;
    for (let number = 0; !this.#stopped; number += 1) {
      time = Math.max(Date.now(), time + 1);
      const reading: SentReading = { uid, time, acknowledged: false };
      this.sent.push(reading);
      // If the connection is lost, the client reconnects and publishes the message again until the broker acknowledges
      // it.
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
    // Waits at most 5 s for acknowledgements, because a broker may never send them. Closing the clients ends the wait
    // for the remaining ones.
    await Promise.race([Promise.all(this.#loops), pause(5000)]);
    for (const client of this.#clients) client.end(true);
  }
}

/** Returns the process whose log states that it is connected to the MQTT broker. */
export function holderAmong(products: readonly Product[]): Product | undefined {
  return products.find(({ output, child }) => {
    const last = (pattern: RegExp) => [...output().matchAll(pattern)].at(-1)?.index ?? -1;
    const left = last(/no longer holds the lease/g);
    return (
      child.exitCode === null && child.signalCode === null && last(/(?<!not )connected to the MQTT broker/g) > left
    );
  });
}
