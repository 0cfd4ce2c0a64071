import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { OnceAMinute } from '../platform/once-a-minute.ts';
import type { TurnedAway, Who } from './intake.ts';
import { type Registry, tokenHash } from './registry.ts';
import type { Sensor } from './sensor.ts';
import { InsertStore } from './store.ts';
import { Weeks } from './weeks.ts';

/** A stranger may guess uids, and must not fill a customer's log with them. */
const MOST_OF_CUSTOMER = 30;

/**
 * Writes into the sensor log who was turned away and why. Nothing that came with the visit is kept, because whoever came may be
 * a stranger; each sensor and reason is written once a minute.
 */
export class TurnedAwayLog {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #registry: Registry;
  readonly #weeks: Weeks;
  readonly #once: OnceAMinute;
  readonly #writing = new Set<Promise<void>>();

  constructor(db: Database, clock: Clock, log: Log, registry: Registry) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#registry = registry;
    this.#weeks = new Weeks(db);
    this.#once = new OnceAMinute(clock, MOST_OF_CUSTOMER);
  }

  note(who: Who, visit: TurnedAway): void {
    const writing = this.#write(who, visit)
      .catch((error: Error) => this.#log.warn('who was turned away could not be written', { uid: who.uid, error }))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Waits until everything noted so far is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(who: Who, { door, because, sentence }: TurnedAway): Promise<void> {
    const at = this.#clock.now().getTime();
    const sensor = await this.#sensorOf(who);
    if (!sensor || !this.#once.passes(`${because} ${sensor.uuid}`, sensor.customerUuid)) return;
    const { customerUuid, uid } = sensor;
    await this.#weeks.ensure([at]);
    await this.#db.transaction(serviceAccess(this.#clock), (tx) =>
      new InsertStore(tx).addFrames([
        { customerUuid, uid, raw: '', encoding: 'none', door, at, problem: sentence, note: null },
      ]),
    );
  }

  /** The sensor it was about: the one that signed in, whose token it is, or the only one of that uid. */
  async #sensorOf({ sensorUuid, uid, token }: Who): Promise<Sensor | undefined> {
    if (sensorUuid !== undefined) return this.#registry.byUuid(sensorUuid);
    if (uid === undefined) return token === undefined ? undefined : this.#registry.byToken(token);
    const sensors = await this.#registry.byUid(uid);
    if (sensors.length < 2) return sensors[0];
    const hash = token === undefined ? undefined : tokenHash(token);
    return hash === undefined ? undefined : sensors.find(({ tokens }) => tokens.has(hash));
  }
}
