import { ask, GraphqlError, graphql } from '../../api/graphql.ts';

const pushSubscriptionOf = graphql(`
  query PushSubscriptionOf($endpoint: String!) {
    pushSubscriptions(filter: { endpoint: { equalTo: $endpoint } }, first: 1) {
      nodes {
        uuid
      }
    }
  }
`);

/** Returns the uuid of this user's subscription for this browser; null if there is none. */
export async function findSubscription(endpoint: string, signal?: AbortSignal): Promise<string | null> {
  const { pushSubscriptions } = await ask(pushSubscriptionOf, { endpoint }, signal);
  return pushSubscriptions?.nodes[0]?.uuid ?? null;
}

const createPushSubscription = graphql(`
  mutation CreatePushSubscription($input: CreatePushSubscriptionInput!) {
    createPushSubscription(input: $input) {
      pushSubscription {
        uuid
      }
    }
  }
`);

/** Stores the subscription on the server. Does nothing if it is already stored for this user. */
export async function addSubscription(subscription: PushSubscription, device: string): Promise<void> {
  const { endpoint } = subscription;
  try {
    await ask(createPushSubscription, {
      input: { pushSubscription: { endpoint, subscription: JSON.stringify(subscription), device } },
    });
  } catch (error) {
    if (!(error instanceof GraphqlError) || error.field !== 'endpoint' || (await findSubscription(endpoint)) === null) {
      throw error;
    }
  }
}

const deletePushSubscription = graphql(`
  mutation DeletePushSubscription($uuid: UUID!) {
    deletePushSubscription(input: { uuid: $uuid }) {
      pushSubscription {
        uuid
      }
    }
  }
`);

export async function removeSubscription(uuid: string): Promise<void> {
  await ask(deletePushSubscription, { uuid });
}
