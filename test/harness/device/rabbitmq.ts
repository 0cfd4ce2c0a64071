/** Real RabbitMQ nodes for tests, each with its own ports and folder, in one cluster. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ensureDebianPackage, type Found, findBinary } from '../machine/debian.ts';
import { accepts, freePorts } from '../machine/ports.ts';
import { scratchFolder } from '../machine/scratch.ts';

const run = promisify(execFile);

// Path of the server's own script. The script in /usr/sbin switches to a user who cannot write to the folder of a test.
const RABBITMQ = { binaries: ['/usr/lib/rabbitmq/bin/rabbitmq-server'], package: 'rabbitmq-server' };
const PLUGINS = '[rabbitmq_mqtt,rabbitmq_consistent_hash_exchange,rabbitmq_auth_backend_http].';
const USER = 'tocsin-service';
const PASSWORD = 'p@ss/word';

export function ensureRabbitmq(): Promise<Found> {
  return ensureDebianPackage(RABBITMQ);
}

export interface RabbitNode {
  name: string;
  amqpPort: number;
  mqttPort: number;
  start(): Promise<void>;
  kill(): Promise<void>;
}

export interface Rabbitmq {
  nodes: RabbitNode[];
  /** Value of the setting TOCSIN_AMQP_URL, with the addresses of all nodes. */
  amqpUrl: string;
  /** Runs rabbitmqctl on a node and returns the command's output. */
  control(node: RabbitNode, ...args: string[]): Promise<string>;
  dispose(): Promise<void>;
}

export interface RabbitmqOptions {
  nodes?: number;
  /** URL of Tocsin's routes that authenticate devices, including the secret. */
  authUrl?: string;
}

export async function startRabbitmq({ nodes: count = 1, authUrl }: RabbitmqOptions = {}): Promise<Rabbitmq> {
  const binary = findBinary(RABBITMQ.binaries);
  if (!binary) throw new Error('RabbitMQ is not installed.');
  const programs = dirname(binary);
  const folder = scratchFolder('rabbitmq');
  const [epmdPort, ...ports] = (await freePorts(1 + 3 * count)) as [number, ...number[]];
  writeFileSync(join(folder, '.erlang.cookie'), 'tocsin-test', { mode: 0o400 });
  writeFileSync(join(folder, 'plugins'), PLUGINS);
  const common = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    LANG: 'C.UTF-8',
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'no-such-file'),
  };
  const names = Array.from({ length: count }, (_, index) => `rabbit${index + 1}@localhost`);
  // Starts epmd, the name service of Erlang. A node would otherwise start it and leave it running after the test.
  const epmd = spawn('epmd', [], { env: common, stdio: 'ignore' });
  while (!(await accepts(epmdPort))) await delay(20);

  const nodes = names.map((name, index): RabbitNode => {
    const [amqpPort, mqttPort, distPort] = ports.slice(3 * index) as [number, number, number];
    const own = join(folder, name);
    mkdirSync(own);
    const config = join(own, 'rabbitmq.conf');
    const advanced = join(own, 'advanced.config');
    // Without this setting, RabbitMQ would read the part of a uid before a colon as the virtual host.
    writeFileSync(advanced, '[{rabbitmq_mqtt, [{ignore_colons_in_username, true}]}].');
    writeFileSync(config, `${configLines({ names, amqpPort, mqttPort, authUrl }).join('\n')}\n`);
    const env = {
      ...common,
      RABBITMQ_NODENAME: name,
      RABBITMQ_CONFIG_FILE: config,
      RABBITMQ_ADVANCED_CONFIG_FILE: advanced,
      RABBITMQ_MNESIA_BASE: own,
      RABBITMQ_LOG_BASE: own,
      RABBITMQ_LOGS: '-',
      RABBITMQ_DIST_PORT: String(distPort),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
      RABBITMQ_SERVER_START_ARGS: '+S 1:1',
      RABBITMQ_PID_FILE: join(own, 'pid'),
      ERL_CRASH_DUMP: join(own, 'erl_crash.dump'),
    };
    let child: ChildProcess | undefined;
    return {
      ...{ name, amqpPort, mqttPort },
      async start() {
        const log = join(own, 'output.log');
        // The script starts further processes. Its own process group allows `kill` to end all of them together.
        child = spawn(binary, [], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
        const output = createWriteStream(log, { flags: 'a' });
        child.stdout?.pipe(output);
        child.stderr?.pipe(output);
        while (!((await accepts(mqttPort)) && (await accepts(amqpPort)))) {
          if (child.exitCode !== null)
            throw new Error(`RabbitMQ ended with code ${child.exitCode}: ${readFileSync(log, 'utf8').slice(-4000)}`);
          await delay(50);
        }
      },
      async kill() {
        if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        process.kill(-child.pid, 'SIGKILL');
        await ended;
        while (await accepts(amqpPort)) await delay(20);
      },
    };
  });
  const killAll = () => {
    for (const node of nodes) void node.kill();
    epmd.kill('SIGKILL');
  };
  process.once('exit', killAll);
  const dispose = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    epmd.kill('SIGKILL');
    process.off('exit', killAll);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // The first node starts alone, because nodes that start together can each create a separate cluster.
    const [first, ...others] = nodes as [RabbitNode, ...RabbitNode[]];
    await first.start();
    await Promise.all(others.map((node) => node.start()));
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    nodes,
    amqpUrl: nodes
      .map(({ amqpPort }) => `amqp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${amqpPort}`)
      .join(','),
    async control(node, ...args) {
      const { stdout } = await run(join(programs, 'rabbitmqctl'), ['--quiet', '-n', node.name, ...args], {
        env: common,
        timeout: 60_000,
      });
      return stdout;
    },
    dispose,
  };
}

interface NodeConfig {
  names: readonly string[];
  amqpPort: number;
  mqttPort: number;
  authUrl: string | undefined;
}

function configLines({ names, amqpPort, mqttPort, authUrl }: NodeConfig): string[] {
  const questions = ['user', 'vhost', 'resource', 'topic'];
  return [
    `listeners.tcp.1 = 127.0.0.1:${amqpPort}`,
    `mqtt.listeners.tcp.1 = 127.0.0.1:${mqttPort}`,
    'mqtt.allow_anonymous = false',
    `default_user = ${USER}`,
    `default_pass = ${PASSWORD}`,
    'loopback_users = none',
    'auth_backends.1 = internal',
    ...(authUrl === undefined
      ? []
      : [
          'auth_backends.2 = http',
          'auth_http.http_method = post',
          ...questions.map((question) => `auth_http.${question}_path = ${authUrl}/${question}`),
        ]),
    ...(names.length > 1
      ? [
          'cluster_formation.peer_discovery_backend = classic_config',
          ...names.map((name, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${name}`),
        ]
      : []),
    // The limits are small, because the test folder may be in memory. Small limits are sufficient, because tests send
    // few messages.
    'raft.wal_max_size_bytes = 16777216',
    'disk_free_limit.absolute = 50MB',
    'log.console.level = warning',
  ];
}
