import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { key } from '../../kit/list/list.ts';
import { DescriptionField } from '../../kit/record/DescriptionField.tsx';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import { LoadedPanel } from '../../kit/record/LoadedPanel.tsx';
import { type Option, Picker } from '../../kit/record/Picker.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { TabbedPanel } from '../../kit/record/TabbedPanel.tsx';
import { NEW } from '../../kit/record/useRecordAddress.ts';
import { useRecordForm } from '../../kit/record/useRecordForm.ts';
import { offerStep } from '../../kit/setup/offered-step.ts';
import { afterDatapoint } from '../../kit/setup/setup-steps.ts';
import { ColorField, isColor } from '../../ui/ColorField.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { noData } from '../../ui/state-words.ts';
import { toast } from '../../ui/toast/toast.ts';
import { fetchAsset } from '../asset/index.ts';
import { choicesOf, SensorPicker, sensorTypes } from '../sensor/index.ts';
import { ChannelField } from './ChannelField.tsx';
import { DatapointOrder } from './DatapointOrder.tsx';
import {
  assetSource,
  createDatapoint,
  type Datapoint,
  datapointQuery,
  deleteDatapoint,
  fetchDatapoint,
  updateDatapoint,
  updateDatapointOrder,
  updateDatapointStatus,
} from './datapoint.queries.ts';
import { beginningOf, valuesOfSensor } from './datapoint-beginning.ts';
import {
  blankDatapoint,
  changeOf,
  configOf,
  type DatapointValues,
  datapointErrors,
  shownOf,
  valuesOf,
} from './datapoint-values.ts';

const labels = {
  tocsinDatapointName: 'Name',
  tocsinAssetUuid: 'Asset',
  tocsinSensorUuid: 'Sensor',
  tocsinSensorChannelUuid: 'Channel',
  sensorType: 'Type',
  uom: 'Unit',
  tocsinAssetDatapointOrder: 'Order',
  datapointTitleText: 'Title text',
  datapointColor: 'Colour',
  status: 'State',
  description: 'Description',
} as const satisfies Record<keyof DatapointValues, string>;

export const datapointStatuses: Readonly<Record<number, string>> = {
  0: noData,
  1: 'Normal',
  2: 'Alarm',
  3: 'Stale',
};

/** Panel beside the table with the form for an existing or a new data point. */
export function DatapointPanel({ open, onClose }: { open: string; onClose: () => void }) {
  const [version, setVersion] = useState(0);
  if (open === NEW) return <NewDatapoint onClose={onClose} />;
  // Remount the form after the user has changed the order of the data points, because the form still contains the old
  // order.
  const begin = () => setVersion(version + 1);
  return (
    <LoadedPanel noun="Data point" query={datapointQuery(open)} onClose={onClose}>
      {(datapoint) => <DatapointForm key={version} datapoint={datapoint} onClose={onClose} onOrdered={begin} />}
    </LoadedPanel>
  );
}

/** Shows the form once its initial values have loaded, because the form reads them only once. */
function NewDatapoint({ onClose }: { onClose: () => void }) {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const place = { asset: key(search.asset), sensor: key(search.sensor), channel: key(search.input) };
  const isNamed = place.asset !== undefined || place.sensor !== undefined;
  const begins = useQuery({
    queryKey: ['datapoint', 'beginning', place],
    queryFn: () => beginningOf(place),
    enabled: isNamed,
    staleTime: 0,
    gcTime: 0,
  });
  if (isNamed && begins.isPending) return null;
  return (
    <DatapointForm
      datapoint={undefined}
      begins={begins.data ?? blankDatapoint}
      onClose={onClose}
      onOrdered={() => undefined}
    />
  );
}

interface DatapointFormProps {
  /** Stored data point; undefined for a new one. */
  datapoint: Datapoint | undefined;
  /** Initial values of a new data point. */
  begins?: DatapointValues;
  onClose: () => void;
  /** Called when the user has changed the order of the data points and leaves the tab “Order in the asset”. */
  onOrdered: () => void;
}

