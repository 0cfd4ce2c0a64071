import type { LiveDatapoint, LiveSite } from '../../kit/live/live.queries.ts';
import type { BoardSite } from './dashboard.queries.ts';

type Facts = Pick<BoardSite, 'siteStatus' | 'lastUpdate' | 'leadDatapoint'>;

/** Merges live updates into a fetched site. */
export function withLiveValues<Site extends Facts>(
  site: Site,
  heard: LiveSite | undefined,
  point: LiveDatapoint | undefined,
): Site {
  const { leadDatapoint: lead } = site;
  const isNewer = heard?.lastUpdate != null && heard.lastUpdate > timeOf(site.lastUpdate);
  return {
    ...site,
    siteStatus: heard?.status ?? site.siteStatus,
    lastUpdate: isNewer ? new Date(heard.lastUpdate as number).toISOString() : site.lastUpdate,
    leadDatapoint: lead && point ? newest(lead, point) : lead,
  };
}

function newest(stored: NonNullable<Facts['leadDatapoint']>, live: LiveDatapoint): NonNullable<Facts['leadDatapoint']> {
  if ((live.time ?? 0) < timeOf(stored.lastUpdated)) return stored;
  return {
    ...stored,
    latestValue: live.value ?? stored.latestValue,
    status: live.status ?? stored.status,
    datapointTitleText: live.titleText ?? stored.datapointTitleText,
  };
}

function timeOf(at: string | null): number {
  return at === null ? 0 : Date.parse(at);
}
