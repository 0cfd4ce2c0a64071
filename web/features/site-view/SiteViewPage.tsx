import { Button } from '@mantine/core';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { TbPencil } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { acknowledgementOf, type QuietState, quietState } from '../../kit/format/alarm.ts';
import { key } from '../../kit/list/list.ts';
import { useLiveSite, usePlantFeed } from '../../kit/live/usePlantFeed.ts';
import { useHeaderStatus, useHeaderTitle } from '../../kit/page/header-slot.ts';
import { LoadError } from '../../kit/page/LoadError.tsx';
import { useActor } from '../../kit/session/actor.ts';
import { PlantPeopleOnly } from '../../kit/session/PlantPeopleOnly.tsx';
import breadcrumbs from '../../ui/Breadcrumbs.module.css';
import { useFirstAnswer } from '../../ui/first-answer.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Card, Page, PageTitle } from '../../ui/Page.tsx';
import { PageSkeleton } from '../../ui/Skeleton.tsx';
import { ActiveWindows, activeMaintenanceQuery, activeOfSite } from '../maintenance/index.ts';
import { unreachedRulesQuery } from '../notification/index.ts';
import { Trend, useTrendAddress } from '../trend/index.ts';
import { AssetTiles } from './AssetTiles.tsx';
import { defaultPoints } from './default-points.ts';
import { SiteAlarms } from './SiteAlarms.tsx';
import { SiteDevices } from './SiteDevices.tsx';
import { SiteLine } from './SiteLine.tsx';
import classes from './SiteViewPage.module.css';
import { statusOf } from './site-status.ts';
import {
  type SiteAlarmsAnswer,
  type SiteFacts,
  siteAlarmsQuery,
  siteViewQuery,
  trendPoints,
} from './site-view.queries.ts';
import { usePointsOutside } from './usePointsOutside.ts';

/** Live view of a site: status, values, trend, alarms and recipients. */
export function SiteViewPage() {
  return (
    <Page>
      <PlantPeopleOnly title="Site">
        <LoadedSite />
      </PlantPeopleOnly>
    </Page>
  );
}

function LoadedSite() {
  const { uuid } = useParams({ strict: false }) as { uuid: string };
  const known = key(uuid);
  const query = useQuery({ ...siteViewQuery(uuid), enabled: known !== undefined });
  // The page waits for both queries, so that its layout does not shift after the first paint. The alarms determine the
  // order of the assets and the data points in the trend. On a phone, the notice about rules without recipients is
  // above the trend.
  const alarms = useQuery({ ...siteAlarmsQuery(uuid), enabled: known !== undefined });
  const unreached = useQuery(unreachedRulesQuery(known));
  const site = useFirstAnswer(alarms.isPending || unreached.isPending ? undefined : (query.data ?? undefined));
  if (site) return <SiteView key={uuid} site={site} alarms={alarms} />;
  if ((query.isPending || query.data) && known) {
    return (
      <LoadError query={[query, alarms].find(({ isPending }) => isPending) ?? unreached}>
        <PageSkeleton inside />
      </LoadError>
    );
  }
  return (
    <NoSite>
      {query.isError ? (
        <ErrorState title="The site could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      ) : (
        <EmptyState
          title="Site not found"
          action={
            <Button component={Link} to="/dashboard" variant="default" size="xs">
              All sites
            </Button>
          }
        >
          It was deleted, or you no longer have access to it. Ask a manager to link you to it.
        </EmptyState>
      )}
    </NoSite>
  );
}

function NoSite({ children }: { children: ReactNode }) {
  useHeaderTitle('Site');
  return (
    <>
      <PageTitle above={<Link to="/dashboard">Dashboard</Link>}>Site</PageTitle>
      <Card>{children}</Card>
    </>
  );
}

/**
 * Returns the number of quiet alarms by their state. The field `shelved` of the response includes alarms in
 * maintenance.
 */
function countQuiet({ rows, shelved }: SiteAlarmsAnswer) {
  const states = rows.map(quietState);
  const count = (state: QuietState) => states.filter((other) => other === state).length;
  const maintenance = count('maintenance');
  return { shelved: shelved - maintenance, maintenance, consequence: count('consequence') };
}

