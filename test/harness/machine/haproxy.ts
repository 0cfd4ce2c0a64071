/** HAProxy with the configuration of tools/cluster/haproxy.cfg, on free ports of this machine. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, startChild } from './child.ts';
import { ensureDebianPackage, type Found, findBinary } from './debian.ts';
import { freePorts } from './ports.ts';

const HAPROXY = { binaries: ['/usr/sbin/haproxy', 'haproxy'], package: 'haproxy' };
const CONFIGURATION = join(import.meta.dirname, '../../../tools/cluster/haproxy.cfg');

export function ensureHaproxy(): Promise<Found> {
  return ensureDebianPackage(HAPROXY);
}

export interface ProcessPorts {
  web: number;
  mqtt: number;
  tcp: number;
}

export interface BalancerPorts extends ProcessPorts {
  postgres: number;
}

export interface Balancer {
  readonly ports: BalancerPorts;
  readonly child: Child;
}

/** A port without a listener. It represents servers that a test does not start. */
const NOBODY = 1;

export interface BalancerOptions {
  folder: string;
  ports?: BalancerPorts;
  /** Ports of one to three processes. */
  processes: readonly ProcessPorts[];
  /** Two PostgreSQL servers. `check` is the port that responds to `OPTIONS /primary` for the server. */
  postgres?: readonly { port: number; check: number }[];
}

export async function freeBalancerPorts(): Promise<BalancerPorts> {
  const [web, mqtt, tcp, postgres] = (await freePorts(4)) as [number, number, number, number];
  return { web, mqtt, tcp, postgres };
}

export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const { folder, processes, postgres = [], ports = await freeBalancerPorts() } = options;
  const command = findBinary(HAPROXY.binaries);
  if (!command) throw new Error('HAProxy is not installed.');
  const env: Record<string, string> = {};
  for (const [name, port] of Object.entries(ports)) env[`HAPROXY_${name.toUpperCase()}`] = `127.0.0.1:${port}`;
  for (const number of [1, 2, 3]) {
    const { web = NOBODY, mqtt = NOBODY, tcp = NOBODY } = processes[number - 1] ?? {};
    env[`TOCSIN_${number}_HOST`] = '127.0.0.1';
    for (const [name, port] of Object.entries({ web, mqtt, tcp }))
      env[`TOCSIN_${number}_${name.toUpperCase()}`] = String(port);
  }
  for (const number of [1, 2]) {
    const { port, check } = postgres[number - 1] ?? { port: NOBODY, check: NOBODY };
    env[`POSTGRES_${number}_HOST`] = '127.0.0.1';
    env[`POSTGRES_${number}_PORT`] = String(port);
    env[`POSTGRES_${number}_CHECK`] = String(check);
  }
  const file = join(folder, 'haproxy.cfg');
  copyFileSync(CONFIGURATION, file);
  const child = await startChild({
    command,
    args: ['-db', '-f', file],
    env,
    logFile: join(folder, 'haproxy.log'),
    stopSignal: 'TERM',
  });
  await untilOpen(ports.web, child);
  return { ports, child };
}

async function untilOpen(port: number, child: Child): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const open = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (open) return;
    if (!child.running) break;
    await delay(50);
  }
  throw new Error(`HAProxy did not start: ${child.output().slice(-2000)}`);
}
