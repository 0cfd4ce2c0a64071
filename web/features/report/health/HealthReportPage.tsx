import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { sortRows } from '../../../../domain/order.ts';
import { type HealthPeriod, healthOrders, healthPeriods, worstFirst } from '../../../../domain/report/health.ts';
import { periodLabels } from '../../../../domain/report/health-periods.ts';
import { gapOrders, orderWords } from '../../../../domain/report/list-order.ts';
import { dayOf, readRange } from '../../../../domain/report/range.ts';
import { key } from '../../../kit/list/list.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { officeWords } from '../../../kit/session/group-words.ts';
import { PlantPeopleOnly } from '../../../kit/session/PlantPeopleOnly.tsx';
import { useFirstAnswer } from '../../../ui/first-answer.ts';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Card, Page } from '../../../ui/Page.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { type ListDefaults, type ListView, offsetOf, withFilter } from '../../../ui/table/list-view.ts';
import { Paging } from '../../../ui/table/Paging.tsx';
import { useListView } from '../../../ui/table/useListView.ts';
import { useFromNow } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { placeChoices } from '../known-parameters.ts';
import { LoadFailed } from '../LoadFailed.tsx';
import classes from '../Report.module.css';
import { ReportTitle } from '../ReportTitle.tsx';
import {
  ALL_ROWS_IN_FILES,
  DayField,
  Downloads,
  OfficeFilter,
  PrintDetails,
  Problem,
  UnknownParameters,
} from '../ReportTools.tsx';
import { formatDates, formatDayOfYear } from '../ranges.ts';
import { orderFromAddress } from '../SortHeading.tsx';
import { useHealthRange } from '../useHealthRange.ts';
import { useKnownParameters } from '../useKnownParameters.ts';
import { useHealthBySite, useUnitOffices } from '../useReports.ts';
import { HealthByOffice } from './HealthByOffice.tsx';
import { HealthFigures } from './HealthFigures.tsx';
import { HealthOfSite } from './HealthOfSite.tsx';
import { HeatKey } from './HeatKey.tsx';
import { HeatTable } from './HeatTable.tsx';
import { NoSiteYet, useIsBeforeSites } from './NoSiteYet.tsx';

const defaults: ListDefaults = {
  size: 100,
  filters: ['by', 'office', 'site', 'until', 'each', 'order', 'range', 'from', 'to'],
};
const orders = { order: [...Object.keys(healthOrders), ...gapOrders] };
/**
 * Returns the definition of a URL parameter that rejects every value. It is used for date ranges, because the health
 * report has a last day instead.
 */
const noRange = (what: string) => ({
  what,
  known: () => false,
  shown: 'Choose weeks or months and the day on which they end.',
});
const { site: siteChoice } = placeChoices(() => true);
const others = {
  each: {
    what: 'the period',
    known: (value: string) => healthPeriods.some((each) => each === value),
    shown: 'The report shows weeks instead.',
  },
  // An unknown site is not rejected here, because the page of the site reports it.
  site: siteChoice,
  range: noRange('the range'),
  from: noRange('the start date'),
  to: noRange('the end date'),
};
const sides = [
  {
    value: 'office',
    get label() {
      return officeWords().title;
    },
  },
  { value: 'site', label: 'Site' },
] as const;

