import type { IClientOptions } from 'mqtt';
import { frameLimits } from '../../../domain/frame/frame.ts';
import { SPARKPLUG, sparkplugTypes } from '../../../domain/sparkplug/topic.ts';
import type { BridgeLimits } from './limits.ts';

/** Parsed URL of a broker: host, credentials and topics. */
export interface BrokerAddress {
  /** Host and port without user and password, for the log. */
  host: string;
  href: string;
  /**
   * Client id of the broker session. All processes of the installation share the id, but only one process at a time
   * connects.
   */
  clientId: string;
  topics: string[];
  sparkplug: boolean;
  settings(version: 4 | 5, limits: BridgeLimits): IClientOptions;
}

export function addressOf(url: string, installationId: string): BrokerAddress {
  const { host, username, password, searchParams } = new URL(url);
  const broker = new URL(url);
  broker.username = '';
  broker.password = '';
  broker.search = '';
  const clientId = searchParams.get('client') ?? `tocsin-${installationId}`;
  const sparkplug = isOn(searchParams.get('sparkplug'));
  return {
    host,
    href: broker.href,
    clientId,
    topics: ['tocsin/+/up', ...(sparkplug ? sparkplugTopics : [])],
    sparkplug,
    settings: (version, limits) => ({
      clientId,
      ...(username !== '' && { username: unescaped(username), password: unescaped(password) }),
      protocolVersion: version,
      // Requests a durable session: the broker stores messages while no process is connected and resends
      // unacknowledged ones.
      clean: false,
      ...(version === 5 && {
        properties: {
          sessionExpiryInterval: limits.sessionSeconds,
          receiveMaximum: Math.min(limits.outstanding, 65_535),
          maximumPacketSize: frameLimits.batchBytes,
        },
      }),
      resubscribe: false,
      // Turns off the client's reconnection, because the bridge reconnects only after it has confirmed its lease.
      reconnectPeriod: 0,
      connectTimeout: 10_000,
      keepalive: 30,
    }),
  };
}

const sparkplugTopics = sparkplugTypes.map((type) => `${SPARKPLUG}+/${type}/+${type.startsWith('D') ? '/+' : ''}`);

function isOn(value: string | null): boolean {
  return value !== null && !['0', 'no', 'off', 'false'].includes(value.toLowerCase());
}

/** Decodes a user name or password. Returns the text unchanged if it has an unescaped percent sign. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
