import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HandClock } from '../clock.ts';
import { StartError } from '../start-error.ts';
import type { LockOwner } from './folder-lock.ts';
import { checkLock, lockFolder } from './folder-lock.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const owner: LockOwner = {
  pid: 4711,
  started: '1000',
  place: 'plant boot-1 pid-1',
  host: 'plant',
  since: '2026-03-01T10:00:00.000Z',
  token: 'abc',
};

describe('checkLock', () => {
  const facts = { here: owner.place, startOfPid: '1000', silentMs: 3_600_000 };

  test.each([
    ['is held while its process runs', owner, facts, { held: true, because: 'process-alive' }],
    [
      'is held if its process runs and the start time is unknown',
      owner,
      { ...facts, startOfPid: null },
      { held: true, because: 'process-alive' },
    ],
    [
      'is stale if its process has ended',
      owner,
      { ...facts, startOfPid: undefined },
      { held: false, because: 'process-gone' },
    ],
    [
      'is stale if another process has the pid',
      owner,
      { ...facts, startOfPid: '2000' },
      { held: false, because: 'process-number-used-again' },
    ],
    [
      'is held if a process elsewhere renewed it just now',
      owner,
      { ...facts, here: 'x', silentMs: 9_000 },
      { held: true, because: 'recent-sign-of-life-elsewhere' },
    ],
    [
      'is stale if a process elsewhere has stopped renewing it',
      owner,
      { ...facts, here: 'x', silentMs: 60_000 },
      { held: false, because: 'silent-elsewhere' },
    ],
    [
      'is held while the file is being written',
      undefined,
      { ...facts, silentMs: 100 },
      { held: true, because: 'being-written' },
    ],
    [
      'is stale if a power failure truncated the file',
      undefined,
      { ...facts, silentMs: 60_000 },
      { held: false, because: 'unreadable' },
    ],
  ] as const)('%s', (_name, lock, given, verdict) => {
    expect(checkLock(lock, given)).toEqual(verdict);
  });
});

describe('the lock on a folder', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  const clock = new HandClock(new Date('2026-03-01T10:00:00Z'));
  const file = () => join(folder, 'tocsin.lock');
  const onDisk = () => JSON.parse(readFileSync(file(), 'utf8')) as LockOwner;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'));
  });

  afterEach(() => {
    vi.useRealTimers();
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a process that acquires and keeps the lock, or prints why it could not acquire the lock. */
  async function otherProcess(): Promise<{ child: ChildProcess; answer: string }> {
    const script = `
      import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)};
      try { lockFolder(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => {}, 1000); }
      catch (error) { console.log(error.name + ': ' + error.message); }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const answer = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data).trim())),
    );
    return { child, answer };
  }

  test('names its owner and is removed on release', () => {
    const lock = lockFolder(folder, { clock });
    expect(onDisk()).toMatchObject({ pid: process.pid, since: '2026-03-01T10:00:00.000Z' });
    expect(() => lockFolder(folder, { clock })).toThrow(StartError);
    expect(() => lockFolder(folder, { clock })).toThrow(
      new RegExp(
        `in use by process ${process.pid} on .+ \\(since 2026-03-01T10:00:00.000Z\\). Stop that process first`,
      ),
    );
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    lockFolder(folder).release();
  });

  test('is refused while another process holds it and taken over after that one is killed', async () => {
    const { child, answer } = await otherProcess();
    expect(answer).toBe('locked');
    expect(() => lockFolder(folder)).toThrow(`in use by process ${child.pid}`);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    const lock = lockFolder(folder);
    expect(onDisk().pid).toBe(process.pid);
    lock.release();
  });

  test('goes to one of several processes that find the same stale lock', async () => {
    writeFileSync(file(), JSON.stringify({ ...owner, place: 'plant gone gone' }));
    utimesSync(file(), 0, 0);
    const answers = await Promise.all(Array.from({ length: 6 }, otherProcess));
    expect(answers.filter(({ answer }) => answer === 'locked')).toHaveLength(1);
    for (const { answer } of answers) expect(answer).toMatch(/^locked$|^StartError: /);
  });

  test('is taken over when another process has the pid of its owner', () => {
    lockFolder(folder).release();
    const lock = lockFolder(folder);
    const mine = onDisk();
    lock.release();
    if (mine.started === null) return;
    writeFileSync(file(), JSON.stringify({ ...mine, started: '1', token: 'old' }));
    lockFolder(folder).release();
    expect(existsSync(file())).toBe(false);
  });

  test('is renewed by its owner, who notices a takeover', () => {
    vi.useFakeTimers();
    const lost = vi.fn();
    const lock = lockFolder(folder, { clock, onLost: lost });
    clock.advance(20_000);
    utimesSync(file(), 0, 0);
    vi.advanceTimersByTime(10_000);
    expect(statSync(file()).mtimeMs).toBe(clock.now().getTime());
    expect(lost).not.toHaveBeenCalled();
    writeFileSync(file(), JSON.stringify({ ...owner, place: 'elsewhere' }));
    vi.advanceTimersByTime(60_000);
    expect(lost).toHaveBeenCalledTimes(1);
    lock.release();
    expect(onDisk().token).toBe('abc');
  });

  test('is taken over 45 s after its owner ended on another machine, even if the clock was set back by 30 min', () => {
    const after = new HandClock(clock.now());
    writeFileSync(file(), JSON.stringify({ ...owner, place: 'elsewhere' }));
    const touched = new Date(after.now().getTime() + 30 * 60_000);
    utimesSync(file(), touched, touched);
    expect(() => lockFolder(folder, { clock: after })).toThrow('seen within the last 45 s');
    after.advance(40_000);
    expect(() => lockFolder(folder, { clock: after })).toThrow('seen within the last 45 s');
    after.advance(6_000);
    lockFolder(folder, { clock: after }).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is taken over although another process did not finish its takeover', () => {
    writeFileSync(file(), JSON.stringify({ ...owner, place: 'elsewhere' }));
    writeFileSync(`${file()}.takeover`, JSON.stringify(owner));
    const now = new Date();
    expect(() => lockFolder(folder, { clock: new HandClock(now) })).toThrow('Another process is starting');
    lockFolder(folder, { clock: new HandClock(new Date(now.getTime() + 120_000)) }).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is refused with the name of a folder that is not writable', () => {
    expect(() => lockFolder(join(folder, 'not', 'there'))).toThrow(
      /is not writable .+ Give this user write permission/,
    );
  });
});
