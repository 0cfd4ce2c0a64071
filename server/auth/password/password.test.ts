import { parseOptions } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { HttpRefusal } from '../errors.ts';
import { BoundedQueue, createPasswords, hashPassword } from './password.ts';

describe('passwords', () => {
  const passwords = createPasswords();

  test('are hashed with argon2id at the intended cost', async () => {
    const stored = await passwords.hash('tocsin-demo-plant');
    expect(stored).toMatch(/^\$argon2id\$/);
    expect(parseOptions(stored)).toMatchObject({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    expect(await passwords.hash('tocsin-demo-plant')).not.toBe(stored);
  });

  test('verify only against their own hash', async () => {
    const stored = await hashPassword('tocsin-demo-plant');
    expect(await passwords.verify(stored, 'tocsin-demo-plant')).toBe(true);
    expect(await passwords.verify(stored, 'tocsin-demo-plan')).toBe(false);
  });

  test('verify in every Unicode normalisation', async () => {
    const stored = await passwords.hash('caf\u00e9-am-werk');
    expect(await passwords.verify(stored, 'cafe\u0301-am-werk')).toBe(true);
  });

  test('of an unknown account never verify, and take as long as those of a known one', async () => {
    const stored = await passwords.hash('tocsin-demo-plant');
    // Compares the smallest CPU times of several alternating runs, so that waiting on a busy machine does not count.
    const least = { nobody: Number.POSITIVE_INFINITY, somebody: Number.POSITIVE_INFINITY };
    const time = async (who: keyof typeof least, hash: string | null) => {
      const before = process.cpuUsage();
      expect(await passwords.verify(hash, 'some-other-password')).toBe(false);
      const { user, system } = process.cpuUsage(before);
      least[who] = Math.min(least[who], user + system);
    };
    for (let i = 0; i < 20; i += 1) {
      await time('nobody', null);
      await time('somebody', stored);
    }
    expect(least.nobody).toBeGreaterThan(least.somebody / 2);
    expect(least.nobody).toBeLessThan(least.somebody * 2);
  });
});

describe('the queue', () => {
  test('serves known devices first, and reserves room for them when it is full', async () => {
    const queue = new BoundedQueue(1, 2);
    const order: string[] = [];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const running = queue.run(() => begun);
    const job = (name: string, first = false) => queue.run(async () => void order.push(name), first);
    const rest = [job('stranger 1'), job('stranger 2')];
    await expect(job('stranger 3')).rejects.toBeInstanceOf(HttpRefusal);
    rest.push(job('known', true));
    begin();
    await Promise.all([running, ...rest]);
    expect(order).toEqual(['known', 'stranger 1', 'stranger 2']);
  });

  test('runs two hashes at once, queues some in order, and refuses the rest', async () => {
    const queue = new BoundedQueue(2, 2);
    const order: string[] = [];
    const finish = new Map<string, () => void>();
    let running = 0;
    let most = 0;
    const job = (name: string) =>
      queue.run(async () => {
        running += 1;
        most = Math.max(most, running);
        order.push(name);
        await new Promise<void>((resolve) => finish.set(name, resolve));
        running -= 1;
        return name;
      });
    const jobs = ['a', 'b', 'c', 'd'].map(job);
    await expect(job('e')).rejects.toBeInstanceOf(HttpRefusal);
    await expect(job('e')).rejects.toMatchObject({ statusCode: 503, extras: { retryAfterMs: 5000 } });
    expect(order).toEqual(['a', 'b']);
    finish.get('b')!();
    expect(await jobs[1]).toBe('b');
    await new Promise(setImmediate);
    expect(order).toEqual(['a', 'b', 'c']);
    finish.get('a')!();
    finish.get('c')!();
    await new Promise(setImmediate);
    finish.get('d')!();
    expect(await Promise.all(jobs)).toEqual(['a', 'b', 'c', 'd']);
    expect(most).toBe(2);
    const again = job('f');
    finish.get('f')!();
    expect(await again).toBe('f');
  });

  test('continues after a failure', async () => {
    const queue = new BoundedQueue(1, 10);
    const results = await Promise.allSettled([
      queue.run(() => Promise.reject(new Error('broke'))),
      queue.run(async () => 'fine'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await queue.run(async () => 'still fine')).toBe('still fine');
  });
});
