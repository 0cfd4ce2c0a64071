/** What the numbers of a sensor and its channels mean. */
export const sensorTypes: Readonly<Record<number, string>> = { 1: 'Digital', 2: 'Analog', 3: 'Counter' };

export const sensorStatuses: Readonly<Record<number, string>> = { 0: 'Disabled', 1: 'Active', 2: 'Maintenance' };

/** The choices of a filter over such a table of words. */
export function choicesOf(words: Readonly<Record<number, string>>): { value: string; label: string }[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

interface Channel {
  channelAlarmCondition: number;
  channelMajorAlarmStatus: boolean;
  channelLowText: string;
  channelHighText: string;
}

/** When a channel raises an alarm by itself: `Off is a major alarm`, or null where neither state does. */
export function alarmWords(channel: Channel): string | null {
  if (channel.channelAlarmCondition !== 0 && channel.channelAlarmCondition !== 1) {
    return null;
  }
  const state =
    channel.channelAlarmCondition === 0 ? channel.channelLowText || 'Low' : channel.channelHighText || 'High';
  return `${state} is a ${channel.channelMajorAlarmStatus ? 'major' : 'minor'} alarm`;
}
