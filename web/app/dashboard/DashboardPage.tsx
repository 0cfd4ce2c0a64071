import { Button, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { TbBuildingFactory2 } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { daysBefore, localTime, startOfDay } from '../../../domain/week.ts';
import { DashboardTabs, FloodBanner } from '../../features/alarm/index.ts';
import { FeedContext, useMovingFeed } from '../../kit/live/useMovingFeed.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { useActor } from '../../kit/session/actor.ts';
import { PlantPeopleOnly } from '../../kit/session/PlantPeopleOnly.tsx';
import { useUser } from '../../kit/session/session.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page } from '../../ui/Page.tsx';
import { isNarrowed, type ListDefaults, type ListView, widened } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { now } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { FirstSteps } from '../first-steps/FirstSteps.tsx';
import { BoardFilters, boardStates } from './BoardFilters.tsx';
import { type BoardFilter, fetchOverview, fetchStateCounts, SELDOM } from './dashboard.queries.ts';
import { KeyFigures } from './KeyFigures.tsx';
import { LastReading } from './LastReading.tsx';
import { NotNotified } from './NotNotified.tsx';
import { SiteBoard } from './SiteBoard.tsx';
import { SiteList } from './SiteList.tsx';

const defaults: ListDefaults = { filters: ['type', 'office', 'state', 'view'] };

export function DashboardPage() {
  const user = useUser();
  useHeaderTitle(user.tocsin_customer.name);
  return (
    <Page>
      <PlantPeopleOnly title="Dashboard">
        <Overview />
      </PlantPeopleOnly>
    </Page>
  );
}

function Overview() {
  const [view, setView] = useListView(defaults);
  const filter = filterOf(view);
  const overview = useOverview();
  const counts = useQuery({
    queryKey: ['dashboard', 'counts', { ...filter, state: '' }],
    queryFn: ({ signal }) => fetchStateCounts(filter, signal),
    placeholderData: keepPreviousData,
    refetchInterval: SELDOM,
  });
  const [shown, setShown] = useState<readonly string[]>([]);
  const feed = useMovingFeed(shown);
  const empty = <NoSites view={view} onViewChange={setView} />;
  return (
    <FeedContext value={feed}>
      <DashboardTabs>
        <LastReading at={overview.data?.plantSummary?.lastContact} />
      </DashboardTabs>
      <VisuallyHidden component="h1">Dashboard</VisuallyHidden>
      <FirstSteps />
      <FloodBanner />
      <KeyFigures overview={overview} />
      <NotNotified />
      <BoardFilters view={view} onViewChange={setView} counts={counts.data} />
      {view.filters.view === 'list' ? (
        <SiteList filter={filter} view={view} onViewChange={setView} empty={empty} onShow={setShown} />
      ) : (
        <SiteBoard filter={filter} empty={empty} onShow={setShown} />
      )}
    </FeedContext>
  );
}

function filterOf({ search, filters }: ListView): BoardFilter {
  const state = boardStates.find((known) => known === filters.state) ?? '';
  return { search, type: filters.type ?? '', office: uuidOrNone(filters.office), state };
}

/** Returns an empty string for an invalid uuid, so that the server does not reject the whole dashboard query. */
function uuidOrNone(text: string | undefined): string {
  return text && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : '';
}

function useOverview() {
  const timeZone = useTimeZone();
  return useQuery({
    queryKey: ['dashboard', 'overview', timeZone],
    queryFn: async ({ signal }) => {
      const at = now();
      const times = { now: at, today: startOfDay(at, timeZone), before: daysBefore(at, 28, timeZone) };
      const { hour, minute } = localTime(at, timeZone);
      return { ...(await fetchOverview(times, signal)), hourNow: hour + minute / 60 };
    },
    refetchInterval: SELDOM,
  });
}

/** Empty state of the dashboard. The text depends on the cause: the filters hide all sites, or no site exists yet. */
function NoSites({ view, onViewChange }: { view: ListView; onViewChange: (next: ListView) => void }) {
  const actor = useActor();
  const shown = view.filters.view ?? '';
  if (isNarrowed({ ...view, filters: { ...view.filters, view: '' } })) {
    return (
      <EmptyState
        title={view.search ? `No site matches “${view.search}”` : 'No site matches the filters'}
        action={
          <Button
            variant="default"
            size="xs"
            onClick={() => onViewChange({ ...widened(view), filters: { view: shown } })}
          >
            Show all sites
          </Button>
        }
      >
        {view.search ? 'Check the spelling, or remove a filter.' : 'Remove a filter to see more.'}
      </EmptyState>
    );
  }
  if (can(actor, 'site.create') && can(actor, 'admin.enter')) {
    return (
      <EmptyState
        icon={TbBuildingFactory2}
        title="No sites yet"
        action={
          <Button component={Link} to="/admin/sites" search={{ record: 'new' } as never} size="xs">
            New site
          </Button>
        }
      >
        A site is a place with sensors, such as a pump station.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={TbBuildingFactory2} title="You are not linked to a site yet">
      Ask a manager to link you to your sites.
    </EmptyState>
  );
}
