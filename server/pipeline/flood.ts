import { type FloodLimit, fullBucket, lowerTo, type TokenBucket, takeToken } from '../../domain/flood.ts';
import type { Clock } from '../platform/clock.ts';
import type { Refusal } from './intake.ts';
import type { Sensor } from './sensor.ts';

/** Limits the rate of frames for each sensor. */
export class Flood {
  readonly limit: FloodLimit;
  readonly #clock: Clock;
  readonly #allowances = new Map<string, TokenBucket>();

  constructor(limit: FloodLimit, clock: Clock) {
    this.limit = limit;
    this.#clock = clock;
  }

  /** Counts one frame of the sensor. Returns a refusal if the sensor exceeds the rate. */
  refusal({ uuid, uid }: Sensor): Refusal | undefined {
    const now = this.#clock.now().getTime();
    const wait = takeToken(this.#allowanceOf(uuid, now), this.limit, now);
    if (wait === 0) return undefined;
    const sentence = `The sensor ${uid} is sending more than ${this.limit.perSecond} frames a second. Send less often, or send several values in one frame.`;
    return { ok: false, because: 'flood', sentence, retryAfterMs: wait };
  }

  /** Counts frames of the sensor that any process accepted, given by their times, oldest first. */
  lower(uuid: string, times: readonly number[]): void {
    const now = this.#clock.now().getTime();
    lowerTo(this.#allowanceOf(uuid, now), this.limit, times, now);
  }

  #allowanceOf(uuid: string, now: number): TokenBucket {
    let allowance = this.#allowances.get(uuid);
    if (!allowance) {
      allowance = fullBucket(this.limit, now);
      this.#allowances.set(uuid, allowance);
    }
    return allowance;
  }
}
