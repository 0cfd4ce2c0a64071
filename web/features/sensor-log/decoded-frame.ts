import { trueMinus } from '../../../domain/alarm/number-text.ts';
import { channelKeys, channelOf } from '../../../domain/frame/channel-keys.ts';
import { decodeFrame } from '../../../domain/frame/decode.ts';
import { type Decoded, type FrameFormat, frameFormats } from '../../../domain/frame/frame.ts';
import { decodeBrought, framesOf, type UnreadableCall } from '../../../domain/frame/gateway-call.ts';
import {
  type ChannelProblem,
  channelProblems,
  leftOut,
  MOST_TOLD,
  problemOfValue,
  valueProblems,
} from '../../../domain/frame/problem.ts';
import { scale } from '../../../domain/frame/scale.ts';
import { isSparkplugText } from '../../../domain/frame/sparkplug.ts';
import { checkDeviceTime, clockNotes } from '../../../domain/frame/when.ts';
import { isRejected } from './rejected-device.ts';

/** A frame as it is kept: text, bytes that are none, as base64, or none at all where the device was turned away. */
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
  /** As the device wrote it. */
  channel: string;
  /** The name of the sensor's channel; null where the sensor is not known. */
  name: string | null;
  sent: number;
  /** What is stored: scaled by the channel. */
  stored: number;
  /** Undefined where the server's counts. */
  time: number | undefined;
}

/** When a frame comes in, and the first moment of which anything is kept then: by them its times are judged. */
export interface Arrival {
  at: number;
  oldest: number;
}

export interface Reading {
  /** Why nothing of the frame could be read. */
  problem: string | null;
  samples: ReadSample[];
  refused: { channel: string; because: string; sentence: string }[];
  /** What is taken otherwise than it was said. */
  notes: string[];
  gsm: { provider?: string; signal?: number };
  confirmations: { id: number; reply: string }[];
  /** The frames of other sensors that a gateway brings in one call. */
  brings: { uid: string; reading: Reading }[];
}

/** The channels of the sensors behind a gateway, by uid. */
export type ChannelsBehind = ReadonlyMap<string, readonly KnownChannel[]>;

const nothing = { samples: [], refused: [], notes: [], gsm: {}, confirmations: [], brings: [] };

/** The way a frame came in, as people call it. */
export function doorWord({ door, rawData }: { door: string; rawData: string }): string {
  return door === 'mqtt' && isSparkplugText(rawData) ? 'Sparkplug' : door.toUpperCase();
}

/**
 * What a frame says, read as the pipeline reads it. With the sensor's channels it also says what would be stored, and with
 * its arrival at which times.
 */
export function readFrame(
  frame: RawFrame,
  format: string,
  channels?: readonly KnownChannel[],
  arrival?: Arrival,
  behind?: ChannelsBehind,
): Reading {
  if (isRejected(frame)) return { ...nothing, problem: 'No frame was kept.' };
  const body = frame.encoding === 'base64' ? bytesOf(frame.rawData) : frame.rawData;
  if (body === undefined) return { ...nothing, problem: 'This is not base64.' };
  const call = callOf(body);
  if (!call) return readDecoded(decodeFrame(body, formatOf(body, format)), channels, arrival);
  if ('ok' in call) return { ...nothing, problem: call.sentence };
  const brings = call.map(({ uid, frame: brought }) => ({
    uid,
    reading: readDecoded(decodeBrought({ frame: brought }), behind?.get(uid), arrival),
  }));
  return { ...nothing, problem: null, brings };
}

function readDecoded(
  decoded: Decoded,
  channels: readonly KnownChannel[] | undefined,
  arrival: Arrival | undefined,
): Reading {
  if (!decoded.ok) return { ...nothing, problem: decoded.sentence };
  const { samples, refused, gsm, confirmations } = decoded.frame;
  const reading: Reading = { ...nothing, problem: null, samples: [], refused: [...refused], gsm, confirmations };
  const notes = new Set<string>();
  const keys = channels && channelKeys(channels, ({ channelNumber, name }) => ({ number: channelNumber, name }));
  for (const { channel: key, value, time } of samples) {
    const channel = keys && channelOf(keys, key);
    if (channels && !channel) {
      reading.refused.push(notStored(key, 'unknown-channel'));
      continue;
    }
    const stored = channel ? scale(value, scalingOf(channel)) : value;
    if (stored === undefined) {
      reading.refused.push(notStored(key, 'out-of-range'));
      continue;
    }
    const judged = arrival ? checkDeviceTime(time, arrival.at, arrival.oldest) : undefined;
    if (judged && 'refused' in judged) {
      reading.refused.push(notStored(key, judged.refused));
      continue;
    }
    if (judged?.mark) notes.add(clockNotes[judged.mark]);
    const sample = { channel: key, name: channel?.name ?? null, sent: value, stored };
    reading.samples.push({ ...sample, time: judged?.mark ? undefined : time });
  }
  return { ...reading, notes: [...notes] };
}

