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

/** Connects the hub to watchers in other processes. */
export interface OtherProcesses {
  watches(siteUuid: string): boolean;
  send(changed: readonly LiveDatapoint[]): void;
  /** Called when a site gets its first watcher in this process. */
  watchedHere(siteUuid: string): void;
}

/** Passes the changes of each site to its watchers. */
export class LiveHub {
  readonly #watchers = new Map<string, Set<Watcher>>();
  #others: OtherProcesses | undefined;

  /** Connects the hub to the watchers of other processes. */
  connect(others: OtherProcesses): void {
    this.#others = others;
  }

  /** Returns whether this process has a watcher of the site. */
  watches(siteUuid: string): boolean {
    return this.#watchers.has(siteUuid);
  }

  /** Returns whether any process has a watcher of the site. */
  isWatched(siteUuid: string): boolean {
    return this.watches(siteUuid) || (this.#others?.watches(siteUuid) ?? false);
  }

  /** Passes readings that this process has just stored to the watchers of all processes. */
  publishReadings(siteUuid: string, changed: readonly LiveDatapoint[]): void {
    this.publishDatapoints(siteUuid, changed);
    if (this.#others?.watches(siteUuid)) this.#others.send(changed);
  }

  /** Returns the sites that have at least one watcher. */
  watched(): string[] {
    return [...this.#watchers.keys()];
  }

  /** Passes changes to the watchers of this process. */
  publishDatapoints(siteUuid: string, changed: readonly LiveDatapoint[]): void {
    for (const watcher of this.#watchers.get(siteUuid) ?? []) watcher.datapoints(changed);
  }

  publishSite(changed: LiveSite): void {
    for (const watcher of this.#watchers.get(changed.siteUuid) ?? []) watcher.site(changed);
  }

  watch(siteUuid: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(siteUuid) ?? new Set();
    this.#watchers.set(siteUuid, watchers.add(watcher));
    if (watchers.size === 1) this.#others?.watchedHere(siteUuid);
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(siteUuid) === watchers) this.#watchers.delete(siteUuid);
    };
  }
}
