import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formatSeconds } from '../../../domain/age.ts';
import { daysBeforeWords } from '../../../domain/report/range.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { type ListDefaults, offsetOf } from '../../ui/table/list-view.ts';
import { formatAge } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { PlantPeopleOnly } from '../alarm/PlantPeopleOnly.tsx';
import { At } from '../dashboard/At.tsx';
import { Named } from '../list/cells.tsx';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import type { Place } from './alarm-report.queries.ts';
import { Failed, useRetry } from './Failed.tsx';
import { Figure, Figures } from './Figures.tsx';
import { FigureTable } from './FigureTable.tsx';
import { MessagesLink } from './MessagesLink.tsx';
import {
  type AcknowledgementRow,
  fetchAcknowledgementPeople,
  fetchAcknowledgements,
  fetchAcknowledgementTotals,
  type PersonRow,
} from './message-report.queries.ts';
import classes from './Report.module.css';
import { ReportTitle } from './ReportTitle.tsx';
import { Downloads, PlaceFilters, RangePicker } from './ReportTools.tsx';
import { formatDates } from './ranges.ts';
import { downloadQuery, type ReportView, reportFilters, standingFilters, useReportView } from './useReportView.ts';

const defaults: ListDefaults = { filters: reportFilters };
const sides = [
  { value: 'office', label: 'Unit office' },
  { value: 'site', label: 'Site' },
] as const;
const column = columnsOf<AcknowledgementRow>();
const fixed = { enableSorting: false, enableHiding: false } as const;

const columns = column.columns([
  column.accessor('notifyTime', {
    header: 'Sent',
    ...fixed,
    meta: { width: 112, narrow: 88, quiet: true, wrap: true },
    cell: ({ getValue }) => <At at={getValue()} />,
  }),
  column.accessor('notifyMessage', {
    header: 'Message',
    ...fixed,
    meta: { strong: true },
    cell: ({ row: { original } }) => <Named name={original.notifyMessage} below={fateWords(original)} />,
  }),
  column.display({
    id: 'site',
    header: 'Site',
    ...fixed,
    meta: { width: 192, wideOnly: true, roomyOnly: true },
    cell: ({ row }) => row.original.site?.name ?? '–',
  }),
  column.display({
    id: 'office',
    header: 'Unit office',
    ...fixed,
    meta: { width: 136, quiet: true, wideOnly: true, roomyOnly: true },
    cell: ({ row }) => row.original.site?.group5?.name ?? '–',
  }),
  column.accessor('recipientName', { header: 'Told', ...fixed, meta: { width: 136, wideOnly: true, roomyOnly: true } }),
  column.display({
    id: 'acknowledged',
    header: 'Acknowledged by',
    ...fixed,
    meta: { width: 144, wideOnly: true, roomyOnly: true },
    cell: ({ row }) => row.original.ackByRecipientName ?? '–',
  }),
  column.display({
    id: 'after',
    header: 'After',
    ...fixed,
    meta: { width: 96, align: 'end', wideOnly: true },
    cell: ({ row: { original } }) =>
      original.ackTime === null ? '' : formatAge(Date.parse(original.ackTime) - Date.parse(original.notifyTime)),
  }),
]);

/** The columns that a phone has no room for, in a line. */
function fateWords({ recipientName, ackByRecipientName }: AcknowledgementRow): string {
  return ackByRecipientName === null
    ? `To ${recipientName}`
    : `To ${recipientName}, acknowledged by ${ackByRecipientName}`;
}

export function AcknowledgementReportPage() {
  useHeaderTitle('Reports', 'Acknowledgement report');
  return (
    <Page>
      <PlantPeopleOnly title="Acknowledgement">
        <AcknowledgementReport />
      </PlantPeopleOnly>
    </Page>
  );
}