function DatapointForm({ datapoint, begins = blankDatapoint, onClose, onOrdered }: DatapointFormProps) {
  const client = useQueryClient();
  const [tab, setTab] = useState('details');
  const ordered = useRef(false);
  const [seen] = useState(
    datapoint ? { values: valuesOf(datapoint), mark: datapoint.updatedAt } : { values: begins, mark: undefined },
  );
  const record = useRecordForm<DatapointValues>({
    name: `datapoint ${datapoint?.uuid ?? NEW}`,
    seen,
    validate: (values) => datapointErrors(values, isColor),
    save: async (values, mark) => {
      const added = await store(datapoint?.uuid, seen.values, values, mark);
      await client.invalidateQueries({ queryKey: ['datapoint'] });
      toast.success(savedWords(values.tocsinDatapointName, !datapoint));
      if (added !== null) offerStep(afterDatapoint({ uuid: added, name: values.tocsinDatapointName.trim() }));
    },
    reload: async () => {
      const now = datapoint && (await fetchDatapoint(datapoint.uuid));
      return now ? { values: valuesOf(now), mark: now.updatedAt } : null;
    },
  });
  const { form } = record;
  const values = form.getValues();
  const sensor = values.tocsinSensorUuid?.value;

  const chooseSensor = async (next: Option | null) => {
    form.setFieldValue('tocsinSensorUuid', next as never);
    form.setFieldValue('tocsinSensorChannelUuid', '' as never);
    if (next === null) return;
    // When the user chooses a sensor, fill in its type and channel. The user can change both.
    const known = await valuesOfSensor(next.value).catch(() => null);
    if (!known || form.getValues().tocsinSensorUuid?.value !== next.value) return;
    if (known.sensorType) form.setFieldValue('sensorType', known.sensorType as never);
    if (known.tocsinSensorChannelUuid) chooseChannel(known.tocsinSensorChannelUuid, known.tocsinDatapointName);
  };
  const chooseChannel = (uuid: string, name?: string) => {
    form.setFieldValue('tocsinSensorChannelUuid', uuid as never);
    // When the user chooses a channel, fill in its name, because most data points have the same name as their channel.
    if (name && form.getValues().tocsinDatapointName === '') form.setFieldValue('tocsinDatapointName', name as never);
  };
  const chooseAsset = async (next: Option | null) => {
    form.setFieldValue('tocsinAssetUuid', next as never);
    if (next === null || form.getValues().tocsinSensorUuid !== null) return;
    // When the user chooses an asset, fill in its sensor, unless a sensor was chosen in the meantime.
    const watching = (await fetchAsset(next.value).catch(() => null))?.sensor;
    if (watching && form.getValues().tocsinSensorUuid === null) {
      await chooseSensor({ value: watching.uuid, label: watching.uid });
    }
  };
  const fields = (
    <>
      <TextInput label={labels.tocsinDatapointName} maxLength={200} {...form.getInputProps('tocsinDatapointName')} />
      <Picker
        label={labels.tocsinAssetUuid}
        hint="Name of an asset or site"
        source={assetSource}
        path="tocsinAssetUuid"
        {...record.needed('tocsinAssetUuid')}
        value={values.tocsinAssetUuid}
        error={form.errors.tocsinAssetUuid}
        onChange={(next) => void chooseAsset(next)}
      />
      <FieldPair>
        <SensorPicker
          label={labels.tocsinSensorUuid}
          path="tocsinSensorUuid"
          {...record.needed('tocsinSensorUuid')}
          value={values.tocsinSensorUuid}
          error={form.errors.tocsinSensorUuid}
          onChange={(next) => void chooseSensor(next)}
          creatable="now"
        />
        <ChannelField
          label={labels.tocsinSensorChannelUuid}
          sensor={sensor}
          newName={values.tocsinDatapointName}
          {...form.getInputProps('tocsinSensorChannelUuid')}
          onChoose={chooseChannel}
        />
      </FieldPair>
      <FieldPair>
        <NativeSelect label={labels.sensorType} data={choicesOf(sensorTypes)} {...form.getInputProps('sensorType')} />
        <TextInput label={labels.uom} placeholder="m, °C, kW" maxLength={32} {...form.getInputProps('uom')} />
      </FieldPair>
      <FieldPair>
        <TextInput label={labels.datapointTitleText} maxLength={100} {...form.getInputProps('datapointTitleText')} />
        <ColorField label={labels.datapointColor} {...form.getInputProps('datapointColor')} />
      </FieldPair>
      <FieldPair>
        <NumberField
          label={labels.tocsinAssetDatapointOrder}
          least={0}
          {...form.getInputProps('tocsinAssetDatapointOrder')}
        />
        <NativeSelect
          label={labels.status}
          description="The next reading updates the state."
          data={choicesOf(datapointStatuses)}
          {...form.getInputProps('status')}
        />
      </FieldPair>
      <DescriptionField label={labels.description} {...form.getInputProps('description')} />
    </>
  );
  return (
    <TabbedPanel
      title={datapoint?.tocsinDatapointName ?? 'New data point'}
      record={record}
      labels={labels}
      onClose={onClose}
      deletion={
        datapoint && {
          noun: 'asset_datapoint',
          uuid: datapoint.uuid,
          name: datapoint.tocsinDatapointName,
          remove: () => deleteDatapoint(datapoint.uuid),
        }
      }
      tab={tab}
      onTab={(next) => (ordered.current ? onOrdered() : setTab(next))}
      parts={[
        { value: 'details', label: 'Details', content: fields },
        ...(datapoint
          ? [
              {
                value: 'order',
                label: 'Order in the asset',
                content:
                  tab === 'order' ? (
                    <DatapointOrder
                      asset={datapoint.tocsinAssetUuid}
                      here={datapoint.uuid}
                      onStored={() => {
                        ordered.current = true;
                      }}
                    />
                  ) : null,
              },
            ]
          : []),
      ]}
    />
  );
}

/** Creates or updates the data point. Returns the uuid of a new data point; null for an existing one. */
async function store(
  uuid: string | undefined,
  seen: DatapointValues,
  values: DatapointValues,
  mark: string | undefined,
): Promise<string | null> {
  if (uuid === undefined) return createDatapoint({ ...configOf(values), ...shownOf(values) });
  const change = changeOf(seen, values);
  if (change.only === 'order') {
    await updateDatapointOrder(uuid, change.order);
  } else if (change.only === 'status') {
    const { only: _only, ...shown } = change;
    await updateDatapointStatus({ uuid, ...shown });
  } else {
    await updateDatapoint(uuid, { ...change.patch, updatedAt: mark ?? null });
  }
  return null;
}
