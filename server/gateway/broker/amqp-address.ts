import { StartError } from '../../platform/start-error.ts';

/** Parsed addresses of RabbitMQ: one URL for each node, with the same user and virtual host. */
export interface AmqpAddress {
  /** Hosts and ports without user and password, for the log. */
  hosts: string;
  /** URLs of the nodes, in the order in which they are tried. */
  nodes: string[];
  /** User name with which Tocsin connects. No device uses it. */
  user: string;
  virtualHost: string;
  /** Number of queues across which sensors are distributed. */
  queues: number;
}

const DEFAULT_QUEUES = 8;
const MOST_QUEUES = 256;

/** Parses one URL, or several URLs separated by commas. `?queues=` in any of them sets the number of queues. */
export function amqpAddressOf(setting: string): AmqpAddress {
  const urls = setting.split(',').map((text) => new URL(text.trim()));
  const given = urls.map(({ searchParams }) => searchParams.get('queues')).find((text) => text !== null);
  const queues = given === undefined ? DEFAULT_QUEUES : Number(given);
  if (!Number.isInteger(queues) || queues < 1 || queues > MOST_QUEUES) {
    throw new StartError(`TOCSIN_AMQP_URL: queues must be a whole number from 1 to ${MOST_QUEUES}, not "${given}".`);
  }
  const [first] = urls as [URL];
  return {
    hosts: urls.map(({ host }) => host).join(', '),
    nodes: urls.map((url) => {
      const node = new URL(url);
      node.searchParams.delete('queues');
      return node.href;
    }),
    user: decodeURIComponent(first.username) || 'guest',
    virtualHost: decodeURIComponent(first.pathname.slice(1)) || '/',
    queues,
  };
}
