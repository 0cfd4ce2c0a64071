import { constant, context, get, lambda, listen, type Step } from 'postgraphile/grafast';
import { extendSchema, gql } from 'postgraphile/utils';

/** Context of a subscription. */
export interface LiveSource {
  /**
   * Starts a subscription. `topic` is ALARM_NEWS or a JSON list of site uuids. Null instead of a list means every site
   * that the user is allowed to see.
   */
  subscribe(topic: string): AsyncIterableIterator<unknown>;
}

/** Topic for the GraphQL subscription `alarmNews`. */
export const ALARM_NEWS = 'alarm-news';

const liveSource = () => (context() as never as { get(name: string): Step }).get('live') as never;

/** Adds the subscriptions of live pages. The first event of `plant` is the full state; later events are changes. */
export const LivePlugin = extendSchema({
  typeDefs: gql`
    """Current state of a data point. In later events, a field that has not changed is null."""
    type LiveDatapoint {
      datapointUuid: UUID!
      siteUuid: UUID!
      value: Float
      """Device time, in milliseconds since 1970."""
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
      """Time of the last contact, in milliseconds since 1970."""
      lastUpdate: Float
    }

    type LivePlant {
      sites: [LiveSite!]!
      datapoints: [LiveDatapoint!]!
    }

    """Alarms may have changed since the last event: query them again."""
    type AlarmNews {
      """Counts up from 1. The first event is sent at once."""
      count: Int!
      """Counts up from 1 with every change of the company's name or time zone."""
      company: Int!
    }

    extend type Subscription {
      """Sends an event when an alarm is opened, acknowledged, escalated or resolved, or the company's name or time zone changes."""
      alarmNews: AlarmNews

      """
      Values and states of sites: first the current ones, then changes. Without siteUuids: all sites that the user may see.
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
            return listen(liveSource(), $topic as never);
          },
          plan($event: Step) {
            return $event;
          },
        },
        alarmNews: {
          subscribePlan: () => listen(liveSource(), constant(ALARM_NEWS) as never),
          plan: ($event: Step) => $event,
        },
      },
    },
    AlarmNews: {
      plans: { count: ($event: Step) => get($event, 'count'), company: ($event: Step) => get($event, 'company') },
    },
    LivePlant: {
      plans: {
        sites: ($event: Step) => get($event, 'sites'),
        datapoints: ($event: Step) => get($event, 'datapoints'),
      },
    },
  },
} as never);
