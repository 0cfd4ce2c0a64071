import type { Clock } from '../platform/clock.ts';
import { type Database, outsideTransactions, within } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';

/** Work that becomes due over time. A tick does all work that is due at `now`, and can safely be repeated. */
export interface EngineModule {
  name: string;
  /** Milliseconds between ticks. */
  every: number;
  /**
   * True if the module also runs while this process's clock differs from the others, because its work does not depend
   * on the time.
   */
  ignoresClock?: boolean;
  /** True if `Engine.tick` runs this module before the others, which depend on it. */
  isFirst?: boolean;
  /** Database notification that triggers a tick immediately. */
  wakeOn?: string;
  tick(now: Date): Promise<void>;
  /** Resolves when all work that earlier ticks started has ended. */
  settled?(): Promise<void>;
  /** Makes the module start no more work. */
  stop?(): void;
}

export interface Engine {
  /**
   * Runs one tick of every module and waits until the work of these ticks has ended. With `mostMs`, skips modules whose
   * interval is longer than `mostMs`.
   */
  tick(mostMs?: number): Promise<void>;
  /** Starts a tick on each database notification, in addition to the timer. */
  listen(db: Database): Promise<void>;
  stop(): Promise<void>;
}

const FIRST_RUN_MS = 2000;
/**
 * Maximum wait for a stalled provider when the engine stops. After it, the lease expires and another process sends the
 * message again.
 */
const STOP_PATIENCE_MS = 3000;

/**
 * Runs the modules in parallel, but only one tick of each module at a time. Logs a failed tick and continues with the
 * next tick.
 */
export function startEngine(
  modules: readonly EngineModule[],
  options: { clock: Clock; log: Log; timers: boolean; isClockApart?: () => boolean },
): Engine {
  const { clock, log, timers, isClockApart = () => false } = options;
  const running = new Map<string, Promise<void>>();
  /** Modules that were woken by a database notification during their tick and need another tick. */
  const woken = new Set<string>();
  const stops: (() => Promise<void>)[] = [];

  const run = (module: EngineModule): Promise<void> => {
    const current = running.get(module.name);
    if (current) return current;
    if (isClockApart() && !module.ignoresClock) return Promise.resolve();
    const work = module
      .tick(clock.now())
      .catch((error: Error) => log.error(`the engine's ${module.name} failed`, { error, stack: error.stack }))
      .finally(() => {
        running.delete(module.name);
        if (woken.delete(module.name)) void run(module);
      });
    running.set(module.name, work);
    return work;
  };

  const wake = (module: EngineModule) => {
    if (running.has(module.name)) woken.add(module.name);
    else void run(module);
  };

  const settled = async () => void (await Promise.all(modules.map((module) => module.settled?.())));

  const intervals = timers ? modules.map((module) => setInterval(() => void run(module), module.every)) : [];
  for (const interval of intervals) interval.unref();
  // Delays the first tick, so that overdue work does not slow down the first requests.
  const first = timers
    ? setTimeout(() => {
        for (const module of modules) void run(module);
      }, FIRST_RUN_MS).unref()
    : undefined;

  return {
    tick: async (mostMs = Number.POSITIVE_INFINITY) => {
      const wanted = modules.filter(({ every }) => every <= mostMs);
      await Promise.all(wanted.filter(({ isFirst }) => isFirst).map(run));
      await Promise.all(wanted.filter(({ isFirst }) => !isFirst).map(run));
      await settled();
    },
    listen: async (db) => {
      for (const module of modules) {
        if (module.wakeOn === undefined) continue;
        const look = () => outsideTransactions(() => wake(module));
        stops.push(await db.listen(module.wakeOn, look, look));
      }
    },
    stop: async () => {
      clearTimeout(first);
      for (const module of modules) module.stop?.();
      for (const stop of stops) await stop();
      woken.clear();
      for (const interval of intervals) clearInterval(interval);
      const ended = Promise.all([...running.values(), settled()]);
      await within<unknown>(ended, STOP_PATIENCE_MS, () => undefined);
    },
  };
}
