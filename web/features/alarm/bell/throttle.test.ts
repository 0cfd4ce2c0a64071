import { expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

function bench() {
  const rests: (() => void)[] = [];
  const works: (() => void)[] = [];
  let begun = 0;
  const pacer = createThrottle(
    () => {
      begun += 1;
      return new Promise<void>((resolve) => works.push(resolve));
    },
    (done) => {
      rests.push(done);
      return () => rests.splice(rests.indexOf(done), 1);
    },
  );
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    pacer,
    begun: () => begun,
    async rested() {
      rests.shift()?.();
      await settle();
    },
    async worked() {
      works.shift()?.();
      await settle();
    },
    resting: () => rests.length,
  };
}

test('two thousand questions while it works or rests are one more time', async () => {
  const { pacer, begun, rested, worked } = bench();
  pacer.ask();
  expect(begun()).toBe(0);
  await rested();
  expect(begun()).toBe(1);
  for (let times = 0; times < 2000; times += 1) pacer.ask();
  await worked();
  expect(begun()).toBe(1);
  await rested();
  expect(begun()).toBe(2);
  await worked();
  await rested();
  expect(begun()).toBe(2);
});

test('one that was asked for at leisure begins at once', async () => {
  const { pacer, begun, rested } = bench();
  await rested();
  expect(begun()).toBe(0);
  pacer.ask();
  expect(begun()).toBe(1);
});

test('nothing begins after it was stopped', async () => {
  const { pacer, begun, rested, worked, resting } = bench();
  await rested();
  pacer.ask();
  pacer.stop();
  pacer.ask();
  await worked();
  expect(begun()).toBe(1);
  expect(resting()).toBe(0);
});
