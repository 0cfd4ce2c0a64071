import { expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

function setUp() {
  const pauses: (() => void)[] = [];
  const runs: (() => void)[] = [];
  let runCount = 0;
  const throttle = createThrottle(
    () => {
      runCount += 1;
      return new Promise<void>((resolve) => runs.push(resolve));
    },
    (done) => {
      pauses.push(done);
      return () => pauses.splice(pauses.indexOf(done), 1);
    },
  );
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    throttle,
    runCount: () => runCount,
    async endPause() {
      pauses.shift()?.();
      await settle();
    },
    async endRun() {
      runs.shift()?.();
      await settle();
    },
    pauseCount: () => pauses.length,
  };
}

test('2,000 requests during a run or a pause cause one more run', async () => {
  const { throttle, runCount, endPause, endRun } = setUp();
  throttle.request();
  expect(runCount()).toBe(0);
  await endPause();
  expect(runCount()).toBe(1);
  for (let times = 0; times < 2000; times += 1) throttle.request();
  await endRun();
  expect(runCount()).toBe(1);
  await endPause();
  expect(runCount()).toBe(2);
  await endRun();
  await endPause();
  expect(runCount()).toBe(2);
});

test('a request after the pause starts a run at once', async () => {
  const { throttle, runCount, endPause } = setUp();
  await endPause();
  expect(runCount()).toBe(0);
  throttle.request();
  expect(runCount()).toBe(1);
});

test('starts no run after stop', async () => {
  const { throttle, runCount, endPause, endRun, pauseCount } = setUp();
  await endPause();
  throttle.request();
  throttle.stop();
  throttle.request();
  await endRun();
  expect(runCount()).toBe(1);
  expect(pauseCount()).toBe(0);
});
