import { DIGITAL } from '../../../domain/datapoint.ts';
import { scale } from '../../../domain/frame/scale.ts';
import { formatNumber } from '../../kit/format/number.ts';

/** Fields of a channel that determine the appearance of its tile. */
export interface ChannelLook {
  name: string;
  channelTitleText: string;
  channelLowText: string;
  channelHighText: string;
  channelNormalColor: string;
  channelAlarmColor: string;
  channelAlarmCondition: number;
  channelMajorAlarmStatus: boolean;
  channelFactor: number;
  channelOffset: number;
  channelDecimals: number | null;
}

export interface Preview {
  title: string;
  value: string;
  /** Colour of the channel's state; null if the tile has the colour of its data point instead. */
  color: string | null;
  state: 'major' | 'minor' | 'normal';
}

/**
 * Returns the type of the tile. It is digital if any data point is digital, because only digital tiles have state names
 * and colours. Without data points, it is the sensor's type.
 */
export function tileTypeOf(sensorType: number, datapointTypes: readonly number[]): number {
  return datapointTypes.includes(DIGITAL) ? DIGITAL : (datapointTypes[0] ?? sensorType);
}

/**
 * Returns the tile for a raw value. The value is scaled. A digital value also has a state name, a colour and an alarm
 * state.
 */
export function previewOf(channel: ChannelLook, sensorType: number, raw: number): Preview {
  const title = channel.channelTitleText || channel.name || 'Channel';
  const value = scale(raw, {
    factor: channel.channelFactor,
    offset: channel.channelOffset,
    decimals: channel.channelDecimals,
  });
  if (value === undefined) {
    return { title, value: '–', color: null, state: 'normal' };
  }
  if (sensorType !== DIGITAL) {
    return { title, value: formatNumber(value), color: null, state: 'normal' };
  }
  const low = value === 0;
  const alarm = channel.channelAlarmCondition === (low ? 0 : 1);
  return {
    title,
    value: (low ? channel.channelLowText : channel.channelHighText) || formatNumber(value),
    color: alarm ? channel.channelAlarmColor : channel.channelNormalColor,
    state: alarm ? (channel.channelMajorAlarmStatus ? 'major' : 'minor') : 'normal',
  };
}
