import { findChannel } from '../../domain/frame/channel-keys.ts';
import type { Frame } from '../../domain/frame/frame.ts';
import { type ChannelProblem, valueProblems } from '../../domain/frame/problem.ts';
import { scale } from '../../domain/frame/scale.ts';
import { assignServerTime, checkDeviceTime, clockNotes, NEAR_NOW_MS } from '../../domain/frame/when.ts';
import type { NotTaken } from './intake.ts';
import type { Channel, Sensor } from './sensor.ts';

/** Readings as parallel arrays, for speed. */
export interface Readings {
  keys: number[];
  channels: Channel[];
  times: number[];
  values: number[];
  /** Indexes of the readings without a usable device time, in order of arrival. They get a server time. */
  untimed: number[];
}

export interface Mapped {
  readings: Readings;
  refused: NotTaken[];
  notes: string[];
}

/** Maps the values of a frame to scaled readings of channels. Call `settleTimes` on the result. */
export function mapFrame(sensor: Sensor, frame: Frame, now: number, oldest: number): Mapped {
  const readings: Readings = { keys: [], channels: [], times: [], values: [], untimed: [] };
  const refused: NotTaken[] = [...frame.refused];
  const notes = new Set<string>();
  for (const sample of frame.values) {
    const channel = findChannel(sensor.channels, sample.channel);
    if (!channel) {
      refused.push(notStored(sample.channel, 'unknown-channel'));
      continue;
    }
    const value = channel.plain ? sample.value : scale(sample.value, channel);
    if (value === undefined) {
      refused.push(notStored(sample.channel, 'out-of-range'));
      continue;
    }
    const when = checkDeviceTime(sample.time, now, oldest);
    if ('refused' in when) {
      refused.push(notStored(sample.channel, when.refused));
      continue;
    }
    if (when.mark) notes.add(clockNotes[when.mark]);
    if (when.mark || sample.time === undefined) readings.untimed.push(readings.times.length);
    readings.keys.push(channel.key);
    readings.channels.push(channel);
    readings.times.push(Math.round(when.time));
    readings.values.push(value);
  }
  return { readings, refused, notes: [...notes] };
}

function notStored(channel: string, because: ChannelProblem): NotTaken {
  return { channel, because, sentence: valueProblems[because](channel) };
}

/**
 * Assigns a server time to each value without a usable device time. The times are distinct for each channel, and later
 * than all earlier times of the channel that are at most NEAR_NOW_MS ahead. Then sorts the readings by time. Only the
 * batch calls this function, because the batch handles the frames of a sensor in order. A second call has no effect.
 */
export function settleTimes(mapped: Mapped, now: number): void {
  const { channels, times, untimed } = mapped.readings;
  const near = now + NEAR_NOW_MS;
  let next = 0;
  for (let index = 0; index < times.length; index += 1) {
    const { latest } = channels[index] as Channel;
    const time = times[index] as number;
    if (untimed[next] === index) {
      next += 1;
      latest.given = assignServerTime(time, latest.given);
      times[index] = latest.given;
    } else if (time > latest.given && time <= near) {
      latest.given = time;
    }
  }
  mapped.readings = oldestFirst({ ...mapped.readings, untimed: [] });
}

/**
 * Sorts readings by device time, because rules evaluate them in that order. Devices often upload stored values newest
 * first.
 */
function oldestFirst(readings: Readings): Readings {
  const { keys, channels, times, values, untimed } = readings;
  if (times.every((time, index) => index === 0 || time >= (times[index - 1] as number))) return readings;
  const order = times.map((_time, index) => index).sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
  return {
    keys: order.map((index) => keys[index] as number),
    channels: order.map((index) => channels[index] as Channel),
    times: order.map((index) => times[index] as number),
    values: order.map((index) => values[index] as number),
    untimed,
  };
}
