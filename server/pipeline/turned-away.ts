import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { OnceAMinute } from '../platform/once-a-minute.ts';
import type { TurnedAway, Who } from './intake.ts';
import { Partitions } from './partitions.ts';
import { type Registry, tokenHash } from './registry.ts';
import type { Sensor } from './sensor.ts';
import { InsertStore } from './store.ts';

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
  readonly #partitions: Partitions;
  readonly #once: OnceAMinute;
  readonly #writing = new Set<Promise<void>>();

  constructor(db: Database, clock: Clock, log: Log, registry: Registry) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#registry = registry;
    this.#partitions = new Partitions(db);
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
    const sensors = (await this.#sensorsOf(who)).filter(({ uuid, customerUuid }) =>
      this.#once.passes(`${because} ${uuid}`, customerUuid),
    );
    if (sensors.length === 0) return;
    await this.#partitions.ensure([at]);
    const frame = { raw: '', encoding: 'none', door, at, problem: sentence, note: null } as const;
    await this.#db.transaction(serviceAccess(this.#clock), (tx) =>
      new InsertStore(tx).addFrames(sensors.map(({ customerUuid, uid }) => ({ ...frame, customerUuid, uid }))),
    );
  }

  /**
   * The sensor it was about: the one that signed in, or whose token it is. A token that is nobody's is tried on every sensor of
   * that uid, and each of their customers is to know of it.
   */
  async #sensorsOf({ sensorUuid, uid, token }: Who): Promise<readonly Sensor[]> {
    if (sensorUuid !== undefined) return present(await this.#registry.byUuid(sensorUuid));
    if (uid === undefined) return token === undefined ? [] : present(await this.#registry.byToken(token));
    const sensors = await this.#registry.byUid(uid);
    const hash = token === undefined ? undefined : tokenHash(token);
    const owner = hash === undefined ? undefined : sensors.find(({ tokens }) => tokens.has(hash));
    return owner ? [owner] : sensors;
  }
}

function present(sensor: Sensor | undefined): readonly Sensor[] {
  return sensor ? [sensor] : [];
}
