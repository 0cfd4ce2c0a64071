import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TbMessage2 } from 'react-icons/tb';
import { costWords, writePrice } from '../../../../domain/money.ts';
import { sortRows } from '../../../../domain/order.ts';
import { can } from '../../../../domain/permission.ts';
import { barsOf, daysOfBar } from '../../../../domain/report/bars.ts';
import { orderWords, smsOrders } from '../../../../domain/report/list-order.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { officeWords } from '../../../kit/session/group-words.ts';
import { PlantPeopleOnly } from '../../../kit/session/PlantPeopleOnly.tsx';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Card, Page } from '../../../ui/Page.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { type ListDefaults, offsetOf } from '../../../ui/table/list-view.ts';
import { Paging } from '../../../ui/table/Paging.tsx';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { smsPriceQuery } from '../../customer/index.ts';
import { Figure, Figures } from '../Figures.tsx';
import { type FigureColumn, FigureTable, ordersOf } from '../FigureTable.tsx';
import { LoadFailed } from '../LoadFailed.tsx';
import classes from '../Report.module.css';
import { ReportTitle } from '../ReportTitle.tsx';
import { ALL_ROWS_IN_FILES, Downloads, PlaceFilters, PrintDetails, RangePicker } from '../ReportTools.tsx';
import { formatDates } from '../ranges.ts';
import { orderFromAddress } from '../SortHeading.tsx';
import { StackedBars } from '../StackedBars.tsx';
import { fetchSms, fetchSmsByDay, fetchSmsBySite, type SmsRow } from '../sms-report.queries.ts';
import { useEmptyReason, usePreviousPeriod } from '../usePreviousPeriod.ts';
import { downloadQuery, type ReportView, reportFilters, useReportView } from '../useReportView.ts';
import { SmsBudgets } from './SmsBudgets.tsx';

type Field = 'alarm' | 'health' | 'resolve' | 'other' | 'messages' | 'segments';

const fields: readonly { field: Field; label: string }[] = [
  { field: 'alarm', label: 'Alarm' },
  { field: 'health', label: 'Health' },
  { field: 'resolve', label: 'Resolve' },
  { field: 'other', label: 'Other' },
  { field: 'messages', label: 'Messages' },
  { field: 'segments', label: 'Billed segments' },
];
const parts = ['Alarm', 'Health', 'Resolve', 'Other'];
const defaults: ListDefaults = { size: 100, filters: reportFilters };
const orders = { order: smsOrders };
const sides = [
  {
    value: 'office',
    get label() {
      return officeWords().title;
    },
  },
  { value: 'site', label: 'Site' },
] as const;

export function SmsReportPage() {
  useHeaderTitle('Reports', 'SMS report');
  return (
    <Page>
      <PlantPeopleOnly title="SMS">
        <SmsReport />
      </PlantPeopleOnly>
    </Page>
  );
}

