import { DIGITAL } from '../../../domain/datapoint.ts';
import type { PointWords } from '../../../domain/rule/conditions-words.ts';

interface NamedPoint {
  tocsinDatapointName: string;
  uom: string;
  sensorType: number;
  asset: { name: string } | null;
  sensorChannel: { channelLowText: string; channelHighText: string } | null;
}

/** What sentences about conditions say of a data point. A channel that is not digital has no states to name. */
export function pointWords({ asset, tocsinDatapointName, uom, sensorType, sensorChannel }: NamedPoint): PointWords {
  return {
    ...(asset && { asset: asset.name }),
    name: tocsinDatapointName,
    unit: uom,
    ...(sensorType === DIGITAL &&
      sensorChannel && { lowText: sensorChannel.channelLowText, highText: sensorChannel.channelHighText }),
  };
}
