import { useFeed } from '../../kit/live/useMovingFeed.ts';
import { useLiveDatapoint, useLiveSite } from '../../kit/live/usePlantFeed.ts';
import type { BoardSite } from './dashboard.queries.ts';
import { asOfNow } from './live-site.ts';

/** Draws again when something of this site arrived, and only then. */
export function useSiteAsOfNow(site: BoardSite): BoardSite {
  const feed = useFeed();
  const heard = useLiveSite(feed, site.uuid);
  const point = useLiveDatapoint(feed, site.leadDatapoint?.uuid ?? '');
  return asOfNow(site, heard, point);
}
