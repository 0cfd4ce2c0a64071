/** Lets a test set the machine's clock of a running product, with libfaketime. Real time is not affected. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDebianPackage } from './debian.ts';

const FAKETIME = { binaries: ['/usr/lib/*/faketime/libfaketimeMT.so.1'], package: 'libfaketime' };

export interface MachineClock {
  /** Environment for `startProduct`. */
  settings: Record<string, string>;
  /** Sets the offset of the machine's clock from true time: `+2h`, `-30m`, `+0`. */
  set(offset: string): void;
  folder: string;
}

/** Returns the clock, or a sentence that says why its tests are skipped. */
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
      // Changes only the wall clock, because a real monotonic clock does not step either.
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
    folder,
  };
}
