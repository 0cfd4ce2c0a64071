import { createContext, useContext, useEffect, useState } from 'react';
import { followPlant } from './live.queries.ts';
import { PlantFeed } from './plant-feed.ts';

/** Interval in milliseconds for batching updates. */
const PAUSE = 250;

/**
 * Follows the sites in view, which change while scrolling. Only one subscription is active at a time. The last state of
 * a site stays cached when it leaves the view.
 */
export function useMovingFeed(siteUuids: readonly string[]): PlantFeed {
  const [feed] = useState(() => new PlantFeed((work) => setTimeout(work, PAUSE)));
  // Sorts the uuids, so that the same sites in another order do not start a new subscription.
  const key = siteUuids.toSorted().join();
  useEffect(() => {
    if (key === '') return;
    return followPlant(key.split(','), (news) => feed.take(news));
  }, [feed, key]);
  return feed;
}

const idleFeed = new PlantFeed(() => {});

/** The dashboard's live feed, shared by all tiles and rows. */
export const FeedContext = createContext(idleFeed);
export const useFeed = (): PlantFeed => useContext(FeedContext);
