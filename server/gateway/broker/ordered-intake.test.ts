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
const taken: Answer = { ok: true, accepted: 1, duplicates: 0, refused: [], notes: [], commands: [] };

/** What happens to a message: failed attempts, and then the time until its commit. */
const plannedMessage = fc.record({
  uid: fc.constantFrom(...SENSORS),
  failures: fc.array(fc.constantFrom<RefusalName | 'throws'>('busy', 'unavailable', 'flood', 'throws'), {
    maxLength: 3,
  }),
  commitMs: fc.integer({ min: 0, max: 3 }),
});

function orderedIntake(limits: Partial<typeof brokerLimits> = {}): OrderedIntake {
  const intake = new MemoryIntake();
  for (const uid of SENSORS) intake.add(uid);
  const all = { ...brokerLimits, retryMs: 1, ...limits };
  return new OrderedIntake({ intake, log: silentLog, metrics: createMetrics(), limits: all });
}

test('stores every message of a sensor once and in order, whatever is refused for now', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plannedMessage, { maxLength: 25 }), async (planned) => {
      const ordered = orderedIntake();
      const stored: { uid: string; index: number }[] = [];
      const answers = planned.map(({ uid, failures, commitMs }, index) => {
        const left = [...failures];
        const receive = async (): Promise<Answer> => {
          await pause(commitMs);
          const because = left.shift();
          if (because === 'throws') throw new Error('The database is gone.');
          if (because) return { ok: false, because, sentence: 'Try again later.', retryAfterMs: 1 };
          stored.push({ uid, index });
          return taken;
        };
        return ordered.take({ uid, large: undefined, receive, send: () => {} }, () => true);
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

test('keeps a message that was refused for now when it stops, and lets nothing else begin', async () => {
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
