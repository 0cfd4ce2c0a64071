import { join } from 'node:path';
import { other, PostgresPair } from '../../test/harness/database/postgres-pair.ts';
import { type Child, startChild } from '../../test/harness/machine/child.ts';
import {
  type Balancer,
  type BalancerOptions,
  freeBalancerPorts,
  type ProcessPorts,
  startBalancer,
} from '../../test/harness/machine/haproxy.ts';
import { freePorts } from '../../test/harness/machine/ports.ts';
import { Failover } from './failover.ts';

const root = join(import.meta.dirname, '../..');
/**
 * Delay before a killed program is restarted. In the meantime, a person can observe how the cluster works without the
 * program.
 */
const REPAIR_MS = 10_000;
const READY_MS = 180_000;

export interface ClusterOptions {
  folder: string;
  demo: boolean;
  /** True if programs that have ended are restarted. */
  repair: boolean;
  /** Number of Tocsin processes, at most 3. */
  processes?: number;
  say(text: string): void;
}

interface TocsinProcess {
  name: string;
  ports: ProcessPorts;
  child: Child | undefined;
}

export class Cluster {
  readonly #options: ClusterOptions;
  readonly processes: TocsinProcess[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  pair!: PostgresPair;
  failover!: Failover;
  balancer!: Balancer;
  #devices: Child | undefined;
  #stopping = false;

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { folder, demo, repair, processes = 3, say } = this.#options;
    say(`Starting PostgreSQL with a standby in ${folder}…`);
    this.pair = await PostgresPair.start({ folder });
    const [one, two] = (await freePorts(2)) as [number, number];
    this.failover = new Failover({ pair: this.pair, checkPorts: { one, two }, say, rebuild: repair });
    await this.failover.start();
    for (let number = 1; number <= processes; number += 1) {
      const [web, mqtt, tcp] = (await freePorts(3)) as [number, number, number];
      this.processes.push({ name: `tocsin${number}`, ports: { web, mqtt, tcp }, child: undefined });
    }
    await this.#startBalancer({
      folder,
      ports: await freeBalancerPorts(),
      processes: this.processes.map(({ ports }) => ports),
      postgres: [
        { port: this.pair.ports.one, check: one },
        { port: this.pair.ports.two, check: two },
      ],
    });
    say(demo ? 'Starting Tocsin and creating the demo plant…' : 'Starting Tocsin…');
    // The first process creates the tables and the demo before the others start.
    for (const process of this.processes) await this.#startProcess(process);
    if (demo) await this.#startDevices();
    this.#describe();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#devices?.stop();
    await Promise.all(this.processes.map(({ child }) => child?.stop()));
    await this.balancer?.child.stop();
    await this.failover?.close();
    await this.pair?.stop();
  }

  async #startBalancer(options: BalancerOptions): Promise<Child> {
    this.balancer = await startBalancer(options);
    this.#repairAfter(this.balancer.child, 'HAProxy', () => this.#startBalancer(options));
    return this.balancer.child;
  }

  /** Address of the primary, through HAProxy. */
  get databaseUrl(): string {
    return this.pair.urlAt(this.balancer.ports.postgres);
  }

  async #startProcess(process: TocsinProcess): Promise<Child> {
    const { folder, demo } = this.#options;
    const { web, mqtt, tcp } = process.ports;
    const child = await this.#node(process.name, ['server/main.ts'], {
      DATABASE_URL: this.databaseUrl,
      TOCSIN_DEMO: demo ? 'data' : 'off',
      TOCSIN_HOST: '127.0.0.1',
      PORT: String(web),
      MQTT_PORT: String(mqtt),
      TCP_PORT: String(tcp),
      TOCSIN_PUBLIC_URL: `http://localhost:${this.balancer.ports.web}`,
      TOCSIN_TRUST_PROXY: '127.0.0.1',
      TOCSIN_DATA_DIR: folder,
    });
    process.child = child;
    this.#repairAfter(child, process.name, () => this.#startProcess(process));
    const began = performance.now();
    while (!(await answers(`http://127.0.0.1:${web}/api/v1/config`))) {
      if (!child.running) throw new Error(`${process.name} did not start: ${child.output().trim().split('\n').at(-1)}`);
      if (performance.now() - began > READY_MS) throw new Error(`${process.name} was not ready within 3 minutes.`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return child;
  }

  async #startDevices(): Promise<void> {
    const { web, mqtt, tcp } = this.balancer.ports;
    const to = [
      '--http',
      `http://127.0.0.1:${web}`,
      '--mqtt',
      `mqtt://127.0.0.1:${mqtt}`,
      '--tcp',
      `tcp://127.0.0.1:${tcp}`,
    ];
    this.#devices = await this.#node('demo-devices', ['server/cli/demo-devices.ts', ...to], {
      DATABASE_URL: this.databaseUrl,
      TOCSIN_DEMO: 'data',
    });
  }

  #node(name: string, args: string[], settings: Record<string, string>): Promise<Child> {
    const { PATH, HOME, TMPDIR } = process.env;
    return startChild({
      command: process.execPath,
      args,
      cwd: root,
      env: { PATH, HOME, TMPDIR, TOCSIN_LOG_FORMAT: 'text', ...settings },
      logFile: join(this.#options.folder, `${name}.log`),
      stopSignal: 'TERM',
    });
  }

  /** Reports the end of a program. With `repair`, starts the program again after `REPAIR_MS`. */
  #repairAfter(child: Child, name: string, start: () => Promise<Child>): void {
    const { repair, say } = this.#options;
    void child.exited.then(() => {
      if (this.#stopping) return;
      say(`${name} (pid ${child.pid}) ended.${repair ? ` It restarts in ${REPAIR_MS / 1000} s.` : ''}`);
      if (!repair) return;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        start().then(
          (again) => say(`${name} is running again (pid ${again.pid}).`),
          (error: Error) => this.#stopping || say(error.message),
        );
      }, REPAIR_MS);
      this.#timers.add(timer);
    });
  }

  #describe(): void {
    const { folder, demo, say } = this.#options;
    const { web, mqtt, tcp, postgres } = this.balancer.ports;
    const { primary } = this.failover;
    const lines = [
      '',
      `Console:  http://localhost:${web}`,
      `Devices:  http://localhost:${web}/api/v1/ingest, mqtt://localhost:${mqtt}, tcp://localhost:${tcp}`,
      `Database: ${this.pair.urlAt(postgres)}`,
      ...(demo ? ['The sign-in page shows the accounts of the demo.'] : []),
      '',
      'program        pid      address',
      ...this.processes.map(
        ({ name, ports, child }) => `${name.padEnd(15)}${pad(child?.pid)}http://localhost:${ports.web}`,
      ),
      `${'HAProxy'.padEnd(15)}${pad(this.balancer.child.pid)}`,
      `${'primary'.padEnd(15)}${pad(this.pair.pid(primary))}127.0.0.1:${this.pair.ports[primary]}`,
      `${'standby'.padEnd(15)}${pad(this.pair.pid(other(primary)))}127.0.0.1:${this.pair.ports[other(primary)]}`,
      '',
      'Kill one of them and watch the console, for example:',
      `  kill -9 ${this.processes[1]?.child?.pid}        its devices and pages move to the other processes`,
      `  kill -9 ${this.pair.pid(primary)}        the standby takes over within seconds`,
      `Logs are in ${folder}. Ctrl+C stops everything.`,
    ];
    for (const line of lines) say(line);
  }
}

function pad(pid: number | undefined): string {
  return String(pid ?? '').padEnd(9);
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
