import { useQuery } from '@tanstack/react-query';
import { formatSeconds } from '../../../../domain/age.ts';
import { methodTitle } from '../../../../domain/notification/methods.ts';
import { type DeliverySums, deliveryRate, deliveryShare, deliverySums } from '../../../../domain/report/delivery.ts';
import { deliveryOrders, methodOrders, orderWords, personOrders } from '../../../../domain/report/list-order.ts';
import {
  messageKinds,
  readStateFilter,
  shownStateName,
  stateFilterName,
  stateFilters,
} from '../../../../domain/report/shown-state.ts';
import { At } from '../../../kit/format/At.tsx';
import { Named } from '../../../kit/list/cells.tsx';
import { wholeNumber } from '../../../kit/list/list.ts';
import { useList } from '../../../kit/list/useList.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { PlantPeopleOnly } from '../../../kit/session/PlantPeopleOnly.tsx';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Card, Page } from '../../../ui/Page.tsx';
import { columnsOf } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../../ui/table/FilterSelect.tsx';
import { type ListDefaults, offsetOf } from '../../../ui/table/list-view.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { deliveryText } from '../../notification/index.ts';
import { durationColumns } from '../duration-columns.ts';
import { Figure, Figures } from '../Figures.tsx';
import { type FigureColumn, FigureTable } from '../FigureTable.tsx';
import { missingRowMessages } from '../known-parameters.ts';
import { LoadFailed, useRetry } from '../LoadFailed.tsx';
import { MESSAGES, MessagesLink } from '../MessagesLink.tsx';
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
import { type DeliveryRow, fetchDelivery } from './delivery.queries.ts';
import { type DeliveryFigure, fetchDeliveryFigures } from './delivery-figures.queries.ts';
import { NotificationLife } from './NotificationLife.tsx';

const defaults: ListDefaults = {
  sort: { column: 'time', descending: true },
  filters: [...reportFilters, 'person', 'method', 'state', 'kind', 'open'],
};
const orders = { sort: deliveryOrders, order: personOrders, wayOrder: methodOrders };
const narrowing = ['office', 'site', 'method', 'state', 'kind', 'person'];
const methods = [1, 2, 3, 4].map((method) => ({ value: String(method), label: methodTitle(method) }));
const states = stateFilters.map((state) => ({ value: state, label: stateFilterName(state) }));
const kinds = Object.entries(messageKinds).map(([value, label]) => ({ value, label }));

const took = (milliseconds: number) => formatSeconds(milliseconds / 1000);
const column = columnsOf<DeliveryRow>();
const fixed = { enableHiding: false } as const;
const columns = column.columns([
  column.accessor('notifyTime', {
    id: 'time',
    header: 'Due',
    ...fixed,
    meta: { width: 128, narrow: 88, quiet: true, wrap: true },
    cell: ({ getValue }) => <At at={getValue()} />,
  }),
  column.accessor('notifyMessage', {
    header: 'Message',
    ...fixed,
    enableSorting: false,
    meta: { strong: true },
    cell: ({ row: { original } }) => (
      <Named
        name={original.notifyMessage}
        below={`${methodTitle(original.methodType)} to ${original.recipientName}, ${deliveryText(original, took)}`}
      />
    ),
  }),
  column.accessor('methodType', {
    id: 'way',
    header: 'Method',
    ...fixed,
    meta: { width: 96, wideOnly: true, roomyOnly: true },
    cell: ({ getValue }) => <span className={classes.whole}>{methodTitle(getValue())}</span>,
  }),
  column.accessor('recipientName', {
    id: 'person',
    header: 'To',
    ...fixed,
    meta: { width: 152, wideOnly: true, roomyOnly: true },
  }),
  column.accessor((row) => row.site?.name ?? '–', {
    id: 'site',
    header: 'Site',
    ...fixed,
    meta: { width: 192, quiet: true, wideOnly: true, roomyOnly: true },
  }),
  column.accessor('shownState', {
    id: 'state',
    header: 'State',
    ...fixed,
    meta: { width: 280, wideOnly: true, roomyOnly: true },
    cell: ({ row }) => deliveryText(row.original, took),
  }),
]);

