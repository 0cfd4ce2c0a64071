import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { DevicePlant } from '../../test/harness/device/device-plant.ts';
import { signIn } from '../../test/harness/server/product.ts';

export interface LatencyOptions {
  url: string;
  plant: DevicePlant;
  seconds: number;
  /** Generates the background load. */
  load(seconds: number): Promise<unknown>;
}

const PROBE_EVERY_MS = 20;

/** Measures the time from sending a value to its arrival at an open page of the site, under background load. */
export async function liveLatency({ url, plant, seconds, load }: LatencyOptions) {
  const { probe } = plant;
  const headers = await signIn(url, plant.owner.email, plant.owner.password);
  const client = createClient({
    url: url.replace('http', 'ws').concat('/graphql'),
    webSocketImpl: class extends WebSocket {
      constructor(address: string, protocol: string) {
        super(address, protocol, { headers: { cookie: headers.cookie as string } });
      }
    },
  });
  const took: number[] = [];
  let newest = performance.now();
  const stop = client.subscribe<{ plant: { datapoints: { value: number }[] } }>(
    {
      query: 'subscription Plant($siteUuids: [UUID!]) { plant(siteUuids: $siteUuids) { datapoints { value time } } }',
      variables: { siteUuids: [probe.siteUuid] },
    },
    {
      // The value is the time of sending. The sender and the page run in the same process and share a clock.
      next: ({ data }) => {
        for (const { value } of data?.plant.datapoints ?? []) {
          // The page receives the value again when the state of the data point is written.
          if (value > newest) took.push(performance.now() - value);
          newest = Math.max(newest, value);
        }
      },
      error: (error) => console.error('The live page failed:', error),
      complete: () => {},
    },
  );
  const loading = load(seconds);
  const until = Date.now() + seconds * 1000;
  let sent = 0;
  while (Date.now() < until) {
    sent += 1;
    await fetch(`${url}/api/v1/ingest/${probe.uid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${probe.token}`, 'content-type': 'application/json' },
      body: `{"1":${performance.now()}}`,
    }).then((answer) => answer.arrayBuffer());
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  const beside = (await loading) as { readingsPerSecond: number };
  stop();
  await client.dispose();
  took.sort((a, b) => a - b);
  const at = (share: number) => Math.round((took[Math.floor(took.length * share)] ?? Number.NaN) * 10) / 10;
  return {
    sent,
    seen: took.length,
    besideReadingsPerSecond: beside.readingsPerSecond,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}
