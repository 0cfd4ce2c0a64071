import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { DevicePlant } from '../../test/harness/device/device-plant.ts';
import { signIn } from '../../test/harness/server/product.ts';
import { quantile } from './quantile.ts';

export interface LatencyOptions {
  /** Address of the process that serves the page. */
  url: string;
  /** Address of the process that receives the values. The default is the process that serves the page. */
  deviceUrl?: string;
  plant: DevicePlant;
  seconds: number;
  /** Generates the background load. */
  load(seconds: number): Promise<unknown>;
}

const PROBE_EVERY_MS = 20;
/** Time limit, both for the first and for the last value to appear, in milliseconds. */
const LIMIT_MS = 10_000;

/**
 * Measures, under background load, the time from sending a value until an open page of the site shows this value or a
 * newer one. Values that the page never shows also count, because a process can merge values.
 */
export async function liveLatency({ url, deviceUrl = url, plant, seconds, load }: LatencyOptions) {
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
  /** Values that the page does not show yet. Each value is the time at which it was sent. */
  let waiting: number[] = [];
  let shown = 0;
  let isOpen = false;
  const stop = client.subscribe<{ plant: { datapoints: { value: number }[] } }>(
    {
      query: 'subscription Plant($siteUuids: [UUID!]) { plant(siteUuids: $siteUuids) { datapoints { value time } } }',
      variables: { siteUuids: [probe.siteUuid] },
    },
    {
      // The sender and the page share a clock, because both run in this process.
      next: ({ data }) => {
        isOpen = true;
        const now = performance.now();
        for (const { value } of data?.plant.datapoints ?? []) {
          if (waiting.includes(value)) shown += 1;
          took.push(...waiting.filter((sent) => sent <= value).map((sent) => now - sent));
          waiting = waiting.filter((sent) => sent > value);
        }
      },
      error: (error) => console.error('The live page failed:', error),
      complete: () => {},
    },
  );
  const patience = async (done: () => boolean) => {
    const last = performance.now() + LIMIT_MS;
    while (!done() && performance.now() < last) await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  };
  await patience(() => isOpen);
  const loading = load(seconds);
  const until = Date.now() + seconds * 1000;
  let sent = 0;
  while (Date.now() < until) {
    sent += 1;
    const value = performance.now();
    waiting.push(value);
    await fetch(`${deviceUrl}/api/v1/ingest/${probe.uid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${probe.token}`, 'content-type': 'application/json' },
      body: `{"1":${value}}`,
    }).then((answer) => answer.arrayBuffer());
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  const beside = (await loading) as { readingsPerSecond: number };
  await patience(() => waiting.length === 0);
  stop();
  await client.dispose();
  return {
    sent,
    shown,
    skipped: took.length - shown,
    missing: waiting.length,
    besideReadingsPerSecond: beside.readingsPerSecond,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
  };
}
