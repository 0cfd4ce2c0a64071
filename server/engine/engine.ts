import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

/** Something that happens because time passed. A tick does what is due by then and is safe to repeat. */
export interface EngineModule {
  name: string;
  /** How often it is asked, in milliseconds. */
  every: number;
  tick(now: Date): Promise<void>;
}

export interface Engine {
  /** Asks every module once, whatever its rhythm. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

const FIRST_RUN_MS = 2000;

/** Runs the modules side by side, each never twice at once. A module that fails is logged and asked again in its time. */
export function startEngine(
  modules: readonly EngineModule[],
  { clock, log, timers }: { clock: Clock; log: Log; timers: boolean },
): Engine {
  const running = new Map<string, Promise<void>>();

  const run = (module: EngineModule): Promise<void> => {
    const current = running.get(module.name);
    if (current) return current;
    const work = module
      .tick(clock.now())
      .catch((error: Error) => log.error(`the engine's ${module.name} failed`, { error }))
      .finally(() => running.delete(module.name));
    running.set(module.name, work);
    return work;
  };

  const intervals = timers ? modules.map((module) => setInterval(() => void run(module), module.every)) : [];
  for (const interval of intervals) interval.unref();
  // What is due since the last run waits until the first people have been served.
  const first = timers
    ? setTimeout(() => {
        for (const module of modules) void run(module);
      }, FIRST_RUN_MS).unref()
    : undefined;

  return {
    tick: async () => void (await Promise.all(modules.map(run))),
    stop: async () => {
      clearTimeout(first);
      for (const interval of intervals) clearInterval(interval);
      await Promise.all(running.values());
    },
  };
}
