import type { NewReadings } from './evaluator.ts';
import type { Job, SensorDelivery } from './job.ts';
import type { Channel } from './sensor.ts';
import type { ReadingRows } from './store.ts';

interface ByNewness {
  /** Readings that are newer than all other readings of their channel, both stored and earlier in the batch. */
  fresh: ReadingRows;
  /** Possible duplicates: all other readings. */
  doubtful: ReadingRows;
  /** The sensor delivery of each possible duplicate, in the order of `doubtful`. */
  owners: SensorDelivery[];
  /** Readings to evaluate: the new readings of channels that have rules. */
  news: NewReadings;
}

/**
 * Splits readings into new readings and possible duplicates. With `checkDuplicates`, treats all as possible duplicates.
 */
export function splitByNewness(jobs: readonly Job[], checkDuplicates: boolean): ByNewness {
  const fresh: ReadingRows = { keys: [], times: [], values: [] };
  const doubtful: ReadingRows = { keys: [], times: [], values: [] };
  const owners: SensorDelivery[] = [];
  const news: NewReadings = { channels: [], times: [], values: [] };
  for (const { sensorDeliveries } of jobs) {
    for (const sensorDelivery of sensorDeliveries) {
      if (!sensorDelivery.mapped) continue;
      const { channels, times, values } = sensorDelivery.mapped.readings;
      for (let index = 0; index < channels.length; index += 1) {
        const channel = channels[index] as Channel;
        const { key, latest } = channel;
        const time = times[index] as number;
        const isNew =
          !checkDuplicates && (latest.time === null || time > (latest.time as number)) && time > latest.inBatch;
        if (isNew) {
          latest.inBatch = time;
          if (channel.watches.length > 0) addNews(news, channel, time, values[index] as number);
        } else {
          owners.push(sensorDelivery);
        }
        const rows = isNew ? fresh : doubtful;
        rows.keys.push(key);
        rows.times.push(time);
        rows.values.push(values[index] as number);
      }
    }
  }
  return { fresh, doubtful, owners, news };
}

function addNews(news: NewReadings, channel: Channel, time: number, value: number): void {
  news.channels.push(channel);
  news.times.push(time);
  news.values.push(value);
}

/**
 * Returns the readings to evaluate after a check for duplicates: those that were added and are newer than all earlier
 * readings of their channel.
 */
export function newsOfAdded(jobs: readonly Job[], added: readonly boolean[]): NewReadings {
  const news: NewReadings = { channels: [], times: [], values: [] };
  let place = 0;
  for (const { sensorDeliveries } of jobs) {
    for (const { mapped } of sensorDeliveries) {
      if (!mapped) continue;
      const { channels, times, values } = mapped.readings;
      for (let index = 0; index < channels.length; index += 1) {
        const channel = channels[index] as Channel;
        const time = times[index] as number;
        const isNew = added[place];
        place += 1;
        if (!isNew || time <= channel.latest.inBatch) continue;
        if (channel.latest.time !== null && time <= (channel.latest.time as number)) continue;
        channel.latest.inBatch = time;
        if (channel.watches.length > 0) addNews(news, channel, time, values[index] as number);
      }
    }
  }
  return news;
}
