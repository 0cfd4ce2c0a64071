import { MAX_CLOCK_AHEAD_MS } from '../../domain/frame/when.ts';
import { pipelineAccess } from '../access.ts';
import type { LiveDatapoint, LiveHub } from '../live/hub.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { type CommandSettings, confirmCommands, sendCommands } from './commands.ts';
import type { Evaluation, Evaluator, NewReadings } from './evaluator.ts';
import type { Flood } from './flood.ts';
import { HealthSlots } from './health-slots.ts';
import type { Refusal } from './intake.ts';
import { isFromInactiveSensor, type Job, logRowOf, mapSensorDelivery, type SensorDelivery } from './job.ts';
import { settleTimes } from './map-frame.ts';
import { lookUpNewest } from './newest/look-up.ts';
import type { WriteBehind } from './newest/write-behind.ts';
import { newsOfAdded, splitByNewness } from './newness.ts';
import { Partitions } from './partitions.ts';
import { disabled, goneSince } from './refusals.ts';
import type { Registry } from './registry.ts';
import type { Channel, Sensor } from './sensor.ts';
import { CopyStore, FrameNumbers, InsertStore, type Store } from './store.ts';
import { lockShards, recentFrames, recordTakeovers, SensorTakenAway } from './takeover.ts';

export interface BatchOptions {
  db: Database;
  clock: Clock;
  registry: Registry;
  live: LiveHub;
  behind: WriteBehind;
  evaluator: Evaluator;
  flood: Flood;
  commands: CommandSettings;
  keepReadingsMs: number;
  /** Uuid of this process in the database. */
  process: string;
}

/** Options of one attempt to store a batch. Both are false in the first attempt. */
interface Attempt {
  checkDuplicates: boolean;
  /** Locks all shards of the batch exclusively, so that no other process can take over a sensor during the attempt. */
  exclusive: boolean;
}

const UNIQUE_VIOLATION = '23505';
/** Number of attempts before all shards of the batch are locked exclusively. */
const SHARED_ATTEMPTS = 3;

/** Stores one batch in one transaction: raw frames, readings, and the resulting alarms and notifications. */
export class Batch {
  readonly #options: BatchOptions;
  readonly #frameNumbers = new FrameNumbers();
  readonly #partitions: Partitions;
  readonly #healthSlots = new HealthSlots();

  constructor(options: BatchOptions) {
    this.#options = options;
    this.#partitions = new Partitions(options.db);
  }

  async run(jobs: readonly Job[]): Promise<void> {
    const { clock, registry, behind } = this.#options;
    const now = clock.now();
    const published = behind.expect(now.getTime());
    try {
      await behind.register();
      await this.#partitions.ensure(timesOf(jobs, now.getTime()));
      await this.#attempts(jobs, now);
      this.#publish(jobs, now.getTime());
    } catch (error) {
      // The caches may contain rows of the transaction that was rolled back.
      this.#healthSlots.forget();
      this.#frameNumbers.forget();
      registry.forgetAll();
      throw error;
    } finally {
      published();
    }
  }

