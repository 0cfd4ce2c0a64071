import { IconBox } from '@tabler/icons-react';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { Named, Quantity, Text } from '../list/cells.tsx';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
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
    meta: { wideOnly: true },
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
    cell: ({ getValue }) => (getValue() ? 'In use' : 'Out of use'),
  }),
  column.accessor((asset) => asset.assetDatapoints.totalCount, {
    id: 'datapoints',
    header: 'Data points',
    enableSorting: false,
    meta: { width: 96, align: 'end' },
    cell: ({ getValue }) => <Quantity value={getValue()} />,
  }),
]);

export function AssetListPage() {
  useHeaderTitle('Assets');
  const [view, setView] = useListView(assetListDefaults);
  const list = useList(assetListQuery(view));
  return (
    <Page fill>
      <PageTitle count={list.total}>Assets</PageTitle>
      <DataTable
        {...list}
        label="Assets"
        columns={columns}
        rowId={(asset) => asset.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name or site"
        empty={
          <EmptyState icon={IconBox} title="No assets yet">
            An asset is a thing at a site that is watched, such as a pump. Its data points hang from it.
          </EmptyState>
        }
      />
    </Page>
  );
}
