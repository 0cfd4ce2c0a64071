import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { TbChartDots, TbPlus } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { plural } from '../../../domain/plural.ts';
import { counted } from '../../kit/format/number.ts';
import { BulkActions } from '../../kit/list/BulkActions.tsx';
import { BulkDialog } from '../../kit/list/BulkDialog.tsx';
import { ExportButton } from '../../kit/list/ExportButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { noData } from '../../ui/state-words.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { datapointColumns, datapointExport } from './datapoint.columns.tsx';
import {
  type DatapointRow,
  datapointListDefaults,
  datapointListQuery,
  deleteDatapoint,
  fetchDatapoints,
} from './datapoint.queries.ts';

const DatapointPanel = lazy(() => import('./DatapointForm.tsx').then((file) => ({ default: file.DatapointPanel })));

const statuses = [
  { value: '2', label: 'Alarm' },
  { value: '3', label: 'Stale' },
  { value: '0', label: noData },
  { value: '1', label: 'Normal' },
];

export function DatapointListPage() {
  useHeaderTitle('Data Points');
  const [view, setView] = useListView(datapointListDefaults);
  const list = useList(datapointListQuery(view));
  const actor = useActor();
  const { open, openRecord, close } = useRecordAddress();
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState(false);
  const chosen = (list.rows ?? []).filter(({ uuid }) => selection.has(uuid));
  const create = can(actor, 'asset_datapoint.create') ? (
    <Button leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />} onClick={() => openRecord(NEW)}>
      New data point
    </Button>
  ) : null;
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <>
            <ExportButton name="data-points" view={view} fetch={fetchDatapoints} columns={datapointExport} />
            {create}
          </>
        }
      >
        Data points
      </PageTitle>
      <DataTable
        {...list}
        label="Data points"
        columns={datapointColumns}
        rowId={(datapoint) => datapoint.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name, asset, site or UID"
        filters={<FilterSelect label="State" name="status" options={statuses} view={view} onViewChange={setView} />}
        onOpen={(datapoint) => openRecord(datapoint.uuid)}
        openId={open}
        {...(can(actor, 'asset_datapoint.delete') ? { selection, onSelectionChange: setSelection } : {})}
        bulkBar={
          <BulkActions count={chosen.length} onClear={() => setSelection(new Set())}>
            <button type="button" onClick={() => setDeleting(true)}>
              Delete
            </button>
          </BulkActions>
        }
        empty={
          <EmptyState icon={TbChartDots} title="No data points yet" action={create}>
            A data point shows one channel of a sensor at an asset. Add the sensor and the asset first.
          </EmptyState>
        }
      />
      {open ? (
        <Suspense>
          <DatapointPanel key={open} open={open} onClose={close} />
        </Suspense>
      ) : null}
      {deleting && chosen.length > 0 ? (
        <BulkDialog<DatapointRow>
          title={`Delete ${counted(chosen.length, 'data point')}?`}
          button="Delete"
          items={chosen}
          nameOf={(datapoint) => datapoint.tocsinDatapointName}
          act={(datapoint) => deleteDatapoint(datapoint.uuid)}
          done={(count) => `${counted(count, 'data point')} ${plural(count, 'was', 'were')} deleted.`}
          onClose={() => setDeleting(false)}
          onDone={(failed) => setSelection(new Set(failed.map(({ uuid }) => uuid)))}
        >
          <p>
            This also deletes their rules, including multi-condition rules. Open alarms are resolved; all alarms stay in
            the log. The channels keep their readings, so new data points can show them again.
          </p>
        </BulkDialog>
      ) : null}
    </Page>
  );
}
