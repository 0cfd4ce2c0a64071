import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/http.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { type ListDefaults, offsetOf } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { formatAge } from '../../ui/time/format.ts';
import { PlantPeopleOnly } from '../alarm/PlantPeopleOnly.tsx';
import { At } from '../dashboard/At.tsx';
import { Named } from '../list/cells.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { ReportTitle } from './ReportTitle.tsx';
import { useLast30Days } from './ranges.ts';
import { type AcknowledgementRow, fetchAcknowledgements } from './report.queries.ts';
import { useUnitOffices } from './useReports.ts';

const defaults: ListDefaults = { filters: ['office'] };
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
    meta: { width: 192, wideOnly: true },
    cell: ({ row }) => row.original.site?.name ?? '–',
  }),
  column.display({
    id: 'office',
    header: 'Unit office',
    ...fixed,
    meta: { width: 136, quiet: true, wideOnly: true },
    cell: ({ row }) => row.original.site?.group5?.name ?? '–',
  }),
  column.accessor('recipientName', { header: 'Told', ...fixed, meta: { width: 136, wideOnly: true } }),
  column.display({
    id: 'acknowledged',
    header: 'Acknowledged by',
    ...fixed,
    meta: { width: 144, wideOnly: true },
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
    <Page fill>
      <PlantPeopleOnly title="Acknowledgement">
        <AcknowledgementReport />
      </PlantPeopleOnly>
    </Page>
  );
}

function AcknowledgementReport() {
  const [view, setView] = useListView(defaults);
  const range = useLast30Days();
  const offices = useUnitOffices();
  const chosen = offices.data
    ?.map(({ value }) => value)
    .filter((value) => !view.filters.office || value === view.filters.office);
  const list = useQuery({
    queryKey: ['report', 'acknowledgements', range, chosen, view.size, view.page],
    queryFn: ({ signal }) =>
      fetchAcknowledgements({ range, size: view.size, offset: offsetOf(view) }, chosen ?? [], signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: chosen !== undefined,
  });
  const failed = [offices, list].find((query) => query.isError && !query.data);
  return (
    <>
      <ReportTitle name="Acknowledgement">Acknowledgement of alarm SMS, last 30 days</ReportTitle>
      <DataTable
        label="Acknowledgements"
        columns={columns}
        rows={list.data?.rows}
        total={list.data?.total}
        rowId={(row) => row.uuid}
        view={view}
        onViewChange={setView}
        fetching={list.isPlaceholderData}
        error={failed ? messageOf(failed.error) : null}
        onRetry={() => {
          void offices.refetch();
          void list.refetch();
        }}
        filters={
          <FilterSelect
            label="Unit office"
            name="office"
            options={offices.data ?? []}
            view={view}
            onViewChange={setView}
          />
        }
        empty={
          <EmptyState title="No alarm SMS in 30 days">
            An SMS about an alarm of a unit office comes here, with who acknowledged it and how soon.
          </EmptyState>
        }
      />
    </>
  );
}
