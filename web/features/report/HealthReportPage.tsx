import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { inOrder } from '../../../domain/order.ts';
import {
  type Cell,
  comparedWith,
  countUnder,
  formatShare,
  healthOrders,
  share,
  sumRows,
  totalOf,
  worstFirst,
} from '../../../domain/report/health.ts';
import { gapOrders } from '../../../domain/report/list-order.ts';
import { dayOf, readRange } from '../../../domain/report/range.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { type ListDefaults, type ListView, offsetOf, withFilter } from '../../ui/table/list-view.ts';
import { Paging } from '../../ui/table/Paging.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { PlantPeopleOnly } from '../auth/PlantPeopleOnly.tsx';
import { key } from '../list/list.ts';
import { counted } from '../list/number.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { Failed } from './Failed.tsx';
import { Figure, Figures } from './Figures.tsx';
import { HealthByOffice } from './HealthByOffice.tsx';
import { HealthOfSite } from './HealthOfSite.tsx';
import { HeatKey, HeatTable } from './HeatTable.tsx';
import { orderIn } from './OrderHead.tsx';
import classes from './Report.module.css';
import { ReportTitle } from './ReportTitle.tsx';
import { DayField, Downloads, OfficeFilter, Problem, REST_IN_FILES, Strange } from './ReportTools.tsx';
import { formatDate, formatDates, formatMonth, useTwelveWeeks } from './ranges.ts';
import { understood } from './strange.ts';
import {
  useHealthBefore,
  useHealthByMonth,
  useHealthByOffice,
  useHealthBySite,
  useSilence,
  useUnitOffices,
} from './useReports.ts';

const defaults: ListDefaults = {
  size: 100,
  filters: ['by', 'office', 'site', 'until', 'order', 'range', 'from', 'to'],
};
const orders = { order: [...Object.keys(healthOrders), ...gapOrders] };
/** Health is shown until a day, and not for a range of the other reports. */
const noRange = (what: string) => ({ what, known: () => false, shown: 'Choose the day that the weeks lead up to.' });
const ranges = { range: noRange('the range'), from: noRange('the first day'), to: noRange('the last day') };
const sides = [
  { value: 'office', label: 'Unit office' },
  { value: 'site', label: 'Site' },
] as const;

export function HealthReportPage() {
  useHeaderTitle('Reports', 'Health report');
  return (
    <Page>
      <PlantPeopleOnly title="Health">
        <HealthReport />
      </PlantPeopleOnly>
    </Page>
  );
}

function HealthReport() {
  const [asked, setView] = useListView(defaults);
  const { view, strange } = useMemo(() => understood(asked, defaults, orders, ranges), [asked]);
  const timeZone = useTimeZone();
  const reading = useUntil(view);
  const { until } = reading;
  const range = useTwelveWeeks(until);
  const { by } = view.filters;
  const [office, site] = [key(view.filters.office), key(view.filters.site)];
  const order = orderIn(view, setView);
  if (site !== undefined) {
    return <HealthOfSite site={site} office={office} range={range} until={until} order={order} />;
  }
  const bySite = by === 'site';
  const last = range.weekStarts.at(-1) ?? range.today;
  const change = (next: 'office' | 'site') =>
    setView(withFilter({ ...view, filters: { until: view.filters.until ?? '' } }, 'by', next === 'site' ? 'site' : ''));
  const query = new URLSearchParams(
    Object.entries({ by, office, until, order: view.filters.order }).filter(
      (entry): entry is [string, string] => !!entry[1],
    ),
  );
  return (
    <>
      <ReportTitle name="Health" actions={<Downloads name="health" query={query.toString()} />}>
        {bySite ? 'Health by site' : 'Health by unit office'}
      </ReportTitle>
      <div className={classes.tools}>
        <Segmented label="Rows" options={sides} value={bySite ? 'site' : 'office'} onChange={change} />
        {bySite ? <OfficeFilter view={view} onViewChange={setView} /> : null}
        <DayField
          label="Twelve weeks until"
          value={view.filters.until ?? dayOf(range.today, timeZone)}
          invalid={reading.problem !== null}
          onChange={(day) => setView(withFilter(view, 'until', day === reading.today ? '' : day))}
        />
        <span className={classes.range}>
          {formatDates(range.weekStarts[0] ?? range.today, last, timeZone)}, and{' '}
          {until === undefined ? 'today' : formatDate(range.today, timeZone)}
        </span>
        <HeatKey />
        {reading.problem ? <Problem>{reading.problem}</Problem> : null}
        <Strange sentences={strange} />
      </div>
      <HealthFigures bySite={bySite} office={bySite ? office : undefined} until={until} />
      {bySite ? (
        <HealthBySite view={view} onViewChange={setView} office={office} until={until} />
      ) : (
        <HealthByOffice until={until} order={order} />
      )}
    </>
  );
}

/** The day the weeks lead up to, where it is not today. A day that is none, or is to come, is told so and counts as today. */
function useUntil(view: ListView) {
  const timeZone = useTimeZone();
  const today = useFromNow((at) => dayOf(at, timeZone));
  const asked = view.filters.until;
  // Whether a day is one does not depend on what day it is now.
  const valid = readRange({ from: asked, to: asked }, new Date(0), timeZone).ok;
  const problem =
    asked === undefined
      ? null
      : !valid
        ? 'Write the day as year-month-day, such as 2026-03-01. The weeks until today are shown.'
        : asked > today
          ? 'This day is still to come. The weeks until today are shown.'
          : null;
  return { today, problem, until: problem === null && asked !== today ? asked : undefined };
}