const periods = [
  { value: 'week', label: 'Weeks' },
  { value: 'month', label: 'Months' },
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
  const { view, unknownParameters } = useKnownParameters(asked, defaults, orders, others);
  const timeZone = useTimeZone();
  // Weeks are the default, so the URL contains no parameter for them.
  const each: HealthPeriod | undefined = view.filters.each === 'month' ? 'month' : undefined;
  const reading = useUntil(view, each ?? 'week');
  const { until } = reading;
  const range = useHealthRange(until, each);
  const { by } = view.filters;
  const [office, site] = [key(view.filters.office), key(view.filters.site)];
  const order = orderFromAddress(view, setView);
  if (site !== undefined) {
    return <HealthOfSite site={site} office={office} range={range} until={until} order={order} />;
  }
  const bySite = by === 'site';
  const last = range.weekStarts.at(-1) ?? range.today;
  const change = (next: 'office' | 'site') =>
    setView(
      withFilter(
        { ...view, filters: { until: view.filters.until ?? '', each: each ?? '' } },
        'by',
        next === 'site' ? 'site' : '',
      ),
    );
  const query = new URLSearchParams(
    Object.entries({ by, office: bySite ? office : undefined, until, each, order: view.filters.order }).filter(
      (entry): entry is [string, string] => !!entry[1],
    ),
  );
  return (
    <>
      <ReportTitle name="Health" actions={<Downloads name="health" query={query.toString()} />}>
        {bySite ? 'Health by site' : `Health by ${officeWords().one}`}
      </ReportTitle>
      <div className={classes.tools}>
        <Segmented label="Rows" options={sides} value={bySite ? 'site' : 'office'} onChange={change} />
        <Segmented
          label="Columns"
          options={periods}
          value={each ?? 'week'}
          onChange={(next) => setView(withFilter(view, 'each', next === 'month' ? 'month' : ''))}
        />
        {bySite ? <OfficeFilter view={view} onViewChange={setView} /> : null}
        <DayField
          label={each === 'month' ? 'Whole months until' : 'Twelve weeks until'}
          value={view.filters.until ?? dayOf(range.today, timeZone)}
          invalid={reading.problem !== null}
          onChange={(day) => setView(withFilter(view, 'until', day === reading.today ? '' : day))}
        />
        <span className={classes.range}>
          {formatDates(range.weekStarts[0] ?? range.today, last, timeZone)}
          {each === 'month' ? '' : `, and ${until === undefined ? 'today' : formatDayOfYear(range.today, timeZone)}`}
        </span>
        <PrintDetails
          order={orderWords(order.sort, Object.keys(healthOrders), 'worst first', periodLabels(range, timeZone))}
        />
        <HeatKey />
        {reading.problem ? <Problem>{reading.problem}</Problem> : null}
        <UnknownParameters sentences={unknownParameters} />
      </div>
      <HealthFigures bySite={bySite} office={bySite ? office : undefined} until={until} each={each} />
      {bySite ? (
        <HealthBySite view={view} onViewChange={setView} office={office} until={until} each={each} />
      ) : (
        <HealthByOffice until={until} each={each} order={order} />
      )}
    </>
  );
}

/**
 * Returns the last day of the weeks or months; `until` is undefined for today. Replaces an invalid or future day with
 * today and explains this in `problem`.
 */
function useUntil(view: ListView, each: HealthPeriod) {
  const timeZone = useTimeZone();
  const today = useFromNow((at) => dayOf(at, timeZone));
  const asked = view.filters.until;
  // Checks only whether the date is valid. This does not depend on the current time, so any time can be passed.
  const valid = readRange({ from: asked, to: asked }, new Date(0), timeZone).ok;
  const problem =
    asked === undefined
      ? null
      : !valid
        ? `Enter the day as year-month-day, such as 2026-03-01. The report shows the ${each}s up to today instead.`
        : asked > today
          ? `This day is in the future. The report shows the ${each}s up to today instead.`
          : null;
  return { today, problem, until: problem === null && asked !== today ? asked : undefined };
}

interface HealthBySiteProps {
  view: ListView;
  onViewChange: (next: ListView) => void;
  office: string | undefined;
  until: string | undefined;
  each: HealthPeriod | undefined;
}

function HealthBySite({ view, onViewChange, office, until, each }: HealthBySiteProps) {
  const navigate = useNavigate();
  const offices = useUnitOffices();
  const { range, query, progress } = useHealthBySite(office ?? '', until, each);
  const sites = useFirstAnswer(query.data);
  const isBefore = useIsBeforeSites(query.data, range, office);
  const gapsOf = (site: string) => ({ to: '/reports/health', search: { site, office, until, each } }) as const;
  if (query.isError && !query.data) {
    return (
      <Card>
        <LoadFailed what="The health report" error={query.error} />
      </Card>
    );
  }
  const order = orderFromAddress(view, onViewChange);
  const rows = sites && sortRows(worstFirst(sites), order.sort, healthOrders);
  if (rows?.length === 0) {
    return (
      <Card>
        {office === undefined ? (
          <EmptyState title="No sites yet">Reports cover a site from the day it is added.</EmptyState>
        ) : (
          <EmptyState
            title={`No site in ${offices.data?.find(({ value }) => value === office)?.label ?? `this ${officeWords().one}`}`}
            action={
              <Button variant="default" size="xs" onClick={() => onViewChange(withFilter(view, 'office', ''))}>
                All sites
              </Button>
            }
          >
            No site that you can see belongs to this {officeWords().one}.
          </EmptyState>
        )}
      </Card>
    );
  }
  if (isBefore) return <NoSiteYet />;
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
        <Paging
          view={view}
          total={rows.length}
          onViewChange={onViewChange}
          foot={undefined}
          paper={ALL_ROWS_IN_FILES}
        />
      ) : null}
    </>
  );
}
