import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryIntake } from '../../../test/harness/server/memory-intake.ts';
import type { Answer, RefusalName } from '../../pipeline/intake.ts';
import { silentLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { brokerLimits } from './limits.ts';
import { OrderedIntake } from './ordered-intake.ts';

const SENSORS = ['pump-1', 'pump-2', 'pump-3'];
const unavailable: Answer = { ok: false, because: 'unavailable', sentence: 'Try again later.', retryAfterMs: 1 };
const taken: Answer = { ok: true, accepted: 1, duplicates: 0, refused: [], notes: [], commands: [] };

/**
 * Simulated handling of one message: failed attempts, then the time until the commit. `alone` marks a Sparkplug
 * message.
 */
const plannedMessage = fc.record({
  alone: fc.boolean(),
  uid: fc.constantFrom(...SENSORS),
  failures: fc.array(fc.constantFrom<RefusalName | 'throws'>('busy', 'unavailable', 'flood', 'throws'), {
    maxLength: 3,
  }),
  commitMs: fc.integer({ min: 0, max: 3 }),
});

function orderedIntake(limits: Partial<typeof brokerLimits> = {}, intake = new MemoryIntake()): OrderedIntake {
  for (const uid of SENSORS) intake.add(uid);
  const all = { ...brokerLimits, retryMs: 1, ...limits };
  return new OrderedIntake({ intake, log: silentLog, metrics: createMetrics(), limits: all });
}

const frame = (body: string) => ({
  delivery: { protocol: 'mqtt' as const, body: Buffer.from(body) },
  identified: () => {},
});

test('stores the waiting messages of a sensor in one commit', async () => {
  const intake = new MemoryIntake();
  const groups: string[][] = [];
  const commit = Promise.withResolvers<void>();
  intake.receiveInOrder = async (_device, deliveries) => {
    groups.push(deliveries.map(({ body }) => Buffer.from(body).toString()));
    await commit.promise;
    return deliveries.map(() => taken);
  };
  const ordered = orderedIntake({}, intake);
  const take = (body: string) =>
    ordered.take({ uid: 'pump-1', large: undefined, send: () => {}, ...frame(body) }, () => true);
  const answers = [take('1')];
  while (groups.length === 0) await pause(1);
  for (let number = 2; number <= 150; number += 1) answers.push(take(String(number)));
  commit.resolve();
  expect(await Promise.all(answers)).toEqual(answers.map(() => true));
  expect(groups.map(({ length }) => length)).toEqual([1, 100, 49]);
  expect(groups.flat()).toEqual(answers.map((_, index) => String(index + 1)));
});

test('stores every message of a sensor once and in order after any temporary refusals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plannedMessage, { maxLength: 25 }), async (planned) => {
      const left = planned.map(({ failures }) => [...failures]);
      const stored: { uid: string; index: number }[] = [];
      const receive = async (index: number): Promise<Answer> => {
        const { uid, commitMs } = planned[index] as (typeof planned)[number];
        await pause(commitMs);
        const because = left[index]?.shift();
        if (because === 'throws') throw new Error('The database is gone.');
        if (because) return { ok: false, because, sentence: 'Try again later.', retryAfterMs: 1 };
        stored.push({ uid, index });
        return taken;
      };
      const intake = new MemoryIntake();
      // If the database is unavailable, the pipeline returns a refusal.
      intake.receive = (_device, { body }) => receive(Number(Buffer.from(body).toString())).catch(() => unavailable);
      const ordered = orderedIntake({}, intake);
      const answers = planned.map(({ uid, alone }, index) => {
        const message = { uid, large: undefined, send: () => {} };
        const how = alone ? { receive: () => receive(index) } : frame(String(index));
        return ordered.take({ ...message, ...how }, () => true);
      });
      expect(await Promise.all(answers)).toEqual(planned.map(() => true));
      for (const sensor of SENSORS) {
        const sent = planned.flatMap(({ uid }, index) => (uid === sensor ? [index] : []));
        expect(stored.filter(({ uid }) => uid === sensor).map(({ index }) => index)).toEqual(sent);
      }
    }),
    { numRuns: 40 },
  );
});

test('does not store a message whose connection has ended, because the broker delivers it again', async () => {
  const ordered = orderedIntake();
  const stored: number[] = [];
  let connected = true;
  const commit = Promise.withResolvers<void>();
  const taking = [0, 1].map((index) => {
    const receive = async () => {
      await commit.promise;
      stored.push(index);
      return taken;
    };
    return ordered.take({ uid: 'pump-1', large: undefined, receive, send: () => {} }, () => connected);
  });
  await pause(1);
  connected = false;
  commit.resolve();
  expect(await Promise.all(taking)).toEqual([true, false]);
  expect(stored).toEqual([0]);
});

test('leaves a temporarily refused message to the broker when it stops, and starts no other message', async () => {
  const ordered = orderedIntake({ retryMs: 60_000 });
  let attempts = 0;
  const receive = async (): Promise<Answer> => {
    attempts += 1;
    return { ok: false, because: 'unavailable', sentence: 'Try again later.' };
  };
  const message = { uid: 'pump-1', large: undefined, receive, send: () => {} };
  const taking = [ordered.take(message, () => true), ordered.take(message, () => true)];
  while (attempts === 0) await pause(1);
  ordered.stop();
  expect(await Promise.all(taking)).toEqual([false, false]);
  expect(attempts).toBe(1);
});
