import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/http.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page } from '../../ui/Page.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { type ListDefaults, offsetOf } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { formatAge } from '../../ui/time/format.ts';
import { acknowledgementOf, severityOf } from '../alarm/alarm.ts';
import { PlantPeopleOnly } from '../alarm/PlantPeopleOnly.tsx';
import { At } from '../dashboard/At.tsx';
import { Named } from '../list/cells.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { ReportTitle } from './ReportTitle.tsx';
import { useLast30Days } from './ranges.ts';
import { fetchAlarmReport, type ReportedAlarm } from './report.queries.ts';
import { useUnitOffices } from './useReports.ts';

const defaults: ListDefaults = { filters: ['office'] };
const column = columnsOf<ReportedAlarm>();
const fixed = { enableSorting: false, enableHiding: false } as const;

const columns = column.columns([
  column.accessor('severity', {
    header: 'Severity',
    ...fixed,
    meta: { width: 112, narrow: 96 },
    cell: ({ row }) => (
      <StateMark
        state={severityOf(row.original.severity)}
        acknowledged={acknowledgementOf(row.original.acknowledgeJson) !== null}
      />
    ),
  }),
  column.accessor('dateTime', {
    header: 'Opened',
    ...fixed,
    meta: { width: 128, narrow: 88, quiet: true, wrap: true },
    cell: ({ getValue }) => <At at={getValue()} />,
  }),
  column.accessor('message', {
    header: 'Message',
    ...fixed,
    meta: { strong: true },
    cell: ({ row: { original } }) => <Named name={original.message} below={original.siteName} />,
  }),
  column.accessor('siteName', { header: 'Site', ...fixed, meta: { wideOnly: true } }),
  column.display({
    id: 'office',
    header: 'Unit office',
    ...fixed,
    meta: { width: 136, quiet: true, wideOnly: true },
    cell: ({ row }) => row.original.site?.group5?.name ?? '–',
  }),
  column.display({
    id: 'lasted',
    header: 'Lasted',
    ...fixed,
    meta: { width: 112, align: 'end', wideOnly: true },
    cell: ({ row: { original } }) =>
      original.resolvedDate === null
        ? 'still open'
        : formatAge(Date.parse(original.resolvedDate) - Date.parse(original.dateTime)),
  }),
  column.display({
    id: 'acknowledged',
    header: 'Acknowledged by',
    ...fixed,
    meta: { width: 152, wideOnly: true },
    cell: ({ row }) => acknowledgementOf(row.original.acknowledgeJson)?.name ?? '–',
  }),
  column.display({
    id: 'reason',
    header: 'Reason',
    ...fixed,
    meta: { quiet: true, wideOnly: true },
    cell: ({ row }) => acknowledgementOf(row.original.acknowledgeJson)?.reason ?? '',
  }),
]);

export function AlarmReportPage() {
  useHeaderTitle('Reports', 'Alarm report');
  return (
    <Page fill>
      <PlantPeopleOnly title="Alarms">
        <AlarmReport />
      </PlantPeopleOnly>
    </Page>
  );
}

function AlarmReport() {
  const [view, setView] = useListView(defaults);
  const range = useLast30Days();
  const offices = useUnitOffices();
  const office = offices.data?.find(({ value }) => value === view.filters.office)?.value ?? '';
  const list = useQuery({
    queryKey: ['report', 'alarms', range, view.search, office, view.size, view.page],
    queryFn: ({ signal }) =>
      fetchAlarmReport({ range, search: view.search, office, size: view.size, offset: offsetOf(view) }, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return (
    <>
      <ReportTitle name="Alarms">Alarms of the last 30 days</ReportTitle>
      <DataTable
        label="Alarms of the last 30 days"
        columns={columns}
        rows={list.data?.rows}
        total={list.data?.total}
        rowId={(row) => row.uuid}
        view={view}
        onViewChange={setView}
        fetching={list.isPlaceholderData}
        error={list.isError && !list.data ? messageOf(list.error) : null}
        onRetry={() => void list.refetch()}
        searchHint="Message or site"
        filters={
          <FilterSelect
            label="Unit office"
            name="office"
            options={offices.data ?? []}
            view={view}
            onViewChange={setView}
          />
        }
        empty={<EmptyState title="No alarm in 30 days">Nothing left its limits, and every site was heard.</EmptyState>}
      />
    </>
  );
}
