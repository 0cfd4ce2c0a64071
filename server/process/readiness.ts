import type { Clock } from '../platform/clock.ts';
import { within } from '../platform/database.ts';

/** A named condition for being ready. */
export interface Check {
  name: string;
  ok: boolean;
  /** False if the process is ready although the check fails. */
  isRequired: boolean;
  /** What is wrong; empty if nothing is. */
  problem: string;
  /** Seconds since the check began to fail; 0 if it does not. */
  failingSeconds: number;
}

/** Returns what is wrong, or undefined. */
type Probe = () => string | undefined | Promise<string | undefined>;

/** A check without an answer fails after this time, so that /readyz answers within a second. */
const PATIENCE_MS = 800;

/** Whether this process can do its work, as a list of checks that parts of the product add. */
export class Readiness {
  readonly #clock: Clock;
  readonly #probes = new Map<string, { probe: Probe; isRequired: boolean }>();
  readonly #failingSince = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a check that every process needs to be ready. */
  require(name: string, probe: Probe): void {
    this.#probes.set(name, { probe, isRequired: true });
  }

  /** Adds a check that is only reported. */
  report(name: string, probe: Probe): void {
    this.#probes.set(name, { probe, isRequired: false });
  }

  /** Runs all checks at once. Never throws and takes less than a second. */
  check(): Promise<Check[]> {
    return Promise.all([...this.#probes].map(([name, { probe, isRequired }]) => this.#run(name, isRequired, probe)));
  }

  async #run(name: string, isRequired: boolean, probe: Probe): Promise<Check> {
    const asked = (async () => probe())().catch((error: Error) => error.message);
    const problem = await within(asked, PATIENCE_MS, () => `No answer within ${PATIENCE_MS} ms.`);
    const now = this.#clock.now().getTime();
    if (problem === undefined) {
      this.#failingSince.delete(name);
      return { name, ok: true, isRequired, problem: '', failingSeconds: 0 };
    }
    const since = this.#failingSince.get(name) ?? now;
    this.#failingSince.set(name, since);
    return { name, ok: false, isRequired, problem, failingSeconds: Math.round((now - since) / 1000) };
  }
}
