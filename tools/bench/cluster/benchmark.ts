import { availableParallelism, cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { killChildren } from '../../../test/harness/machine/child.ts';

/** Steps that stop everything that a benchmark has started. They run in reverse order. */
export type Undo = (() => unknown)[];

export type Figures = Record<string, unknown>;

/** Time limit for one step of `Undo`, in milliseconds. */
const UNDO_MS = 30_000;

/**
 * Runs a benchmark and prints its figures as one JSON line. Then stops everything that the benchmark has started, and
 * exits. An error, a signal or the time limit ends the benchmark with exit code 1. The JSON line then has the figures
 * measured so far and the reason.
 */
export async function runBenchmark(
  limitMs: number,
  measure: (figures: Figures, undo: Undo) => Promise<void>,
): Promise<never> {
  const figures: Figures = {
    machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
    node: process.version,
  };
  const undo: Undo = [];
  // Ends programs that were still starting when the benchmark was interrupted.
  process.once('exit', () => killChildren(process.pid));
  const interrupted = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`The benchmark took longer than ${Math.round(limitMs / 1000)} s.`)), limitMs);
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`The benchmark received ${signal}.`)));
    process.on('uncaughtException', reject);
  });
  let code = 0;
  try {
    await Promise.race([measure(figures, undo), interrupted]);
  } catch (error) {
    console.error(error);
    figures.incomplete = (error as Error).message;
    code = 1;
  }
  console.log(JSON.stringify(figures));
  for (let step = undo.pop(); step; step = undo.pop()) {
    try {
      await Promise.race([step(), pause(UNDO_MS)]);
    } catch (error) {
      console.error(error);
    }
  }
  process.exit(code);
}

/** Repeats `find` until it returns a value other than undefined or false, and returns the value. */
export async function until<T>(
  what: string,
  find: () => T | Promise<T>,
  { everyMs = 20, limitMs = 60_000 } = {},
): Promise<Exclude<T, undefined | false>> {
  const last = performance.now() + limitMs;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    if (performance.now() > last) throw new Error(`Waited ${limitMs / 1000} s for ${what}.`);
    await pause(everyMs);
  }
}