export function DeliveryReportPage() {
  useHeaderTitle('Reports', 'Delivery report');
  return (
    <Page>
      <PlantPeopleOnly title="Delivery">
        <DeliveryReport />
      </PlantPeopleOnly>
    </Page>
  );
}

function DeliveryReport() {
  const report = useReportView(defaults, orders);
  const { view, setView, range, office, site, person, sort, change } = report;
  const timeZone = useTimeZone();
  const retry = useRetry();
  const { method, state, kind, open } = view.filters;
  const wanted: MessageFilters = {
    office,
    site,
    search: view.search,
    person,
    method: wholeNumber(method),
    kind: wholeNumber(kind),
    state: readStateFilter(state),
  };
  const list = useList({
    queryKey: ['report', 'delivery', range, wanted, sort, view.size, view.page],
    queryFn: ({ signal }) => fetchDelivery({ range, ...wanted, sort, size: view.size, offset: offsetOf(view) }, signal),
    staleTime: 60_000,
  });
  const nothing = useEmptyReason(report, { office, site }, 'No notifications were due.');
  const ways = useDelivery(range, wanted, false);
  const anybody = useDelivery(range, { ...wanted, person: undefined }, true).data;
  const names = anybody?.map(({ recipientName }) => recipientName);
  return (
    <>
      <ReportTitle
        name="Delivery"
        actions={<Downloads name="delivery" query={downloadQuery(report, { method, state, kind })} />}
      >
        Message delivery
      </ReportTitle>
      <div className={classes.tools}>
        <RangePicker report={report} more={missingRowMessages('person', report.person, names)} />
        <PanelFilters report={report} names={narrowing}>
          <PlaceFilters report={report} />
          <FilterSelect label="Method" name="method" options={methods} view={view} onViewChange={setView} />
          <FilterSelect label="State" name="state" options={states} view={view} onViewChange={setView} />
          <FilterSelect label="About" name="kind" options={kinds} view={view} onViewChange={setView} />
          <PersonFilter report={report} names={names} />
        </PanelFilters>
        <span className={classes.range}>{formatDates(range.from, range.to, timeZone)}</span>
        <PrintDetails search={view.search} order={orderWords(sort, deliveryOrders, 'newest first')} />
      </div>
      <DeliveryFigures report={report} wanted={wanted} />
      <div id={MESSAGES} className={classes.target}>
        <DataTable
          label="Messages"
          columns={columns}
          {...list}
          total={ways.data && deliverySums(ways.data).messages}
          rowId={(row) => row.uuid}
          view={view}
          onViewChange={setView}
          searchHint="Message, person, number or site"
          paper={ALL_ROWS_IN_FILES}
          onOpen={(row) => change({ open: row.uuid === open ? '' : row.uuid })}
          openId={open}
          detail={(row) => <NotificationLife message={row} />}
          standing={standingFilters}
          onRetry={retry}
          empty={<EmptyState title="No messages in this period">{nothing}</EmptyState>}
        />
      </div>
    </>
  );
}

function useDelivery(range: ReportView['range'], wanted: MessageFilters, byPerson: boolean) {
  return useQuery({
    queryKey: ['report', 'delivery-figures', range, wanted, byPerson],
    queryFn: ({ signal }) => fetchDeliveryFigures(range, wanted, byPerson, signal),
    staleTime: 60_000,
  });
}

