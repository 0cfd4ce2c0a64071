import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import { MemoryIntake } from '../../test/harness/server/memory-intake.ts';
import { countOf } from '../../test/harness/server/metrics.ts';
import { silentLog } from '../platform/log.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import type { Listener } from './mqtt.ts';
import { startTcp } from './tcp.ts';
import type { TcpLimits } from './tcp-limits.ts';

let intake: MemoryIntake;
let metrics: Metrics;
let listener: Listener;
const sockets: Logger[] = [];

beforeEach(() => {
  intake = new MemoryIntake();
  intake.add('log-1');
  metrics = createMetrics();
});
afterEach(async () => {
  for (const logger of sockets.splice(0)) logger.socket.destroy();
  await listener.close();
});

async function open(limits: Partial<TcpLimits> = {}): Promise<Logger> {
  const port = { number: 0, fixed: true };
  listener = await startTcp({ intake, log: silentLog, metrics, host: '127.0.0.1', port, limits });
  return new Logger();
}

class Logger {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  text = '';
  #wake = () => {};

  constructor() {
    this.socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk) => {
      this.text += chunk;
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.once('end', () => this.socket.end());
      this.socket.once('close', () => {
        this.#wake();
        resolve();
      });
    });
    sockets.push(this);
  }

  say(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Resolves with the next responses as soon as `count` responses have arrived or the connection has closed. */
  async hear(count: number): Promise<string[]> {
    for (;;) {
      const lines = this.text.split('\n').slice(0, -1);
      if (lines.length >= count || this.socket.destroyed) {
        this.text = this.text.split('\n').slice(count).join('\n');
        return lines.slice(0, count);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

const counted = (outcome: string) => countOf(metrics, { outcome });

describe('lines', () => {
  test('with uid and token belong to their own sensor', async () => {
    intake.add('log-2');
    const logger = await open();
    logger.say('log-1 token-of-log-1 1=20.5\r\nlog-2 token-of-log-2 {"1": 7}\n');
    expect(await logger.hear(2)).toEqual(['OK', 'OK']);
    expect(intake.frames.map(({ device, protocol, text }) => [device.uid, protocol, text])).toEqual([
      ['log-1', 'tcp', '1=20.5'],
      ['log-2', 'tcp', '{"1": 7}'],
    ]);
  });

  test('after a line with only uid and token are bare frames', async () => {
    const logger = await open();
    logger.say('log-1 token-of-log-1\n1=1\n1=2\n');
    expect(await logger.hear(3)).toEqual(['OK', 'OK', 'OK']);
    expect(intake.frames.map(({ text }) => text)).toEqual(['1=1', '1=2']);
  });

  test('with uid and token are never read as a bare frame, and only lines without a frame sign in', async () => {
    const token = 'x'.repeat(42);
    intake.add('log-2', `${token}2`);
    intake.add('log-3', `${token}3`);
    const logger = await open();
    logger.say(`log-1 token-of-log-1\nlog-2 ${token}2 1=4242\n1=1\nlog-3 ${token}3\n1=3\nlog-2 ${token}9 1=5\n`);
    expect((await logger.hear(6)).map((answer) => answer.split(' ').slice(0, 2).join(' '))).toEqual([
      ...['OK', 'OK', 'OK', 'OK', 'OK'],
      'ERR wrong-token',
    ]);
    expect(intake.frames.map(({ device, text }) => `${device.uid} ${text}`).sort()).toEqual([
      'log-1 1=1',
      'log-2 1=4242',
      'log-3 1=3',
    ]);
  });

  test('with a truncated or mistyped token are not stored for the signed-in device, and later lines are rejected', async () => {
    intake.add('log-2');
    const logger = await open();
    logger.say('log-1 token-of-log-1\nlog-2 wrong 1=2.22\n1=13.9\n');
    const answers = await logger.hear(3);
    expect(answers.map((answer) => answer.split(' ').slice(0, 2).join(' '))).toEqual(['OK', 'ERR wrong-token']);
    expect(intake.frames).toEqual([]);
    // Text that is not a valid frame is stored in the sensor log.
    const other = await open();
    other.say('log-1 token-of-log-1\nPUMP IS RUNNING\n1=1\n');
    expect((await other.hear(3)).map((answer) => answer.split(' ')[0])).toEqual(['OK', 'ERR', 'OK']);
  });

  test('wait behind a line whose device is not identified yet', async () => {
    intake.add('log-2');
    const { identify } = intake;
    const asked = Promise.withResolvers<void>();
    const known = Promise.withResolvers<void>();
    intake.identify = async (uid, token) => {
      if (uid === 'log-2') {
        asked.resolve();
        await known.promise;
      }
      return identify.call(intake, uid, token);
    };
    const logger = await open();
    const release = intake.hold();
    logger.say('log-1 token-of-log-1\nlog-1 token-of-log-1 1=1\nlog-2 wrong 1=2\n1=3\n');
    await asked.promise;
    intake.holdNoMore();
    release();
    expect(await logger.hear(2)).toEqual(['OK', 'OK']);
    known.resolve();
    expect((await logger.hear(2)).map((answer) => answer.split(' ')[1])).toEqual(['wrong-token']);
    expect(intake.frames.map(({ text }) => text)).toEqual(['1=1']);
  });

  test('wait for a commit together and get their responses in order', async () => {
    const logger = await open({ outstanding: 8 });
    const release = intake.hold();
    logger
      .say('log-1 token-of-log-1\n')
      .say(Array.from({ length: 50 }, (_, index) => `${index === 2 ? '{' : ''}1=${index}\n`).join(''));
    await logger.hear(1);
    while (intake.underWay < 8) await new Promise((resolve) => setImmediate(resolve));
    expect(logger.text).toBe('');
    release();
    const answers = await logger.hear(50);
    expect(answers.map((answer) => answer.split(' ').slice(0, 2).join(' '))).toEqual(
      Array.from({ length: 50 }, (_, index) => (index === 2 ? 'ERR not-json' : 'OK')),
    );
    expect(intake.mostUnderWay).toBe(8);
  });

  test('that are stored before an earlier line get their responses after it', async () => {
    const logger = await open();
    const release = intake.hold();
    logger.say('log-1 token-of-log-1 {\n');
    while (intake.underWay < 1) await new Promise((resolve) => setImmediate(resolve));
    intake.holdNoMore();
    logger.say('log-1 token-of-log-1 1=1\nlog-1 token-of-log-1 1=2\n');
    while (intake.frames.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(logger.text).toBe('');
    release();
    expect((await logger.hear(3)).map((answer) => answer.split(' ')[0])).toEqual(['ERR', 'OK', 'OK']);
  });

  test('without a line end are refused', async () => {
    const logger = await open();
    logger.socket.end('log-1 token-of-log-1\n1=1\n1=2');
    expect((await logger.hear(3)).map((answer) => answer.split(' ').slice(0, 2).join(' '))).toEqual([
      'OK',
      'OK',
      'ERR half-a-line',
    ]);
    await logger.closed;
    expect(intake.frames.map(({ text }) => text)).toEqual(['1=1']);
    const stranger = await open();
    stranger.socket.end('log-1 token-of-log-1 1=2');
    expect(await stranger.hear(1)).toEqual([expect.stringMatching(/^ERR half-a-line .*\.$/)]);
    await stranger.closed;
    expect(intake.frames).toHaveLength(1);
    expect(intake.rejected).toMatchObject(Array(2).fill({ uid: 'log-1', because: 'half-a-line' }));
  });

  test('carry one command in each response, on one line', async () => {
    const device = intake.add('log-3');
    const logger = await open();
    intake.queue(device, 'SET\r\nINTERVAL 5');
    intake.queue(device, 'REBOOT');
    logger.say('log-3 token-of-log-3 1=1\n');
    expect(await logger.hear(1)).toEqual(['CMD 1 SET INTERVAL 5']);
    expect(
      device.commands.map(({ text }) => text),
      'the unsent command still waits',
    ).toEqual(['REBOOT']);
    logger.say('log-3 token-of-log-3 1=2\nlog-3 token-of-log-3 1=3\n');
    expect(await logger.hear(2)).toEqual(['CMD 2 REBOOT', 'OK']);
  });
});

describe('bad input', () => {
  test('gets a response with its reason, and the connection stays open', async () => {
    const logger = await open();
    intake.add('off').disabled = true;
    logger
      .say('nobody secret 1=1\n')
      .say('hello\n')
      .say('off token-of-off 1=1\n')
      .say(Buffer.from([0xff, 0xfe, 0, 10]));
    logger
      .say('log-1 token-of-log-1 1=NaN\n')
      .say(Buffer.concat([Buffer.from('log-1 token-of-log-1 '), Buffer.from([0xff, 0, 1, 10])]));
    logger
      .say(`log-1 token-of-log-1 ${'x'.repeat(frameLimits.bytes)}\n`)
      .say('\r\n\n  \n')
      .say('log-1 token-of-log-1 1=5\n');
    const answers = await logger.hear(8);
    expect(answers.map((answer) => answer.split(' ').slice(0, 2).join(' '))).toEqual([
      'ERR unknown-uid',
      'ERR no-token',
      'ERR disabled',
      'ERR no-token',
      'OK',
      'ERR not-text',
      'ERR too-large',
      'OK',
    ]);
    for (const answer of answers) expect(answer).toMatch(/^(OK|ERR [a-z-]+ .+\.)$/);
    for (const outcome of ['unknown-uid', 'no-token', 'disabled', 'not-text', 'too-large', 'taken']) {
      expect(await counted(outcome), outcome).toBeGreaterThan(0);
    }
    // The server refuses a line without a token before it looks up the sensor.
    expect(intake.rejected.map(({ protocol, uid, because }) => `${protocol} ${uid} ${because}`).sort()).toEqual([
      'tcp hello no-token',
      'tcp nobody unknown-uid',
      'tcp off disabled',
      'tcp \ufffd\ufffd\0 no-token',
    ]);
  });

  test.each(['guess', 'old'])('with a %s token ends the connection after the response', async (token) => {
    const logger = await open();
    intake.add('log-4', 'old').revoked = true;
    logger.say(`log-4 ${token} 1=1\nlog-1 token-of-log-1 1=1\n`);
    const because = token === 'guess' ? 'wrong-token' : 'revoked-token';
    expect(await logger.hear(1)).toEqual([`ERR ${because} Refused: ${because}.`]);
    await logger.closed;
    expect(logger.text).toBe('');
  });

  test.each(['flood', 'unavailable', 'busy'] as const)(
    'of a device that must retry later is answered with %s',
    async (name) => {
      const logger = await open();
      intake.refuse(name);
      logger.say('log-1 token-of-log-1 1=1\nlog-1 token-of-log-1 1=2\n');
      expect(await logger.hear(2)).toEqual([`ERR ${name} Refused: ${name}.`, 'OK']);
    },
  );

  test('from unknown devices closes the connection after some lines', async () => {
    const logger = await open({ unidentifiedLines: 3 });
    logger.say('a b\na b c\na\na b c\na b c\n');
    const answers = await logger.hear(5);
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.length).toBeLessThanOrEqual(3);
    await logger.closed;
  });

  test('after the sign-in of a refused device is not stored', async () => {
    const logger = await open();
    logger.say('nobody secret\n1=1\n');
    expect((await logger.hear(2)).map((answer) => answer.split(' ')[1])).toEqual(['unknown-uid', 'no-token']);
    expect(intake.frames).toEqual([]);
  });
});

describe('connections', () => {
  test('without a known device are closed, whatever they send', async () => {
    const silent = await open({ helloMs: 120 });
    const noisy = new Logger();
    const noise = setInterval(() => noisy.say('\n'), 10);
    await Promise.all([silent.closed, noisy.closed]);
    clearInterval(noise);
    expect(await counted('silent')).toBe(2);
  });

  test('that never end their line are closed', async () => {
    const slow = await open({ slowMs: 150 });
    const steady = new Logger();
    slow.say('log-1 token-of-log-1\n');
    steady.say('log-1 token-of-log-1\n');
    const drip = setInterval(() => {
      slow.say('x');
      steady.say('1=1\n1');
      steady.say('=2\n1=');
      steady.say('3\n');
    }, 20);
    await slow.closed;
    clearInterval(drip);
    expect(await counted('slow')).toBe(1);
    expect(steady.socket.destroyed).toBe(false);
  });

  test('that are idle for too long are closed, and lines keep them open', async () => {
    const idle = await open({ idleMs: 200 });
    const alive = new Logger();
    idle.say('log-1 token-of-log-1\n');
    alive.say('log-1 token-of-log-1\n');
    const speak = setInterval(() => alive.say('1=1\n'), 40);
    await idle.closed;
    clearInterval(speak);
    expect(await counted('idle')).toBe(1);
    expect(alive.socket.destroyed).toBe(false);
  });

  test('that never read their responses are closed', async () => {
    const deaf = await open({ slowMs: 150, outstanding: 4096 });
    deaf.socket.pause();
    // Short lines with long responses fill the send buffer fastest.
    const lines = '{\n'.repeat(20_000);
    deaf.say('log-1 token-of-log-1\n');
    const gone = new Promise((resolve) => deaf.socket.once('error', resolve));
    const more = setInterval(() => deaf.say(lines), 5);
    await Promise.race([gone, deaf.closed]);
    clearInterval(more);
    expect(await counted('slow')).toBe(1);
  });

  test('beyond the limit are refused, in total and for each device', async () => {
    const first = await open({ connections: 3, connectionsOfDevice: 1 });
    first.say('log-1 token-of-log-1\n');
    expect(await first.hear(1)).toEqual(['OK']);
    const second = new Logger().say('log-1 token-of-log-1\n');
    expect(await second.hear(1)).toEqual(['OK']);
    expect(await first.hear(1)).toEqual(['ERR replaced Another connection of this device replaced this one.']);
    await first.closed;
    const more = Array.from({ length: 5 }, () => new Logger());
    await Promise.any(more.map(({ closed }) => closed));
    expect(await counted('too-many')).toBeGreaterThan(0);
  });

  test('of a disabled device or a revoked token are closed at once', async () => {
    const device = intake.add('log-5');
    const logger = await open();
    const other = new Logger().say('log-1 token-of-log-1\n');
    logger.say('log-5 token-of-log-5\n');
    expect([await logger.hear(1), await other.hear(1)]).toEqual([['OK'], ['OK']]);
    device.revoked = true;
    intake.changed(device);
    expect(await logger.hear(1)).toEqual(['ERR revoked-token Refused: revoked-token.']);
    await logger.closed;
    expect(await other.say('1=1\n').hear(1)).toEqual(['OK']);
  });

  test('that are lost keep their complete lines', async () => {
    const logger = await open();
    const release = intake.hold();
    logger.say('log-1 token-of-log-1 1=1\n');
    while (intake.underWay === 0) await new Promise((resolve) => setImmediate(resolve));
    logger.socket.resetAndDestroy();
    await logger.closed;
    release();
    while (intake.underWay > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(intake.frames).toHaveLength(1);
  });

  test('get all responses before the gateway closes', async () => {
    const logger = await open();
    logger.say('log-1 token-of-log-1\n');
    await logger.hear(1);
    const release = intake.hold();
    logger.say('1=1\n');
    while (intake.underWay === 0) await new Promise((resolve) => setImmediate(resolve));
    const closing = listener.close();
    release();
    expect(await logger.hear(1)).toEqual(['OK']);
    await closing;
  });
});
