import type { TadaDocumentNode } from 'gql.tada';
import { type Client, createClient } from 'graphql-ws/client';
import { checkConnection } from './check-connection.ts';
import { serverAnswered, serverDidNotAnswer } from './connection.ts';
import type { ResultOf, VariablesOf } from './graphql.ts';

type Document = TadaDocumentNode<any, any, any>;

const LONGEST_WAIT = 15_000;
const FIRST_WAIT = 500;
/** WebSocket close code that the server sends when the session has ended. */
const SESSION_ENDED = 4403;

/** A socket that drops what is sent after its end has begun. The client subscribes again after the reconnect. */
class LiveSocket extends WebSocket {
  override send(data: string): void {
    if (this.readyState === WebSocket.OPEN) super.send(data);
  }
}

let client: Client | undefined;

/**
 * Returns the one connection that all subscriptions of a page share. It opens with the first subscription and closes
 * after the last.
 */
function connection(): Client {
  client ??= createClient({
    url: `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/graphql`,
    webSocketImpl: LiveSocket,
    lazyCloseTimeout: 3_000,
    // A ping detects a dead connection, for example after a phone has switched networks.
    keepAlive: 15_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: waitBefore,
    shouldRetry: (problem) => (problem as CloseEvent).code !== SESSION_ENDED,
    on: {
      connected: () => serverAnswered(),
      closed: (event) => {
        const { code } = event as CloseEvent;
        if (code === 1006) serverDidNotAnswer();
        // Checks the connection. Because the session has ended, the server responds with 401, and the console then
        // opens the login page.
        if (code === SESSION_ENDED) checkConnection();
      },
    },
  });
  return client;
}

/** Waits before a reconnect: exponential backoff with jitter, so that clients do not all reconnect at once. */
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
 * Subscribes to live updates until the caller calls the returned function. Reconnects and resubscribes automatically.
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
      // Errors of the subscription are ignored, because the page's queries detect and report an ended session or a
      // refused subscription.
      error: () => {},
      complete: () => {},
    },
  );
}