function SmsReport() {
  const report = useReportView(defaults, orders);
  const { range, before, by, office, change } = report;
  const timeZone = useTimeZone();
  const bySite = by === 'site';
  const ask = (days: typeof range, signal: AbortSignal) =>
    bySite ? fetchSmsBySite(days, office, signal) : fetchSms(days, signal);
  const rows = useQuery({
    queryKey: ['report', 'sms', by, bySite ? office : '', range],
    queryFn: ({ signal }) => ask(range, signal),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  const earlier = useQuery({
    queryKey: ['report', 'sms', by, bySite ? office : '', before],
    queryFn: ({ signal }) => ask(before, signal),
    staleTime: 60_000,
  });
  const days = useQuery({
    queryKey: ['report', 'sms', 'days', bySite ? office : '', range],
    queryFn: ({ signal }) => fetchSmsByDay(range, bySite ? office : undefined, signal),
    staleTime: 60_000,
  });
  const bars =
    days.data &&
    barsOf(
      range,
      days.data,
      (row) => [row.alarmSms ?? 0, row.healthSms ?? 0, row.resolveSms ?? 0, row.otherSms ?? 0],
      4,
    );
  const place = { office: bySite ? office : undefined, site: undefined };
  const nothing = useEmptyReason(report, place, '');
  const was = usePreviousPeriod(report, place, earlier.data && total(earlier.data, 'messages'));
  return (
    <>
      <ReportTitle name="SMS" actions={<Downloads name="sms" query={downloadQuery(report, place)} />}>
        {bySite ? 'SMS by site' : `SMS by ${officeWords().one}`}
      </ReportTitle>
      <div className={classes.tools}>
        <Segmented
          label="Rows"
          options={sides}
          value={by}
          onChange={(next) => change({ by: next === 'site' ? 'site' : '', office: '' })}
        />
        <RangePicker report={report} />
        {bySite ? <PlaceFilters report={report} withSite={false} /> : null}
        <span className={classes.range}>{formatDates(range.from, range.to, timeZone)}, sent via a provider</span>
        <PrintDetails
          order={orderWords(
            orderFromAddress(report.view, report.setView).sort,
            smsOrders,
            'with the most messages first',
          )}
        />
      </div>
      <Figures>
        <Figure
          name="Messages"
          value={rows.data && sum(rows.data, 'messages')}
          failed={rows.isError}
          before={earlier.data && was?.(sum(earlier.data, 'messages'))}
        />
        <Figure
          name="Billed segments"
          value={rows.data && sum(rows.data, 'segments')}
          failed={rows.isError}
          before={earlier.data && was?.(sum(earlier.data, 'segments'))}
        />
        <Figure
          name="About alarms"
          value={rows.data && sum(rows.data, 'alarm')}
          unit={rows.data && `of ${sum(rows.data, 'messages')}`}
          failed={rows.isError}
          before={earlier.data && was?.(sum(earlier.data, 'alarm'))}
        />
        <Cost rows={rows.data} earlier={earlier.data} was={was} failed={rows.isError} />
      </Figures>
      <div className={classes.stackGap}>
        <SmsBudgets />
        <StackedBars
          title={`SMS per ${bars?.each ?? 'day'}`}
          parts={parts}
          bars={bars?.bars}
          error={days.error}
          onOpen={(label) => change({ range: '', ...daysOfBar(label, range) })}
        />
        <SmsRows report={report} rows={rows.data} nothing={nothing} error={rows.data ? null : rows.error} />
      </div>
    </>
  );
}

interface CostProps {
  rows: readonly SmsRow[] | undefined;
  earlier: readonly SmsRow[] | undefined;
  was: ReturnType<typeof usePreviousPeriod>;
  failed: boolean;
}

/** Cost of the SMS segments. If no price is set, users with permission see a link to set it. */
function Cost({ rows, earlier, was, failed }: CostProps) {
  const price = useQuery(smsPriceQuery);
  const actor = useActor();
  if (price.data) {
    return (
      <Figure
        name="Cost"
        value={rows && costWords(total(rows, 'segments'), price.data)}
        unit={`at ${writePrice(price.data)} per segment`}
        failed={failed}
        before={earlier && was?.(costWords(total(earlier, 'segments'), price.data))}
      />
    );
  }
  if (price.data === undefined || !can(actor, 'user.create')) return null;
  return (
    <Figure
      name="Cost"
      value="–"
      before={
        <>
          <Link to="/admin/channels">Set the price of an SMS segment</Link> to see the cost
        </>
      }
    />
  );
}

function total(rows: readonly SmsRow[], field: Field): number {
  return rows.reduce((added, row) => added + row[field], 0);
}

function sum(rows: readonly SmsRow[], field: Field): string {
  return total(rows, field).toLocaleString();
}

interface SmsRowsProps {
  report: ReportView;
  rows: readonly SmsRow[] | undefined;
  /** Reason why the range cannot contain any SMS; empty if it can. */
  nothing: string;
  /** Error that occurred while loading, or null. */
  error: unknown;
}

const nameBy = ({ name }: SmsRow) => name;

function SmsRows({ report, rows, nothing, error }: SmsRowsProps) {
  const { view, setView, by } = report;
  const bySite = by === 'site';
  const most = rows?.toSorted((a, b) => b.messages - a.messages || a.name.localeCompare(b.name));
  const skipped = offsetOf(view);
  const label = bySite ? 'SMS by site' : `SMS by ${officeWords().one}`;
  const price = useQuery(smsPriceQuery).data;
  const order = orderFromAddress(view, setView);
  const columns: FigureColumn<SmsRow>[] = [
    ...fields.map(({ field, label: header }) => ({
      header,
      value: (row: SmsRow) => row[field],
      key: field,
      by: (row: SmsRow) => row[field],
      total: most && total(most, field),
      strong: field === 'messages',
    })),
    ...(price
      ? [
          {
            header: 'Cost',
            value: (row: SmsRow) => (row.segments === 0 ? 0 : costWords(row.segments, price)),
            key: 'cost',
            by: (row: SmsRow) => row.segments,
            total: most && costWords(total(most, 'segments'), price),
          },
        ]
      : []),
  ];
  const shown = most && sortRows(most, order.sort, ordersOf(columns, nameBy));
  if (error) {
    return (
      <Card>
        <LoadFailed what="The SMS report" error={error} />
      </Card>
    );
  }
  if (most?.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={TbMessage2}
          title={bySite ? 'No sites to show' : `No ${officeWords().one} has a site you can see`}
        >
          {bySite
            ? `No site that you can see belongs to this ${officeWords().one}. Choose another ${officeWords().one}, or all of them.`
            : `${officeWords().title} is the level 5 group of a site. A manager assigns it to each site in the admin area.`}
        </EmptyState>
      </Card>
    );
  }
  if (most && nothing !== '' && total(most, 'messages') === 0) {
    return (
      <Card>
        <EmptyState icon={TbMessage2} title="No SMS in this period">
          {nothing}
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <Card>
        <FigureTable
          label={label}
          rowName={bySite ? 'Site' : officeWords().title}
          rows={shown?.slice(skipped, skipped + view.size)}
          keyOf={(row) => row.id || 'none'}
          nameOf={(row) => <SmsName row={row} report={report} />}
          nameBy={nameBy}
          order={order}
          totalName={bySite ? 'All sites' : officeWords().all}
          columns={columns}
        />
      </Card>
      {most && most.length > view.size ? (
        <Paging view={view} total={most.length} onViewChange={setView} foot={undefined} paper={ALL_ROWS_IN_FILES} />
      ) : null}
    </>
  );
}

/** Name of a row, as a link. A unit office links to its sites, and a site links to its messages. */
function SmsName({ row, report: { by, view } }: { row: SmsRow; report: ReportView }) {
  const { range, from, to } = view.filters;
  if (row.id === '') return row.name;
  return by === 'office' ? (
    <Link to="/reports/sms" search={{ range, from, to, by: 'site', office: row.id }}>
      {row.name}
    </Link>
  ) : (
    <Link to="/reports/delivery" search={{ range, from, to, site: row.id, method: '3', state: 'taken' }}>
      {row.name}
    </Link>
  );
}
