import { IconCpu } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useActor } from '../auth/actor.ts';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { ChannelList } from './ChannelList.tsx';
import { sensorColumns } from './sensor.columns.tsx';
import { sensorListDefaults, sensorListQuery } from './sensor.queries.ts';
import { choicesOf, sensorStatuses, sensorTypes } from './sensor-words.ts';

export function SensorListPage() {
  useHeaderTitle('Sensor List');
  const [view, setView] = useListView(sensorListDefaults);
  const [open, setOpen] = useState<string>();
  const list = useList(sensorListQuery(view));
  const withSite = can(useActor(), 'asset_datapoint.read');
  const columns = useMemo(() => sensorColumns(withSite), [withSite]);
  return (
    <Page fill>
      <PageTitle count={list.total}>Sensors</PageTitle>
      <DataTable
        {...list}
        label="Sensors"
        columns={columns}
        rowId={(sensor) => sensor.uuid}
        view={view}
        onViewChange={setView}
        searchHint="UID"
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
        onOpen={(sensor) => setOpen(open === sensor.uuid ? undefined : sensor.uuid)}
        openId={open}
        detail={(sensor) => <ChannelList sensor={sensor.uuid} expected={sensor.sensorChannels.totalCount} />}
        empty={
          <EmptyState icon={IconCpu} title="No sensors yet">
            A sensor is what a device sends for, under one UID. Once one is added, it shows here with its channels.
          </EmptyState>
        }
      />
    </Page>
  );
}
