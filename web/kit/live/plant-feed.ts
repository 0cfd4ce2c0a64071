import type { LiveDatapoint, LiveNews, LiveSite } from './live.queries.ts';

/**
 * Merges an update into the previous state. A null field means no change. An update that is older than the known value
 * does not replace the value.
 */
export function merged(before: LiveDatapoint | undefined, news: LiveDatapoint): LiveDatapoint {
  const newer = before?.time == null || news.time === null || news.time >= before.time;
  return {
    datapointUuid: news.datapointUuid,
    value: (newer ? news.value : null) ?? before?.value ?? null,
    time: (newer ? news.time : null) ?? before?.time ?? null,
    status: news.status ?? before?.status ?? null,
    color: news.color ?? before?.color ?? null,
    titleText: news.titleText ?? before?.titleText ?? null,
  };
}

type Listener = () => void;

/** Key with which `watch` follows all sites. */
export const ANY_SITE = 'any site';

/**
 * The latest states of sites and data points. Collects changes until `later` runs its callback, then calls each
 * listener of a changed site or data point once.
 */
export class PlantFeed {
  readonly #datapoints = new Map<string, LiveDatapoint>();
  readonly #sites = new Map<string, LiveSite>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #changed = new Set<string>();
  readonly #later: (work: () => void) => void;
  #waiting = false;
  #lastContact: number | null = null;

  /** `later` must run the callback that it receives once, after a delay. */
  constructor(later: (work: () => void) => void) {
    this.#later = later;
  }

  readonly datapoint = (uuid: string): LiveDatapoint | undefined => this.#datapoints.get(uuid);
  readonly site = (uuid: string): LiveSite | undefined => this.#sites.get(uuid);
  /** Returns the time of the last contact of any site in milliseconds since 1970; null before the first contact. */
  readonly lastContact = (): number | null => this.#lastContact;

  /** Calls the listener after each change of the data point or site. Returns a function that removes the listener. */
  readonly watch = (uuid: string, listener: Listener): (() => void) => {
    const listeners = this.#listeners.get(uuid) ?? new Set();
    this.#listeners.set(uuid, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(uuid) === listeners) this.#listeners.delete(uuid);
    };
  };

  take({ sites, datapoints }: LiveNews): void {
    for (const site of sites) {
      this.#sites.set(site.siteUuid, site);
      this.#changed.add(site.siteUuid).add(ANY_SITE);
      if (site.lastUpdate !== null) this.#lastContact = Math.max(this.#lastContact ?? 0, site.lastUpdate);
    }
    for (const datapoint of datapoints) {
      this.#datapoints.set(datapoint.datapointUuid, merged(this.#datapoints.get(datapoint.datapointUuid), datapoint));
      this.#changed.add(datapoint.datapointUuid);
    }
    if (this.#waiting) return;
    this.#waiting = true;
    this.#later(() => {
      this.#waiting = false;
      const changed = [...this.#changed];
      this.#changed.clear();
      const listeners = new Set(changed.flatMap((uuid) => [...(this.#listeners.get(uuid) ?? [])]));
      for (const listener of listeners) listener();
    });
  }
}
