import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { OnceAMinute } from '../platform/once-a-minute.ts';
import type { Rejection, Who } from './intake.ts';
import { Partitions } from './partitions.ts';
import { type Registry, tokenHash } from './registry.ts';
import type { Sensor } from './sensor.ts';
import { InsertStore } from './store.ts';

/** Maximum number of rows per customer and minute, so that guessed uids cannot fill the log. */
const MOST_OF_CUSTOMER = 30;

/**
 * Writes refused connections into the sensor log, at most once a minute for each sensor and reason. Stores no data from
 * the client, because the client may be a stranger.
 */
export class RejectionLog {
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

  note(who: Who, visit: Rejection): void {
    const writing = this.#write(who, visit)
      .catch((error: Error) =>
        this.#log.warn('refused connections could not be written to the sensor log', { uid: who.uid, error }),
      )
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Waits until all recorded refusals are written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(who: Who, { protocol, because, sentence }: Rejection): Promise<void> {
    const at = this.#clock.now().getTime();
    const sensors = (await this.#sensorsOf(who)).filter(({ uuid, customerUuid }) =>
      this.#once.passes(`${because} ${uuid}`, customerUuid),
    );
    if (sensors.length === 0) return;
    await this.#partitions.ensure([at]);
    const frame = { raw: '', encoding: 'none', protocol, at, problem: sentence, note: null } as const;
    await this.#db.transaction(serviceAccess(this.#clock), (tx) =>
      new InsertStore(tx).addFrames(sensors.map(({ customerUuid, uid }) => ({ ...frame, customerUuid, uid }))),
    );
  }

  /**
   * Returns the sensors in whose log a refused connection is recorded: the identified sensor, or the sensor with this
   * token. If the token is unknown, returns all sensors with the uid, so that each of their customers sees the attempt.
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
