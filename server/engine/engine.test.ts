import { afterEach, expect, test, vi } from 'vitest';
import { HandClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { type EngineModule, startEngine } from './engine.ts';

const clock = new HandClock(new Date('2026-03-04T08:00:00Z'));
const never = () => new Promise<void>(() => {});

afterEach(() => {
  vi.useRealTimers();
});

test('stops every module even if one never ends', async () => {
  vi.useFakeTimers();
  const stopped: string[] = [];
  const modules: EngineModule[] = [
    { name: 'hangs in a tick', every: 1000, tick: never, stop: () => void stopped.push('tick') },
    {
      ...{ name: 'hangs behind a tick', every: 1000, tick: async () => {}, settled: never },
      stop: () => void stopped.push('behind'),
    },
  ];
  const engine = startEngine(modules, { clock, log: silentLog, timers: false });
  void engine.tick();
  const ended = vi.fn();
  void engine.stop().then(ended);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stopped).toEqual(['tick', 'behind']);
  expect(ended, 'the stop waits for the modules that hang').toHaveBeenCalled();
});
