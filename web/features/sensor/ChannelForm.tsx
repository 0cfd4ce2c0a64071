import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DIGITAL, NO_ALARM_STATE } from '../../../domain/datapoint.ts';
import { DescriptionField } from '../../kit/record/DescriptionField.tsx';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { useRecordForm } from '../../kit/record/useRecordForm.ts';
import { offerStep } from '../../kit/setup/offered-step.ts';
import { afterChannel, type SensorPlace } from '../../kit/setup/setup-steps.ts';
import { ColorField, isColor } from '../../ui/ColorField.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { RecipientsAfterRename, useConfirmDisable } from '../rule/index.ts';
import { ChannelPreview } from './ChannelPreview.tsx';
import {
  type ChannelRow,
  createChannel,
  datapointsOfChannel,
  datapointsOfChannelQuery,
  deleteChannel,
  fetchChannel,
  updateChannel,
} from './channel.queries.ts';
import { tileTypeOf } from './channel-preview.ts';
import {
  alarmNameOf,
  type ChannelValues,
  channelErrors,
  lookOf,
  newChannel,
  sentOf,
  valuesOf,
} from './channel-values.ts';
import type { Sensor } from './sensor.queries.ts';
import { onlyAssetOf } from './sensor-asset.queries.ts';
import { digitalAlarmProblem } from './sensor-words.ts';

const labels = {
  channelNumber: 'Number',
  name: 'Name',
  channelTitleText: 'Title on the tile',
  description: 'Description',
  channelLowText: 'Text when low',
  channelHighText: 'Text when high',
  channelAlarmCondition: 'Digital alarm',
  channelMajorAlarmStatus: 'Major alarm',
  channelNormalColor: 'Normal colour',
  channelAlarmColor: 'Alarm colour',
  channelFactor: 'Factor',
  channelOffset: 'Offset',
  channelDecimals: 'Decimals',
} as const satisfies Record<keyof ChannelValues, string>;

/** Value in the form for a channel without a digital alarm. */
const NO_ALARM = String(NO_ALARM_STATE);

const conditions = [
  { value: NO_ALARM, label: 'None' },
  { value: '0', label: 'When low' },
  { value: '1', label: 'When high' },
];

interface ChannelFormProps {
  sensor: Sensor;
  /** Stored channel; undefined for a new channel. */
  channel: ChannelRow | undefined;
  /** Channel numbers already in use. */
  taken: readonly number[];
  /** Asset and site of the sensor, needed for the next setup step. */
  place: SensorPlace;
  onClose: () => void;
}

