import type { Confirmation } from '../../domain/frame/frame.ts';
import { activeSince, keyOf, scatter } from './chance.ts';
import type { Command, DeviceClient, DeviceClientOptions } from './client.ts';
import { createHttpClient } from './client-http.ts';
import { createMqttClient } from './client-mqtt.ts';
import { createTcpClient } from './client-tcp.ts';
import type { Curves } from './curves.ts';
import { type Counts, type FailedFrame, FrameQueue } from './frame-queue.ts';
import type { Plan, SensorPlan } from './plan.ts';
import { valueAt } from './value.ts';
import { corrupt, type FrameContent, maxConfirmations, writeFrame } from './write-frame.ts';

export const createClient: Record<SensorPlan['protocol'], (options: DeviceClientOptions) => DeviceClient> = {
  http: createHttpClient,
  mqtt: createMqttClient,
  tcp: createTcpClient,
};

export interface DeviceOptions {
  plan: Plan;
  sensor: SensorPlan;
  /** Offset of the measurements within the interval, from 0 to 1. */
  phase: number;
  curves: Curves;
  counts: Counts;
  now(): number;
  onRefusal?(failure: FailedFrame): void;
}

/** A simulated sensor, which measures at its interval, sends frames and executes commands. */
export class Device {
  readonly #options: DeviceOptions;
  readonly #key: number;
  readonly #queue: FrameQueue;
  /** Executed commands that are not yet confirmed. */
  readonly #done = new Map<number, Confirmation>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeviceOptions) {
    const { plan, sensor, counts, onRefusal } = options;
    this.#options = options;
    this.#key = keyOf(plan.seed ?? '', sensor.uid);
    const onCommand = (command: Command) => this.#execute(command);
    const address = new URL(plan.server[sensor.protocol] as string);
    this.#queue = new FrameQueue({
      client: createClient[sensor.protocol]({ uid: sensor.uid, token: sensor.token, address, onCommand }),
      counts,
      key: this.#key,
      onCommand,
      ...(onRefusal && { onRefusal }),
    });
  }

  get waiting(): number {
    return this.#queue.waiting.length;
  }

  start(): void {
    const every = Math.round(this.#options.sensor.everySeconds * 1000);
    const offset = Math.round(this.#options.phase * every);
    const now = this.#options.now();
    // Measures at multiples of the interval, whatever the start time, so that two runs measure at the same times.
    const next = Math.floor((now - offset) / every + 1) * every + offset;
    this.#timer = setTimeout(() => {
      this.measure(next);
      this.start();
    }, next - now);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#queue.stop();
  }

  /** Measures all channels and queues a frame. */
  measure(time: number): void {
    const { sensor, curves } = this.#options;
    const { everySeconds, silence, badFrames } = sensor;
    if (silence && activeSince(silence, time, keyOf(this.#key, 'silence'), everySeconds) !== undefined) {
      return;
    }
    const content: FrameContent = {
      time,
      values: sensor.channels.map((channel) => {
        const key = keyOf(this.#key, channel.channel);
        return [channel.channel, valueAt(channel, time, { key, everySeconds, curves })] as const;
      }),
      ...(sensor.gsm && { gsm: this.#network(time) }),
    };
    if (badFrames && activeSince(badFrames, time, keyOf(this.#key, 'bad'), everySeconds) !== undefined) {
      this.#queue.add({ body: corrupt(writeFrame(content, sensor.format), this.#key, time), confirms: [] });
      return;
    }
    const confirmations = [...this.#done.values()].slice(0, maxConfirmations(sensor.format));
    const confirms = confirmations.map(({ id }) => id);
    for (const id of confirms) {
      this.#done.delete(id);
    }
    const frame = writeFrame({ ...content, confirmations }, sensor.format);
    this.#queue.add({ body: new TextEncoder().encode(frame), confirms });
  }

  /** Executes a command. Ignores a command that arrives again while its confirmation is queued. */
  #execute({ id, text }: Command): void {
    const underWay = this.#queue.waiting.some(({ confirms }) => confirms.includes(id));
    if (!underWay && !this.#done.has(id)) {
      this.#done.set(id, { id, reply: `${text} done` });
    }
  }

  #network(time: number): NonNullable<FrameContent['gsm']> {
    const { provider, signal } = this.#options.sensor.gsm ?? {};
    const heard = signal === undefined ? undefined : Math.round(signal + scatter(4, this.#key, 'signal', time));
    return {
      ...(provider !== undefined && { provider }),
      ...(heard !== undefined && { signal: Math.min(0, Math.max(-150, heard)) }),
    };
  }
}
