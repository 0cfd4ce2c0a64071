import { createContext, useContext, useEffect, useState } from 'react';
import { followPlant } from './live.queries.ts';
import { PlantFeed } from './plant-feed.ts';

/** Values that arrive faster than this are shown together. */
const PAUSE = 250;

/**
 * What happens at the sites in view, which are others from time to time. There is one subscription at a time, and what was
 * heard of a site is kept until it is in view again.
 */
export function useMovingFeed(siteUuids: readonly string[]): PlantFeed {
  const [feed] = useState(() => new PlantFeed((work) => setTimeout(work, PAUSE)));
  // By uuid, so that another order of the same sites is no other subscription.
  const key = siteUuids.toSorted().join();
  useEffect(() => {
    if (key === '') return;
    return followPlant(key.split(','), (news) => feed.take(news));
  }, [feed, key]);
  return feed;
}

const nobody = new PlantFeed(() => {});

/** The feed of the board, for every tile and row in it. */
export const FeedContext = createContext(nobody);
export const useFeed = (): PlantFeed => useContext(FeedContext);
