import { withMinusSign } from '../../../domain/alarm/number-text.ts';
import { channelKeys, findChannel } from '../../../domain/frame/channel-keys.ts';
import { decodeFrame } from '../../../domain/frame/decode.ts';
import { type Decoded, type FrameFormat, frameFormats } from '../../../domain/frame/frame.ts';
import { decodeForwarded, readGatewayCall, type UnreadableCall } from '../../../domain/frame/gateway-call.ts';
import {
  type ChannelProblem,
  channelProblems,
  MAX_SENTENCES,
  omittedCount,
  valueProblems,
  valueProblemText,
} from '../../../domain/frame/problem.ts';
import { scale } from '../../../domain/frame/scale.ts';
import { isSparkplugText } from '../../../domain/frame/sparkplug.ts';
import { checkDeviceTime, clockNotes } from '../../../domain/frame/when.ts';
import { isRejected } from './rejected-device.ts';

/** Frame from the log. Its data is text, or binary data as base64; it is empty for a rejected device. */
export interface RawFrame {
  rawData: string;
  encoding: string;
}

export interface KnownChannel {
  channelNumber: number;
  name: string;
  channelFactor: number;
  channelOffset: number;
  channelDecimals: number | null;
}

export interface ReadSample {
  /** Channel number or name in the frame. */
  channel: string;
  /** Name of the channel; null if the sensor is unknown. */
  name: string | null;
  sent: number;
  /** Stored value, after scaling. */
  stored: number;
  /** Device time of the value; undefined if the server time is used instead. */
  time: number | undefined;
}

/**
 * Arrival time of a frame, and the oldest device time that the server still stored when it arrived. Device times are
 * checked against both.
 */
export interface Arrival {
  at: number;
  oldest: number;
}

export interface Reading {
  /** Reason why the frame could not be decoded, or null. */
  problem: string | null;
  samples: ReadSample[];
  refused: { channel: string; because: string; sentence: string }[];
  /** Notes about device times that were replaced with the server time. */
  notes: string[];
  gsm: { provider?: string; signal?: number };
  confirmations: { id: number; reply: string }[];
  /** Frames in a gateway's call; an empty list for a single frame. */
  brings: { uid: string; reading: Reading }[];
}

/** Channels of the sensors behind a gateway, keyed by the sensor's uid. */
export type ChannelsBehind = ReadonlyMap<string, readonly KnownChannel[]>;

const nothing = { samples: [], refused: [], notes: [], gsm: {}, confirmations: [], brings: [] };

/** Returns the display name of a frame's protocol. */
export function protocolName({ protocol, rawData }: { protocol: string; rawData: string }): string {
  return protocol === 'mqtt' && isSparkplugText(rawData) ? 'Sparkplug' : protocol.toUpperCase();
}

/**
 * Decodes a frame in the same way as the pipeline. With `channels`, the result contains the stored values. With
 * `arrival`, the device times are checked.
 */
export function readFrame(
  frame: RawFrame,
  format: string,
  channels?: readonly KnownChannel[],
  arrival?: Arrival,
  behind?: ChannelsBehind,
): Reading {
  if (isRejected(frame)) return { ...nothing, problem: 'No frame was recorded.' };
  const body = frame.encoding === 'base64' ? bytesOf(frame.rawData) : frame.rawData;
  if (body === undefined) return { ...nothing, problem: 'The data is not valid base64.' };
  const call = callOf(body);
  if (!call) return readDecoded(decodeFrame(body, formatOf(body, format)), channels, arrival);
  if ('ok' in call) return { ...nothing, problem: call.sentence };
  const brings = call.map(({ uid, frame: brought }) => ({
    uid,
    reading: readDecoded(decodeForwarded({ frame: brought }), behind?.get(uid), arrival),
  }));
  return { ...nothing, problem: null, brings };
}

function readDecoded(
  decoded: Decoded,
  channels: readonly KnownChannel[] | undefined,
  arrival: Arrival | undefined,
): Reading {
  if (!decoded.ok) return { ...nothing, problem: decoded.sentence };
  const { values: samples, refused, gsm, confirmations } = decoded.frame;
  const reading: Reading = { ...nothing, problem: null, samples: [], refused: [...refused], gsm, confirmations };
  const notes = new Set<string>();
  const keys = channels && channelKeys(channels, ({ channelNumber, name }) => ({ number: channelNumber, name }));
  for (const { channel: key, value, time } of samples) {
    const channel = keys && findChannel(keys, key);
    if (channels && !channel) {
      reading.refused.push(notStored(key, 'unknown-channel'));
      continue;
    }
    const stored = channel ? scale(value, scalingOf(channel)) : value;
    if (stored === undefined) {
      reading.refused.push(notStored(key, 'out-of-range'));
      continue;
    }
    const checked = arrival ? checkDeviceTime(time, arrival.at, arrival.oldest) : undefined;
    if (checked && 'refused' in checked) {
      reading.refused.push(notStored(key, checked.refused));
      continue;
    }
    if (checked?.mark) notes.add(clockNotes[checked.mark]);
    const sample = { channel: key, name: channel?.name ?? null, sent: value, stored };
    reading.samples.push({ ...sample, time: checked?.mark ? undefined : time });
  }
  return { ...reading, notes: [...notes] };
}

/**
 * Parses a gateway's call. Returns undefined if the body is a single frame. In a call, at least one frame has a uid, or
 * the list of frames is empty.
 */
