import { IconBuildingFactory2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { siteColumns } from './site.columns.tsx';
import { siteListDefaults, siteListQuery, siteTypesQuery, unitOfficesQuery } from './site.queries.ts';

const statuses = [
  { value: '2', label: 'Alarm' },
  { value: '3', label: 'Silent' },
  { value: '0', label: 'No data' },
  { value: '1', label: 'Normal' },
];

export function SiteListPage() {
  useHeaderTitle('Sites');
  const [view, setView] = useListView(siteListDefaults);
  const list = useList(siteListQuery(view));
  const types = useQuery(siteTypesQuery).data ?? [];
  const offices = useQuery(unitOfficesQuery).data ?? [];
  return (
    <Page fill>
      <PageTitle count={list.total}>Sites</PageTitle>
      <DataTable
        {...list}
        label="Sites"
        columns={siteColumns}
        rowId={(site) => site.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name or ID"
        filters={
          <>
            <FilterSelect
              label="Type"
              name="type"
              options={types.map((type) => ({ value: type, label: type }))}
              view={view}
              onViewChange={setView}
            />
            <FilterSelect
              label="Office"
              name="office"
              options={offices.map((office) => ({ value: office.uuid, label: office.name }))}
              view={view}
              onViewChange={setView}
            />
            <FilterSelect label="State" name="status" options={statuses} view={view} onViewChange={setView} />
          </>
        }
        empty={
          <EmptyState icon={IconBuildingFactory2} title="No sites yet">
            A site is a place with sensors. Once one is added, its state and last contact show here.
          </EmptyState>
        }
      />
    </Page>
  );
}
