import { channelOf } from '../../domain/frame/channel-keys.ts';
import type { Frame } from '../../domain/frame/frame.ts';
import { type ChannelProblem, valueProblems } from '../../domain/frame/problem.ts';
import { scale } from '../../domain/frame/scale.ts';
import { clockNotes, judgeTime } from '../../domain/frame/when.ts';
import type { NotTaken } from './intake.ts';
import type { Channel, Sensor } from './sensor.ts';

/** Readings as lists side by side, because there are very many. */
export interface Readings {
  keys: number[];
  channels: Channel[];
  times: number[];
  values: number[];
}

export interface Mapped {
  readings: Readings;
  refused: NotTaken[];
  notes: string[];
}

/** From what a device said to readings of its sensor's channels, scaled, at a time that can be kept. */
export function mapFrame(sensor: Sensor, frame: Frame, now: number, oldest: number): Mapped {
  const readings: Readings = { keys: [], channels: [], times: [], values: [] };
  const refused: NotTaken[] = [...frame.refused];
  const notes = new Set<string>();
  for (const sample of frame.samples) {
    const channel = channelOf(sensor.channels, sample.channel);
    if (!channel) {
      refused.push(notStored(sample.channel, 'unknown-channel'));
      continue;
    }
    const value = channel.plain ? sample.value : scale(sample.value, channel);
    if (value === undefined) {
      refused.push(notStored(sample.channel, 'not-finite'));
      continue;
    }
    const when = judgeTime(sample.time, now, oldest);
    if ('refused' in when) {
      refused.push(notStored(sample.channel, when.refused));
      continue;
    }
    if (when.mark) notes.add(clockNotes[when.mark]);
    readings.keys.push(channel.key);
    readings.channels.push(channel);
    readings.times.push(Math.round(when.time));
    readings.values.push(value);
  }
  return { readings: oldestFirst(readings), refused, notes: [...notes] };
}

function notStored(channel: string, because: ChannelProblem): NotTaken {
  return { channel, because, sentence: valueProblems[because](channel) };
}

/** Devices that upload what they have stored often begin with the newest; readings are judged in the order of their times. */
function oldestFirst(readings: Readings): Readings {
  const { keys, channels, times, values } = readings;
  if (times.every((time, index) => index === 0 || time >= (times[index - 1] as number))) return readings;
  const order = times.map((_time, index) => index).sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
  return {
    keys: order.map((index) => keys[index] as number),
    channels: order.map((index) => channels[index] as Channel),
    times: order.map((index) => times[index] as number),
    values: order.map((index) => values[index] as number),
  };
}
