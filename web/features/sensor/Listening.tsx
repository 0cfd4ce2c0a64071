import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TbAlertTriangle, TbCheck } from 'react-icons/tb';
import { messageOf } from '../../api/http.ts';
import { Age } from '../../ui/time/Age.tsx';
import { isRejected, isUseless, protocolName, readFrame, readingLine } from '../sensor-log/index.ts';
import classes from './DeviceTab.module.css';
import { newestFrameQuery, type Sensor } from './sensor.queries.ts';

const DISABLED = 0;

interface ListeningProps {
  sensor: Sensor;
  /** Opens the form for a new channel; undefined if the user is not allowed to add channels. */
  onNewChannel: (() => void) | undefined;
}

/** Waits for data from the device. Shows the last frame that arrived, or why the device was rejected. */
export function Listening({ sensor, onNewChannel }: ListeningProps) {
  const newest = useQuery(newestFrameQuery(sensor));
  const { frame, through, alarm } = newest.data ?? { frame: null, through: null, alarm: null };
  if (through) {
    return (
      <section className={classes.listening} role="status" aria-label="Listening">
        <TbCheck size={16} strokeWidth={1.75} aria-hidden />
        <div className={classes.frame}>
          <b>
            Data arrived through the gateway {through.gateway}, <Age at={through.at} /> ago
          </b>
          <span>
            The gateway’s calls are in the{' '}
            <Link to="/admin/sensor-log" search={{ q: through.gateway }}>
              sensor log
            </Link>
            .
          </span>
          <OpenAlarm alarm={alarm} />
          <NoChannels sensor={sensor} onNewChannel={onNewChannel} />
        </div>
      </section>
    );
  }
  if (frame) {
    const reading = readFrame(frame, sensor.frameFormat);
    const line = readingLine(reading, frame.problem);
    const unknownChannel = reading.problem === null && frame.problem?.includes('has no channel') === true;
    const rejected = isRejected(frame);
    const Icon = frame.problem === null ? TbCheck : TbAlertTriangle;
    return (
      <section className={classes.listening} role="status" aria-label="Listening">
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        <div className={classes.frame}>
          <b>
            {frame.problem === null
              ? 'A frame arrived'
              : rejected
                ? 'The device was rejected'
                : reading.problem === null
                  ? isUseless(reading, frame.problem)
                    ? 'Frame rejected'
                    : 'Frame partly rejected'
                  : 'Frame rejected: it could not be decoded'}
            , <Age at={frame.dateTime} /> ago{frame.protocol ? `, by ${protocolName(frame)}` : ''}
          </b>
          {rejected ? null : <code>{frame.rawData.slice(0, 400) || '(empty)'}</code>}
          {line === '' ? null : <span>Decoded: {line}</span>}
          {frame.problem === null ? null : <span className={classes.problem}>{frame.problem}</span>}
          {frame.note === null ? null : <span>{frame.note}</span>}
          <OpenAlarm alarm={alarm} />
          {unknownChannel ? (
            <NewChannel onNewChannel={onNewChannel} />
          ) : (
            <NoChannels sensor={sensor} onNewChannel={onNewChannel} />
          )}
        </div>
      </section>
    );
  }
  return (
    <section className={classes.listening} role="status" aria-label="Listening">
      <span className={classes.dot} aria-hidden />
      <div className={classes.frame}>
        <b>{newest.isError ? 'The last frame could not be loaded' : 'Listening'}</b>
        <span>
          {newest.isError
            ? messageOf(newest.error)
            : sensor.status === DISABLED
              ? 'The sensor is disabled, so its device is rejected. Set the sensor to active first.'
              : sensor.gateway
                ? `The gateway ${sensor.gateway.uid} has not forwarded any values yet. Values appear here when they arrive.`
                : 'No frame has arrived yet. Send a frame to see it here.'}
        </span>
        <NoChannels sensor={sensor} onNewChannel={onNewChannel} />
      </div>
    </section>
  );
}

function OpenAlarm({ alarm }: { alarm: { uuid: string; message: string } | null }) {
  if (!alarm) return null;
  return (
    <span>
      Open alarm:{' '}
      <Link to="/dashboard/alarms/$uuid" params={{ uuid: alarm.uuid }}>
        {alarm.message}
      </Link>
    </span>
  );
}

function NoChannels({ sensor, onNewChannel }: ListeningProps) {
  if (sensor.sensorChannels.totalCount > 0) return null;
  return (
    <>
      <span>The sensor has no channels yet, so its values are rejected.</span>
      <NewChannel onNewChannel={onNewChannel} />
    </>
  );
}

function NewChannel({ onNewChannel }: Pick<ListeningProps, 'onNewChannel'>) {
  if (!onNewChannel) return null;
  return (
    <Button className={classes.newChannel} variant="default" size="xs" onClick={onNewChannel}>
      Add channel
    </Button>
  );
}
