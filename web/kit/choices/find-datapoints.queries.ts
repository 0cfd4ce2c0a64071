import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, type RowOf, rowsOf } from '../list/list.ts';

const datapointsByText = graphql(`
  query FindDatapoints($filter: AssetDatapointFilter!) {
    assetDatapoints(first: 20, filter: $filter, orderBy: [TOCSIN_DATAPOINT_NAME_ASC, PRIMARY_KEY_ASC]) {
      nodes {
        uuid
        tocsinDatapointName
        uom
        asset {
          name
          site {
            name
          }
        }
      }
    }
  }
`);

export type FoundDatapoint = RowOf<typeof datapointsByText, 'assetDatapoints'>;

/** Finds data points of one site, or of all sites, by words in their name, asset or site. */
export async function findDatapoints(text: string, signal?: AbortSignal, site?: string): Promise<FoundDatapoint[]> {
  const filter = {
    and: [
      ...everyWord(text, (word) => [
        { tocsinDatapointName: word },
        { asset: { name: word } },
        { asset: { site: { name: word } } },
      ]),
      ...(site ? [{ asset: { tocsinSiteUuid: { equalTo: site } } }] : []),
    ],
  };
  return rowsOf((await ask(datapointsByText, { filter }, signal)).assetDatapoints);
}
