/**
 * Temporary folders for tests. The folders are in memory if the system has enough free memory, and otherwise on disk.
 */
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../server/platform/clock.ts';

/** Required free memory, which exceeds the size of all databases of a run. */
const NEEDED_BYTES = 4 * 1024 ** 3;
const MEMORY = '/dev/shm';
const PREFIX = 'tocsin-scratch';

const made = new Set<string>();
let place: string | undefined;

/**
 * Creates a folder and deletes it when the process exits. If the process is killed, a later process deletes the folder.
 */
export function scratchFolder(name: string): string {
  if (place === undefined) {
    place = memoryIsRoomy() ? MEMORY : tmpdir();
    removeLeftovers(place);
    process.once('exit', () => {
      for (const folder of made) rmSync(folder, { recursive: true, force: true });
    });
  }
  const folder = mkdtempSync(join(place, `${PREFIX}-${process.pid}-${name}-`));
  made.add(folder);
  return folder;
}

function memoryIsRoomy(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/**
 * Removes the folders of processes that have ended. Keeps recent folders, because their process may run in another PID
 * namespace.
 */
function removeLeftovers(where: string): void {
  const limit = systemClock.now().getTime() - 10 * 60_000;
  for (const name of readdirSync(where)) {
    const [, pid] = new RegExp(`^${PREFIX}-(\\d+)-`).exec(name) ?? [];
    if (!pid || isRunning(Number(pid))) continue;
    const path = join(where, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? limit) < limit)
      rmSync(path, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
