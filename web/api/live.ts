import type { TadaDocumentNode } from 'gql.tada';
import { type Client, createClient } from 'graphql-ws/client';
import { serverAnswered, serverDidNotAnswer } from './connection.ts';
import type { ResultOf, VariablesOf } from './graphql.ts';
import { knock } from './knock.ts';

type Document = TadaDocumentNode<any, any, any>;

const LONGEST_WAIT = 15_000;
const FIRST_WAIT = 500;
/** The server closes the connections of a session that has ended with this code. */
const SESSION_ENDED = 4403;

let client: Client | undefined;

/** One connection serves all subscriptions of a page. It opens with the first and closes after the last. */
function connection(): Client {
  client ??= createClient({
    url: `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/graphql`,
    lazyCloseTimeout: 3_000,
    // A connection that fell silent, as on a phone that changed its network, is noticed by the answer that does not come.
    keepAlive: 15_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: waitBefore,
    shouldRetry: (problem) => (problem as CloseEvent).code !== SESSION_ENDED,
    on: {
      connected: () => serverAnswered(),
      closed: (event) => {
        const { code } = event as CloseEvent;
        if (code === 1006) serverDidNotAnswer();
        // A plain question is refused now, and that leads to the login.
        if (code === SESSION_ENDED) knock();
      },
    },
  });
  return client;
}

/** Longer with each try, and not the same for everybody: a server that comes back is not met by all at once. */
async function waitBefore(retries: number): Promise<void> {
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** retries) * (0.5 + Math.random() / 2);
  await new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, wait);
    window.addEventListener('online', go);
  });
}

/**
 * Follows a subscription until the answered function is called. Where the connection drops, it is made again by itself,
 * and the subscription begins anew.
 */
export function follow<D extends Document>(
  document: D,
  variables: VariablesOf<D>,
  next: (data: ResultOf<D>) => void,
): () => void {
  const query = (document as unknown as { text: string }).text;
  return connection().subscribe<ResultOf<D>>(
    { query, variables: variables as Record<string, unknown> },
    {
      next: ({ data }) => {
        if (data) next(data);
      },
      // The session has ended, or the server refused: the page's own questions find out and say so.
      error: () => {},
      complete: () => {},
    },
  );
}
