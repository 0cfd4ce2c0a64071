import { useQuery } from '@tanstack/react-query';
import { activeMaintenanceQuery, activeOfSite } from '../../features/maintenance/index.ts';
import type { BoardSite } from './dashboard.queries.ts';
import { type Tile, tileOf } from './tile.ts';
import { useLiveBoardSite } from './useLiveBoardSite.ts';

/** Returns the texts and state of a site with its live state and the maintenance in progress. */
export function useSiteTile(fetched: BoardSite): Tile {
  const site = useLiveBoardSite(fetched);
  const { data } = useQuery({
    ...activeMaintenanceQuery(),
    select: (windows) => activeOfSite(windows, fetched.uuid),
  });
  return tileOf(site, data);
}
