import { Button } from '@mantine/core';
import { formatShare, share, sumRows, totalOf, worstFirst } from '../../../domain/report/health.ts';
import { messageOf } from '../../api/http.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { type ListDefaults, type ListView, offsetOf, withFilter } from '../../ui/table/list-view.ts';
import { Paging } from '../../ui/table/Paging.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { PlantPeopleOnly } from '../alarm/PlantPeopleOnly.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { HealthByOffice } from './HealthByOffice.tsx';
import { HeatKey, HeatTable } from './HeatTable.tsx';
import classes from './Report.module.css';
import { ReportTitle } from './ReportTitle.tsx';
import { formatDates } from './ranges.ts';
import { useHealthByOffice, useHealthBySite, useSilence, useUnitOffices } from './useReports.ts';

const defaults: ListDefaults = { size: 100, filters: ['by', 'office'] };
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
  const [view, setView] = useListView(defaults);
  const timeZone = useTimeZone();
  const { range } = useHealthByOffice();
  const offices = useUnitOffices();
  const bySite = view.filters.by === 'site';
  const last = range.weekStarts.at(-1) ?? range.today;
  const change = (by: 'office' | 'site') =>
    setView(withFilter({ ...view, filters: {} }, 'by', by === 'site' ? 'site' : ''));
  return (
    <>
      <ReportTitle name="Health">{bySite ? 'Health by site' : 'Health by unit office'}</ReportTitle>
      <div className={classes.tools}>
        <Segmented label="Rows" options={sides} value={bySite ? 'site' : 'office'} onChange={change} />
        {bySite ? (
          <FilterSelect
            label="Unit office"
            name="office"
            options={offices.data ?? []}
            view={view}
            onViewChange={setView}
          />
        ) : null}
        <span className={classes.range}>
          {formatDates(range.weekStarts[0] ?? range.today, last, timeZone)}, and today
        </span>
        <HeatKey />
      </div>
      <Figures />
      {bySite ? <HealthBySite view={view} onViewChange={setView} /> : <HealthByOffice />}
    </>
  );
}

function Figures() {
  const { query } = useHealthByOffice();
  const silence = useSilence();
  const total = query.data && totalOf(sumRows(query.data));
  const under = query.data?.filter((row) => (share(totalOf(row)) ?? 100) < 97).length;
  return (
    <dl className={classes.figures}>
      <div className={classes.figure}>
        <dt>Received of expected</dt>
        <dd>
          {total ? (
            <>
              <b>{formatShare(share(total))} %</b> {total.received.toLocaleString()} of{' '}
              {total.expected.toLocaleString()} slots
            </>
          ) : (
            <Figure failed={query.isError} />
          )}
        </dd>
      </div>
      <div className={classes.figure}>
        <dt>Unit offices under 97 %</dt>
        <dd>
          {under === undefined ? (
            <Figure failed={query.isError} />
          ) : (
            <>
              <b>{under.toLocaleString()}</b> of {query.data?.length.toLocaleString()}
            </>
          )}
        </dd>
      </div>
      <div className={classes.figure}>
        <dt>Silent now</dt>
        <dd>
          {silence.data ? (
            <>
              <b>{silence.data.silent.toLocaleString()}</b> of {silence.data.sites.toLocaleString()} sites
            </>
          ) : (
            <Figure failed={silence.isError} />
          )}
        </dd>
      </div>
    </dl>
  );
}

function Figure({ failed }: { failed: boolean }) {
  return failed ? <b>–</b> : <Skeleton width={120} height={18} />;
}

function HealthBySite({ view, onViewChange }: { view: ListView; onViewChange: (next: ListView) => void }) {
  const { range } = useHealthByOffice();
  const offices = useUnitOffices();
  const chosen = offices.data?.find(({ value }) => value === view.filters.office);
  const { query, progress } = useHealthBySite(chosen?.value ?? '');
  if (query.isError && !query.data) {
    return (
      <Card>
        <ErrorState title="The health report could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      </Card>
    );
  }
  const rows = query.data && worstFirst(query.data);
  if (rows?.length === 0) {
    return (
      <Card>
        {chosen === undefined ? (
          <EmptyState title="No sites yet">A site is reported on from the day it is made.</EmptyState>
        ) : (
          <EmptyState
            title={`No site of ${chosen.label}`}
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
      />
      {rows === undefined && progress ? (
        <p className={classes.progress} role="status">
          {progress}
        </p>
      ) : null}
      {rows && rows.length > view.size ? (
        <Paging view={view} total={rows.length} onViewChange={onViewChange} foot={undefined} />
      ) : null}
    </>
  );
}