/** Form for adding or editing one channel of a sensor, with a preview of its tile. */
export function ChannelForm({ sensor, channel, taken, place, onClose }: ChannelFormProps) {
  const client = useQueryClient();
  const { agreed, question } = useConfirmDisable({ does: 'Switch off', keeps: 'Keep on' });
  const record = useRecordForm<ChannelValues>({
    name: `sensor ${sensor.uuid} channel ${channel?.uuid ?? 'new'}`,
    seen: channel
      ? { values: valuesOf(channel), mark: channel.updatedAt }
      : { values: newChannel(taken), mark: undefined },
    validate: (values) => channelErrors(values, isColor),
    agree: async ({ channelAlarmCondition }) => {
      const before = channel && valuesOf(channel).channelAlarmCondition;
      if (!before || before === NO_ALARM || channelAlarmCondition !== NO_ALARM) return true;
      return agreed((await datapointsOfChannel(channel.uuid)).map(({ uuid }) => uuid));
    },
    save: async (values, mark) => {
      const sent = sentOf(values);
      if (channel) await updateChannel(channel.uuid, { ...sent, updatedAt: mark ?? null });
      const added = channel ? null : await createChannel({ ...sent, tocsinSensorUuid: sensor.uuid });
      await client.invalidateQueries({ queryKey: ['sensor'] });
      toast.success(savedWords(`Channel ${values.name}`, !channel));
      if (added !== null) {
        const asset = place.asset ?? (await onlyAssetOf(sensor.uuid).catch(() => undefined));
        offerStep(afterChannel({ uuid: added, name: values.name.trim() }, sensor.uuid, { ...place, asset }));
      }
    },
    reload: async () => {
      const now = channel && (await fetchChannel(sensor.uuid, channel.uuid));
      return now ? { values: valuesOf(now), mark: now.updatedAt } : null;
    },
  });
  const { form } = record;
  const values = form.getValues();
  const shownBy = useQuery(datapointsOfChannelQuery(channel?.uuid)).data ?? [];
  const alarmSites = shownBy.flatMap(({ sensorType, asset }) =>
    sensorType === DIGITAL ? (asset?.site?.uuid ?? []) : [],
  );
  const tileType = tileTypeOf(
    sensor.sensorType,
    shownBy.map(({ sensorType }) => sensorType),
  );
  return (
    <>
      <RecordPanel
        title={channel ? `${sensor.uid}: ${channel.name}` : `${sensor.uid}: new channel`}
        record={record}
        labels={labels}
        onClose={onClose}
        deletion={
          channel && {
            noun: 'sensor_channel',
            uuid: channel.uuid,
            name: `${sensor.uid}: ${channel.name}`,
            remove: () => deleteChannel(channel.uuid),
          }
        }
      >
        <FieldPair>
          <NumberField label={labels.channelNumber} least={0} {...form.getInputProps('channelNumber')} />
          <TextInput label={labels.name} maxLength={200} {...form.getInputProps('name')} />
        </FieldPair>
        <div>
          <TextInput
            label={labels.channelTitleText}
            description="If empty, the tile shows the name."
            maxLength={100}
            {...form.getInputProps('channelTitleText')}
          />
          {channel && channel.channelAlarmCondition !== NO_ALARM_STATE && values.channelAlarmCondition !== NO_ALARM ? (
            <RecipientsAfterRename
              sites={[...new Set(alarmSites)]}
              stored={alarmNameOf(channel)}
              name={alarmNameOf(values)}
            />
          ) : null}
        </div>
        <ChannelPreview key={tileType} channel={lookOf(values)} sensorType={tileType} />
        <FieldPair>
          <TextInput label={labels.channelLowText} maxLength={100} {...form.getInputProps('channelLowText')} />
          <TextInput label={labels.channelHighText} maxLength={100} {...form.getInputProps('channelHighText')} />
        </FieldPair>
        <FieldPair>
          <NativeSelect
            label={labels.channelAlarmCondition}
            description={digitalAlarmProblem(shownBy.map(({ sensorType }) => sensorType))}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={conditions}
            {...form.getInputProps('channelAlarmCondition')}
          />
          <Checkbox
            mt={28}
            label={labels.channelMajorAlarmStatus}
            disabled={values.channelAlarmCondition === NO_ALARM}
            {...form.getInputProps('channelMajorAlarmStatus', { type: 'checkbox' })}
          />
        </FieldPair>
        <FieldPair>
          <ColorField label={labels.channelNormalColor} {...form.getInputProps('channelNormalColor')} />
          <ColorField label={labels.channelAlarmColor} {...form.getInputProps('channelAlarmColor')} />
        </FieldPair>
        <FieldPair>
          <NumberField label={labels.channelFactor} {...form.getInputProps('channelFactor')} />
          <NumberField label={labels.channelOffset} {...form.getInputProps('channelOffset')} />
        </FieldPair>
        <NumberField
          label={labels.channelDecimals}
          description="Stored value = raw value × factor + offset, rounded to this many decimals. Leave empty for no rounding."
          least={0}
          {...form.getInputProps('channelDecimals')}
        />
        <DescriptionField label={labels.description} {...form.getInputProps('description')} />
      </RecordPanel>
      {question}
    </>
  );
}
