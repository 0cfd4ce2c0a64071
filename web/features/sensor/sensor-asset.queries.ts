import { ask, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const assetsOfSensor = graphql(`
  query AssetsOfSensor($sensor: UUID!) {
    assets(first: 2, filter: { tocsinSensorUuid: { equalTo: $sensor } }) {
      nodes {
        uuid
      }
    }
  }
`);

/** Returns the only asset of this sensor; undefined if it has none or several. */
export async function onlyAssetOf(sensor: string): Promise<string | undefined> {
  const [one, ...others] = rowsOf((await ask(assetsOfSensor, { sensor })).assets);
  return others.length === 0 ? one?.uuid : undefined;
}

const assetSensor = graphql(`
  query AssetSensor($uuid: UUID!) {
    asset(uuid: $uuid) {
      updatedAt
      sensor {
        uuid
      }
    }
  }
`);
const setAssetSensor = graphql(`
  mutation SetAssetSensor($uuid: UUID!, $patch: AssetPatch!) {
    updateAsset(input: { uuid: $uuid, patch: $patch }) {
      asset {
        uuid
      }
    }
  }
`);

/** Assigns the sensor to the asset, unless the asset already has a sensor. */
export async function assignSensor(uuid: string, sensor: string): Promise<void> {
  const { asset } = await ask(assetSensor, { uuid });
  if (asset && asset.sensor === null)
    await ask(setAssetSensor, { uuid, patch: { tocsinSensorUuid: sensor, updatedAt: asset.updatedAt } });
}
