/** A datapoint as it is now. What is not named has not changed. */
export interface LiveDatapoint {
  datapointUuid: string;
  siteUuid: string;
  value: number | null;
  /** Milliseconds since 1970, by the device. */
  time: number | null;
  status?: number;
  color?: string;
  titleText?: string;
}

export interface LiveSite {
  siteUuid: string;
  status: number;
  /** When anything last arrived, in milliseconds since 1970. */
  lastUpdate: number | null;
}

export interface Watcher {
  datapoints(changed: readonly LiveDatapoint[]): void;
  site(changed: LiveSite): void;
}

/** Passes on what happens at sites to whoever watches them. However many watch, its source tells it once. */
export class LiveHub {
  readonly #watchers = new Map<string, Set<Watcher>>();

  watches(siteUuid: string): boolean {
    return this.#watchers.has(siteUuid);
  }

  /** Every site that somebody watches. */
  watched(): string[] {
    return [...this.#watchers.keys()];
  }

  /** Values and states of datapoints of one site. */
  tellDatapoints(siteUuid: string, changed: readonly LiveDatapoint[]): void {
    for (const watcher of this.#watchers.get(siteUuid) ?? []) watcher.datapoints(changed);
  }

  tellSite(changed: LiveSite): void {
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