  async #attempts(jobs: readonly Job[], now: Date): Promise<void> {
    const attempt: Attempt = { checkDuplicates: false, exclusive: false };
    for (let count = 1; ; count += 1) {
      try {
        return await this.#transaction(jobs, now, attempt);
      } catch (error) {
        attempt.exclusive = count >= SHARED_ATTEMPTS;
        if (error instanceof SensorTakenAway) continue;
        // The failed transaction may have been committed, so the newest readings in memory may be outdated.
        this.#options.registry.release(new Set(sensorsOf(jobs).map(({ uuid }) => uuid)));
        if ((error as { code?: string }).code !== UNIQUE_VIOLATION || attempt.checkDuplicates) throw error;
        // One of the readings is already stored, so the next attempt checks all readings for duplicates.
        attempt.checkDuplicates = true;
      }
    }
  }

  async #transaction(jobs: readonly Job[], now: Date, attempt: Attempt): Promise<void> {
    const { db, clock, evaluator } = this.#options;
    const access = pipelineAccess(clock);
    let evaluation: Evaluation | undefined;
    const work = async (tx: Transaction, store: Store) => {
      await this.#takeOver(tx, jobs, now, attempt.exclusive);
      const readings = await this.#store(tx, store, jobs, now, attempt.checkDuplicates);
      if (readings.channels.length === 0) return;
      // Evaluation comes last, because until the commit it blocks the evaluations of all other batches in this process.
      evaluation = await evaluator.begin();
      await evaluation.readings(tx, readings, now.getTime());
    };
    try {
      if (db.copying) await db.copying(access, (tx) => work(tx, new CopyStore(tx, this.#frameNumbers)));
      else await db.transaction(access, (tx) => work(tx, new InsertStore(tx)));
      evaluation?.confirm();
    } finally {
      evaluation?.end();
    }
  }

  /**
   * Locks the shards of the batch and takes over the sensors that this process does not serve. Throws SensorTakenAway
   * if another process has taken over a sensor and this attempt holds only a shared lock on its shard.
   */
  async #takeOver(tx: Transaction, jobs: readonly Job[], now: Date, exclusive: boolean): Promise<void> {
    const { registry, flood, process } = this.#options;
    const sensors = new Map(sensorsOf(jobs).map((sensor) => [sensor.uuid, sensor]));
    const locks = new Map<number, boolean>();
    for (const { uuid, shard } of sensors.values()) {
      locks.set(shard, locks.get(shard) || exclusive || !registry.serves(uuid));
    }
    // A transaction runs its queries in order, so `catchUp` reads all changes that were made before the locks were
    // acquired.
    await Promise.all([lockShards(tx, locks), registry.catchUp(tx)]);
    const taken = [...sensors.values()].filter(({ uuid }) => !registry.serves(uuid));
    if (taken.length === 0) return;
    if (taken.some(({ shard }) => !locks.get(shard))) throw new SensorTakenAway();
    for (const { uuid } of taken) registry.serve(uuid);
    const uuids = taken.map(({ uuid }) => uuid);
    const [frames] = await Promise.all([
      recentFrames(tx, uuids, flood.limit, now.getTime()),
      recordTakeovers(tx, uuids, process),
    ]);
    for (const [uuid, times] of frames) flood.lower(uuid, times);
  }

  /** Stores frames, readings and commands. Returns the readings to evaluate. */
  async #store(
    tx: Transaction,
    store: Store,
    jobs: readonly Job[],
    now: Date,
    checkDuplicates: boolean,
  ): Promise<NewReadings> {
    await this.#identifyAgain(tx, jobs, now.getTime());
    const alive = jobs.filter(({ refused }) => !refused);
    await lookUpNewest(tx, alive, now.getTime());
    for (const { sensorDeliveries } of alive)
      for (const { mapped } of sensorDeliveries) if (mapped) settleTimes(mapped, now.getTime());
    await confirmCommands(tx, alive, now);
    const split = splitByNewness(alive, checkDuplicates);
    const { fresh, doubtful, owners } = split;
    let { news } = split;
    if (fresh.keys.length > 0) await store.addNew(fresh, now.getTime());
    if (doubtful.keys.length > 0) {
      const added = await store.addUnlessThere(doubtful, now.getTime());
      added.forEach((isNew, index) => {
        const owner = owners[index] as SensorDelivery;
        if (isNew) return;
        owner.duplicates += 1;
        owner.repeated.add(doubtful.keys[index] as number);
      });
      if (checkDuplicates) news = newsOfAdded(alive, added);
    }
    // Writes the frames after the readings, because the sensor log lists the duplicates.
    await store.addFrames(alive.map(logRowOf));
    await this.#healthSlots.fill(tx, alive, now);
    const outdated = await sendCommands(tx, alive, now, this.#options.commands);
    for (const { uuid } of outdated) this.#options.registry.forget(uuid);
    return news;
  }

  /** Applies changes made since a frame arrived, such as a disabled sensor, a revoked token or a renamed channel. */
  async #identifyAgain(tx: Transaction, jobs: readonly Job[], now: number): Promise<void> {
    const { registry, keepReadingsMs } = this.#options;
    const gone = new Set<string>();
    for (const { sender, sensorDeliveries } of jobs) {
      if (!registry.get(sender.uuid)) gone.add(sender.uuid);
      for (const { sensor } of sensorDeliveries) if (!registry.get(sensor.uuid)) gone.add(sensor.uuid);
    }
    const again = new Map<string, Sensor>();
    if (gone.size > 0) {
      for (const sensor of await registry.loadIn(tx, 's.uuid = any ($1::uuid[])', [...gone]))
        again.set(sensor.uuid, sensor);
    }
    const currentOf = (uuid: string) => again.get(uuid) ?? registry.get(uuid);
    for (const job of jobs) {
      job.refused = undefined;
      const sender = currentOf(job.sender.uuid);
      job.refused = refusalOfSender(job, sender);
      for (const sensorDelivery of job.sensorDeliveries) {
        sensorDelivery.duplicates = 0;
        sensorDelivery.repeated.clear();
        sensorDelivery.commands = [];
        const current = currentOf(sensorDelivery.sensor.uuid);
        if (current === sensorDelivery.sensor) continue;
        if (!current) {
          sensorDelivery.refusal = goneSince(sensorDelivery.uid);
          sensorDelivery.mapped = undefined;
          continue;
        }
        sensorDelivery.sensor = current;
        mapSensorDelivery(sensorDelivery, now, now - keepReadingsMs);
      }
      if (sender) job.sender = sender;
    }
  }

  /** Updates caches, write-behind and live viewers after the commit. */
  #publish(jobs: readonly Job[], now: number): void {
    const { behind, live } = this.#options;
    const changed = new Set<Channel>();
    for (const job of jobs) {
      if (job.refused) continue;
      for (const { sensor, refusal, mapped, decoded } of job.sensorDeliveries) {
        if (isFromInactiveSensor(refusal)) continue;
        if (job.delivery.contact !== false) {
          behind.noteContact(sensor, job.receivedAt, decoded.ok ? decoded.frame.gsm : {});
        }
        if (!mapped) continue;
        const { channels, times, values } = mapped.readings;
        for (let index = 0; index < channels.length; index += 1) {
          const channel = channels[index] as Channel;
          const { latest } = channel;
          const time = times[index] as number;
          if (latest.time !== null && latest.time !== undefined && time <= latest.time) {
            // A device sends a reading again if it received no response. The first attempt may have stored the reading
            // but failed before it was passed to write-behind.
            if (time === latest.time) behind.noteValue(channel);
            continue;
          }
          latest.time = time;
          latest.value = values[index] as number;
          changed.add(channel);
        }
      }
    }
    const bySite = new Map<string, LiveDatapoint[]>();
    for (const channel of changed) {
      behind.noteValue(channel);
      for (const { siteUuid, datapointUuid } of channel.datapoints) {
        if (!live.isWatched(siteUuid)) continue;
        const values = bySite.get(siteUuid) ?? [];
        values.push({ datapointUuid, siteUuid, value: channel.latest.value, time: channel.latest.time ?? now });
        bySite.set(siteUuid, values);
      }
    }
    for (const [siteUuid, values] of bySite) live.publishReadings(siteUuid, values);
  }
}

/**
 * Returns all sensors of the batch: the senders, and the sensors whose frames they sent. A sensor can occur several
 * times.
 */
function sensorsOf(jobs: readonly Job[]): Sensor[] {
  return jobs.flatMap(({ sender, sensorDeliveries }) => [sender, ...sensorDeliveries.map(({ sensor }) => sensor)]);
}

function refusalOfSender(job: Job, sender: Job['sender'] | undefined): Refusal | undefined {
  if (!sender) return goneSince(job.sender.uid);
  if (!sender.customerActive) return disabled(sender);
  if (job.tokenHash === undefined) return undefined;
  const token = sender.tokens.get(job.tokenHash);
  if (token && !token.revokedAt) return undefined;
  return { ok: false, because: 'revoked-token', sentence: 'The token was revoked. Give the device its new token.' };
}

function* timesOf(jobs: readonly Job[], now: number): Generator<number> {
  // Latest device time that the server accepts.
  yield now + MAX_CLOCK_AHEAD_MS;
  for (const { receivedAt, sensorDeliveries } of jobs) {
    yield receivedAt;
    for (const { mapped } of sensorDeliveries) if (mapped) yield* mapped.readings.times;
  }
}
