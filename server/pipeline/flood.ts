import { type FloodLimit, fullBucket, lowerTo, type TokenBucket, takeToken } from '../../domain/flood.ts';
import type { Clock } from '../platform/clock.ts';
import type { Delivery, Refusal } from './intake.ts';
import type { Sensor } from './sensor.ts';

/**
 * Longest outage after which a broker is allowed to deliver all missed frames at once, even for a device that sends at
 * its maximum rate.
 */
const OUTAGE_SECONDS = 3600;

/** Limits the rate of frames for each sensor. */
export class Flood {
  readonly limit: FloodLimit;
  readonly #brokerLimit: FloodLimit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #brokerBuckets = new Map<string, TokenBucket>();

  constructor(limit: FloodLimit, clock: Clock) {
    this.limit = limit;
    this.#brokerLimit = { ...limit, burst: Math.max(limit.burst, OUTAGE_SECONDS * limit.perSecond) };
    this.#clock = clock;
  }

  /** Counts one frame of the sensor. Returns a refusal if the sensor exceeds the rate. */
  refusal({ uuid, uid }: Sensor, { queuedByBroker = false }: Pick<Delivery, 'queuedByBroker'>): Refusal | undefined {
    const now = this.#clock.now().getTime();
    const limit = queuedByBroker ? this.#brokerLimit : this.limit;
    const wait = takeToken(
      bucketOf(queuedByBroker ? this.#brokerBuckets : this.#buckets, uuid, limit, now),
      limit,
      now,
    );
    if (wait === 0) return undefined;
    const sentence = `The sensor ${uid} is sending more than ${this.limit.perSecond} frames a second. Send less often, or send several values in one frame.`;
    return { ok: false, because: 'flood', sentence, retryAfterMs: wait };
  }

  /**
   * Reduces the remaining frame allowance of a sensor by its recent frames, which any process may have accepted.
   * `times` are the arrival times of these frames, in ascending order. The allowance for frames from a broker stays
   * unchanged, because only one process receives such frames.
   */
  lower(uuid: string, times: readonly number[]): void {
    const now = this.#clock.now().getTime();
    lowerTo(bucketOf(this.#buckets, uuid, this.limit, now), this.limit, times, now);
  }
}

function bucketOf(buckets: Map<string, TokenBucket>, uuid: string, limit: FloodLimit, now: number): TokenBucket {
  let bucket = buckets.get(uuid);
  if (!bucket) {
    bucket = fullBucket(limit, now);
    buckets.set(uuid, bucket);
  }
  return bucket;
}
