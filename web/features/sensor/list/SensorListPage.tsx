import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { TbCpu, TbPlus } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { plural } from '../../../../domain/plural.ts';
import { counted } from '../../../kit/format/number.ts';
import { BulkActions } from '../../../kit/list/BulkActions.tsx';
import { BulkDialog } from '../../../kit/list/BulkDialog.tsx';
import { ExportButton } from '../../../kit/list/ExportButton.tsx';
import { useList } from '../../../kit/list/useList.ts';
import { useParameter } from '../../../kit/list/useParameter.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../../kit/record/useRecordAddress.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Page, PageTitle } from '../../../ui/Page.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../../ui/table/FilterSelect.tsx';
import { useListView } from '../../../ui/table/useListView.ts';
import type { SensorTab } from '../SensorForm.tsx';
import {
  type Credentials,
  deleteSensor,
  fetchSensors,
  type SensorRow,
  sensorListDefaults,
  sensorListQuery,
  updateSensor,
} from '../sensor.queries.ts';
import { choicesOf, sensorStatusEffects, sensorStatuses, sensorTypes } from '../sensor-words.ts';
import { sensorColumns, sensorExport } from './sensor.columns.tsx';

const SensorPanel = lazy(() => import('./SensorPanel.tsx').then((file) => ({ default: file.SensorPanel })));

type Bulk = { do: 'status'; status: number } | { do: 'delete' };

export function SensorListPage() {
  useHeaderTitle('Sensor List');
  const [view, setView] = useListView(sensorListDefaults);
  const list = useList(sensorListQuery(view));
  const actor = useActor();
  const { open, openRecord } = useRecordAddress();
  const [tab, setTab] = useState<SensorTab>(useParameter('tab', ['details', 'device'])[0]);
  // Holds the only copy of a new token, which is lost when the page is closed.
  const [fresh, setFresh] = useState<Credentials | null>(null);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<Bulk | null>(null);
  const navigate = useNavigate();
  const withSite = can(actor, 'asset_datapoint.read');
  const mayCreate = can(actor, 'sensor.create');
  const mayUpdate = can(actor, 'sensor.update');
  const columns = useMemo(() => sensorColumns(withSite), [withSite]);
  const chosen = (list.rows ?? []).filter((sensor) => selection.has(sensor.uuid));
  const show = (uuid: string) => {
    setTab('details');
    openRecord(uuid);
  };
  const create = (
    <Button leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />} onClick={() => show(NEW)}>
      New sensor
    </Button>
  );
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <>
            <ExportButton name="sensors" view={view} fetch={fetchSensors} columns={sensorExport(withSite)} />
            {mayCreate ? create : null}
          </>
        }
      >
        Sensors
      </PageTitle>
      <DataTable
        {...list}
        label="Sensors"
        columns={columns}
        rowId={(sensor) => sensor.uuid}
        view={view}
        onViewChange={setView}
        searchHint={withSite ? 'UID, description, site or asset' : 'UID or description'}
        filters={
          <>
            <FilterSelect
              label="Type"
              name="type"
              options={choicesOf(sensorTypes)}
              view={view}
              onViewChange={setView}
            />
            <FilterSelect
              label="Status"
              name="status"
              options={choicesOf(sensorStatuses)}
              view={view}
              onViewChange={setView}
            />
          </>
        }
        onOpen={(sensor) => show(sensor.uuid)}
        openId={open}
        {...(mayUpdate ? { selection, onSelectionChange: setSelection } : {})}
        bulkBar={
          <BulkActions count={chosen.length} onClear={() => setSelection(new Set())}>
            {choicesOf(sensorStatuses).map(({ value, label }) => (
              <button key={value} type="button" onClick={() => setBulk({ do: 'status', status: Number(value) })}>
                {label}
              </button>
            ))}
            {can(actor, 'reply_message.create') ? (
              <button
                type="button"
                onClick={() =>
                  void navigate({
                    to: '/admin/sensor-command',
                    search: { record: NEW, uids: chosen.map(({ uid }) => uid).join(',') },
                  })
                }
              >
                Send a command
              </button>
            ) : null}
            <button type="button" onClick={() => setBulk({ do: 'delete' })}>
              Delete
            </button>
          </BulkActions>
        }
        empty={
          <EmptyState icon={TbCpu} title="No sensors yet" action={mayCreate ? create : null}>
            A sensor receives the data that a device sends under one UID. Add a sensor to connect a device.
          </EmptyState>
        }
      />
      {open ? (
        <Suspense>
          <SensorPanel key={open} open={open} fresh={fresh} onFresh={setFresh} tab={tab} onTab={setTab} />
        </Suspense>
      ) : null}
      {bulk && chosen.length > 0 ? (
        <BulkDialog<SensorRow>
          {...bulkWords(bulk, chosen.length)}
          items={chosen}
          nameOf={(sensor) => sensor.uid}
          act={(sensor) =>
            bulk.do === 'delete' ? deleteSensor(sensor.uuid) : updateSensor(sensor.uuid, { status: bulk.status })
          }
          onClose={() => setBulk(null)}
          onDone={(failed) => setSelection(new Set(failed.map(({ uuid }) => uuid)))}
        >
          <p>{bulkEffect(bulk)}</p>
        </BulkDialog>
      ) : null}
    </Page>
  );
}

function bulkWords(bulk: Bulk, count: number) {
  const those = counted(count, 'sensor');
  if (bulk.do === 'delete') {
    return {
      title: `Delete ${those}?`,
      button: 'Delete',
      done: (number: number) => `${counted(number, 'sensor')} ${plural(number, 'was', 'were')} deleted.`,
    };
  }
  const status = sensorStatuses[bulk.status] ?? '';
  return {
    title: `Set ${those} to ${status.toLowerCase()}?`,
    button: `Set to ${status.toLowerCase()}`,
    done: (number: number) => `${counted(number, 'sensor')} set to ${status.toLowerCase()}.`,
  };
}

function bulkEffect(bulk: Bulk): string {
  if (bulk.do === 'delete') {
    return 'This also deletes their channels with all readings, their data points, rules (including multi-condition rules) and commands. Open alarms are resolved; all alarms stay in the log.';
  }
  return `For each sensor: ${(sensorStatusEffects[bulk.status] ?? '').toLowerCase()}`;
}
