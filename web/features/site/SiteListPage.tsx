import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { TbBuildingFactory2 } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { ExportButton } from '../../kit/list/ExportButton.tsx';
import { NewButton } from '../../kit/list/NewButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useSelection } from '../../kit/list/useSelection.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { useActor } from '../../kit/session/actor.ts';
import { officeWords } from '../../kit/session/group-words.ts';
import { useOfficeColumn } from '../../kit/session/useLevelNames.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { noData } from '../../ui/state-words.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { siteColumns, siteExport } from './site.columns.tsx';
import { siteListDefaults, siteListQuery, siteTypesQuery, unitOfficesQuery } from './site.queries.ts';

const SiteForm = lazy(() => import('./SiteForm.tsx').then((part) => ({ default: part.SiteForm })));
const SiteBulk = lazy(() => import('./SiteBulk.tsx').then((part) => ({ default: part.SiteBulk })));

const statuses = [
  { value: '2', label: 'Alarm' },
  { value: '3', label: 'Silent' },
  { value: '0', label: noData },
  { value: '1', label: 'Normal' },
];

export function SiteListPage() {
  useHeaderTitle('Sites');
  const client = useQueryClient();
  const columns = useOfficeColumn(siteColumns);
  const mayAdd = can(useActor(), 'site.create');
  const [view, setView] = useListView(siteListDefaults);
  const list = useList(siteListQuery(view));
  const types = useQuery(siteTypesQuery).data ?? [];
  const offices = useQuery(unitOfficesQuery).data ?? [];
  const { open, openRecord, close } = useRecordAddress();
  const { chosen, choose, ...selection } = useSelection(list.rows, (site) => site.uuid);
  const add = mayAdd ? <NewButton onClick={() => openRecord(NEW)}>New site</NewButton> : null;
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <>
            <ExportButton
              name="sites"
              view={view}
              fetch={(page) => client.fetchQuery(siteListQuery(page))}
              columns={siteExport()}
            />
            {add}
          </>
        }
      >
        Sites
      </PageTitle>
      <DataTable
        {...list}
        label="Sites"
        columns={columns}
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
              label={officeWords().isUsual ? 'Office' : officeWords().title}
              name="office"
              options={offices.map((office) => ({ value: office.uuid, label: office.name }))}
              view={view}
              onViewChange={setView}
            />
            <FilterSelect label="State" name="status" options={statuses} view={view} onViewChange={setView} />
          </>
        }
        empty={
          <EmptyState icon={TbBuildingFactory2} title="No sites yet" action={add}>
            A site is a place with sensors. Add a site to see its state and last contact here.
          </EmptyState>
        }
        onOpen={(site) => openRecord(site.uuid)}
        openId={open}
        {...selection}
        bulkBar={
          <Suspense>
            <SiteBulk sites={chosen} onSelect={choose} />
          </Suspense>
        }
      />
      {open ? (
        <Suspense>
          <SiteForm id={open} onClose={close} />
        </Suspense>
      ) : null}
    </Page>
  );
}
