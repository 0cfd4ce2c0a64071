import { lazy, Suspense } from 'react';
import { TbWebhook } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { Named, None, Text } from '../../kit/list/cells.tsx';
import { NewButton } from '../../kit/list/NewButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { Age } from '../../ui/time/Age.tsx';
import { type DestinationRow, destinationListDefaults, destinationListQuery } from './destination.queries.ts';
import { kindLabel, stateLabel } from './destination-words.ts';

const DestinationForm = lazy(() => import('./DestinationForm.tsx').then((part) => ({ default: part.DestinationForm })));

const column = columnsOf<DestinationRow>();
const columns = column.columns([
  column.accessor('name', {
    header: 'Name',
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original } }) => <Named name={original.name} below={placeOf(original)} />,
  }),
  column.accessor('kind', {
    header: 'Kind',
    enableSorting: false,
    meta: { width: 140, wideOnly: true },
    cell: ({ getValue }) => kindLabel(getValue()),
  }),
  column.accessor(placeOf, {
    id: 'place',
    header: 'Site or group',
    enableSorting: false,
    meta: { wideOnly: true, roomyOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor('host', {
    header: 'Host',
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
  column.accessor((row) => row.destinationDeliveries.nodes[0]?.state, {
    id: 'last',
    header: 'Last delivery',
    enableSorting: false,
    meta: { width: 180, narrow: 112 },
    cell: ({ row: { original } }) => <LastDelivery destination={original} />,
  }),
]);

function placeOf({ site, group }: DestinationRow): string {
  return site?.name ?? group?.name ?? '';
}

function LastDelivery({ destination }: { destination: DestinationRow }) {
  const last = destination.destinationDeliveries.nodes[0];
  if (!last) return <None />;
  return (
    <span>
      {stateLabel(last.state)}, <Age at={last.createdAt} /> ago
    </span>
  );
}

/** Page with the destinations to which alarms are posted. */
export function DestinationListPage() {
  useHeaderTitle('Destinations');
  const actor = useActor();
  const [view, setView] = useListView(destinationListDefaults);
  const list = useList(destinationListQuery(view));
  const { open, openRecord, close } = useRecordAddress();
  const add = can(actor, 'destination.configure') ? (
    <NewButton onClick={() => openRecord(NEW)}>New destination</NewButton>
  ) : null;
  return (
    <Page fill>
      <PageTitle count={list.total} actions={add}>
        Destinations
      </PageTitle>
      <DataTable
        {...list}
        label="Destinations"
        columns={columns}
        rowId={(destination) => destination.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name"
        empty={
          <EmptyState icon={TbWebhook} title="No destinations yet" action={add}>
            A destination posts the alarms of a site or group to Slack, Microsoft Teams or a webhook.
          </EmptyState>
        }
        onOpen={(destination) => openRecord(destination.uuid)}
        openId={open}
      />
      {open ? (
        <Suspense>
          <DestinationForm id={open} onClose={close} />
        </Suspense>
      ) : null}
    </Page>
  );
}
