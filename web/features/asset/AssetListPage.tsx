import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { TbBox } from 'react-icons/tb';
import type { CsvValue } from '../../../domain/csv.ts';
import { can } from '../../../domain/permission.ts';
import { Named, Quantity, Text } from '../../kit/list/cells.tsx';
import { ExportButton } from '../../kit/list/ExportButton.tsx';
import { key } from '../../kit/list/list.ts';
import { NewButton } from '../../kit/list/NewButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useSelection } from '../../kit/list/useSelection.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { type AssetRow, assetListDefaults, assetListQuery } from './asset.queries.ts';

const column = columnsOf<AssetRow>();
const columns = column.columns([
  column.accessor('name', {
    header: 'Name',
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original: asset } }) => <Named name={asset.name} below={asset.site?.name} />,
  }),
  column.accessor((asset) => asset.site?.name, {
    id: 'site',
    header: 'Site',
    enableSorting: false,
    meta: { wideOnly: true, roomyOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((asset) => asset.sensor?.uid, {
    id: 'sensor',
    header: 'Sensor',
    enableSorting: false,
    meta: { width: 148, quiet: true, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor('description', {
    header: 'Description',
    enableSorting: false,
    meta: { quiet: true, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor('status', {
    header: 'Status',
    enableSorting: false,
    meta: { width: 92, narrow: 84 },
    cell: ({ getValue }) => (getValue() ? 'Active' : 'Inactive'),
  }),
  column.accessor((asset) => asset.assetDatapoints.totalCount, {
    id: 'datapoints',
    header: 'Data points',
    enableSorting: false,
    meta: { width: 96, align: 'end' },
    cell: ({ getValue }) => <Quantity value={getValue()} />,
  }),
]);

const exported: readonly { header: string; value: (asset: AssetRow) => CsvValue }[] = [
  { header: 'Name', value: (asset) => asset.name },
  { header: 'Site', value: (asset) => asset.site?.name },
  { header: 'Sensor', value: (asset) => asset.sensor?.uid },
  { header: 'Description', value: (asset) => asset.description },
  { header: 'Active', value: (asset) => asset.status },
  { header: 'Data points', value: (asset) => asset.assetDatapoints.totalCount },
];

const AssetForm = lazy(() => import('./AssetForm.tsx').then((part) => ({ default: part.AssetForm })));
const AssetBulk = lazy(() => import('./AssetBulk.tsx').then((part) => ({ default: part.AssetBulk })));

export function AssetListPage() {
  useHeaderTitle('Assets');
  const client = useQueryClient();
  const actor = useActor();
  const [view, setView] = useListView(assetListDefaults);
  const list = useList(assetListQuery(view));
  const { open, openRecord, close } = useRecordAddress();
  const { chosen, choose, ...selection } = useSelection(list.rows, (asset) => asset.uuid);
  const { site, sensor } = useSearch({ strict: false }) as { site?: string; sensor?: string };
  const add = can(actor, 'asset.create') ? <NewButton onClick={() => openRecord(NEW)}>New asset</NewButton> : null;
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <>
            <ExportButton
              name="assets"
              view={view}
              fetch={(page) => client.fetchQuery(assetListQuery(page))}
              columns={exported}
            />
            {add}
          </>
        }
      >
        Assets
      </PageTitle>
      <DataTable
        {...list}
        label="Assets"
        columns={columns}
        rowId={(asset) => asset.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name or site"
        empty={
          <EmptyState icon={TbBox} title="No assets yet" action={add}>
            An asset is a machine or room at a site, such as a pump. It has data points.
          </EmptyState>
        }
        onOpen={(asset) => openRecord(asset.uuid)}
        openId={open}
        {...selection}
        bulkBar={
          <Suspense>
            <AssetBulk assets={chosen} onSelect={choose} />
          </Suspense>
        }
      />
      {open ? (
        <Suspense>
          <AssetForm id={open} site={key(site)} sensor={key(sensor)} onClose={close} />
        </Suspense>
      ) : null}
    </Page>
  );
}
