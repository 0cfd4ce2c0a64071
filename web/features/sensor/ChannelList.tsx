import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TbCpu, TbPlus } from 'react-icons/tb';
import { messageOf } from '../../api/http.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import classes from './ChannelList.module.css';
import { type ChannelRow, sensorChannelsQuery } from './channel.queries.ts';
import { alarmWords, scalingWords } from './sensor-words.ts';

interface ChannelListProps {
  sensor: string;
  onOpen: (channel: string) => void;
  onNew: (() => void) | undefined;
}

/** Lists the channels of one sensor by number. Clicking a row opens the channel's form. */
export function ChannelList({ sensor, onOpen, onNew }: ChannelListProps) {
  const channels = useQuery(sensorChannelsQuery(sensor));
  if (channels.isError) {
    return (
      <ErrorState title="The channels could not be loaded" onRetry={() => void channels.refetch()}>
        {messageOf(channels.error)}
      </ErrorState>
    );
  }
  return (
    <>
      {channels.data === undefined ? (
        <Skeleton width="60%" />
      ) : channels.data.length === 0 ? (
        <EmptyState icon={TbCpu} title="No channels yet">
          A channel is one value that the device sends, identified by a number or name.
        </EmptyState>
      ) : (
        <ol className={classes.list} aria-label="Channels">
          {channels.data.map((channel) => (
            <li key={channel.uuid}>
              <Channel channel={channel} onOpen={onOpen} />
            </li>
          ))}
        </ol>
      )}
      {onNew ? (
        <div>
          <Button
            variant="default"
            leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />}
            disabled={channels.data === undefined}
            onClick={onNew}
          >
            New channel
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Channel({ channel, onOpen }: { channel: ChannelRow; onOpen: (channel: string) => void }) {
  const words = [channel.channelTitleText, alarmWords(channel), scalingWords(channel)].filter(Boolean).join(', ');
  return (
    <button type="button" className={classes.channel} onClick={() => onOpen(channel.uuid)}>
      <span className={classes.number}>{channel.channelNumber}</span>
      <span className={classes.name}>
        {channel.name}
        {words ? <span className={classes.words}>{words}</span> : null}
      </span>
      <span className={classes.swatches} aria-hidden>
        <i style={{ background: channel.channelNormalColor }} />
        <i style={{ background: channel.channelAlarmColor }} />
      </span>
    </button>
  );
}
