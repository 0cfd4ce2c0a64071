import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { DescriptionField } from '../../kit/record/DescriptionField.tsx';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import type { Option } from '../../kit/record/Picker.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { TabbedPanel } from '../../kit/record/TabbedPanel.tsx';
import { useRecordForm } from '../../kit/record/useRecordForm.ts';
import { useActor } from '../../kit/session/actor.ts';
import { offerStep } from '../../kit/setup/offered-step.ts';
import { afterSensor, type SensorPlace } from '../../kit/setup/setup-steps.ts';
import { toast } from '../../ui/toast/toast.ts';
import { frameFormatWords } from '../sensor-log/index.ts';
import { ChannelList } from './ChannelList.tsx';
import { DeviceTab } from './DeviceTab.tsx';
import { SensorPicker } from './SensorPicker.tsx';
import {
  type Credentials,
  deleteSensor,
  fetchSensor,
  registerSensor,
  type Sensor,
  updateSensor,
} from './sensor.queries.ts';
import { assignSensor } from './sensor-asset.queries.ts';
import { ANALOG, choicesOf, sensorStatusEffects, sensorStatuses, sensorTypes, uidProblem } from './sensor-words.ts';

type SensorValues = {
  uid: string;
  sensorType: string;
  status: string;
  frameFormat: string;
  tocsinGatewayUuid: Option | null;
  description: string;
};

const labels = {
  uid: 'UID',
  sensorType: 'Type',
  status: 'Status',
  frameFormat: 'Frame format',
  tocsinGatewayUuid: 'Gateway',
  description: 'Description',
} as const satisfies Record<keyof SensorValues, string>;

const ACTIVE = '1';
const blank: SensorValues = {
  uid: '',
  sensorType: String(ANALOG),
  status: ACTIVE,
  frameFormat: 'auto',
  tocsinGatewayUuid: null,
  description: '',
};

function valuesOf(sensor: Sensor): SensorValues {
  return {
    uid: sensor.uid,
    sensorType: String(sensor.sensorType),
    status: String(sensor.status),
    frameFormat: sensor.frameFormat,
    tocsinGatewayUuid: sensor.tocsinGatewayUuid
      ? { value: sensor.tocsinGatewayUuid, label: sensor.gateway?.uid ?? sensor.tocsinGatewayUuid }
      : null,
    description: sensor.description,
  };
}

function errorsOf({ uid }: SensorValues) {
  return { uid: uidProblem(uid.trim()) };
}

export type SensorTab = 'details' | 'channels' | 'device';

interface SensorFormProps {
  /** Stored sensor; undefined for a new sensor. */
  sensor: Sensor | undefined;
  fresh: Credentials | null;
  onFresh: (fresh: Credentials | null) => void;
  /** Called with the token of a new sensor. The token must be shown now, because the server returns it only once. */
  onRegistered: (made: Credentials) => void;
  tab: SensorTab;
  onTab: (tab: SensorTab) => void;
  onChannel: (channel: string) => void;
  /** Asset and site of a new sensor. */
  place: SensorPlace;
  onClose: () => void;
}

export function SensorForm(props: SensorFormProps) {
  const { sensor, onClose, tab, onTab } = props;
  const actor = useActor();
  const client = useQueryClient();
  const made = useRef<Credentials | null>(null);
  const record = useRecordForm<SensorValues>({
    name: `sensor ${sensor?.uuid ?? 'new'}`,
    seen: sensor ? { values: valuesOf(sensor), mark: sensor.updatedAt } : { values: blank, mark: undefined },
    validate: errorsOf,
    save: async (values, mark) => {
      const sent = {
        uid: values.uid.trim(),
        sensorType: Number(values.sensorType),
        frameFormat: values.frameFormat,
        tocsinGatewayUuid: values.tocsinGatewayUuid?.value ?? null,
        description: values.description,
      };
      if (sensor) {
        await updateSensor(sensor.uuid, { ...sent, status: Number(values.status), updatedAt: mark ?? null });
        toast.success(savedWords(sent.uid, false));
      } else {
        made.current = await registerSensor(sent);
        // A sensor that the user adds from an asset's page becomes the sensor of that asset.
        if (props.place.asset) {
          // The sensor is already registered, so the form must show its token even if the assignment fails.
          await assignSensor(props.place.asset, made.current.uuid).catch((error) => toast.error(messageOf(error)));
        }
        toast.success(savedWords(sent.uid, true));
        offerStep(afterSensor(made.current, props.place));
      }
      await client.invalidateQueries({ queryKey: ['sensor'] });
    },
    reload: async () => {
      const now = sensor && (await fetchSensor(sensor.uuid));
      return now ? { values: valuesOf(now), mark: now.updatedAt } : null;
    },
  });
  const { form } = record;
  const onNewChannel = can(actor, 'sensor_channel.create') ? () => props.onChannel('new') : undefined;
  const type = (
    <NativeSelect label={labels.sensorType} data={choicesOf(sensorTypes)} {...form.getInputProps('sensorType')} />
  );
  const fields = (
    <>
      <TextInput
        label={labels.uid}
        description="Device ID, used in URLs and MQTT topics."
        autoComplete="off"
        {...form.getInputProps('uid')}
      />
      {sensor ? (
        <FieldPair>
          {type}
          <NativeSelect
            label={labels.status}
            description={sensorStatusEffects[Number(form.getValues().status)]}
            data={choicesOf(sensorStatuses)}
            {...form.getInputProps('status')}
          />
        </FieldPair>
      ) : (
        type
      )}
      <NativeSelect
        label={labels.frameFormat}
        data={Object.entries(frameFormatWords).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('frameFormat')}
      />
      <SensorPicker
        label={labels.tocsinGatewayUuid}
        description="The gateway that forwards this sensor’s data."
        hint="None"
        without={sensor ? [sensor.uuid] : []}
        clearable
        path="tocsinGatewayUuid"
        value={form.getValues().tocsinGatewayUuid}
        error={form.errors.tocsinGatewayUuid}
        onChange={(next) => form.setFieldValue('tocsinGatewayUuid', next as never)}
      />
      <DescriptionField label={labels.description} {...form.getInputProps('description')} />
    </>
  );
  return (
    <TabbedPanel
      title={sensor?.uid ?? 'New sensor'}
      {...(!sensor && {
        saveLabel: 'Register',
        onSaved: () => made.current && props.onRegistered(made.current),
      })}
      record={record}
      labels={labels}
      onClose={onClose}
      deletion={
        sensor && {
          noun: 'sensor',
          uuid: sensor.uuid,
          name: sensor.uid,
          remove: () => deleteSensor(sensor.uuid),
        }
      }
      tab={tab}
      onTab={(next) => onTab(next as SensorTab)}
      parts={[
        { value: 'details', label: 'Details', content: fields },
        ...(sensor
          ? [
              {
                value: 'channels',
                label: 'Channels',
                count: sensor.sensorChannels.totalCount,
                content: <ChannelList sensor={sensor.uuid} onOpen={props.onChannel} onNew={onNewChannel} />,
              },
              {
                value: 'device',
                label: 'Device',
                content: (
                  <DeviceTab
                    sensor={sensor}
                    fresh={props.fresh}
                    onFresh={props.onFresh}
                    active={tab === 'device'}
                    onNewChannel={onNewChannel}
                  />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
