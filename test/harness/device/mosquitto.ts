/** A real Mosquitto broker for tests, on its own port, and its command-line clients. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ensureDebianPackage, type Found, findBinary } from '../machine/debian.ts';
import { accepts, freePorts } from '../machine/ports.ts';

const run = promisify(execFile);

export const MOSQUITTO = { binaries: ['mosquitto', '/usr/sbin/mosquitto'], package: 'mosquitto' };
/** The Debian package that contains mosquitto_pub and mosquitto_sub. */
export const MOSQUITTO_CLIENTS = { binaries: ['mosquitto_pub'], package: 'mosquitto-clients' };

export function ensureMosquitto(): Promise<Found> {
  return ensureDebianPackage(MOSQUITTO);
}

export interface Mosquitto {
  port: number;
  /** URL of the broker. Every client may publish and subscribe to all topics. */
  url: string;
  stop(): Promise<void>;
  /** Restarts the broker on the same port with its stored sessions. */
  start(): Promise<void>;
  dispose(): Promise<void>;
}

export interface MosquittoOptions {
  /** The only user that may connect. By default, every client may connect without a password. */
  user?: { name: string; password: string };
  /** Additional lines for the broker's configuration file. */
  settings?: string[];
}

export async function startMosquitto({ user, settings = [] }: MosquittoOptions = {}): Promise<Mosquitto> {
  const binary = findBinary(MOSQUITTO.binaries);
  if (!binary) throw new Error('Mosquitto is not installed.');
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-mosquitto-'));
  const [port] = (await freePorts(1)) as [number];
  const passwords = join(folder, 'passwords');
  if (user) await run('mosquitto_passwd', ['-b', '-c', passwords, user.name, user.password]);
  const config = join(folder, 'mosquitto.conf');
  const lines = [
    `listener ${port} 127.0.0.1`,
    user ? `password_file ${passwords}` : 'allow_anonymous true',
    'persistence true',
    `persistence_location ${folder}/`,
    // By default, a Mosquitto that is started as root switches to a user that cannot write to this folder.
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    ...settings,
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  let child: ChildProcess | undefined;
  const end = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const kill = () => child?.kill('SIGKILL');
  process.once('exit', kill);
  const broker: Mosquitto = {
    port,
    url: `mqtt://${user ? `${user.name}:${encodeURIComponent(user.password)}@` : ''}127.0.0.1:${port}`,
    stop: end,
    async start() {
      child = spawn(binary, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        said += chunk;
      });
      while (!(await accepts(port))) {
        if (child.exitCode !== null) throw new Error(`Mosquitto ended with code ${child.exitCode}: ${said}`);
        await delay(20);
      }
    },
    async dispose() {
      await end();
      process.off('exit', kill);
      if (existsSync(folder)) await rm(folder, { recursive: true });
    },
  };
  await broker.start();
  return broker;
}
