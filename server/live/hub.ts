/** Changed fields of a data point. A missing field has not changed. */
export interface LiveDatapoint {
  datapointUuid: string;
  siteUuid: string;
  value: number | null;
  /** Device time, in milliseconds since 1970. */
  time: number | null;
  status?: number;
  color?: string;
  titleText?: string;
}

export interface LiveSite {
  siteUuid: string;
  status: number;
  /** Server time of the last contact, in milliseconds since 1970. */
  lastUpdate: number | null;
}

export interface Watcher {
  datapoints(changed: readonly LiveDatapoint[]): void;
  site(changed: LiveSite): void;
}

/** Passes the changes of each site to its watchers. */
export class LiveHub {
  readonly #watchers = new Map<string, Set<Watcher>>();

  watches(siteUuid: string): boolean {
    return this.#watchers.has(siteUuid);
  }

  /** Returns the sites that have at least one watcher. */
  watched(): string[] {
    return [...this.#watchers.keys()];
  }

  publishDatapoints(siteUuid: string, changed: readonly LiveDatapoint[]): void {
    for (const watcher of this.#watchers.get(siteUuid) ?? []) watcher.datapoints(changed);
  }

  publishSite(changed: LiveSite): void {
    for (const watcher of this.#watchers.get(changed.siteUuid) ?? []) watcher.site(changed);
  }

  watch(siteUuid: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(siteUuid) ?? new Set();
    this.#watchers.set(siteUuid, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(siteUuid) === watchers) this.#watchers.delete(siteUuid);
    };
  }
}
