import { IconChartDots } from '@tabler/icons-react';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { datapointColumns } from './datapoint.columns.tsx';
import { datapointListDefaults, datapointListQuery } from './datapoint.queries.ts';

const statuses = [
  { value: '2', label: 'Alarm' },
  { value: '3', label: 'Stale' },
  { value: '0', label: 'No data' },
  { value: '1', label: 'Normal' },
];

export function DatapointListPage() {
  useHeaderTitle('Data Points');
  const [view, setView] = useListView(datapointListDefaults);
  const list = useList(datapointListQuery(view));
  return (
    <Page fill>
      <PageTitle count={list.total}>Data points</PageTitle>
      <DataTable
        {...list}
        label="Data points"
        columns={datapointColumns}
        rowId={(datapoint) => datapoint.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name, asset, site or UID"
        filters={<FilterSelect label="State" name="status" options={statuses} view={view} onViewChange={setView} />}
        empty={
          <EmptyState icon={IconChartDots} title="No data points yet">
            A data point is an asset’s view of one channel of a sensor. Add an asset and a sensor first.
          </EmptyState>
        }
      />
    </Page>
  );
}
