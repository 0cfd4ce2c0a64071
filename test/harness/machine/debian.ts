import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The path of a program that tests need, or a message that states which tests are skipped and why. */
export type Found = { path: string } | { missing: string };

export interface DebianPackage {
  /** Names in the search path, or absolute paths with an optional `*`. The first existing program is used. */
  binaries: readonly string[];
  package: string;
}

/**
 * Returns the path of the first program that exists, or undefined. If a pattern has several matches, the last match is
 * used, which is the newest version.
 */
export function findBinary(binaries: readonly string[]): string | undefined {
  for (const name of binaries) {
    const places = name.startsWith('/')
      ? globSync(name).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
    const found = name.startsWith('/') ? places.at(-1) : places.find((place) => existsSync(place));
    if (found) return found;
  }
  return undefined;
}

/** Finds the program. If it is missing, installs its Debian package if this process is allowed to install packages. */
export async function ensureDebianPackage(wanted: DebianPackage): Promise<Found> {
  const found = findBinary(wanted.binaries);
  if (found) return { path: found };
  const leftOut = `Tests that need ${wanted.package} are skipped`;
  if (!existsSync('/etc/debian_version') || !findBinary(['apt-get'])) {
    return { missing: `${leftOut}: it is not installed, and only apt-get on Debian can install it automatically.` };
  }
  if (process.getuid?.() !== 0) {
    return {
      missing: `${leftOut}: it is not installed, and installing it needs root (apt-get install ${wanted.package}).`,
    };
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '-qq'], { env, timeout: 300_000 });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', wanted.package], {
      env,
      timeout: 600_000,
    });
  } catch (error) {
    const reason = (error as Error).message.trim().split('\n').at(-1);
    return { missing: `${leftOut}: installing it failed (${reason}).` };
  }
  const installed = findBinary(wanted.binaries);
  return installed
    ? { path: installed }
    : { missing: `${leftOut}: the package was installed, but has none of ${wanted.binaries.join(', ')}.` };
}

/** Finds or installs all packages. `missing` combines the messages of the failed packages. */
export async function ensureAll(...wanted: DebianPackage[]): Promise<{ missing: string | undefined }> {
  const sentences: string[] = [];
  // Installs one package at a time, because the package manager holds a lock.
  for (const one of wanted) {
    const found = await ensureDebianPackage(one);
    if ('missing' in found) sentences.push(found.missing);
  }
  return { missing: sentences.length > 0 ? sentences.join(' ') : undefined };
}
