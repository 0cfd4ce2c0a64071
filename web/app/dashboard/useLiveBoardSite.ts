import { useFeed } from '../../kit/live/useMovingFeed.ts';
import { useLiveDatapoint, useLiveSite } from '../../kit/live/usePlantFeed.ts';
import type { BoardSite } from './dashboard.queries.ts';
import { withLiveValues } from './live-site.ts';

/** Returns the site with its live values. Renders again only when an update of this site arrives. */
export function useLiveBoardSite(site: BoardSite): BoardSite {
  const feed = useFeed();
  const heard = useLiveSite(feed, site.uuid);
  const point = useLiveDatapoint(feed, site.leadDatapoint?.uuid ?? '');
  return withLiveValues(site, heard, point);
}