/** Unit offices are reported on by their alarm SMS, sites by every message. */
function AcknowledgementReport() {
  const report = useReportView(defaults);
  const { view, setView, range, by, change } = report;
  const timeZone = useTimeZone();
  const navigate = useNavigate();
  const retry = useRetry();
  const bySite = by === 'site';
  const place = placeIn(report);
  const list = useList({
    queryKey: ['report', 'acknowledgements', by, range, place, view.size, view.page],
    queryFn: ({ signal }) =>
      fetchAcknowledgements({ range, ...place, size: view.size, offset: offsetOf(view) }, !bySite, signal),
    staleTime: 60_000,
  });
  return (
    <>
      <ReportTitle name="Acknowledgement" actions={<Downloads name="acknowledgements" query={downloadQuery(report)} />}>
        {bySite ? 'Acknowledgement of messages by site' : 'Acknowledgement of alarm SMS by unit office'}
      </ReportTitle>
      <div className={classes.tools}>
        <Segmented
          label="Rows"
          options={sides}
          value={by}
          onChange={(next) => change({ by: next === 'site' ? 'site' : '', site: '' })}
        />
        <RangePicker report={report} />
        <PlaceFilters report={report} withSite={bySite} />
        <span className={classes.range}>{formatDates(range.from, range.to, timeZone)}</span>
      </div>
      <Totals report={report} />
      <div className={classes.stackGap}>
        <People report={report} />
      </div>
      <DataTable
        label="Acknowledgements"
        columns={columns}
        {...list}
        rowId={(row) => row.uuid}
        view={view}
        onViewChange={setView}
        standing={standingFilters}
        onRetry={retry}
        onOpen={({ tocsinAlarmUuid: uuid }) =>
          uuid ? void navigate({ to: '/dashboard/alarms/$uuid', params: { uuid } }) : undefined
        }
        empty={
          <EmptyState title={bySite ? 'No message in these days' : 'No alarm SMS in these days'}>
            {report.toCome
              ? 'They are still to come.'
              : 'A message about an alarm comes here, with who acknowledged it and how soon.'}
          </EmptyState>
        }
      />
    </>
  );
}

/** A site narrows the report of sites alone. */
function placeIn({ by, office, site }: ReportView): Place {
  return { office, site: by === 'site' ? site : undefined };
}

function useTotals(range: ReportView['range'], place: Place, smsOnly: boolean) {
  return useQuery({
    queryKey: ['report', 'acknowledgement-totals', range, place, smsOnly],
    queryFn: ({ signal }) => fetchAcknowledgementTotals(range, place, smsOnly, signal),
    staleTime: 60_000,
  });
}

function Totals({ report }: { report: ReportView }) {
  const { range, before, by } = report;
  const place = placeIn(report);
  const smsOnly = by === 'office';
  const now = useTotals(range, place, smsOnly);
  const then = useTotals(before, place, smsOnly);
  const words = daysBeforeWords(range);
  const [facts, old] = [now.data, then.data];
  return (
    <Figures>
      <Figure
        name={smsOnly ? 'Alarm SMS acknowledged' : 'Alarm messages acknowledged'}
        value={facts?.acknowledged?.toLocaleString()}
        unit={facts && `of ${facts.messages?.toLocaleString()}`}
        before={old && `${words} ${old.acknowledged?.toLocaleString()} of ${old.messages?.toLocaleString()}`}
        failed={now.isError}
      />
      <Figure
        name="Until acknowledged, middle case"
        value={facts && formatSeconds(facts.medianSeconds)}
        before={old && `${words} ${formatSeconds(old.medianSeconds)}`}
        failed={now.isError}
      />
      <Figure
        name="Nine of ten within"
        value={facts && formatSeconds(facts.p90Seconds)}
        before={old && `${words} ${formatSeconds(old.p90Seconds)}`}
        failed={now.isError}
      />
    </Figures>
  );
}

/** Who is told and who acknowledges; whoever never does comes first. */
function People({ report }: { report: ReportView }) {
  const { range, by } = report;
  const place = placeIn(report);
  const query = useQuery({
    queryKey: ['report', 'acknowledgement-people', range, place, by],
    queryFn: ({ signal }) => fetchAcknowledgementPeople(range, place, by === 'office', signal),
    staleTime: 60_000,
  });
  if (query.data?.length === 0) return null;
  if (query.isError && !query.data) {
    return (
      <Card title="By person">
        <Failed what="This part" error={query.error} />
      </Card>
    );
  }
  const never = query.data?.filter(({ byThemselves }) => byThemselves === 0).length ?? 0;
  return (
    <Card title={never === 0 ? 'By person' : `By person: ${never} never acknowledged`}>
      <FigureTable<PersonRow>
        label="Acknowledgement by person"
        rowName="Person"
        rows={query.data}
        keyOf={(row) => row.recipientName ?? ''}
        nameOf={(row) => (
          <MessagesLink
            report={report}
            place={place}
            person={row.recipientName}
            method={by === 'office' ? 3 : undefined}
          />
        )}
        columns={[
          { header: 'Told', value: (row) => row.messages ?? 0 },
          { header: 'Acknowledged by anybody', value: (row) => row.acknowledged ?? 0 },
          {
            header: 'By themselves',
            value: (row) => (row.byThemselves === 0 ? 'never' : (row.byThemselves ?? 0)),
            strong: true,
          },
          { header: 'Middle case', value: (row) => formatSeconds(row.medianSeconds) },
          { header: 'Nine of ten within', value: (row) => formatSeconds(row.p90Seconds) },
        ]}
      />
    </Card>
  );
}
