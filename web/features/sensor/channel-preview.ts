import { DIGITAL } from '../../../domain/datapoint.ts';
import { scale } from '../../../domain/frame/scale.ts';
import { formatNumber } from '../../kit/format/number.ts';

/** The fields of a channel that decide the look of its tile. */
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
  /** Null if the tile keeps its data point's colour. */
  color: string | null;
  state: 'major' | 'minor' | 'normal';
}

/**
 * The tile's type: digital if any of its data points is digital, because only digital tiles have state names and
 * colours. Without data points, the sensor's type.
 */
export function tileTypeOf(sensorType: number, datapointTypes: readonly number[]): number {
  return datapointTypes.includes(DIGITAL) ? DIGITAL : (datapointTypes[0] ?? sensorType);
}

/** The tile for a raw value: scaled; a digital value with its state name, colour and alarm. */
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
