import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../api/http.ts';
import { key } from '../../../kit/list/list.ts';
import { LoadedPanel } from '../../../kit/record/LoadedPanel.tsx';
import { NEW, useRecordAddress } from '../../../kit/record/useRecordAddress.ts';
import type { SensorPlace } from '../../../kit/setup/setup-steps.ts';
import { ErrorState } from '../../../ui/Notice.tsx';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { ChannelForm } from '../ChannelForm.tsx';
import { sensorChannelsQuery } from '../channel.queries.ts';
import { SensorForm, type SensorTab } from '../SensorForm.tsx';
import { type Credentials, type Sensor, sensorQuery } from '../sensor.queries.ts';

interface SensorPanelProps {
  /** Uuid of the open sensor, or 'new'. */
  open: string;
  fresh: Credentials | null;
  onFresh: (fresh: Credentials | null) => void;
  tab: SensorTab;
  onTab: (tab: SensorTab) => void;
}

/** Panel beside the table with the form for a new sensor, an existing sensor, or one of its channels. */
export function SensorPanel({ open, fresh, onFresh, tab, onTab }: SensorPanelProps) {
  const address = useRecordAddress();
  const channel = useRecordAddress('channel');
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const place = { asset: key(search.asset), site: key(search.site) };
  // Keep the asset and site in the URL, because the channel's form needs them for the next setup step.
  const kept = { ...(place.asset && { asset: place.asset }), ...(place.site && { site: place.site }) };
  const shared = {
    fresh,
    onFresh,
    tab,
    onTab,
    onClose: address.close,
    onChannel: (uuid: string) => {
      onTab('channels');
      channel.openRecord(uuid, kept);
    },
    onRegistered: (made: Credentials) => {
      onFresh(made);
      onTab('device');
      address.openRecord(made.uuid, kept);
    },
    place,
  };
  if (open === NEW) return <SensorForm key={NEW} sensor={undefined} {...shared} />;
  return (
    <LoadedPanel key={open} noun="Sensor" query={sensorQuery(open)} onClose={address.close}>
      {(sensor) =>
        channel.open === undefined ? (
          <SensorForm sensor={sensor} {...shared} />
        ) : (
          <OneChannel key={channel.open} sensor={sensor} channel={channel.open} place={place} onClose={channel.close} />
        )
      }
    </LoadedPanel>
  );
}

interface OneChannelProps {
  sensor: Sensor;
  channel: string;
  place: SensorPlace;
  onClose: () => void;
}

/** Shows the channel's form once the channels have loaded, because the form reads its initial values only once. */
function OneChannel({ sensor, channel, place, onClose }: OneChannelProps) {
  const channels = useQuery(sensorChannelsQuery(sensor.uuid));
  const [opened] = useState(channel);
  const row = channels.data?.find(({ uuid }) => uuid === opened);
  if (channels.data && (row || opened === NEW)) {
    return (
      <ChannelForm
        sensor={sensor}
        channel={row}
        taken={channels.data.map(({ channelNumber }) => channelNumber)}
        place={place}
        onClose={onClose}
      />
    );
  }
  return (
    <SidePanel title="Channel" onClose={onClose}>
      {channels.isError ? (
        <ErrorState title="The channel could not be loaded" onRetry={() => void channels.refetch()}>
          {messageOf(channels.error)}
        </ErrorState>
      ) : channels.data ? (
        <ErrorState title="Channel not found">It was deleted, or the address is incomplete.</ErrorState>
      ) : (
        <Skeleton width="60%" />
      )}
    </SidePanel>
  );
}
