/** A page's live connection: a real WebSocket with the cookies of a signed-in browser. */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { App } from '../../../server/app.ts';
import type { Browser } from './auth-app.ts';

export interface LivePlant {
  sites: { siteUuid: string; status: number; lastUpdate: number | null }[];
  datapoints: { datapointUuid: string; siteUuid: string; value: number | null; time: number | null; status: number }[];
}

export interface LivePage {
  events: LivePlant[];
  /** Resolves when the subscription ends. If the subscription failed, the result contains the error. */
  ended: Promise<{ error?: unknown }>;
  close(): void;
}

const PLANT = `subscription Plant($siteUuids: [UUID!]) { plant(siteUuids: $siteUuids) {
  sites { siteUuid status lastUpdate } datapoints { datapointUuid siteUuid value time status } } }`;

export function openLivePage(
  app: Pick<App, 'port'>,
  browser: Browser,
  options: { siteUuids?: string[]; headers?: Record<string, string>; query?: string } = {},
): LivePage {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, ...options.headers };
  const client = createClient({
    url: `ws://127.0.0.1:${app.port}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol, { headers });
      }
    },
    retryAttempts: 0,
  });
  const events: LivePlant[] = [];
  let end: (outcome: { error?: unknown }) => void = () => {};
  const ended = new Promise<{ error?: unknown }>((resolve) => {
    end = resolve;
  });
  client.subscribe(
    { query: options.query ?? PLANT, variables: { siteUuids: options.siteUuids ?? null } },
    {
      next: ({ data, errors }) => {
        if (errors) end({ error: errors });
        else events.push(Object.values(data as Record<string, LivePlant>)[0] as LivePlant);
      },
      error: (error) => end({ error }),
      complete: () => end({}),
    },
  );
  return { events, ended, close: () => void client.dispose() };
}
