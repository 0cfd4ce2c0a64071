import type { LiveDatapoint, LiveHub, LiveSite, Watcher } from './hub.ts';
import type { States } from './states.ts';

export interface ViewerOptions {
  hub: LiveHub;
  /** Loads the states of the sites that the user is allowed to see. Rejects if the user no longer has access. */
  look(): Promise<States>;
}

/**
 * Stream of live data for one user. It starts with the full state, so that a reconnected page is up to date, and
 * continues with changes. Unread changes are merged into the newest state, so a slow reader does not use more memory.
 */
export class Viewer {
  readonly #options: ViewerOptions;
  readonly #stops = new Map<string, () => void>();
  /** Data points that the user is allowed to see. A partner account sees sites but not their data points. */
  #seen = new Set<string>();
  #datapoints = new Map<string, LiveDatapoint>();
  #sites = new Map<string, LiveSite>();
  /** True until the full state has been sent, even if that state is empty. */
  #begins = true;
  #looked = false;
  #wake: (() => void) | undefined;
  #end: { error?: Error } | undefined;

  constructor(options: ViewerOptions) {
    this.#options = options;
  }

  readonly #watcher: Watcher = {
    datapoints: (changed) => {
      for (const datapoint of changed) if (this.#seen.has(datapoint.datapointUuid)) this.#add(datapoint);
      this.#wake?.();
    },
    site: (changed) => {
      this.#sites.set(changed.siteUuid, changed);
      this.#wake?.();
    },
  };

  /**
   * Loads the states that the user is allowed to see. Called at the start, and when the user's access may have changed.
   */
  async look(): Promise<void> {
    try {
      const { sites, datapoints } = await this.#options.look();
      if (this.#end) return;
      const seen = new Set(sites.map(({ siteUuid }) => siteUuid));
      for (const [uuid, stop] of this.#stops) {
        if (seen.has(uuid)) continue;
        stop();
        this.#stops.delete(uuid);
      }
      for (const uuid of seen) {
        if (!this.#stops.has(uuid)) this.#stops.set(uuid, this.#options.hub.watch(uuid, this.#watcher));
      }
      this.#seen = new Set(datapoints.map(({ datapointUuid }) => datapointUuid));
      for (const uuid of this.#datapoints.keys()) if (!this.#seen.has(uuid)) this.#datapoints.delete(uuid);
      for (const site of sites) this.#sites.set(site.siteUuid, site);
      this.#looked = true;
      this.#watcher.datapoints(datapoints);
    } catch (error) {
      this.end(error as Error);
    }
  }

  end(error?: Error): void {
    this.#end ??= error ? { error } : {};
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
    this.#wake?.();
  }

  async *news(): AsyncGenerator<States, void> {
    try {
      while (true) {
        if (this.#end) {
          if (this.#end.error) throw this.#end.error;
          return;
        }
        if (this.#datapoints.size > 0 || this.#sites.size > 0 || (this.#begins && this.#looked)) {
          this.#begins = false;
          const states = { sites: [...this.#sites.values()], datapoints: [...this.#datapoints.values()] };
          this.#sites = new Map();
          this.#datapoints = new Map();
          yield states;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
      }
    } finally {
      this.end();
    }
  }

  /** Keeps the newer of the two values, because a stored state can be older than a value from the pipeline. */
  #add(datapoint: LiveDatapoint): void {
    const waiting = this.#datapoints.get(datapoint.datapointUuid);
    const older = waiting?.time != null && (datapoint.time ?? 0) < waiting.time;
    this.#datapoints.set(datapoint.datapointUuid, {
      ...waiting,
      ...datapoint,
      ...(older && { value: waiting.value, time: waiting.time }),
    });
  }
}
