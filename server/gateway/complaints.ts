import type { Intake, Who } from '../pipeline/intake.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log, LogData } from '../platform/log.ts';
import { OnceAMinute } from '../platform/once-a-minute.ts';

const MOST_IN_A_MINUTE = 30;

/**
 * Logs why devices were refused, because MQTT 3.1.1 cannot report the reason to the device. For each reason and uid,
 * the server's log gets at most one line a minute, up to a total limit. The sensor log gets every refusal.
 */
export class Complaints {
  readonly #log: Log;
  readonly #intake: Intake;
  readonly #once: OnceAMinute;

  constructor(log: Log, intake: Intake, clock: Clock) {
    this.#log = log;
    this.#intake = intake;
    this.#once = new OnceAMinute(clock, MOST_IN_A_MINUTE);
  }

  say(who: Who & { uid: string }, because: string, sentence: string, data: LogData = {}): void {
    this.#intake.noteRejection(who, { protocol: 'mqtt', because, sentence });
    if (!this.#once.passes(`${because} ${who.uid}`)) return;
    const uid = who.uid.slice(0, 64);
    this.#log.warn(`a device was refused: ${sentence}`, { protocol: 'mqtt', uid, because, ...data });
  }
}
