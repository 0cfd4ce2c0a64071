import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Blocks the event loop for the given time. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test.each([
  ['', () => {}],
  // If the process is suspended, the pause can end before the device's request has had enough turns of the event loop.
  [', even if the machine suspends the process between them', () => setImmediate(() => setImmediate(() => block(60)))],
])('runs other work between two long tasks%s', async (_, afterwards) => {
  const turns = new Turns();
  const events: string[] = [];
  const work = Array.from({ length: 5 }, async () => {
    await turns.next();
    block(30);
    events.push('long');
    afterwards();
  });
  let isWorking = true;
  const device = (async () => {
    while (isWorking) {
      // A device's request takes several turns of the event loop.
      for (let step = 0; step < 3; step += 1) await new Promise(setImmediate);
      events.push('device');
      await pause(1);
    }
  })();
  await Promise.all(work);
  isWorking = false;
  await device;
  expect(events.join(' ')).not.toContain('long long');
});

test('starts the first long task at once', async () => {
  const turns = new Turns();
  let began = false;
  void turns.next().then(() => {
    began = true;
  });
  await Promise.resolve();
  await Promise.resolve();
  expect(began).toBe(true);
});
