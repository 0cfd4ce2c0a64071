import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatBetween, formatSeconds } from '../../../../domain/age.ts';
import { ofAlarmsWords } from '../../../../domain/report/acknowledgement.ts';
import { barsOf, daysOfBar } from '../../../../domain/report/bars.ts';
import { narrowRange, readBetween } from '../../../../domain/report/between.ts';
import { alarmOrders, orderWords, ruleOrders, siteOrders } from '../../../../domain/report/list-order.ts';
import { perDayWords } from '../../../../domain/report/per-day.ts';
import { dayOf } from '../../../../domain/report/range.ts';
import { reasonFilter } from '../../../../domain/report/reason.ts';
import { severities, severityNames } from '../../../../domain/rule/priority.ts';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf, severityOf, whereOf } from '../../../kit/format/alarm.ts';
import { Named } from '../../../kit/list/cells.tsx';
import { key } from '../../../kit/list/list.ts';
import { useList } from '../../../kit/list/useList.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { PlantPeopleOnly } from '../../../kit/session/PlantPeopleOnly.tsx';
import { useOfficeColumn } from '../../../kit/session/useLevelNames.ts';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Page } from '../../../ui/Page.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { columnsOf } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { type ListDefaults, type ListView, offsetOf } from '../../../ui/table/list-view.ts';
import { now as clockNow } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { type AlarmFilters, fetchAlarmFigures, fetchAlarmReport, type ReportedAlarm } from '../alarm-report.queries.ts';
import { Figure, Figures } from '../Figures.tsx';
import { missingRowMessages } from '../known-parameters.ts';
import { useRetry } from '../LoadFailed.tsx';
import classes from '../Report.module.css';
import { ReportTitle } from '../ReportTitle.tsx';
import {
  ALL_ROWS_IN_FILES,
  Downloads,
  PanelFilters,
  PlaceFilters,
  PrintDetails,
  RangePicker,
} from '../ReportTools.tsx';
import { formatDates, formatMoments, writeDay } from '../ranges.ts';
import type { Place } from '../report-filters.ts';
import { StackedBars } from '../StackedBars.tsx';
import { useEmptyReason, useFirstSiteDate, usePreviousPeriod } from '../usePreviousPeriod.ts';
import {
  downloadQuery,
  isNarrowed,
  type ReportView,
  reportFilters,
  standingFilters,
  useReportView,
} from '../useReportView.ts';
import { AlarmBreakdown, CauseFilters } from './AlarmBreakdown.tsx';
import { useAlarmBreakdown } from './useAlarmBreakdown.ts';

const narrowing = ['office', 'site', 'rule', 'reason', 'only', 'cause', 'severity', 'recipient', 'between'];
const defaults: ListDefaults = { filters: [...new Set([...reportFilters, ...narrowing])] };
const orders = { sort: alarmOrders, siteOrder: siteOrders, ruleOrder: ruleOrders };
const column = columnsOf<ReportedAlarm>();
const fixed = { enableHiding: false } as const;

