import { DIGITAL } from '../../../domain/datapoint.ts';

interface Value {
  sensorType: number;
  latestValue: number | null;
  sensorChannel: { channelLowText: string; channelHighText: string } | null;
}

/** Returns the state name of a digital value, such as `Running`; null if the value has no state name. */
export function valueWord(datapoint: Value): string | null {
  if (datapoint.sensorType !== DIGITAL || datapoint.latestValue === null) {
    return null;
  }
  const channel = datapoint.sensorChannel;
  return (datapoint.latestValue === 0 ? channel?.channelLowText : channel?.channelHighText) || null;
}
