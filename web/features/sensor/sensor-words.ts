import { withMinusSign } from '../../../domain/alarm/number-text.ts';
import { DIGITAL } from '../../../domain/datapoint.ts';
import { isValidUid } from '../../../domain/frame/uid.ts';
import { plural } from '../../../domain/plural.ts';

/** Names of the types of sensors and data points. */
export const sensorTypes: Readonly<Record<number, string>> = { 1: 'Digital', 2: 'Analog', 3: 'Counter' };

export const sensorStatuses: Readonly<Record<number, string>> = { 0: 'Disabled', 1: 'Active', 2: 'Maintenance' };

export const ANALOG = 2;

/** Returns why a text cannot be a sensor's UID; null if it is valid. */
export function uidProblem(uid: string): string | null {
  if (uid === '') return 'Enter a UID, such as pump-7.';
  return isValidUid(uid)
    ? null
    : 'Use at most 64 letters, digits, dots, colons, hyphens and underscores, beginning with a letter or digit.';
}

/** How each status affects the sensor's device. */
export const sensorStatusEffects: Readonly<Record<number, string>> = {
  0: 'Its device is rejected.',
  1: 'Its data is stored and evaluated.',
  2: 'Its data is stored, but raises no alarms.',
};

/** Returns the options of a filter from a map of values to names. */
export function choicesOf(words: Readonly<Record<number, string>>): { value: string; label: string }[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

interface Channel {
  channelAlarmCondition: number;
  channelMajorAlarmStatus: boolean;
  channelLowText: string;
  channelHighText: string;
}

/** Describes a digital alarm: `Off is a major alarm`. Returns null if the channel has none. */
export function alarmWords(channel: Channel): string | null {
  if (channel.channelAlarmCondition !== 0 && channel.channelAlarmCondition !== 1) {
    return null;
  }
  const state =
    channel.channelAlarmCondition === 0 ? channel.channelLowText || 'Low' : channel.channelHighText || 'High';
  return `${state} is a ${channel.channelMajorAlarmStatus ? 'major' : 'minor'} alarm`;
}

/**
 * Explains why some or all data points of the channel do not raise its digital alarm. Returns null if all of them do.
 */
export function digitalAlarmProblem(types: readonly number[]): string | null {
  if (types.length === 0) return 'Only digital data points raise this alarm.';
  const others = types.filter((type) => type !== DIGITAL);
  if (others.length === 0) return null;
  if (others.length < types.length) {
    return `${others.length} of the channel’s ${types.length} data points ${plural(others.length, 'is', 'are')} not digital and ${plural(others.length, 'raises', 'raise')} no alarm.`;
  }
  const words = [...new Set(others)].map((type) => sensorTypes[type] ?? `of type ${type}`).join(' and ');
  return `No effect: the channel’s ${plural(types.length, 'data point is', 'data points are')} ${words}, and only digital data points raise this alarm. Use a rule with limits instead.`;
}

interface Scaling {
  channelFactor: number;
  channelOffset: number;
  channelDecimals: number | null;
}

/** Describes the scaling: `× 0.1 − 2, 1 decimal`. Returns null if values are not scaled. */
export function scalingWords({ channelFactor, channelOffset, channelDecimals }: Scaling): string | null {
  const parts = [
    ...(channelFactor === 1 ? [] : [`× ${plain(channelFactor)}`]),
    ...(channelOffset === 0 ? [] : [`${channelOffset < 0 ? '−' : '+'} ${plain(Math.abs(channelOffset))}`]),
  ].join(' ');
  const decimals =
    channelDecimals === null ? '' : `${channelDecimals} ${channelDecimals === 1 ? 'decimal' : 'decimals'}`;
  return [parts, decimals].filter(Boolean).join(', ') || null;
}

function plain(value: number): string {
  return withMinusSign(String(value));
}
