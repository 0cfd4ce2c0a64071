import { IconCpu } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/http.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Text } from '../list/cells.tsx';
import classes from './ChannelList.module.css';
import { type ChannelRow, sensorChannelsQuery } from './sensor.queries.ts';
import { alarmWords } from './sensor-words.ts';

/** The channels of one sensor, below its row. */
export function ChannelList({ sensor, expected }: { sensor: string; expected: number }) {
  const channels = useQuery(sensorChannelsQuery(sensor));
  if (channels.isError) {
    return (
      <ErrorState title="The channels could not be loaded" onRetry={() => void channels.refetch()}>
        {messageOf(channels.error)}
      </ErrorState>
    );
  }
  if (channels.data?.length === 0) {
    return (
      <EmptyState icon={IconCpu} title="No channels yet">
        A channel is one value that the sensor sends.
      </EmptyState>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, and a keyboard must be able to.
    <section className={classes.scroll} aria-label="Channels" tabIndex={0}>
      <table className={classes.channels} aria-label="Channels" aria-busy={channels.data === undefined}>
        <thead>
          <tr>
            <th scope="col">Channel</th>
            <th scope="col">Name</th>
            <th scope="col">Title</th>
            <th scope="col">Low</th>
            <th scope="col">High</th>
            <th scope="col">Alarm by itself</th>
          </tr>
        </thead>
        <tbody>
          {channels.data?.map((channel) => <Channel key={channel.uuid} channel={channel} />) ??
            Array.from({ length: Math.max(1, expected) }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity but their place.
              <tr key={row}>
                <td colSpan={6}>
                  <Skeleton width="60%" />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

function Channel({ channel }: { channel: ChannelRow }) {
  return (
    <tr>
      <td>{channel.channelNumber}</td>
      <td>{channel.name}</td>
      <td>
        <Text>{channel.channelTitleText}</Text>
      </td>
      <td>
        <Text>{channel.channelLowText}</Text>
      </td>
      <td>
        <Text>{channel.channelHighText}</Text>
      </td>
      <td>{alarmWords(channel) ?? <Text>{null}</Text>}</td>
    </tr>
  );
}
