import { createContext, useContext, useEffect, useState } from 'react';
import { followPlant } from './live.queries.ts';
import { PlantFeed } from './plant-feed.ts';

/** Milliseconds in which updates are batched. */
const PAUSE = 250;

/**
 * Follows the sites in view, which change while scrolling. There is one subscription at a time; the last state of a
 * site stays cached when it leaves the view.
 */
export function useMovingFeed(siteUuids: readonly string[]): PlantFeed {
  const [feed] = useState(() => new PlantFeed((work) => setTimeout(work, PAUSE)));
  // Sorted, so that another order of the same sites does not resubscribe.
  const key = siteUuids.toSorted().join();
  useEffect(() => {
    if (key === '') return;
    return followPlant(key.split(','), (news) => feed.take(news));
  }, [feed, key]);
  return feed;
}

const idleFeed = new PlantFeed(() => {});

/** The dashboard's feed, for every tile and row. */
export const FeedContext = createContext(idleFeed);
export const useFeed = (): PlantFeed => useContext(FeedContext);
