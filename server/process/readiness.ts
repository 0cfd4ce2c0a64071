import type { Clock } from '../platform/clock.ts';
import { within } from '../platform/database.ts';

/** Result of one readiness check. */
export interface Check {
  name: string;
  ok: boolean;
  /** False if the process counts as ready even if this check fails. */
  isRequired: boolean;
  /** Description of the problem; empty if the check passes. */
  problem: string;
  /** Seconds since the check began to fail; 0 if the check passes. */
  failingSeconds: number;
}

/** Returns a description of the problem; undefined if the check passes. */
type Probe = () => string | undefined | Promise<string | undefined>;

/** Time limit of a check. A check that takes longer fails, so that /readyz responds within a second. */
const PATIENCE_MS = 800;

/** Checks whether this process is ready. Each component adds its own checks. */
export class Readiness {
  readonly #clock: Clock;
  readonly #probes = new Map<string, { probe: Probe; isRequired: boolean }>();
  readonly #failingSince = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a check that must pass before the process is ready. */
  require(name: string, probe: Probe): void {
    this.#probes.set(name, { probe, isRequired: true });
  }

  /** Adds a check whose result is reported but does not affect readiness. */
  report(name: string, probe: Probe): void {
    this.#probes.set(name, { probe, isRequired: false });
  }

  /** Runs all checks in parallel. Never throws, and returns within a second. */
  check(): Promise<Check[]> {
    return Promise.all([...this.#probes].map(([name, { probe, isRequired }]) => this.#run(name, isRequired, probe)));
  }

  async #run(name: string, isRequired: boolean, probe: Probe): Promise<Check> {
    const asked = (async () => probe())().catch((error: Error) => error.message);
    const problem = await within(asked, PATIENCE_MS, () => `No response within ${PATIENCE_MS} ms.`);
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
