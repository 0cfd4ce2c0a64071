import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TbAlertTriangle } from 'react-icons/tb';
import { notBehindGateway, notRegistered } from '../../../domain/frame/gateway-call.ts';
import { unmatchedAckText, valueProblemText } from '../../../domain/frame/problem.ts';
import { formatMoment } from '../../kit/format/date-time.ts';
import { counted, formatNumber } from '../../kit/format/number.ts';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import { usePublicConfig } from '../../kit/session/public-config.ts';
import { writeExactly } from '../../ui/formats.ts';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { now } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import classes from './Decoder.module.css';
import { type Reading, readFrame } from './decoded-frame.ts';
import { frameFormatWords } from './frame-format.ts';
import { isRejected } from './rejected-device.ts';
import { commandsQuery, keyOfCommand, type SensorsByUid, sensorsByUidQuery } from './sensor-log.queries.ts';

/** Frame to decode: either a frame from the log or an empty one. */
export interface Trial {
  uid: string;
  rawData: string;
  encoding: string;
  /** Time at which the frame arrived. */
  dateTime?: string;
  /** Problem with this frame, as recorded in the log by the server. */
  problem?: string | null;
  note?: string | null;
}

const OWN = 'own';
const DAY_MS = 86_400_000;
/** Maximum number of frames shown from a gateway's call. A call can contain thousands. */
const MOST_DECODED = 50;

/**
 * Decodes a frame in the same way as the pipeline, but stores nothing. If the user edits a frame, the current time
 * counts as its arrival time.
 */
export function Decoder({ frame, onClose }: { frame: Trial; onClose: () => void }) {
  const { keepReadingsDays } = usePublicConfig();
  const [raw, setRaw] = useState(() => ({
    rawData: frame.rawData,
    encoding: isRejected(frame) ? 'text' : frame.encoding,
    at: (frame.dateTime === undefined ? now() : new Date(frame.dateTime)).getTime(),
  }));
  const [uid, setUid] = useState(frame.uid);
  const [format, setFormat] = useState(OWN);
  const speaker = uid.trim();
  const brought = readFrame(raw, 'auto').brings.slice(0, MOST_DECODED);
  const uids = [speaker, ...brought.map((one) => one.uid)].filter((one) => one !== '');
  const sensors = useQuery(sensorsByUidQuery([...new Set(uids)])).data;
  const sensor = sensors?.get(speaker);
  const behind = new Map([...(sensors ?? [])].map(([one, { channels }]) => [one, channels]));
  const arrival = { at: raw.at, oldest: raw.at - keepReadingsDays * DAY_MS };
  const wanted = format === OWN ? (sensor?.frameFormat ?? 'auto') : format;
  const reading = readFrame(raw, wanted, sensor?.channels, arrival, behind);
  const left = reading.brings.length - MOST_DECODED;
  const parts = brought.length > 0 ? reading.brings.slice(0, MOST_DECODED) : [{ uid: speaker, reading }];
  const named = parts.flatMap((part) => part.reading.confirmations.map(({ id }) => ({ uid: part.uid, id })));
  const commands = useQuery(commandsQuery(named.filter((one) => sensors?.has(one.uid)))).data;
  return (
    <SidePanel title="Decoder" onClose={onClose}>
      <Textarea
        className={classes.raw}
        label="Frame"
        description={
          raw.encoding === 'base64' ? 'Binary data, shown as base64.' : 'The decoder does not store the frame.'
        }
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        value={raw.rawData}
        onChange={(event) => setRaw({ rawData: event.currentTarget.value, encoding: 'text', at: now().getTime() })}
      />
      <FieldPair>
        <TextInput
          label="UID"
          description={
            speaker === ''
              ? 'Enter a UID to show channel names.'
              : sensors && !sensor
                ? 'No sensor has this UID.'
                : undefined
          }
          value={uid}
          onChange={(event) => setUid(event.currentTarget.value)}
        />
        <NativeSelect
          label="Format"
          data={[
            { value: OWN, label: 'The sensor’s format' },
            ...Object.entries(frameFormatWords).map(([value, label]) => ({ value, label })),
          ]}
          value={format}
          onChange={(event) => setFormat(event.currentTarget.value)}
        />
      </FieldPair>
      {frame.problem || frame.note ? (
        <section className={classes.result} aria-label="Recorded on arrival">
          <h3>Recorded on arrival</h3>
          {frame.problem ? <Problem>{frame.problem}</Problem> : null}
          {frame.note ? <p className={classes.quiet}>{frame.note}</p> : null}
        </section>
      ) : null}
      <section className={classes.result} aria-label="Decoded" aria-live="polite">
        <h3>Decoded</h3>
        {raw.rawData === '' ? (
          <p className={classes.quiet}>Paste a frame to decode it.</p>
        ) : (
          parts.map((part, index) => (
            <Part
              // biome-ignore lint/suspicious/noArrayIndexKey: a call may contain several frames of the same sensor.
              key={index}
              {...part}
              brought={brought.length > 0}
              problem={sensors ? problemOfUid(part.uid, speaker, sensors) : null}
              commands={commands}
            />
          ))
        )}
        {left > 0 ? <p className={classes.quiet}>And {counted(left, 'more frame')}, decoded in the same way.</p> : null}
      </section>
    </SidePanel>
  );
}

