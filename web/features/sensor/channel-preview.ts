import { DIGITAL } from '../../../domain/datapoint.ts';
import { scale } from '../../../domain/frame/scale.ts';
import { formatNumber } from '../../kit/format/number.ts';

/** What of a channel decides how its tile looks. */
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
  /** Null where the tile keeps the colour of its data point. */
  color: string | null;
  state: 'major' | 'minor' | 'normal';
}

/** A tile goes by the type of its data point, so that of the sensor counts only until there is one. Digital ones have words and colours to try. */
export function tileTypeOf(sensorType: number, datapointTypes: readonly number[]): number {
  return datapointTypes.includes(DIGITAL) ? DIGITAL : (datapointTypes[0] ?? sensorType);
}

/** How a tile shows what a device sends: scaled, a digital value by its words and colours, and in alarm where that is one. */
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
