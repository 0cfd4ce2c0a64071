import { decodeFrame } from '../../../domain/frame/decode.ts';
import { type FrameFormat, frameFormats } from '../../../domain/frame/frame.ts';
import { scale } from '../../../domain/frame/scale.ts';
import { isSparkplugText } from '../../../domain/frame/sparkplug.ts';

/** A frame as it is kept: text, or bytes that are none, as base64. */
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
  time: number | undefined;
}

export interface Reading {
  /** Why nothing of the frame could be read. */
  problem: string | null;
  samples: ReadSample[];
  refused: { channel: string; sentence: string }[];
  gsm: { provider?: string; signal?: number };
  confirmations: { id: number; reply: string }[];
}

const nothing = { samples: [], refused: [], gsm: {}, confirmations: [] };

/** The way a frame came in, as people call it. */
export function doorWord({ door, rawData }: { door: string; rawData: string }): string {
  return door === 'mqtt' && isSparkplugText(rawData) ? 'Sparkplug' : door.toUpperCase();
}

/** What a frame says, read as the pipeline reads it. With the sensor's channels it also says what would be stored. */
export function readFrame(frame: RawFrame, format: string, channels?: readonly KnownChannel[]): Reading {
  const body = frame.encoding === 'base64' ? bytesOf(frame.rawData) : frame.rawData;
  if (body === undefined) return { ...nothing, problem: 'This is not base64.' };
  const decoded = decodeFrame(body, formatOf(body, format));
  if (!decoded.ok) return { ...nothing, problem: decoded.sentence };
  const { samples, refused, gsm, confirmations } = decoded.frame;
  const reading: Reading = { problem: null, samples: [], refused: [...refused], gsm, confirmations };
  for (const { channel: key, value, time } of samples) {
    const channel = channels?.find((known) => isNamed(known, key));
    if (channels && !channel) {
      reading.refused.push({ channel: key, sentence: `The sensor has no channel "${key}".` });
      continue;
    }
    const stored = channel ? scale(value, scalingOf(channel)) : value;
    if (stored === undefined) {
      reading.refused.push({ channel: key, sentence: 'The value is out of range once it is scaled.' });
      continue;
    }
    reading.samples.push({ channel: key, name: channel?.name ?? null, sent: value, stored, time });
  }
  return reading;
}

/** A message of Sparkplug is kept as JSON, however the sensor writes otherwise. */
function formatOf(body: Uint8Array | string, format: string): FrameFormat {
  if (typeof body === 'string' && isSparkplugText(body)) return 'json';
  return frameFormats.find((known) => known === format) ?? 'auto';
}

function isNamed(channel: KnownChannel, key: string): boolean {
  return String(channel.channelNumber) === key || channel.name.toLowerCase() === key.toLowerCase();
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

const MOST_SHOWN = 8;

/** A reading in one line: `1 = 20.5, 2 = 1`, and how much more there is. */
export function readingLine({ samples, refused, gsm, confirmations }: Reading): string {
  const parts = [
    ...samples.slice(0, MOST_SHOWN).map(({ channel, sent }) => `${channel} = ${sent}`),
    ...(samples.length > MOST_SHOWN ? [`and ${samples.length - MOST_SHOWN} more`] : []),
    ...(gsm.provider === undefined ? [] : [gsm.provider]),
    ...(gsm.signal === undefined ? [] : [`${String(gsm.signal).replace('-', '−')} dBm`]),
    ...confirmations.map(({ id }) => `confirms ${id}`),
    ...(refused.length > 0 ? [`${refused.length} refused`] : []),
  ];
  return parts.join(', ');
}
