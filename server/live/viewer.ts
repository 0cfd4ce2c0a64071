import type { LiveDatapoint, LiveHub, LiveSite, Watcher } from './hub.ts';
import type { States } from './states.ts';

export interface ViewerOptions {
  hub: LiveHub;
  /** The states of the sites this person may see, as they are now; rejects when they may see nothing any more. */
  look(): Promise<States>;
}

/**
 * What one person watches. Begins with everything as it is, so that whoever comes back has caught up, and goes on with
 * what changes. Changes wait as their newest state until they are taken, so a slow reader costs nothing.
 */
export class Viewer {
  readonly #options: ViewerOptions;
  readonly #stops = new Map<string, () => void>();
  /** Seeing a site is not seeing its datapoints: a partner's service account sees the one and not the other. */
  #seen = new Set<string>();
  #datapoints = new Map<string, LiveDatapoint>();
  #sites = new Map<string, LiveSite>();
  /** Whether the beginning is still to be told, also where there is nothing to see. */
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

  /** Looks again at what this person may see: at the beginning, and whenever that may have changed. */
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

  /** A stored state may be older than a value that came straight from the pipeline: the newer value stays. */
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
