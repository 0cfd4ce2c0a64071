import { Button } from '@mantine/core';
import { IconCpu, IconRefresh } from '@tabler/icons-react';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { ListDefaults } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { Moment } from '../list/cells.tsx';
import { useList } from '../list/useList.ts';
import { useParameter } from '../list/useParameter.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { FrameText } from './FrameText.tsx';
import { logRanges, rangeWords } from './log-range.ts';
import { type SensorLogRow, sensorLogQuery } from './sensor-log.queries.ts';

const column = columnsOf<SensorLogRow>();
const columns = column.columns([
  column.accessor('dateTime', {
    header: 'Received',
    enableSorting: false,
    enableHiding: false,
    meta: { width: 176, narrow: 124, quiet: true, wrap: true },
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
  column.accessor('uid', {
    header: 'UID',
    enableSorting: false,
    meta: { width: 148, strong: true, wideOnly: true },
  }),
  column.accessor('door', {
    header: 'Door',
    enableSorting: false,
    meta: { width: 84, quiet: true, wideOnly: true },
    cell: ({ getValue }) => getValue().toUpperCase(),
  }),
  column.accessor('rawData', {
    header: 'Raw data',
    enableSorting: false,
    enableHiding: false,
    meta: { wrap: true },
    cell: ({ row }) => <FrameText frame={row.original} />,
  }),
]);

const defaults: ListDefaults = { size: 500 };
const MOST = 500;

export function SensorLogPage() {
  useHeaderTitle('Sensor-log');
  const [view, setView] = useListView(defaults);
  const [range, setRange] = useParameter('range', logRanges);
  const list = useList(sensorLogQuery(range, view.search));
  return (
    <Page fill>
      <PageTitle
        actions={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden />}
            onClick={list.onRetry}
          >
            Refresh
          </Button>
        }
      >
        Sensor log
      </PageTitle>
      <DataTable
        {...list}
        label="Sensor log"
        columns={columns}
        rowId={(frame) => `${frame.autoId} ${frame.dateTime}`}
        view={{ ...view, page: 1, size: MOST }}
        onViewChange={setView}
        searchHint="UID, or any text of the raw data"
        filters={
          <Segmented
            label="Range"
            options={[
              { value: '1h', label: 'Last hour' },
              { value: '24h', label: '24 hours' },
              { value: '7d', label: '7 days' },
            ]}
            value={range}
            onChange={setRange}
          />
        }
        foot={
          list.total === MOST
            ? `The ${MOST} newest frames of the ${rangeWords[range]}`
            : `All of the ${rangeWords[range]}`
        }
        empty={
          <EmptyState
            icon={IconCpu}
            title={`No frame arrived in the ${rangeWords[range]}`}
            action={
              range === '7d' ? null : (
                <Button variant="default" size="xs" onClick={() => setRange('7d')}>
                  Last 7 days
                </Button>
              )
            }
          >
            Every frame that a device sends is kept here word for word, also one that cannot be read.
          </EmptyState>
        }
      />
    </Page>
  );
}
