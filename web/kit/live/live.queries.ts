import { graphql, type ResultOf } from '../../api/graphql.ts';
import { follow } from '../../api/live.ts';

const livePlant = graphql(`
  subscription LivePlant($siteUuids: [UUID!]) {
    plant(siteUuids: $siteUuids) {
      sites {
        siteUuid
        status
        lastUpdate
      }
      datapoints {
        datapointUuid
        value
        time
        status
        color
        titleText
      }
    }
  }
`);

type Answer = NonNullable<ResultOf<typeof livePlant>['plant']>;
export type LiveSite = Answer['sites'][number];
export type LiveDatapoint = Answer['datapoints'][number];
export type LiveNews = Pick<Answer, 'sites' | 'datapoints'>;

/**
 * Subscribes to the values and states of the sites. The first update is a snapshot; later updates contain only changes.
 */
export function followPlant(siteUuids: readonly string[], next: (news: LiveNews) => void): () => void {
  return follow(livePlant, { siteUuids: [...siteUuids] }, ({ plant }) => {
    if (plant) next(plant);
  });
}
