import type { Clock } from '../platform/clock.ts';
import type { Log, LogData } from '../platform/log.ts';

const AGAIN_MS = 60_000;
const MOST_AT_ONCE = 30;

/**
 * Why devices were turned away, for whoever reads the log: MQTT 3.1.1 cannot tell the device itself. A device that comes again at
 * once is named once a minute, and all together fill no log.
 */
export class Complaints {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #said = new Set<string>();
  #since = 0;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  say(uid: string, because: string, sentence: string, data: LogData = {}): void {
    const now = this.#clock.now().getTime();
    if (Math.abs(now - this.#since) >= AGAIN_MS) {
      this.#said.clear();
      this.#since = now;
    }
    const key = `${because} ${uid}`;
    if (this.#said.has(key) || this.#said.size >= MOST_AT_ONCE) return;
    this.#said.add(key);
    this.#log.warn(`a device was turned away: ${sentence}`, { door: 'mqtt', uid: uid.slice(0, 64), because, ...data });
  }
}