const columns = column.columns([
  column.accessor('severity', {
    header: 'Severity',
    ...fixed,
    meta: { width: 96 },
    cell: ({ row }) => (
      <StateMark
        state={severityOf(row.original.severity)}
        acknowledged={acknowledgementOf(row.original.acknowledgeJson) !== null}
      />
    ),
  }),
  column.accessor('dateTime', {
    id: 'opened',
    header: 'Opened',
    ...fixed,
    meta: { width: 112, narrow: 88, quiet: true, wrap: true },
    cell: ({ getValue }) => <At at={getValue()} />,
  }),
  column.accessor('message', {
    header: 'Message',
    ...fixed,
    meta: { strong: true, wrap: true },
    cell: ({ row: { original } }) => <Named name={original.message} below={whereOf(original)} />,
  }),
  column.accessor('siteName', {
    id: 'site',
    header: 'Site and asset',
    ...fixed,
    meta: { wideOnly: true, roomyOnly: true, wrap: true },
    cell: ({ row }) => whereOf(row.original),
  }),
  column.display({
    id: 'office',
    header: 'Unit office',
    ...fixed,
    meta: { width: 136, quiet: true, wideOnly: true, roomyOnly: true, wrap: true },
    cell: ({ row }) => row.original.site?.group5?.name ?? '–',
  }),
  column.display({
    id: 'lasted',
    header: 'Duration',
    ...fixed,
    meta: { width: 92, align: 'end', wideOnly: true },
    cell: ({ row: { original } }) =>
      original.resolvedDate === null ? 'still open' : formatBetween(original.dateTime, original.resolvedDate),
  }),
  column.display({
    id: 'acknowledged',
    header: 'Acknowledged by',
    ...fixed,
    meta: { width: 124, wideOnly: true, wrap: true },
    cell: ({ row }) => acknowledgementOf(row.original.acknowledgeJson)?.name ?? '–',
  }),
  column.display({
    id: 'after',
    header: 'After creation',
    ...fixed,
    meta: { width: 112, align: 'end', wideOnly: true, roomyOnly: true },
    cell: ({ row: { original } }) => {
      const at = acknowledgementOf(original.acknowledgeJson)?.at;
      return at ? formatBetween(original.createdAt, at) : '';
    },
  }),
  column.display({
    id: 'reason',
    header: 'Reason',
    ...fixed,
    meta: { quiet: true, wideOnly: true, wrap: true },
    cell: ({ row }) => acknowledgementOf(row.original.acknowledgeJson)?.reason ?? '',
  }),
]);

export function AlarmReportPage() {
  useHeaderTitle('Reports', 'Alarm report');
  return (
    <Page>
      <PlantPeopleOnly title="Alarms">
        <AlarmReport />
      </PlantPeopleOnly>
    </Page>
  );
}