function DeliveryFigures({ report, wanted }: { report: ReportView; wanted: MessageFilters }) {
  const { range, before } = report;
  const ways = useDelivery(range, wanted, false);
  const old = useDelivery(before, wanted, false);
  const people = useDelivery(range, wanted, true);
  const [now, then] = [ways.data && deliverySums(ways.data), old.data && deliverySums(old.data)];
  const was = usePreviousPeriod(report, wanted, then?.messages);
  return (
    <>
      <Figures>
        <Figure
          name="Messages"
          value={now?.messages.toLocaleString()}
          before={then && was?.(then.messages.toLocaleString())}
          failed={ways.isError}
        />
        <Figure
          name="Sent"
          value={now && deliveryRate(now)}
          unit={now && `${(now.sent + now.delivered).toLocaleString()} sent or delivered`}
          before={then && was?.(deliveryRate(then))}
          failed={ways.isError}
        />
        <Figure
          name="Failed"
          value={now?.failed.toLocaleString()}
          unit={now && now.queued > 0 ? `${now.queued.toLocaleString()} still queued` : ''}
          before={then && was?.(then.failed.toLocaleString())}
          more={
            now && now.failed > 0 && wanted.state === undefined ? (
              <MessagesLink report={report} person={wanted.person} counted={{ ...wanted, state: 'failed' }}>
                Failed messages
              </MessagesLink>
            ) : undefined
          }
          failed={ways.isError}
        />
        {now && now.kept + (then?.kept ?? 0) > 0 ? (
          <Figure
            name={shownStateName('kept')}
            value={now.kept.toLocaleString()}
            unit="kept in the outbox"
            before={then && was?.(then.kept.toLocaleString())}
          />
        ) : null}
      </Figures>
      {ways.data?.length === 0 ? null : (
        <div className={classes.stackGap}>
          <Card title="By method">
            {ways.isError && !ways.data ? (
              <LoadFailed what="This table" error={ways.error} />
            ) : (
              <FigureTable<DeliveryFigure>
                label="Delivery by method"
                rowName="Method"
                rows={ways.data}
                keyOf={(row) => String(row.methodType)}
                nameOf={(row) => methodTitle(row.methodType ?? 0)}
                nameBy={(row) => methodTitle(row.methodType ?? 0)}
                order={orderFromAddress(report.view, report.setView, 'wayOrder')}
                columns={deliveryColumns(now)}
              />
            )}
          </Card>
          <Card title="By person">
            {people.isError && !people.data ? (
              <LoadFailed what="This table" error={people.error} />
            ) : (
              <FigureTable<DeliveryFigure>
                label="Delivery by person"
                rowName="Person"
                rows={people.data}
                keyOf={(row) => `${row.recipientName} ${row.methodType}`}
                nameOf={(row) => (
                  <MessagesLink
                    report={report}
                    person={row.recipientName}
                    counted={{ ...wanted, method: row.methodType ?? undefined }}
                  />
                )}
                nameBy={(row) => row.recipientName}
                order={orderFromAddress(report.view, report.setView)}
                columns={[
                  { header: 'Method', ...ordered('way', (row) => methodTitle(row.methodType ?? 0)), text: true },
                  ...deliveryColumns(now),
                ]}
              />
            )}
          </Card>
        </div>
      )}
    </>
  );
}

/** Returns the properties of a column that is sorted by the value that it shows. */
function ordered(key: string, by: (row: DeliveryFigure) => string | number) {
  return { key, by, value: by };
}

/** Returns the columns of the delivery tables. The outbox column appears only if messages were kept in the outbox. */
const deliveryColumns = (all: DeliverySums | undefined): FigureColumn<DeliveryFigure>[] => [
  { header: 'Messages', ...ordered('messages', (row) => row.messages ?? 0), strong: true },
  {
    header: 'Sent',
    value: (row) => deliveryRate(deliverySums([row])),
    key: 'rate',
    by: (row) => deliveryShare(deliverySums([row])),
  },
  { header: 'Delivered', ...ordered('delivered', (row) => row.delivered ?? 0) },
  ...(all && all.kept > 0 ? [{ header: shownStateName('kept'), ...ordered('kept', (row) => row.kept ?? 0) }] : []),
  { header: 'Failed', ...ordered('failed', (row) => row.failed ?? 0) },
  ...durationColumns(),
];
