import { referenceOffset } from '../../domain/process/clock-agreement.ts';
import { timeAtStart } from '../../domain/product-time.ts';
import { serviceAccess } from '../access.ts';
import { type Database, within } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { CHECK_EVERY_MS, type ClockStep, type ProductClock } from '../platform/product-clock.ts';
import { type ProcessIdentity, recordClockOffset, registerProcess } from '../process/record.ts';
import { readDatabaseClock } from './database-clock.ts';
import { readClock, writeClock } from './record.ts';
import { shiftDeadlines } from './shift.ts';

interface StartDeps extends ClockDeps {
  identity: ProcessIdentity;
}

interface ClockDeps {
  db: Database;
  clock: ProductClock;
  log: Log;
}

/**
 * Registers the process and sets its product time. If other processes run, this process adopts their time, and no
 * deadline moves. Otherwise product time continues from the stored time. It never goes backwards.
 */
export async function startProductTime({ db, clock, log, identity }: StartDeps): Promise<void> {
  const step = await db.transaction(serviceAccess(clock), async (tx): Promise<ClockStep | undefined> => {
    const others = await registerProcess(tx, db.kind, identity);
    if (others.length > 0) {
      const offset = referenceOffset(others.map(({ clockOffsetMs }) => clockOffsetMs));
      clock.startAt((await readDatabaseClock(tx)) + offset);
      await recordClockOffset(tx, identity, offset);
      return undefined;
    }
    const record = await readClock(tx);
    const wall = clock.machine.wall();
    const { product, shift, because } = timeAtStart(record, { wall, ...clock.machine.boot() });
    clock.startAt(product);
    await recordClockOffset(tx, identity, product - (await readDatabaseClock(tx)));
    if (shift > 0) await shiftDeadlines(tx, shift);
    if (because === 'first-start' || because === 'in-step' || !record) return undefined;
    log.warn(sentences[because], { machine: new Date(wall), product: new Date(product) });
    // The size of the step: how much the difference between machine time and product time has changed since the last
    // record.
    const before = record.wall - record.product;
    const by = Math.round(wall - product + shift - before);
    return Math.abs(by) > 1000 ? { at: Math.round(product), by } : undefined;
  });
  await writeClock(db, clock, { steps: step ? [step] : [] });
}

/** Tolerated difference between the machine's clock and the database's. Synchronised clocks differ by less. */
const DATABASE_TOLERANCE_MS = 5000;

const sentences = {
  'machine-behind':
    "the machine's clock is behind the last stored time: Tocsin continues from the stored time. Check the machine's time synchronisation",
  'machine-ahead': "the machine's clock was set forward: Tocsin follows it, and deadlines keep their remaining time",
  'machine-ahead-not-followed':
    "the machine's clock was set forward: Tocsin keeps its own time. Check the machine's time synchronisation, then restart Tocsin",
} as const;

export interface ClockWatch {
  /** Checks once whether somebody has set the machine's clock. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

/** Maximum wait for the last database write when the server stops. */
const CLOSE_MS = 2000;
/**
 * Interval at which product time is stored. After a crash, product time can therefore be behind by at most this
 * interval.
 */
const RECORD_EVERY_MS = 10_000;

/** Detects when somebody sets the machine's clock. Logs, counts and stores each step. */
export function watchClock(deps: ClockDeps & { metrics: Metrics; timers: boolean }): ClockWatch {
  const { db, clock, log, metrics, timers } = deps;
  let unwritten: ClockStep[] = [];
  let isDatabaseApart = false;
  // The first tick always writes, because writing also compares the machine's clock with the database's.
  let writtenAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | undefined;

  const compareDatabase = (ahead: number): void => {
    const wasApart = isDatabaseApart;
    isDatabaseApart = Math.abs(ahead) > DATABASE_TOLERANCE_MS;
    if (!isDatabaseApart || wasApart) return;
    log.warn("the machine's clock differs from the database's: check the time synchronisation of both machines", {
      seconds: Math.round(ahead / 1000),
      machine: new Date(clock.machine.wall()),
      database: new Date(clock.machine.wall() + ahead),
    });
  };

  const write = async (): Promise<void> => {
    const steps = unwritten;
    unwritten = [];
    try {
      compareDatabase(await writeClock(db, clock, { steps }));
      writtenAt = clock.now().getTime();
    } catch {
      // The database is unavailable, and other modules already log this. The next tick writes the steps again.
      unwritten = [...steps, ...unwritten];
    } finally {
      writing = undefined;
    }
  };

  const tick = async (): Promise<void> => {
    const step = clock.check();
    if (step) {
      unwritten.push(step);
      metrics.count('tocsin_clock_steps_total', { direction: step.by > 0 ? 'forward' : 'back' });
      log.warn("the machine's clock was set: Tocsin keeps its own time, and no deadline moves", {
        seconds: Math.round(step.by / 1000),
        machine: new Date(clock.machine.wall()),
        product: clock.now(),
      });
    }
    if (unwritten.length > 0 || clock.now().getTime() - writtenAt >= RECORD_EVERY_MS) writing ??= write();
    await writing;
  };

  const timer = timers ? setInterval(() => void tick(), CHECK_EVERY_MS).unref() : undefined;
  return {
    tick,
    async close() {
      clearInterval(timer);
      const write = async () => {
        await writing;
        await writeClock(db, clock, { steps: unwritten, stopped: true });
      };
      await within(
        write().catch(() => {}),
        CLOSE_MS,
        () => {},
      );
    },
  };
}
