/**
 * A device that sends readings one by one. After a failure, the device reconnects and repeats the frame until the
 * server acknowledges it.
 */
import { connect as connectTcp } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectMqtt } from 'mqtt';
import type { TestSensor } from './devices.ts';

export type SteadyProtocol = 'http' | 'mqtt' | 'tcp';
export const steadyProtocols: readonly SteadyProtocol[] = ['http', 'mqtt', 'tcp'];

export interface DevicePorts {
  web: number;
  mqtt: number;
  tcp: number;
}

export interface SteadyDevice {
  readonly sensor: TestSensor;
  readonly protocol: SteadyProtocol;
  /**
   * Readings that the server acknowledged. `sentAt` and `at` are the times of the last attempt and of its
   * acknowledgement, from `performance.now()`.
   */
  readonly answered: { time: number; sentAt: number; at: number }[];
  readonly commands: { command: string; at: number }[];
  /** Failed attempts to send a frame, in order, each with its reason. */
  readonly failures: { reason: string; at: number }[];
  stop(): Promise<void>;
}

export interface SteadyOptions {
  ports: DevicePorts;
  sensor: TestSensor;
  protocol: SteadyProtocol;
  pauseMs?: number;
}

interface Connection {
  /** Resolves when the server acknowledges the frame. */
  send(frame: string): Promise<void>;
  /** Resolves when the server closes the connection. Never resolves for an HTTP device. */
  closed: Promise<void>;
  close(): void;
}

type Connect = (ports: DevicePorts, sensor: TestSensor, onCommand: (command: string) => void) => Promise<Connection>;

const ANSWER_MS = 40_000;
const RETRY_MS = 100;
const STOP_MS = 2000;

const connections: Record<SteadyProtocol, Connect> = {
  async http({ web }, { uid, token }, onCommand) {
    return {
      async send(frame) {
        const answer = await fetch(`http://127.0.0.1:${web}/api/v1/ingest/${uid}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: frame,
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
        for (const { command } of JSON.parse(text).commands) onCommand(command);
      },
      closed: new Promise(() => {}),
      close() {},
    };
  },
  tcp({ tcp }, { uid, token }, onCommand) {
    return new Promise((resolve, reject) => {
      const socket = connectTcp(tcp, '127.0.0.1');
      let text = '';
      let waiting: { resolve(): void; reject(error: Error): void } | undefined;
      const gone = () => {
        const error = new Error('the connection was closed');
        reject(error);
        waiting?.reject(error);
      };
      socket.on('error', gone).on('close', gone);
      // Closes the connection if neither side has sent data for ANSWER_MS.
      socket.setTimeout(ANSWER_MS, () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        const lines = (text + chunk).split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) {
          const isCommand = line.startsWith('CMD ');
          if (isCommand) onCommand(line.trim().split(' ').slice(2).join(' '));
          // A command replaces OK as the response to a frame.
          if (isCommand || line.startsWith('OK')) waiting?.resolve();
          else waiting?.reject(new Error(line));
        }
      });
      socket.once('connect', () =>
        resolve({
          send: (frame) =>
            new Promise((done, failed) => {
              if (socket.destroyed) return failed(new Error('the connection was closed'));
              waiting = { resolve: done, reject: failed };
              socket.write(`${uid} ${token} ${frame}\n`);
            }),
          closed: new Promise((closed) => socket.once('close', () => closed())),
          close: () => socket.destroy(),
        }),
      );
    });
  },
  async mqtt({ mqtt }, { uid, token }, onCommand) {
    const client = connectMqtt(`mqtt://127.0.0.1:${mqtt}`, {
      ...{ username: uid, password: token, reconnectPeriod: 0, connectTimeout: 5000 },
    });
    client.on('error', () => {});
    client.on('message', (_topic, message) => onCommand(JSON.parse(message.toString()).command));
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => resolve());
      client.once('close', () => reject(new Error('the connection was closed')));
    });
    await client.subscribeAsync(`tocsin/${uid}/down`, { qos: 1 });
    return {
      send: (frame) =>
        new Promise((resolve, reject) => {
          const gone = () => reject(new Error('the connection was closed'));
          if (!client.connected) return gone();
          client.once('close', gone);
          client.publish(`tocsin/${uid}/up`, frame, { qos: 1 }, (error) => {
            client.off('close', gone);
            if (error) reject(error);
            else resolve();
          });
        }),
      closed: new Promise((closed) => client.once('close', () => closed())),
      close: () => void client.end(true),
    };
  },
};

export function startSteadyDevice({ ports, sensor, protocol, pauseMs = 50 }: SteadyOptions): SteadyDevice {
  const answered: SteadyDevice['answered'] = [];
  const commands: SteadyDevice['commands'] = [];
  const failures: SteadyDevice['failures'] = [];
  let connection: Connection | undefined;
  const stopped = new AbortController();
  // Each reading has a unique device time, so the server recognises a repeated frame as a duplicate.
  let time = Date.now() - 3_600_000;
  const run = async () => {
    while (!stopped.signal.aborted) {
      try {
        connection ??= await connections[protocol](ports, sensor, (command) =>
          commands.push({ command, at: performance.now() }),
        );
        const sentAt = performance.now();
        await connection.send(`t=${time};1=20.5`);
        answered.push({ time, sentAt, at: performance.now() });
        time += 100;
        await Promise.race([
          pause(pauseMs, undefined, { signal: stopped.signal }),
          connection.closed.then(() => Promise.reject(new Error('the connection was closed'))),
        ]);
      } catch (error) {
        if (!stopped.signal.aborted) failures.push({ reason: (error as Error).message, at: performance.now() });
        connection?.close();
        connection = undefined;
        await pause(RETRY_MS);
      }
    }
  };
  const running = run();
  return {
    ...{ sensor, protocol, answered, commands, failures },
    async stop() {
      stopped.abort();
      // Waits up to `STOP_MS` until the server acknowledges the last frame.
      const closing = setTimeout(() => connection?.close(), STOP_MS);
      await running;
      clearTimeout(closing);
      connection?.close();
    },
  };
}
