import { connect as connectTcp, type Socket } from 'node:net';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, expect } from 'vitest';
import { type Listener, startMqtt } from '../../../server/gateway/mqtt.ts';
import type { MqttLimits } from '../../../server/gateway/mqtt-limits.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { type LogData, silentLog } from '../../../server/platform/log.ts';
import { createMetrics, type Metrics } from '../../../server/platform/metrics.ts';
import { MemoryIntake } from './memory-intake.ts';
import { countOf } from './metrics.ts';

/**
 * Returns a test bench for the MQTT gateway. Its in-memory intake accepts the device pump-1. Each test starts the
 * gateway with its own limits.
 */
export function testMqttGateway(): MqttBench {
  const bench = new MqttBench();
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());
  return bench;
}

class MqttBench {
  intake = new MemoryIntake();
  metrics: Metrics = createMetrics();
  listener!: Listener;
  /** Warnings in the server's log, each with its reason and device. */
  warnings: string[] = [];
  readonly #clients: MqttClient[] = [];

  begin(): void {
    this.warnings = [];
    this.intake = new MemoryIntake();
    this.intake.add('pump-1');
    this.metrics = createMetrics();
  }

  async end(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.end(true);
    await this.listener.close();
  }

  start = async (limits: Partial<MqttLimits> = {}): Promise<void> => {
    const { intake, metrics } = this;
    const port = { number: 0, fixed: true };
    const warn = (message: string, data: LogData = {}) =>
      void this.warnings.push(`${message} ${data.because} ${data.uid}`);
    const log = { ...silentLog, warn };
    this.listener = await startMqtt({ intake, log, metrics, clock: systemClock, host: '127.0.0.1', port, limits });
  };

  join = async (uid = 'pump-1', options: IClientOptions = {}): Promise<MqttClient> => {
    const client = await connectAsync(
      `mqtt://127.0.0.1:${this.listener.port}`,
      { username: uid, password: `token-of-${uid}`, reconnectPeriod: 0, connectTimeout: 5000, ...options },
      false,
    );
    client.on('error', () => {});
    this.#clients.push(client);
    return client;
  };

  counted = (outcome: string): Promise<number> => countOf(this.metrics, { outcome });
}

export const ended = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', resolve));
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Resolves with 'acknowledged', or with 'ended' if the connection ends first. */
export async function publish(
  client: MqttClient,
  topic: string,
  payload: string | Buffer,
  options = {},
): Promise<string> {
  const acknowledged = client.publishAsync(topic, payload, { qos: 1, ...options }).then(
    () => 'acknowledged',
    () => 'ended',
  );
  return Promise.race([acknowledged, ended(client).then(() => 'ended')]);
}

export function publishPacket(topic: string, payload: string, qos: number, id: number): Buffer {
  const body = Buffer.concat([
    Buffer.from([0, topic.length]),
    Buffer.from(topic),
    Buffer.from([0, id]),
    Buffer.from(payload),
  ]);
  return Buffer.concat([Buffer.from([0x30 | (qos << 1), body.length]), body]);
}

/** A raw TCP client, for packets that a well-behaved client does not send. */
export class RawClient {
  readonly socket: Socket;

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  static async join(port: number): Promise<RawClient> {
    const raw = new RawClient(connectTcp(port, '127.0.0.1'));
    const text = (value: string) => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
    const body = Buffer.concat([
      text('MQTT'),
      Buffer.from([4, 0xc2, 0, 60]),
      text('raw'),
      text('pump-1'),
      text('token-of-pump-1'),
    ]);
    expect(await raw.say(Buffer.concat([Buffer.from([0x10, body.length]), body]))).toEqual([0x20, 2, 0, 0]);
    return raw;
  }

  say(packet: Buffer): Promise<number[]> {
    this.socket.write(packet);
    return new Promise((resolve) => this.socket.once('data', (chunk) => resolve([...chunk])));
  }
}
