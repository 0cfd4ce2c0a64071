import { hostname } from 'node:os';
import type { IClientOptions } from 'mqtt';
import { frameLimits } from '../../domain/frame/frame.ts';
import { SPARKPLUG, sparkplugTypes } from '../../domain/sparkplug/topic.ts';
import type { BridgeLimits } from './mqtt-bridge-limits.ts';

/** What the address of a broker says: where it is, who we are there, and what we subscribe to. */
export interface BrokerAddress {
  /** For the log: without a user and a password. */
  host: string;
  href: string;
  topics: string[];
  sparkplug: boolean;
  settings(version: 4 | 5, limits: BridgeLimits): IClientOptions;
}

export function addressOf(url: string): BrokerAddress {
  const { host, username, password, searchParams } = new URL(url);
  const broker = new URL(url);
  broker.username = '';
  broker.password = '';
  broker.search = '';
  const group = searchParams.get('share') ?? 'tocsin';
  const sparkplug = isOn(searchParams.get('sparkplug'));
  return {
    host,
    href: broker.href,
    // Births and what follows them must come to one process, so they are not shared.
    topics: [group === '' ? 'tocsin/+/up' : `$share/${group}/tocsin/+/up`, ...(sparkplug ? sparkplugTopics : [])],
    sparkplug,
    settings: (version, limits) => ({
      clientId: searchParams.get('client') ?? `tocsin-${hostname()}`,
      ...(username !== '' && { username: unescaped(username), password: unescaped(password) }),
      protocolVersion: version,
      // The broker keeps what comes while this process is away, and brings again what was not acknowledged.
      clean: false,
      ...(version === 5 && {
        properties: {
          sessionExpiryInterval: limits.sessionSeconds,
          receiveMaximum: Math.min(limits.outstanding, 65_535),
          maximumPacketSize: frameLimits.batchBytes,
        },
      }),
      resubscribe: false,
      reconnectPeriod: limits.reconnectMs,
      reconnectOnConnackError: true,
      connectTimeout: 10_000,
      keepalive: 30,
    }),
  };
}

const sparkplugTopics = sparkplugTypes.map((type) => `${SPARKPLUG}+/${type}/+${type.startsWith('D') ? '/+' : ''}`);

function isOn(value: string | null): boolean {
  return value !== null && !['0', 'no', 'off', 'false'].includes(value.toLowerCase());
}

/** Whoever writes a password into an address may forget to escape a percent sign. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