function Problem({ children }: { children: string }) {
  return (
    <p className={classes.problem}>
      <TbAlertTriangle size={16} strokeWidth={1.75} aria-hidden />
      {children}
    </p>
  );
}

interface PartProps {
  uid: string;
  reading: Reading;
  /** True if the frame is part of a gateway's call. */
  brought: boolean;
  /** Reason why nothing from the frame would be stored, or null. */
  problem: string | null;
  commands: ReadonlySet<string> | undefined;
}

/** Shows a decoded frame. The heading of a frame from a gateway's call is its uid. */
function Part({ uid, reading, brought, problem, commands }: PartProps) {
  const unknown =
    commands && problem === null
      ? reading.confirmations.filter(({ id }) => !commands.has(keyOfCommand({ uid, id })))
      : [];
  const notes = [...reading.notes, ...unknown.map(({ id }) => unmatchedAckText(id))];
  const content = (
    <>
      {problem === null ? null : <Problem>{problem}</Problem>}
      {reading.problem === null ? (
        <Result reading={{ ...reading, notes }} isTaken={problem === null} />
      ) : (
        <Problem>{reading.problem}</Problem>
      )}
    </>
  );
  if (!brought) return content;
  return (
    <section className={classes.result} aria-label={uid}>
      <h4>{uid}</h4>
      {content}
    </section>
  );
}

/**
 * Returns why a frame with this uid is rejected; null if it is accepted. A gateway is allowed to send frames for itself
 * and for the sensors assigned to it.
 */
function problemOfUid(uid: string, gateway: string, sensors: SensorsByUid): string | null {
  const sensor = sensors.get(uid);
  if (uid === '') return null;
  if (!sensor) return notRegistered(uid);
  return gateway === '' || uid === gateway || sensor.gateway?.uid === gateway ? null : notBehindGateway(uid, gateway);
}

/** Shows the decoded values of a frame. `isTaken` is false for a rejected frame, from which nothing is stored. */
function Result({ reading, isTaken }: { reading: Reading; isTaken: boolean }) {
  const { samples, refused, notes, gsm, confirmations } = reading;
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
                // biome-ignore lint/suspicious/noArrayIndexKey: a frame may repeat a line, so only the index is unique.
                <tr key={index}>
                  <th scope="row">
                    {sample.name && sample.name !== sample.channel
                      ? `${sample.channel} ${sample.name}`
                      : sample.channel}
                  </th>
                  <td data-number>{writeExactly(sample.sent)}</td>
                  <td data-number>{sample.name === null || !isTaken ? '–' : writeExactly(sample.stored)}</td>
                  <td>{sample.time === undefined ? 'When received' : formatMoment(new Date(sample.time), timeZone)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {refused.map(({ channel, because, sentence }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a frame may contain the same channel twice.
        <Problem key={`${index} ${channel}`}>{valueProblemText(channel, because, sentence)}</Problem>
      ))}
      {notes.map((note) => (
        <p key={note} className={classes.quiet}>
          {note}
        </p>
      ))}
      {gsm.provider === undefined && gsm.signal === undefined ? null : (
        <p>
          Network {gsm.provider ?? 'unknown'}
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
