import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOfValue } from '../../../domain/frame/problem.ts';
import { writeExactly } from '../../ui/formats.ts';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { now } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { usePublicConfig } from '../auth/public-config.ts';
import { formatMoment } from '../list/moment.ts';
import { formatNumber } from '../list/number.ts';
import { Pair } from '../record/Pair.tsx';
import { frameFormatWords } from '../sensor/sensor-words.ts';
import classes from './Decoder.module.css';
import { broughtWords, type Reading, readFrame } from './reading.ts';
import { sensorByUidQuery } from './sensor-log.queries.ts';
import { isTurnedAway } from './turned-away.ts';

/** A frame to be tried: one of the log, or nothing yet. */
export interface Trial {
  uid: string;
  rawData: string;
  encoding: string;
  /** When it arrived. */
  dateTime?: string;
  /** Why the server could not use it, and what it took otherwise, when it arrived. */
  problem?: string | null;
  note?: string | null;
}

const OWN = 'own';
const DAY_MS = 86_400_000;

/** Reads a frame as the pipeline would, while it is typed, and stores nothing. What is typed arrives at that moment. */
export function Decoder({ frame, onClose }: { frame: Trial; onClose: () => void }) {
  const { keepReadingsDays } = usePublicConfig();
  const [raw, setRaw] = useState(() => ({
    rawData: frame.rawData,
    encoding: isTurnedAway(frame) ? 'text' : frame.encoding,
    at: (frame.dateTime === undefined ? now() : new Date(frame.dateTime)).getTime(),
  }));
  const [uid, setUid] = useState(frame.uid);
  const [format, setFormat] = useState(OWN);
  const sensor = useQuery(sensorByUidQuery(uid.trim())).data;
  const own = sensor?.frameFormat ?? 'auto';
  const reading = readFrame(raw, format === OWN ? own : format, sensor?.channels, {
    at: raw.at,
    oldest: raw.at - keepReadingsDays * DAY_MS,
  });
  return (
    <SidePanel title="Decoder" onClose={onClose}>
      <Textarea
        className={classes.raw}
        label="Frame"
        description={
          raw.encoding === 'base64'
            ? 'These bytes are no text, so they stand here as base64.'
            : 'Nothing of this is stored.'
        }
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        value={raw.rawData}
        onChange={(event) => setRaw({ rawData: event.currentTarget.value, encoding: 'text', at: now().getTime() })}
      />
      <Pair>
        <TextInput
          label="UID"
          description={uid.trim() === '' ? 'For its channels' : sensor === null ? 'No sensor has this UID.' : undefined}
          value={uid}
          onChange={(event) => setUid(event.currentTarget.value)}
        />
        <NativeSelect
          label="Format"
          data={[
            { value: OWN, label: 'As the sensor writes' },
            ...Object.entries(frameFormatWords).map(([value, label]) => ({ value, label })),
          ]}
          value={format}
          onChange={(event) => setFormat(event.currentTarget.value)}
        />
      </Pair>
      {frame.problem || frame.note ? (
        <section className={classes.result} aria-label="When it arrived">
          <h3>When it arrived</h3>
          {frame.problem ? <Problem>{frame.problem}</Problem> : null}
          {frame.note ? <p className={classes.quiet}>{frame.note}</p> : null}
        </section>
      ) : null}
      <section className={classes.result} aria-label="Decoded" aria-live="polite">
        <h3>Decoded</h3>
        {raw.rawData === '' ? (
          <p className={classes.quiet}>Paste a frame to see what it says.</p>
        ) : reading.problem === null ? (
          <Result reading={reading} />
        ) : (
          <Problem>{reading.problem}</Problem>
        )}
      </section>
    </SidePanel>
  );
}

function Problem({ children }: { children: string }) {
  return (
    <p className={classes.problem}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      {children}
    </p>
  );
}

function Result({ reading: { samples, refused, notes, gsm, confirmations, brings } }: { reading: Reading }) {
  const timeZone = useTimeZone();
  return (
    <>
      {samples.length > 0 ? (
        <div className={classes.scroll}>
          <table className={classes.values} aria-label="Values">
            <thead>
              <tr>
                <th scope="col">Channel</th>
                <th scope="col" data-number>
                  Sent
                </th>
                <th scope="col" data-number>
                  Stored
                </th>
                <th scope="col">Time</th>
              </tr>
            </thead>
            <tbody>
              {samples.map((sample, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a frame may say the same twice, and its lines have no identity.
                <tr key={index}>
                  <th scope="row">
                    {sample.name && sample.name !== sample.channel
                      ? `${sample.channel} ${sample.name}`
                      : sample.channel}
                  </th>
                  <td data-number>{writeExactly(sample.sent)}</td>
                  <td data-number>{sample.name === null ? '–' : writeExactly(sample.stored)}</td>
                  <td>{sample.time === undefined ? 'When received' : formatMoment(new Date(sample.time), timeZone)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {brings.length === 0 ? null : (
        <p>A gateway brings {broughtWords(brings)}. Paste one of the frames with its UID to decode it.</p>
      )}
      {refused.map(({ channel, because, sentence }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <Problem key={`${index} ${channel}`}>{problemOfValue(channel, because, sentence)}</Problem>
      ))}
      {notes.map((note) => (
        <p key={note} className={classes.quiet}>
          {note}
        </p>
      ))}
      {gsm.provider === undefined && gsm.signal === undefined ? null : (
        <p>
          Network {gsm.provider ?? 'not named'}
          {gsm.signal === undefined ? '' : `, ${formatNumber(gsm.signal)} dBm`}
        </p>
      )}
      {confirmations.length > 0 ? (
        <ul>
          {confirmations.map(({ id, reply }) => (
            <li key={id}>
              ack {id}
              {reply === '' ? '' : `: ${reply}`}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
