import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from './client.ts';
import { readAnswer } from './client-http.ts';
import { createClient } from './device.ts';
import { FrameQueue, zeroCounts } from './frame-queue.ts';
import { protocols } from './plan.ts';
import { logFirstOfEachReason } from './plant.ts';

/** A server that accepts connections and data but never responds. */
let wall: Server;
const sockets = new Set<Socket>();
const address = (protocol: string) => new URL(`${protocol}://127.0.0.1:${(wall.address() as AddressInfo).port}`);

beforeAll(async () => {
  wall = createServer((socket) => sockets.add(socket.resume().on('error', () => {})));
  await new Promise<void>((resolve) => wall.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  wall.close();
});

describe.each(protocols)('a server that never responds over %s', (protocol) => {
  const client = (timeoutMs?: number) =>
    createClient[protocol]({
      uid: 'P-1',
      token: 'x',
      address: address(protocol),
      onCommand: () => {},
      ...(timeoutMs !== undefined && { timeoutMs }),
    });

  test('fails the frame after the time limit', async () => {
    const speaking = client(200);
    expect(await speaking.send(Buffer.from('1=1'))).toMatchObject({ kind: 'failed' });
    await speaking.close();
  });

  test('does not delay closing', async () => {
    const queue = new FrameQueue({ client: client(), counts: zeroCounts(), key: 1, onCommand: () => {} });
    queue.add({ body: Buffer.from('1=1'), confirms: [] });
    const start = performance.now();
    await queue.stop();
    expect(performance.now() - start).toBeLessThan(5000);
    expect(queue.waiting).toHaveLength(1);
  });
});

describe.each(protocols)('no server at all by %s', (protocol) => {
  test('fails with the network’s error code', async () => {
    const nowhere = createClient[protocol]({
      uid: 'P-1',
      token: 'x',
      address: new URL(`${protocol}://127.0.0.1:1`),
      onCommand: () => {},
    });
    expect(await nowhere.send(Buffer.from('1=1'))).toEqual({ kind: 'failed', because: 'ECONNREFUSED' });
    await nowhere.close();
  });
});

test('reports a frame without any usable value by HTTP', () => {
  const read = (answer: object) => readAnswer(200, JSON.stringify(answer), 0);
  const refused = [{ channel: '9', reason: 'unknown-channel' }];
  expect(read({ accepted: 0, duplicates: 0, refused })).toMatchObject({ kind: 'accepted', useless: 'unknown-channel' });
  expect(read({ accepted: 1, duplicates: 0, refused })).toEqual({ kind: 'accepted', commands: [] });
  expect(read({ accepted: 0, duplicates: 1, refused })).toEqual({ kind: 'accepted', commands: [] });
});

test('logs the first refusal of each reason at once', () => {
  const lines: string[] = [];
  const tell = logFirstOfEachReason((line) => lines.push(line));
  for (const because of ['wrong-token', 'wrong-token']) tell('P-1', { because, badToken: true, again: true });
  tell('P-1', { because: 'not-json', badToken: false, again: false });
  tell('P-1', { because: 'ECONNREFUSED', badToken: false, again: true });
  expect(lines).toEqual([
    'A frame of P-1 was not accepted: wrong-token.',
    'A frame of P-1 was not accepted: not-json. The simulator will not send it again.',
    'A frame of P-1 was not accepted: the server is not responding (ECONNREFUSED). The simulator will send it again until the server accepts it.',
  ]);
});

test('marks only a wrong or revoked token as refused for good', () => {
  expect(['wrong-token', 'revoked-token', 'unknown-uid', 'disabled'].map((reason) => outcomeOf(reason))).toMatchObject([
    { badToken: true },
    { badToken: true },
    { kind: 'barred', badToken: false },
    { kind: 'barred', badToken: false },
  ]);
});
