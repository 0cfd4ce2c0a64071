import { readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { randomToken, systemClock } from '../clock.ts';
import { StartError } from '../start-error.ts';

/** Content of a lock file. It describes the process that holds the lock. */
export interface LockOwner {
  pid: number;
  /**
   * Start time of the process in the system's format; null if unknown. It distinguishes processes, because pids are
   * reused.
   */
  started: string | null;
  /** Scope in which process ids are unique: machine, boot and container. */
  place: string;
  host: string;
  since: string;
  token: string;
}

export type LockVerdict =
  | { held: true; because: 'process-alive' | 'recent-sign-of-life-elsewhere' | 'being-written' }
  | { held: false; because: 'process-gone' | 'process-number-used-again' | 'silent-elsewhere' | 'unreadable' };

export interface FolderLock {
  release(): void;
}

export interface LockOptions {
  clock?: Clock;
  /** Called once if this process has lost the lock. From then on, this process must not write to the folder. */
  onLost?: () => void;
}

const LOCK_FILE = 'tocsin.lock';
const SIGN_OF_LIFE_MS = 10_000;
const SILENT_MS = 45_000;
const WRITING_MS = 5_000;

/**
 * Locks the folder for this process. If another process holds the lock, throws a StartError that identifies this
 * process.
 */
export function lockFolder(folder: string, options: LockOptions = {}): FolderLock {
  const clock = options.clock ?? systemClock;
  const path = join(folder, LOCK_FILE);
  const owner: LockOwner = {
    pid: process.pid,
    started: processStart(process.pid) ?? null,
    place: here(),
    host: hostname(),
    since: clock.now().toISOString(),
    token: randomToken(9),
  };
  if (!create(path, folder, owner)) takeOver(path, folder, owner, clock);
  touch(path, clock);

  const heartbeat = setInterval(() => {
    if (read(path)?.token === owner.token) {
      touch(path, clock);
    } else {
      clearInterval(heartbeat);
      options.onLost?.();
    }
  }, SIGN_OF_LIFE_MS);
  heartbeat.unref();

  return {
    release() {
      clearInterval(heartbeat);
      if (read(path)?.token === owner.token) rmSync(path, { force: true });
    },
  };
}

/**
 * Decides whether a lock is still held. For an owner in the same scope, checks whether the process is running. For an
 * owner on another machine or in a replaced container, checks the age of the file, because a running owner renews it.
 */
export function checkLock(
  owner: LockOwner | undefined,
  facts: { here: string; startOfPid: string | null | undefined; silentMs: number },
): LockVerdict {
  if (!owner) {
    return facts.silentMs < WRITING_MS
      ? { held: true, because: 'being-written' }
      : { held: false, because: 'unreadable' };
  }
  if (owner.place !== facts.here) {
    return facts.silentMs < SILENT_MS
      ? { held: true, because: 'recent-sign-of-life-elsewhere' }
      : { held: false, because: 'silent-elsewhere' };
  }
  if (facts.startOfPid === undefined) return { held: false, because: 'process-gone' };
  if (owner.started !== null && facts.startOfPid !== null && owner.started !== facts.startOfPid) {
    return { held: false, because: 'process-number-used-again' };
  }
  return { held: true, because: 'process-alive' };
}

/**
 * Replaces a stale lock. Holds a second lock meanwhile, so that two processes that find the same stale lock do not both
 * replace it.
 */
function takeOver(path: string, folder: string, owner: LockOwner, clock: Clock): void {
  const turn = `${path}.takeover`;
  if (!create(turn, folder, owner)) {
    if (silence(turn, clock) < SILENT_MS) {
      throw new StartError(
        `Another process is starting on the folder ${folder}. Wait a minute, then start Tocsin again.`,
      );
    }
    rmSync(turn, { force: true });
    takeOver(path, folder, owner, clock);
    return;
  }
  try {
    const found = read(path);
    const verdict = checkLock(found, {
      here: owner.place,
      startOfPid: found && processStart(found.pid),
      silentMs: silence(path, clock),
    });
    if (verdict.held) throw new StartError(heldMessage(folder, found, verdict.because));
    rmSync(path, { force: true });
    if (!create(path, folder, owner)) throw new StartError(heldMessage(folder, read(path), 'process-alive'));
  } finally {
    rmSync(turn, { force: true });
  }
}

function heldMessage(folder: string, owner: LockOwner | undefined, because: string): string {
  if (!owner) return `Another process is locking the folder ${folder}. Wait a few seconds, then start Tocsin again.`;
  const who = `process ${owner.pid} on ${owner.host} (since ${owner.since})`;
  if (because === 'process-alive') {
    return `The folder ${folder} is in use by ${who}. Stop that process first, or choose another folder.`;
  }
  return `The folder ${folder} is in use by ${who}, seen within the last ${SILENT_MS / 1000} s. Stop that process. If it has already ended, wait ${SILENT_MS / 1000} s.`;
}

/** Creates a lock file. Returns false if it already exists. The exclusive flag makes check and creation atomic. */
function create(path: string, folder: string, owner: LockOwner): boolean {
  try {
    writeFileSync(path, `${JSON.stringify(owner)}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new StartError(
        `The disk that contains the folder ${folder} is full. Free some space, then start Tocsin again.`,
      );
    }
    throw new StartError(
      `The folder ${folder} is not writable (${message}). Give this user write permission, or choose another folder.`,
    );
  }
}

function read(path: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as LockOwner;
    return Number.isInteger(owner?.pid) && typeof owner.place === 'string' ? owner : undefined;
  } catch {
    return undefined;
  }
}

function touch(path: string, clock: Clock): void {
  const now = clock.now();
  try {
    utimesSync(path, now, now);
  } catch {
    // A single missed renewal is harmless; the lock becomes stale only after several.
  }
}

/**
 * Returns the milliseconds since the last renewal of a lock file, or Infinity if the file does not exist. If the clock
 * was set back, the last renewal can be in the future. This function then renews the file, so that its age counts from
 * now.
 */
function silence(path: string, clock: Clock): number {
  try {
    const silentMs = clock.now().getTime() - statSync(path).mtimeMs;
    if (silentMs < -SIGN_OF_LIFE_MS) touch(path, clock);
    return silentMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Returns the start time of a process; null if it is running but the time is unknown, undefined if it does not exist.
 */
function processStart(pid: number): string | null | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  try {
    // The process name is in parentheses and can itself contain spaces and parentheses. In the text after it, field 1
    // is the state and field 20 the start time.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function here(): string {
  const part = (get: () => string) => {
    try {
      return get().trim();
    } catch {
      return '-';
    }
  };
  const boot = part(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const container = part(() => readlinkSync('/proc/self/ns/pid'));
  return `${hostname()} ${boot} ${container}`;
}
