import type { Confirmation } from '../../domain/frame/frame.ts';
import { activeSince, keyOf, scatter } from './chance.ts';
import type { Curves } from './curves.ts';
import { type Counts, type NotTaken, Outbox } from './outbox.ts';
import type { Plan, SensorPlan } from './plan.ts';
import { speakHttp } from './speak-http.ts';
import { speakMqtt } from './speak-mqtt.ts';
import { speakTcp } from './speak-tcp.ts';
import type { Command, Speaker, SpeakerOptions } from './speaker.ts';
import { valueAt } from './value.ts';
import { roomFor, type Said, spoil, writeFrame } from './write-frame.ts';

export const speak: Record<SensorPlan['door'], (options: SpeakerOptions) => Speaker> = {
  http: speakHttp,
  mqtt: speakMqtt,
  tcp: speakTcp,
};

export interface DeviceOptions {
  plan: Plan;
  sensor: SensorPlan;
  /** When in its interval it measures, from 0 to 1. */
  phase: number;
  curves: Curves;
  counts: Counts;
  now(): number;
  onRefusal?(notTaken: NotTaken): void;
}

/** One sensor of the plant: measures at its times, sends, and does what it is told. */
export class Device {
  readonly #options: DeviceOptions;
  readonly #key: number;
  readonly #outbox: Outbox;
  /** What was carried out and not confirmed yet. */
  readonly #done = new Map<number, Confirmation>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeviceOptions) {
    const { plan, sensor, counts, onRefusal } = options;
    this.#options = options;
    this.#key = keyOf(plan.seed ?? '', sensor.uid);
    const onCommand = (command: Command) => this.#carryOut(command);
    const address = new URL(plan.server[sensor.door] as string);
    this.#outbox = new Outbox({
      speaker: speak[sensor.door]({ uid: sensor.uid, token: sensor.token, address, onCommand }),
      counts,
      key: this.#key,
      onCommand,
      ...(onRefusal && { onRefusal }),
    });
  }

  get waiting(): number {
    return this.#outbox.waiting.length;
  }

  start(): void {
    const every = Math.round(this.#options.sensor.everySeconds * 1000);
    const offset = Math.round(this.#options.phase * every);
    const now = this.#options.now();
    // The moments do not depend on when it was started, so that two runs measure at the same ones.
    const next = Math.floor((now - offset) / every + 1) * every + offset;
    this.#timer = setTimeout(() => {
      this.measure(next);
      this.start();
    }, next - now);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#outbox.stop();
  }

  /** Everything that happens at one of its moments. */
  measure(time: number): void {
    const { sensor, curves } = this.#options;
    const { everySeconds, silence, badFrames } = sensor;
    if (silence && activeSince(silence, time, keyOf(this.#key, 'silence'), everySeconds) !== undefined) {
      return;
    }
    const said: Said = {
      time,
      values: sensor.channels.map((channel) => {
        const key = keyOf(this.#key, channel.channel);
        return [channel.channel, valueAt(channel, time, { key, everySeconds, curves })] as const;
      }),
      ...(sensor.gsm && { gsm: this.#network(time) }),
    };
    if (badFrames && activeSince(badFrames, time, keyOf(this.#key, 'bad'), everySeconds) !== undefined) {
      this.#outbox.add({ body: spoil(writeFrame(said, sensor.format), this.#key, time), confirms: [] });
      return;
    }
    const confirmations = [...this.#done.values()].slice(0, roomFor(sensor.format));
    const confirms = confirmations.map(({ id }) => id);
    for (const id of confirms) {
      this.#done.delete(id);
    }
    const frame = writeFrame({ ...said, confirmations }, sensor.format);
    this.#outbox.add({ body: new TextEncoder().encode(frame), confirms });
  }

  /** A command that comes again while its confirmation is under way is not carried out twice. */
  #carryOut({ id, text }: Command): void {
    const underWay = this.#outbox.waiting.some(({ confirms }) => confirms.includes(id));
    if (!underWay && !this.#done.has(id)) {
      this.#done.set(id, { id, reply: `${text} done` });
    }
  }

  #network(time: number): NonNullable<Said['gsm']> {
    const { provider, signal } = this.#options.sensor.gsm ?? {};
    const heard = signal === undefined ? undefined : Math.round(signal + scatter(4, this.#key, 'signal', time));
    return {
      ...(provider !== undefined && { provider }),
      ...(heard !== undefined && { signal: Math.min(0, Math.max(-150, heard)) }),
    };
  }
}
