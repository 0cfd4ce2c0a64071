import { DIGITAL } from '../../../domain/datapoint.ts';
import type { PointWords } from '../../../domain/rule/conditions-words.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';

/** Fields for the names of a data point and its states, and for its unit. */
export const namedPoint = graphql(`
  fragment NamedPoint on AssetDatapoint {
    tocsinDatapointName
    uom
    sensorType
    asset {
      name
    }
    sensorChannel {
      channelLowText
      channelHighText
    }
  }
`);

type NamedPoint = ResultOf<typeof namedPoint>;

/** Returns the texts that describe a data point in a condition. Only digital channels have state names. */
export function pointWords({ asset, tocsinDatapointName, uom, sensorType, sensorChannel }: NamedPoint): PointWords {
  return {
    ...(asset && { asset: asset.name }),
    name: tocsinDatapointName,
    unit: uom,
    ...(sensorType === DIGITAL &&
      sensorChannel && { lowText: sensorChannel.channelLowText, highText: sensorChannel.channelHighText }),
  };
}
