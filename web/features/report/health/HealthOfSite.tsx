import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { writeSort } from '../../../../domain/order.ts';
import { isBeforeSites, isGapOpen } from '../../../../domain/report/health.ts';
import { gapRange, type HealthRange } from '../../../../domain/report/health-periods.ts';
import { gapOrders, orderWords } from '../../../../domain/report/list-order.ts';
import { At } from '../../../kit/format/At.tsx';
import { counted } from '../../../kit/format/number.ts';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Card } from '../../../ui/Page.tsx';
import { useFromNow } from '../../../ui/time/clock.ts';
import { formatAge } from '../../../ui/time/format.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { Figure, Figures } from '../Figures.tsx';
import { type FigureColumn, FigureTable } from '../FigureTable.tsx';
import { LoadFailed } from '../LoadFailed.tsx';
import classes from '../Report.module.css';
import { ReportTitle } from '../ReportTitle.tsx';
import { Downloads, PrintDetails } from '../ReportTools.tsx';
import { formatDates } from '../ranges.ts';
import { fetchHealthGaps } from '../report.queries.ts';
import type { TableOrder } from '../SortHeading.tsx';
import { useFirstSiteDate } from '../usePreviousPeriod.ts';

interface HealthOfSiteProps {
  order: TableOrder;
  site: string;
  /** Unit office whose list of sites the page links back to; undefined for the list of all sites. */
  office: string | undefined;
  range: HealthRange;
  until: string | undefined;
}

type Gap = Awaited<ReturnType<typeof fetchHealthGaps>>['gaps'][number] & {
  /** True if the gap has not ended yet. */
  isOpen: boolean;
};

const lasted = (gap: Pick<Gap, 'from' | 'to'>) => Date.parse(gap.to) - Date.parse(gap.from);
const gapColumns: readonly FigureColumn<Gap>[] = [
  {
    header: 'To',
    value: (gap) => (gap.isOpen ? 'ongoing' : <At at={gap.to} />),
    key: 'to',
    by: (gap) => Date.parse(gap.to),
    text: true,
  },
  { header: 'Duration', value: (gap) => formatAge(lasted(gap)), key: 'lasted', by: lasted, strong: true },
  { header: 'Slots', value: (gap) => gap.slots, key: 'slots', by: (gap) => gap.slots },
];

/** Lists the gaps in the data of one site during the weeks or months of the report. */
export function HealthOfSite({ order, site, office, range, until }: HealthOfSiteProps) {
  const timeZone = useTimeZone();
  // Changes once a minute, so that the gaps are refetched every minute instead of every second.
  const minute = useFromNow((at) => Math.floor(at.getTime() / 60_000));
  const isByMonth = range.each === 'month';
  const times = gapRange(range, timeZone);
  const { from } = times;
  const to = until === undefined && !isByMonth ? new Date(minute * 60_000) : times.to;
  const query = useQuery({
    queryKey: ['report', 'health-gaps', site, from, isByMonth ? to : (until ?? 'now')],
    queryFn: ({ signal }) => fetchHealthGaps(site, { from, to }, signal),
    staleTime: 60_000,
  });
  const facts = query.data;
  const missing = facts?.gaps.reduce((sum, { slots }) => sum + slots, 0);
  const longest = facts?.gaps[0];
  const since = useFirstSiteDate({ office: undefined, site }).data;
  const isBefore = since !== undefined && since !== null && isBeforeSites(since, to);
  const lastContact = facts?.site?.lastUpdate ? new Date(facts.site.lastUpdate) : null;
  const gaps = facts?.gaps.map((gap) => ({ ...gap, isOpen: isGapOpen(new Date(gap.from), lastContact) }));
  const asked = new URLSearchParams({
    site,
    ...(until && { until }),
    ...(isByMonth && { each: range.each }),
    ...(order.sort && { order: writeSort(order.sort) }),
  });
  const back = {
    to: '/reports/health',
    search: { by: 'site', office, until, each: isByMonth ? range.each : undefined },
  } as const;
  return (
    <>
      <ReportTitle
        name={facts?.site?.name ?? 'Site'}
        within={<Link {...back}>Health</Link>}
        actions={
          facts?.site ? (
            <>
              <Button
                variant="subtle"
                renderRoot={(props) => <Link to="/dashboard/site/$uuid" params={{ uuid: site }} {...props} />}
              >
                Open the site
              </Button>
              <Downloads name="health-gaps" query={asked.toString()} />
            </>
          ) : undefined
        }
      >
        {facts?.site ? `Gaps at ${facts.site.name}` : 'Gaps at a site'}
      </ReportTitle>
      <div className={classes.tools}>
        <span className={classes.range}>{formatDates(from, to, timeZone)}</span>
        <PrintDetails order={orderWords(order.sort, gapOrders, 'longest first')} />
        {facts?.site ? (
          <span className={classes.range}>
            {facts.site.siteId}
            {facts.site.group5 ? `, ${facts.site.group5.name}` : ''}, slots of{' '}
            {counted(facts.site.tocsinHealthDurationHours, 'hour')}
          </span>
        ) : null}
      </div>
      {query.isError && !facts ? (
        <Card>
          <LoadFailed what="The gaps" error={query.error} />
        </Card>
      ) : facts && facts.site === null ? (
        <Card>
          <EmptyState title="Site not found">
            It was deleted, or you have no access to it. <Link {...back}>Go back to all sites.</Link>
          </EmptyState>
        </Card>
      ) : (
        <>
          <Figures>
            <Figure name="Gaps" value={facts?.total.toLocaleString()} />
            <Figure
              name="Slots without data"
              value={
                facts &&
                (facts.total > facts.gaps.length ? `over ${missing?.toLocaleString()}` : missing?.toLocaleString())
              }
            />
            <Figure name="Longest gap" value={facts && (longest ? formatAge(lasted(longest)) : 'none')} />
            <Figure
              name="Last contact"
              value={facts && (facts.site?.lastUpdate ? <At at={facts.site.lastUpdate} /> : 'never')}
            />
          </Figures>
          <Card title={order.sort ? 'Gaps' : 'Longest first'}>
            {gaps?.length === 0 && isBefore ? (
              <EmptyState title="The site did not exist yet">It was added after these {range.each}s.</EmptyState>
            ) : gaps?.length === 0 ? (
              <EmptyState title={`No gaps in these ${range.each}s`}>Data arrived in every completed slot.</EmptyState>
            ) : (
              <FigureTable<Gap>
                label="Gaps"
                rowName="From"
                rows={gaps}
                keyOf={(gap) => gap.from}
                nameOf={(gap) => <At at={gap.from} />}
                nameBy={(gap) => Date.parse(gap.from)}
                order={order}
                columns={gapColumns}
              />
            )}
          </Card>
        </>
      )}
    </>
  );
}
