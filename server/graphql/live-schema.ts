import { context, get, lambda, listen, type Step } from 'postgraphile/grafast';
import { extendSchema, gql } from 'postgraphile/utils';

/** What stands in the context of a subscription: who watches, and how. */
export interface LiveSource {
  /** The topic names the sites as JSON; null means every site the person may see. */
  subscribe(topic: string): AsyncIterableIterator<unknown>;
}

/** The subscription that keeps a page alive. Its first event is everything as it is; later ones are what changed. */
export const LivePlugin = extendSchema({
  typeDefs: gql`
    """A datapoint as it is now. In later events a field is null where it has not changed."""
    type LiveDatapoint {
      datapointUuid: UUID!
      siteUuid: UUID!
      value: Float
      """When the device measured it, in milliseconds since 1970."""
      time: Float
      """0 no data, 1 normal, 2 alarm, 3 stale."""
      status: Int
      color: String
      titleText: String
    }

    type LiveSite {
      siteUuid: UUID!
      """0 no data, 1 normal, 2 alarm, 3 silent."""
      status: Int!
      """When anything last arrived, in milliseconds since 1970."""
      lastUpdate: Float
    }

    type LivePlant {
      sites: [LiveSite!]!
      datapoints: [LiveDatapoint!]!
    }

    extend type Subscription {
      """
      Values and states of sites: first as they are, then whatever changes. Without siteUuids, of every site one may see.
      """
      plant(siteUuids: [UUID!]): LivePlant
    }
  `,
  objects: {
    Subscription: {
      plans: {
        plant: {
          subscribePlan(_$root: Step, { $siteUuids }: { $siteUuids: Step }) {
            const $topic = lambda($siteUuids, (siteUuids) => JSON.stringify(siteUuids ?? null), true);
            return listen((context() as never as { get(name: string): Step }).get('live') as never, $topic as never);
          },
          plan($event: Step) {
            return $event;
          },
        },
      },
    },
    LivePlant: {
      plans: {
        sites: ($event: Step) => get($event, 'sites'),
        datapoints: ($event: Step) => get($event, 'datapoints'),
      },
    },
  },
} as never);
