import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { formatSeconds } from '../../../../domain/age.ts';
import { listHeading } from '../../../../domain/report/acknowledgement.ts';
import { acknowledgementOrders, orderWords, recipientOrders } from '../../../../domain/report/list-order.ts';
import { UNACKNOWLEDGED } from '../../../../domain/report/reason.ts';
import { useList } from '../../../kit/list/useList.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { officeWords } from '../../../kit/session/group-words.ts';
import { PlantPeopleOnly } from '../../../kit/session/PlantPeopleOnly.tsx';
import { useOfficeColumn } from '../../../kit/session/useLevelNames.ts';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Card, Page } from '../../../ui/Page.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { DensityChoice } from '../../../ui/table/DensityChoice.tsx';
import { type ListDefaults, offsetOf } from '../../../ui/table/list-view.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import {
  type AcknowledgementFilters,
  fetchAcknowledgementPeople,
  fetchAcknowledgements,
  fetchAcknowledgementTotals,
  type PersonRow,
} from '../acknowledgement.queries.ts';
import { durationColumns } from '../duration-columns.ts';
import { Figure, Figures } from '../Figures.tsx';
import { type FigureColumn, FigureTable } from '../FigureTable.tsx';
import { missingRowMessages } from '../known-parameters.ts';
import { LoadFailed, useRetry } from '../LoadFailed.tsx';
import { MessagesLink } from '../MessagesLink.tsx';
import classes from '../Report.module.css';
import { ReportTitle } from '../ReportTitle.tsx';
import {
  ALL_ROWS_IN_FILES,
  Downloads,
  PanelFilters,
  PersonFilter,
  PlaceFilters,
  PrintDetails,
  RangePicker,
} from '../ReportTools.tsx';
import { formatDates } from '../ranges.ts';
import type { MessageFilters } from '../report-filters.ts';
import { orderFromAddress } from '../SortHeading.tsx';
import { useEmptyReason, usePreviousPeriod } from '../usePreviousPeriod.ts';
import { downloadQuery, type ReportView, reportFilters, standingFilters, useReportView } from '../useReportView.ts';
import { columnsOfMessages, columnsOfSms } from './acknowledgement-columns.tsx';

const defaults: ListDefaults = {
  sort: { column: 'time', descending: true },
  filters: [...reportFilters, 'person'],
};
const orders = { sort: acknowledgementOrders, order: recipientOrders };
const narrowing = ['office', 'site', 'person'];
const sides = [
  {
    value: 'office',
    get label() {
      return officeWords().title;
    },
  },
  { value: 'site', label: 'Site' },
] as const;
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

/**
 * Acknowledgement report. The report by unit office covers alarm SMS; the report by site covers messages of all
 * methods.
 */
function AcknowledgementReport() {
  const report = useReportView(defaults, orders);
  const { view, setView, range, by, sort, change } = report;
  const timeZone = useTimeZone();
  const navigate = useNavigate();
  const retry = useRetry();
  const bySite = by === 'site';
  const wanted = filtersOf(report);
  const list = useList({
    queryKey: ['report', 'acknowledgements', range, wanted, sort, view.size, view.page],
    queryFn: ({ signal }) =>
      fetchAcknowledgements({ range, ...wanted, sort, size: view.size, offset: offsetOf(view) }, signal),
    staleTime: 60_000,
  });
  const nothing = useEmptyReason(
    report,
    wanted,
    'This report lists alarm messages, who acknowledged them, and how long it took.',
  );
  const names = usePeople(range, { ...wanted, person: undefined }).data?.map(({ recipientName }) => recipientName);
  const counted = useTotals(range, wanted).data?.messages;
  return (
    <>
      <ReportTitle name="Acknowledgement" actions={<Downloads name="acknowledgements" query={downloadQuery(report)} />}>
        {bySite ? 'Acknowledgement of messages by site' : `Acknowledgement of alarm SMS by ${officeWords().one}`}
      </ReportTitle>
      <div className={classes.tools}>
        <Segmented
          label="Rows"
          options={sides}
          value={by}
          onChange={(next) => change({ by: next === 'site' ? 'site' : '', site: '' })}
        />
        <RangePicker report={report} more={missingRowMessages('person', report.person, names)} />
        <PanelFilters report={report} names={narrowing}>
          <PlaceFilters report={report} withSite={bySite} />
          <PersonFilter report={report} names={names} />
        </PanelFilters>
        <span className={classes.range}>{formatDates(range.from, range.to, timeZone)}</span>
        <PrintDetails order={orderWords(sort, acknowledgementOrders, 'newest first')} />
        <span className={classes.looks}>
          <DensityChoice />
        </span>
      </div>
      <Totals report={report} />
      <div className={classes.stackGap}>
        <People report={report} />
      </div>
      {list.total && typeof counted === 'number' ? (
        <h2 className={classes.listTitle}>{listHeading({ listed: list.total, counted, smsOnly: wanted.smsOnly })}</h2>
      ) : null}
      <DataTable
        label="Acknowledgements"
        paper={ALL_ROWS_IN_FILES}
        bare
        columns={useOfficeColumn(bySite ? columnsOfMessages : columnsOfSms)}
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
          <EmptyState title={bySite ? 'No messages in this period' : 'No alarm SMS in this period'}>
            {nothing}
          </EmptyState>
        }
      />
    </>
  );
}