function SiteView({ site, alarms }: { site: SiteFacts; alarms: UseQueryResult<SiteAlarmsAnswer> }) {
  const actor = useActor();
  const feed = usePlantFeed([site.uuid]);
  const live = useLiveSite(feed, site.uuid);
  const status = live?.status ?? site.siteStatus;
  const maintenance = useQuery(activeMaintenanceQuery(site.uuid));
  useRefetchAlarms(status);
  const open = alarms.data;
  const out = usePointsOutside(site.assets, feed, open?.rows ?? noAlarms);
  const header = useMemo(
    () =>
      open
        ? statusOf(
            status,
            open.rows
              .filter((alarm) => quietState(alarm) === null)
              .map(({ severity, acknowledgeJson }) => ({
                severity,
                acknowledged: acknowledgementOf(acknowledgeJson) !== null,
              })),
            open.total,
            out.length,
            site.hasRules === true,
            countQuiet(open),
          )
        : null,
    [status, open, out, site.hasRules],
  );
  useHeaderStatus(site.name, header);
  const silent = status === 3 || (open?.rows ?? noAlarms).some(({ severity }) => severity === 'silent');
  const usual = useMemo(() => defaultPoints(site.assets, open?.rows ?? [], site.leadDatapoint), [site, open]);
  // The default data points of the trend must not change while the page is open.
  const initialPoints = useRef<string[]>(undefined);
  if (open && initialPoints.current === undefined) initialPoints.current = usual;
  const address = useTrendAddress(initialPoints.current ?? noPoints);
  const loadedPoints = useMemo(() => trendPoints(site), [site]);
  return (
    <>
      <PageTitle
        above={
          <nav className={breadcrumbs.links} aria-label="Breadcrumbs">
            <Link to="/dashboard">Dashboard</Link>
            {site.group5 ? (
              <Link to="/dashboard" search={{ office: site.group5.uuid }}>
                {site.group5.name}
              </Link>
            ) : null}
            {site.siteType ? (
              <Link to="/dashboard" search={{ type: site.siteType }}>
                {site.siteType}
              </Link>
            ) : null}
          </nav>
        }
        facts={<SiteLine site={site} lastUpdate={newer(live?.lastUpdate ?? null, site.lastUpdate)} silent={silent} />}
        actions={
          can(actor, 'admin.enter') && can(actor, 'site.update') ? (
            <Button
              component={Link}
              to="/admin/sites/$uuid"
              params={{ uuid: site.uuid } as never}
              variant="default"
              leftSection={<TbPencil size={14} strokeWidth={1.75} aria-hidden />}
            >
              Edit site
            </Button>
          ) : null
        }
      >
        {site.name}
      </PageTitle>
      <ActiveWindows windows={activeOfSite(maintenance.data ?? noWindows, site.uuid)} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <div className={classes.values}>
            <AssetTiles
              site={site}
              feed={feed}
              alarms={open?.rows ?? noAlarms}
              out={out}
              chosen={address.points}
              onChoose={address.toggle}
            />
          </div>
        </div>
        <div className={classes.column}>
          <div className={classes.trend}>
            <Trend address={address} offered={site.assets} loadedPoints={loadedPoints} />
          </div>
          <div className={classes.alarms}>
            <SiteAlarms site={site} alarms={alarms} out={out} />
          </div>
          <div className={classes.devices}>
            <SiteDevices site={site} />
          </div>
        </div>
      </div>
    </>
  );
}

const noPoints: never[] = [];
const noWindows: never[] = [];
const noAlarms: never[] = [];

function newer(live: number | null, stored: string | null): Date | null {
  const at = Math.max(live ?? 0, stored === null ? 0 : Date.parse(stored));
  return at === 0 ? null : new Date(at);
}

/** Refetches the alarms when the site's status changes. */
function useRefetchAlarms(status: number): void {
  const client = useQueryClient();
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    void client.invalidateQueries({ queryKey: ['alarm'] });
  }, [status, client]);
}