function AlarmReport() {
  const whole = useReportView(defaults, orders);
  const { view, setView, office, site, sort, change } = whole;
  const { rule, reason, only, cause, severity, recipient, between } = view.filters;
  const range = useMemo(() => narrowRange(whole.range, readBetween(between)), [whole.range, between]);
  const report = { ...whole, range };
  const timeZone = useTimeZone();
  const shownColumns = useOfficeColumn(columns);
  const navigate = useNavigate();
  const retry = useRetry();
  const asked = {
    ...{ office, site, rule: key(rule), reason, search: view.search },
    ...{ only, cause, severity, recipient: key(recipient) },
  };
  const { breakdown, all, shown } = useAlarmBreakdown(report, asked);
  const list = useList({
    queryKey: ['report', 'alarms', range, asked, sort, view.size, view.page],
    queryFn: ({ signal }) =>
      fetchAlarmReport({ range, ...asked, sort, size: view.size, offset: offsetOf(view) }, signal),
    staleTime: 60_000,
  });
  const figures = useAlarmFigures(range, asked);
  const nothing = useEmptyReason(report, asked, 'All values stayed within limits and no site was silent.');
  const bars =
    breakdown.data &&
    barsOf(range, breakdown.data.days, (row) => severities.map((severity) => row[severity] ?? 0), severities.length);
  return (
    <>
      <ReportTitle
        name="Alarms"
        actions={
          <>
            <Button
              variant="subtle"
              renderRoot={(props) => <Link {...props} to="/reports/performance" search={sameScope(view)} />}
            >
              Performance
            </Button>
            <Downloads
              name="alarms"
              query={downloadQuery(report, {
                rule: asked.rule,
                reason,
                only,
                cause,
                severity,
                recipient: asked.recipient,
                between,
              })}
            />
          </>
        }
      >
        Alarms
      </ReportTitle>
      <div className={classes.tools}>
        <RangePicker
          report={report}
          more={missingRowMessages(
            'reason',
            reasonFilter(reason) || undefined,
            breakdown.data?.reasons.map((row) => row.reason),
          )}
        />
        <PanelFilters report={report} names={narrowing}>
          <PlaceFilters report={report} />
          <CauseFilters report={report} data={breakdown.data} />
        </PanelFilters>
        <span className={classes.range}>
          {between ? formatMoments(range.from, range.to, timeZone) : formatDates(range.from, range.to, timeZone)}
        </span>
        <PrintDetails search={view.search} order={orderWords(sort, alarmOrders, 'newest first')} />
      </div>
      <AlarmFigures report={report} asked={asked} />
      <div className={classes.stackGap}>
        <StackedBars
          title={`Alarms per ${bars?.each ?? 'day'}`}
          parts={severities.map((severity) => severityNames[severity])}
          severities
          bars={bars?.bars}
          error={breakdown.error}
          narrowed={isNarrowed(report)}
          onOpen={(label) => change({ range: '', ...daysOfBar(label, range) })}
        />
        <AlarmBreakdown report={report} {...shown} all={all} />
      </div>
      <DataTable
        label="Alarms"
        columns={shownColumns}
        {...list}
        total={figures.data?.alarms ?? undefined}
        rowId={(row) => row.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Message, place or reason"
        paper={ALL_ROWS_IN_FILES}
        standing={standingFilters}
        onRetry={retry}
        onOpen={({ uuid }) => void navigate({ to: '/dashboard/alarms/$uuid', params: { uuid } })}
        empty={<EmptyState title="No alarms in this period">{nothing}</EmptyState>}
      />
    </>
  );
}

/** Returns the range and those filters that the alarm performance report supports too. */
function sameScope({ filters }: ListView) {
  const { range, from, to, office, site, rule, recipient } = filters;
  return { range, from, to, office, site, rule, recipient };
}

function useAlarmFigures(range: ReportView['range'], asked: Place & AlarmFilters) {
  return useQuery({
    queryKey: ['report', 'alarm-figures', range, asked],
    queryFn: ({ signal }) => fetchAlarmFigures(range, asked, signal),
    staleTime: 60_000,
  });
}

function ofAlarms({ alarms, needNone }: { alarms: number | null; needNone: number | null }): string {
  return ofAlarmsWords({ alarms: alarms ?? 0, needNone: needNone ?? 0 });
}

function AlarmFigures({ report, asked }: { report: ReportView; asked: Place & AlarmFilters }) {
  const { range, before } = report;
  const now = useAlarmFigures(range, asked);
  const then = useAlarmFigures(before, asked);
  const [facts, old] = [now.data, then.data];
  const compare = usePreviousPeriod(report, asked, old?.alarms);
  // If the report covers only part of a day, it shows no average per day and no previous period.
  const isPart = report.view.filters.between !== undefined;
  const was = isPart ? undefined : compare;
  const since = useFirstSiteDate(asked).data;
  const timeZone = useTimeZone();
  return (
    <Figures>
      <Figure
        name="Alarms"
        value={facts?.alarms?.toLocaleString()}
        unit={
          facts &&
          (since === undefined || isPart
            ? ''
            : perDayWords(
                facts.alarms ?? 0,
                range,
                since && dayOf(since, timeZone),
                dayOf(clockNow(), timeZone),
                undefined,
                writeDay,
              ))
        }
        before={old && was?.(`${old.alarms?.toLocaleString()}`)}
        failed={now.isError}
      />
      <Figure
        name="Median duration"
        value={facts && formatSeconds(facts.medianSeconds)}
        before={old && was?.(formatSeconds(old.medianSeconds))}
        failed={now.isError}
      />
      <Figure
        name="90th percentile duration"
        value={facts && formatSeconds(facts.p90Seconds)}
        before={old && was?.(formatSeconds(old.p90Seconds))}
        failed={now.isError}
      />
      <Figure
        name="Acknowledged"
        value={facts?.acknowledged?.toLocaleString()}
        unit={facts && ofAlarms(facts)}
        before={old && was?.(`${old.acknowledged?.toLocaleString()} ${ofAlarms(old)}`)}
        failed={now.isError}
      />
      <Figure name="Still open" value={facts?.stillOpen?.toLocaleString()} failed={now.isError} />
    </Figures>
  );
}