/**
 * Returns the filters of the report. Only the report by site uses the site filter; the report by unit office covers
 * alarm SMS only.
 */
function filtersOf({ by, office, site, person }: ReportView): AcknowledgementFilters {
  return { office, site: by === 'site' ? site : undefined, person, smsOnly: by === 'office' };
}

function useTotals(range: ReportView['range'], wanted: AcknowledgementFilters) {
  return useQuery({
    queryKey: ['report', 'acknowledgement-totals', range, wanted],
    queryFn: ({ signal }) => fetchAcknowledgementTotals(range, wanted, signal),
    staleTime: 60_000,
  });
}

function usePeople(range: ReportView['range'], wanted: AcknowledgementFilters) {
  return useQuery({
    queryKey: ['report', 'acknowledgement-people', range, wanted],
    queryFn: ({ signal }) => fetchAcknowledgementPeople(range, wanted, signal),
    staleTime: 60_000,
  });
}

function Totals({ report }: { report: ReportView }) {
  const { range, before } = report;
  const { range: preset, from, to } = report.view.filters;
  const days = { range: preset, from, to };
  const wanted = filtersOf(report);
  const now = useTotals(range, wanted);
  const then = useTotals(before, wanted);
  const [facts, old] = [now.data, then.data];
  const was = usePreviousPeriod(report, wanted, old?.messages);
  return (
    <Figures>
      <Figure
        name={wanted.smsOnly ? 'Alarm SMS acknowledged' : 'Alarm messages acknowledged'}
        value={facts?.acknowledged?.toLocaleString()}
        unit={facts && `of ${facts.messages?.toLocaleString()} sent`}
        before={old && was?.(`${old.acknowledged?.toLocaleString()} of ${old.messages?.toLocaleString()}`)}
        more={
          <Link
            to="/reports/alarms"
            search={{ ...days, office: wanted.office, site: wanted.site, reason: UNACKNOWLEDGED }}
          >
            Unacknowledged alarms
          </Link>
        }
        failed={now.isError}
      />
      <Figure
        name="Median time to acknowledge"
        value={facts && formatSeconds(facts.medianSeconds)}
        before={old && was?.(formatSeconds(old.medianSeconds))}
        failed={now.isError}
      />
      <Figure
        name="90th percentile"
        value={facts && formatSeconds(facts.p90Seconds)}
        before={old && was?.(formatSeconds(old.p90Seconds))}
        failed={now.isError}
      />
    </Figures>
  );
}

const personColumns: readonly FigureColumn<PersonRow>[] = [
  { header: 'Notified', value: (row) => row.messages ?? 0, key: 'messages', by: (row) => row.messages },
  {
    header: 'Acknowledged by anyone',
    value: (row) => row.acknowledged ?? 0,
    key: 'acknowledged',
    by: (row) => row.acknowledged,
  },
  {
    header: 'Acknowledged by this person',
    value: (row) => (row.byThemselves === 0 ? 'never' : (row.byThemselves ?? 0)),
    key: 'byThemselves',
    by: (row) => row.byThemselves,
    strong: true,
  },
  ...durationColumns('User’s response time'),
];

/** Returns filters for the messages that the figures count: alarm messages with the state sent or delivered. */
function countedMessages({ office, site, smsOnly }: AcknowledgementFilters): MessageFilters {
  return { office, site, kind: 1, state: 'out', ...(smsOnly && { method: 3 }) };
}

/**
 * Lists the recipients with the number of alarms that each acknowledged personally. Recipients who acknowledged none
 * come first.
 */
function People({ report }: { report: ReportView }) {
  const wanted = filtersOf(report);
  const query = usePeople(report.range, wanted);
  if (query.data?.length === 0) return null;
  if (query.isError && !query.data) {
    return (
      <Card title="By person">
        <LoadFailed what="This table" error={query.error} />
      </Card>
    );
  }
  const never = query.data?.filter(({ byThemselves }) => byThemselves === 0).length ?? 0;
  return (
    <Card title={never === 0 ? 'By person' : `By person: ${never} did not acknowledge any of their alarms`}>
      <FigureTable<PersonRow>
        label="Acknowledgement by person"
        rowName="Person"
        rows={query.data}
        keyOf={(row) => row.recipientName ?? ''}
        nameOf={(row) => <MessagesLink report={report} person={row.recipientName} counted={countedMessages(wanted)} />}
        nameBy={(row) => row.recipientName}
        order={orderFromAddress(report.view, report.setView)}
        columns={personColumns}
      />
    </Card>
  );
}