const percent = (cell: Cell) => (share(cell) === null ? '–' : `${formatShare(share(cell))} %`);

interface HealthFiguresProps {
  bySite: boolean;
  /** Only this unit office. */
  office: string | undefined;
  until: string | undefined;
}

function HealthFigures({ bySite, office, until }: HealthFiguresProps) {
  const { query } = useHealthByOffice(until);
  const before = useHealthBefore(until);
  const silence = useSilence();
  const sum = (rows: typeof query.data) =>
    rows && totalOf(sumRows(rows.filter(({ id }) => office === undefined || id === office)));
  const [total, earlier] = [sum(query.data), sum(before.data)];
  const old = total && earlier && comparedWith(total, earlier);
  const offices = query.data && countUnder(query.data);
  return (
    <Figures>
      <Figure
        name="Received of expected"
        value={total && percent(total)}
        unit={total && `${total.received.toLocaleString()} of ${counted(total.expected, 'slot')}`}
        before={old && `12 weeks before ${percent(old)}`}
        failed={query.isError}
      />
      <LastMonth office={office} until={until} />
      {bySite ? (
        <SitesUnder office={office} until={until} />
      ) : (
        <Figure
          name="Unit offices under 97 %"
          value={offices?.under.toLocaleString()}
          unit={offices && `of ${offices.of.toLocaleString()}`}
          before={before.data && old && `12 weeks before ${share(old) === null ? '–' : countUnder(before.data).under}`}
          failed={query.isError}
        />
      )}
      {office === undefined && until === undefined ? (
        <Figure
          name="Silent now"
          value={silence.data?.silent.toLocaleString()}
          unit={silence.data && `of ${counted(silence.data.sites, 'site')}`}
          failed={silence.isError}
        />
      ) : null}
    </Figures>
  );
}

/** The last whole month against the one before. */
function LastMonth({ office, until }: Pick<HealthFiguresProps, 'office' | 'until'>) {
  const { range, query } = useHealthByMonth(until);
  const timeZone = useTimeZone();
  const [before, last] = range.weekStarts.slice(-3).map((start) => formatMonth(start, timeZone));
  const cells = query.data && sumRows(query.data.filter(({ id }) => office === undefined || id === office)).cells;
  const [old, now] = [cells?.[10], cells?.[11]];
  return (
    <Figure
      name={`Received in ${last}`}
      value={now && percent(now)}
      unit={now && `${now.received.toLocaleString()} of ${counted(now.expected, 'slot')}`}
      before={old && `${before} ${percent(old)}`}
      failed={query.isError}
    />
  );
}

function SitesUnder({ office, until }: Pick<HealthFiguresProps, 'office' | 'until'>) {
  const { query } = useHealthBySite(office ?? '', until);
  const sites = query.data && countUnder(query.data);
  return (
    <Figure
      name="Sites under 97 %"
      value={sites?.under.toLocaleString()}
      unit={sites && `of ${sites.of.toLocaleString()}`}
      failed={query.isError}
    />
  );
}

interface HealthBySiteProps {
  view: ListView;
  onViewChange: (next: ListView) => void;
  office: string | undefined;
  until: string | undefined;
}

function HealthBySite({ view, onViewChange, office, until }: HealthBySiteProps) {
  const navigate = useNavigate();
  const offices = useUnitOffices();
  const { range, query, progress } = useHealthBySite(office ?? '', until);
  const gapsOf = (site: string) => ({ to: '/reports/health', search: { site, office, until } }) as const;
  if (query.isError && !query.data) {
    return (
      <Card>
        <Failed what="The health report" error={query.error} />
      </Card>
    );
  }
  const order = orderIn(view, onViewChange);
  const rows = query.data && inOrder(worstFirst(query.data), order.sort, healthOrders);
  if (rows?.length === 0) {
    return (
      <Card>
        {office === undefined ? (
          <EmptyState title="No sites yet">A site is reported on from the day it is made.</EmptyState>
        ) : (
          <EmptyState
            title={`No site of ${offices.data?.find(({ value }) => value === office)?.label ?? 'this unit office'}`}
            action={
              <Button variant="default" size="xs" onClick={() => onViewChange(withFilter(view, 'office', ''))}>
                All sites
              </Button>
            }
          >
            None of the sites you see belongs to this unit office.
          </EmptyState>
        )}
      </Card>
    );
  }
  const skipped = offsetOf(view);
  return (
    <>
      <HeatTable
        label="Health by site"
        rowName="Site"
        rows={rows?.slice(skipped, skipped + view.size)}
        all={rows}
        range={range}
        second="office"
        order={order}
        past={until !== undefined}
        nameOf={(row) => <Link {...gapsOf(row.id)}>{row.name}</Link>}
        onOpen={(row) => void navigate(gapsOf(row.id))}
      />
      {rows === undefined && progress ? (
        <p className={classes.progress} role="status">
          {progress}
        </p>
      ) : null}
      {rows && rows.length > view.size ? (
        <Paging view={view} total={rows.length} onViewChange={onViewChange} foot={undefined} paper={REST_IN_FILES} />
      ) : null}
    </>
  );
}