/** A gateway's call is told by its frames, of which one at least names a uid, or by having none under their name. */
function callOf(body: Uint8Array | string): ReturnType<typeof framesOf> | undefined {
  if (typeof body !== 'string' || !/"(uid|frames)"/.test(body)) return undefined;
  const frames = framesOf(body);
  if (!body.includes('"uid"')) return 'ok' in frames && frames.because === 'empty' ? frames : undefined;
  return 'ok' in frames && isNoCall(frames) ? undefined : frames;
}

function isNoCall({ because }: UnreadableCall): boolean {
  return because === 'not-json' || because === 'no-frames';
}

/** A message of Sparkplug is kept as JSON, however the sensor writes otherwise. */
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

/** One value of a frame as the log shows it, and why it was refused; null where it was taken. */
export interface Pair {
  text: string;
  refused: string | null;
}

/** Why a value was not stored, in a few words: the sentence stands beside the raw data. */
const channelWords: Readonly<Record<ChannelProblem, string>> = {
  'unknown-channel': 'no such channel',
  'out-of-range': 'out of range',
  'too-old': 'too old',
};

/** Why it could not even be read, in the same way. */
const reasonWords: Readonly<Record<string, string>> = {
  'not-a-number': 'not a number',
  'not-finite': 'not a finite number',
  'out-of-range': 'out of range',
  'bad-name': 'not a name of a channel',
  'unknown-alias': 'alias not known',
  'bad-time': 'its time cannot be read',
  'bad-signal': 'not a signal',
  'bad-confirmation': 'not a command',
};

/** What a frame says in one line, with what became of each value. */
export interface FrameLine {
  pairs: Pair[];
  /** What there is no room for: `and 4 more, 2 of them refused`. */
  more: string;
  /** The network, and commands that it names as done with what the device replied. Whether there is such a command, the server says. */
  besides: string[];
  /** Whether nothing of it was of any use. */
  useless: boolean;
}

const MOST_SHOWN = 8;

/** What became of the values when the frame arrived: the server's own word on it counts, not the channels of today. */
export function frameLine(
  { samples, refused, gsm, confirmations }: Reading,
  problem: string | null,
  most = MOST_SHOWN,
): FrameLine {
  const told = (channel: string, because: string, sentence: string) =>
    problem?.includes(problemOfValue(channel, because, sentence)) === true;
  const said = samples.map(({ channel, sent }) => ({
    text: `${channel} = ${trueMinus(String(sent))}`,
    because: channelProblems.find((one) => told(channel, one, valueProblems[one](channel))),
  }));
  const unread = refused.map(({ channel, because }) => ({ text: channel, refused: reasonWords[because] ?? because }));
  const ofValues =
    problem === null ||
    said.some(({ because }) => because !== undefined) ||
    refused.some(({ channel, because, sentence }) => told(channel, because, sentence));
  const all = said.length + unread.length;
  const notTold = problem === null ? 0 : leftOut(problem);
  const count = ofValues ? said.filter(({ because }) => because !== undefined).length + unread.length : all;
  const refusedCount = Math.min(all, Math.max(count, notTold > 0 ? MOST_TOLD + notTold : 0));
  const pairs: Pair[] = said
    // Of very many the log tells the first few; what became of the others is not claimed.
    .filter(({ because }) => because !== undefined || notTold === 0 || refusedCount === all)
    .map(({ text, because }) => {
      if (because !== undefined) return { text, refused: channelWords[because] };
      return { text, refused: ofValues && refusedCount < all ? null : 'not taken' };
    });
  const shown = [...pairs, ...unread].slice(0, most);
  const hidden = all - shown.length;
  const hiddenRefused = refusedCount - shown.filter((pair) => pair.refused !== null).length;
  const which = hiddenRefused === hidden ? ', refused' : hiddenRefused > 0 ? `, ${hiddenRefused} of them refused` : '';
  const besides = [
    ...(gsm.provider === undefined ? [] : [gsm.provider]),
    ...(gsm.signal === undefined ? [] : [`${trueMinus(String(gsm.signal))} dBm`]),
    ...confirmations.map(({ id, reply }) => (reply === '' ? `ack ${id}` : `ack ${id}: ${shortReply(reply)}`)),
  ];
  return {
    pairs: shown,
    more: hidden > 0 ? `and ${hidden} more${which}` : '',
    besides,
    useless: refusedCount === all && besides.length === 0,
  };
}

/** A reply may have thousands of letters; the decoder shows all of them. */
const MOST_OF_REPLY = 80;

function shortReply(reply: string): string {
  const letters = [...reply];
  return letters.length > MOST_OF_REPLY ? `${letters.slice(0, MOST_OF_REPLY).join('')}…` : reply;
}

/** Pairs and the rest in one line: `1 = 20.5, 9 = 1 (refused: no such channel)`, and how much more there is. */
export function lineText({ pairs, more, besides }: FrameLine): string {
  const texts = pairs.map(({ text, refused }) => (refused === null ? text : `${text} (refused: ${refused})`));
  return [...texts, ...(more === '' ? [] : [more]), ...besides].join(', ');
}
