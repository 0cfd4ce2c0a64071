import type { Clock } from '../platform/clock.ts';
import { type Database, outsideTransactions, within } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';

/** Something that happens because time passed. A tick does what is due by then and is safe to repeat. */
export interface EngineModule {
  name: string;
  /** How often it is asked, in milliseconds. */
  every: number;
  /** A notification of the database that there is something to do at once. */
  wakeOn?: string;
  tick(now: Date): Promise<void>;
  /** Resolves when the work that earlier ticks left running has ended. */
  settled?(): Promise<void>;
  /** From now on no more work begins. */
  stop?(): void;
}

export interface Engine {
  /** Asks every module once, whatever its rhythm, and waits for the work it left running. */
  tick(): Promise<void>;
  /** From now on modules are also asked when they are woken. */
  listen(db: Database): Promise<void>;
  stop(): Promise<void>;
}

const FIRST_RUN_MS = 2000;
/** A stalled provider must not hold up the end of the process: its lease runs out, and the message is sent again. */
const STOP_PATIENCE_MS = 3000;

/** Runs the modules side by side, each never twice at once. A module that fails is logged and asked again in its time. */
export function startEngine(
  modules: readonly EngineModule[],
  { clock, log, timers }: { clock: Clock; log: Log; timers: boolean },
): Engine {
  const running = new Map<string, Promise<void>>();
  /** Modules that were woken while they ran, and have to look once more. */
  const woken = new Set<string>();
  const stops: (() => Promise<void>)[] = [];

  const run = (module: EngineModule): Promise<void> => {
    const current = running.get(module.name);
    if (current) return current;
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
  // What is due since the last run waits until the first people have been served.
  const first = timers
    ? setTimeout(() => {
        for (const module of modules) void run(module);
      }, FIRST_RUN_MS).unref()
    : undefined;

  return {
    tick: async () => {
      await Promise.all(modules.map(run));
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
