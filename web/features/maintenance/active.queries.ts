import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const activeMaintenance = graphql(`
  query ActiveMaintenance($site: UUID) {
    activeMaintenance(ofSite: $site, first: 500) {
      nodes {
        siteUuid
        windowUuid
        name
        scope
        targetName
        suppresses
        endsAt
      }
    }
  }
`);

/** A maintenance window that is in progress, at one of its sites. */
export interface ActiveWindow {
  siteUuid: string;
  windowUuid: string;
  name: string;
  scope: string;
  targetName: string;
  suppresses: string;
  /** Time at which the window ends; null while it is not known. */
  endsAt: string | null;
}

async function fetchActive(site: string | null, signal: AbortSignal): Promise<ActiveWindow[]> {
  return rowsOf((await ask(activeMaintenance, { site }, signal)).activeMaintenance).map((row) => ({
    ...{ siteUuid: row.siteUuid ?? '', windowUuid: row.windowUuid ?? '', name: row.name ?? '' },
    ...{ scope: row.scope ?? '', targetName: row.targetName ?? '', suppresses: row.suppresses ?? '' },
    endsAt: row.endsAt,
  }));
}

/** Fetches the windows that are in progress, at one site or at all sites. */
export function activeMaintenanceQuery(site: string | null = null) {
  return queryOptions({
    queryKey: ['maintenance', 'active', site],
    queryFn: ({ signal }) => fetchActive(site, signal),
    refetchInterval: 30_000,
  });
}

/** Returns the windows that concern a site. A window for the whole site comes first. */
export function activeOfSite(windows: readonly ActiveWindow[], site: string): ActiveWindow[] {
  return windows
    .filter(({ siteUuid }) => siteUuid === site)
    .toSorted((a, b) => Number(b.scope === 'site') - Number(a.scope === 'site'));
}
