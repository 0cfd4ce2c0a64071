/**
 * Changes the machine's clock for a running product, with libfaketime. The clock of other processes does not change.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDebianPackage } from './debian.ts';

const FAKETIME = { binaries: ['/usr/lib/*/faketime/libfaketimeMT.so.1'], package: 'libfaketime' };

export interface MachineClock {
  /** Environment variables for `startProduct`. */
  settings: Record<string, string>;
  /** Sets the offset of the machine's clock from real time, such as `+2h`, `-30m` or `+0`. */
  set(offset: string): void;
  folder: string;
}

/** Returns a controllable clock, or a message that states why the tests that need the clock are skipped. */
export async function fakeMachineClock(): Promise<MachineClock | { missing: string }> {
  const library = await ensureDebianPackage(FAKETIME);
  if ('missing' in library) return library;
  const folder = mkdtempSync(join(tmpdir(), 'faketime-'));
  const file = join(folder, 'offset');
  const set = (offset: string) => writeFileSync(file, offset);
  set('+0');
  return {
    settings: {
      LD_PRELOAD: library.path,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Leaves the monotonic clock unchanged, because a real monotonic clock does not jump either.
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
    folder,
  };
}