function callOf(body: Uint8Array | string): ReturnType<typeof readGatewayCall> | undefined {
  if (typeof body !== 'string' || !/"(uid|frames)"/.test(body)) return undefined;
  const frames = readGatewayCall(body);
  if (!body.includes('"uid"')) return 'ok' in frames && frames.because === 'empty' ? frames : undefined;
  return 'ok' in frames && isNoCall(frames) ? undefined : frames;
}

function isNoCall({ because }: UnreadableCall): boolean {
  return because === 'not-json' || because === 'no-frames';
}

/**
 * Returns the format in which to decode the body. Sparkplug messages are logged as JSON, regardless of the sensor's
 * format.
 */
function formatOf(body: Uint8Array | string, format: string): FrameFormat {
  if (typeof body === 'string' && isSparkplugText(body)) return 'json';
  return frameFormats.find((known) => known === format) ?? 'auto';
}

function scalingOf({ channelFactor, channelOffset, channelDecimals }: KnownChannel) {
  return { factor: channelFactor, offset: channelOffset, decimals: channelDecimals };
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function notStored(channel: string, because: ChannelProblem) {
  return { channel, because, sentence: valueProblems[because](channel) };
}

/** Value of a frame in the log. `refused` is the reason why it was not stored; null if it was stored. */
export interface Pair {
  text: string;
  refused: string | null;
}

/** Short reasons why a value was not stored. The full explanation is shown next to the raw data. */
const channelWords: Readonly<Record<ChannelProblem, string>> = {
  'unknown-channel': 'no such channel',
  'out-of-range': 'out of range',
  'too-old': 'too old',
};

/** Short reasons why a value could not be decoded. */
const reasonWords: Readonly<Record<string, string>> = {
  'not-a-number': 'not a number',
  'not-finite': 'not a finite number',
  'out-of-range': 'out of range',
  'bad-name': 'not a channel name',
  'unknown-alias': 'unknown alias',
  'bad-time': 'invalid time',
  'bad-signal': 'not a signal',
  'bad-confirmation': 'not a command',
};

/** One-line summary of a frame, with the result of each value. */
export interface FrameLine {
  pairs: Pair[];
  /** Summary of the values that are not shown: `and 4 more, 2 of them refused`. */
  more: string;
  /**
   * Network data, and the commands that the device confirmed with its reply. Such a command might not exist on the
   * server.
   */
  besides: string[];
  /** True if the server stored nothing from the frame. */
  useless: boolean;
}

const MOST_SHOWN = 8;

/**
 * Summarizes a frame with the results that the server recorded when the frame arrived. Later changes to the channels do
 * not affect the summary.
 */
export function frameLine(
  { samples, refused, gsm, confirmations }: Reading,
  problem: string | null,
  most = MOST_SHOWN,
): FrameLine {
  const isNamed = (channel: string, because: string, sentence: string) =>
    problem?.includes(valueProblemText(channel, because, sentence)) === true;
  const said = samples.map(({ channel, sent }) => ({
    text: `${channel} = ${withMinusSign(String(sent))}`,
    because: channelProblems.find((one) => isNamed(channel, one, valueProblems[one](channel))),
  }));
  const unread = refused.map(({ channel, because }) => ({ text: channel, refused: reasonWords[because] ?? because }));
  const ofValues =
    problem === null ||
    said.some(({ because }) => because !== undefined) ||
    refused.some(({ channel, because, sentence }) => isNamed(channel, because, sentence));
  const all = said.length + unread.length;
  const omitted = problem === null ? 0 : omittedCount(problem);
  const count = ofValues ? said.filter(({ because }) => because !== undefined).length + unread.length : all;
  const refusedCount = Math.min(all, Math.max(count, omitted > 0 ? MAX_SENTENCES + omitted : 0));
  const pairs: Pair[] = said
    // The log contains only the first problems, so the results of later values are unknown.
    .filter(({ because }) => because !== undefined || omitted === 0 || refusedCount === all)
    .map(({ text, because }) => {
      if (because !== undefined) return { text, refused: channelWords[because] };
      return { text, refused: ofValues && refusedCount < all ? null : 'not stored' };
    });
  const shown = [...pairs, ...unread].slice(0, most);
  const hidden = all - shown.length;
  const hiddenRefused = refusedCount - shown.filter((pair) => pair.refused !== null).length;
  const which = hiddenRefused === hidden ? ', refused' : hiddenRefused > 0 ? `, ${hiddenRefused} of them refused` : '';
  const besides = [
    ...(gsm.provider === undefined ? [] : [gsm.provider]),
    ...(gsm.signal === undefined ? [] : [`${withMinusSign(String(gsm.signal))} dBm`]),
    ...confirmations.map(({ id, reply }) => (reply === '' ? `ack ${id}` : `ack ${id}: ${shortReply(reply)}`)),
  ];
  return {
    pairs: shown,
    more: hidden > 0 ? `and ${hidden} more${which}` : '',
    besides,
    useless: refusedCount === all && besides.length === 0,
  };
}

/** Maximum number of characters shown from a reply. A reply can have thousands; the decoder shows all of them. */
const MOST_OF_REPLY = 80;

function shortReply(reply: string): string {
  const letters = [...reply];
  return letters.length > MOST_OF_REPLY ? `${letters.slice(0, MOST_OF_REPLY).join('')}…` : reply;
}

/** Joins the parts of a summary in one line: `1 = 20.5, 9 = 1 (refused: no such channel), and 4 more`. */
export function lineText({ pairs, more, besides }: FrameLine): string {
  const texts = pairs.map(({ text, refused }) => (refused === null ? text : `${text} (refused: ${refused})`));
  return [...texts, ...(more === '' ? [] : [more]), ...besides].join(', ');
}
