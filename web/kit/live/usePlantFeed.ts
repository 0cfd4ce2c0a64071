import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { followPlant, type LiveDatapoint, type LiveSite } from './live.queries.ts';
import { PlantFeed } from './plant-feed.ts';

/** Interval in milliseconds for batching updates. */
const PAUSE = 80;

interface Shared {
  feed: PlantFeed;
  users: number;
  stop: () => void;
}

/** Subscriptions, keyed by list of sites. Components that follow the same sites share one subscription. */
const shared = new Map<string, Shared>();

const silent = new PlantFeed(() => {});

/** Follows the sites while the component is mounted. */
export function usePlantFeed(siteUuids: readonly string[]): PlantFeed {
  const key = [...new Set(siteUuids)].sort().join();
  const [feed, setFeed] = useState(silent);
  useEffect(() => {
    if (key === '') return;
    const entry = shared.get(key) ?? begin(key);
    entry.users += 1;
    setFeed(entry.feed);
    return () => {
      entry.users -= 1;
      if (entry.users === 0) {
        shared.delete(key);
        entry.stop();
      }
    };
  }, [key]);
  return feed;
}

function begin(key: string): Shared {
  const feed = new PlantFeed((work) => setTimeout(work, PAUSE));
  const entry = { feed, users: 0, stop: followPlant(key.split(','), (news) => feed.take(news)) };
  shared.set(key, entry);
  return entry;
}

/** Returns the latest state of one data point; undefined before its first update. */
export function useLiveDatapoint(feed: PlantFeed, uuid: string): LiveDatapoint | undefined {
  return useSyncExternalStore(
    useCallback((listener) => feed.watch(uuid, listener), [feed, uuid]),
    () => feed.datapoint(uuid),
  );
}

export function useLiveSite(feed: PlantFeed, uuid: string): LiveSite | undefined {
  return useSyncExternalStore(
    useCallback((listener) => feed.watch(uuid, listener), [feed, uuid]),
    () => feed.site(uuid),
  );
}
