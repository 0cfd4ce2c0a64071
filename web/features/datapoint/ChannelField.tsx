import { Button, NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { useActor } from '../../kit/session/actor.ts';
import { createChannel, newChannel, sensorChannelsQuery, sentOf } from '../sensor/index.ts';

type ChannelFieldProps = Omit<ComponentProps<typeof NativeSelect>, 'data' | 'onChange'> & {
  /** Uuid of the sensor whose channels the field offers; undefined until a sensor is chosen. */
  sensor: string | undefined;
  /** Name for a new channel that the user adds with this field. If empty, the channel is named “Channel 1”. */
  newName: string;
  /** Called with the channel's uuid and name. The uuid is empty and the name undefined if no channel is chosen. */
  onChoose: (uuid: string, name?: string) => void;
};

/** Field for choosing a channel of a sensor. If the sensor has no channel, the user can add the first one. */
export function ChannelField({ sensor, newName, onChoose, ...field }: ChannelFieldProps) {
  const client = useQueryClient();
  const mayAdd = can(useActor(), 'sensor_channel.create');
  const channels = useQuery({ ...sensorChannelsQuery(sensor ?? ''), enabled: sensor !== undefined }).data;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isEmpty = channels?.length === 0;
  const add = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const values = { ...newChannel([]), name: newName.trim() || 'Channel 1' };
      const uuid = await createChannel({ ...sentOf(values), tocsinSensorUuid: sensor ?? '' });
      await client.invalidateQueries({ queryKey: ['sensor'] });
      onChoose(uuid, values.name);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <NativeSelect
        disabled={channels === undefined}
        data={[
          { value: '', label: isEmpty ? 'The sensor has no channels' : 'Choose' },
          ...(channels ?? []).map(({ uuid, channelNumber, name }) => ({
            value: uuid,
            label: `${channelNumber} ${name}`,
          })),
        ]}
        {...field}
        error={problem ?? field.error}
        onChange={({ currentTarget: { value } }) =>
          onChoose(value, channels?.find((channel) => channel.uuid === value)?.name)
        }
      />
      {isEmpty && mayAdd ? (
        <Button variant="subtle" size="compact-sm" mt={4} loading={busy} onClick={() => void add()}>
          Add channel 1
        </Button>
      ) : null}
    </div>
  );
}
