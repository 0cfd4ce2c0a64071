import { afterAll, describe, expect, test } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { ask, fingerprint, now, small, withDemo } from '../../test/harness/database/demo.ts';
import { long } from '../../test/harness/long.ts';
import { DemoRefused, fewestSites, loadDemo } from './index.ts';

/** A loaded database and its checksums, which several tests use for comparison. */
let load: Promise<{ db: Database; print: Record<string, string> }> | undefined;
function firstLoad(): NonNullable<typeof load> {
  load ??= openTestDatabase().then(async (db) => {
    await loadDemo({ db, ...small });
    return { db, print: await fingerprint(db) };
  });
  return load;
}

afterAll(disposeTestDatabases);

describe('the same seed and time', () => {
  long('give the same rows in every table', async () => {
    const { print: first } = await firstLoad();
    const second = await withDemo({}, fingerprint);
    expect(Object.keys(first).length).toBeGreaterThan(25);
    expect(second).toEqual(first);
  });
});

long('another seed or time gives other rows', async () => {
  const { print: first } = await firstLoad();
  const seed = await withDemo({ seed: 'another' }, fingerprint);
  const later = await withDemo({ now: new Date(now.getTime() + 3_600_000) }, fingerprint);
  for (const table of ['tocsin.reading', 'tocsin.alarm', 'tocsin.notification', 'tocsin.site']) {
    expect(seed[table]).not.toBe(first[table]);
    expect(later[table]).not.toBe(first[table]);
  }
});

describe('all or nothing', () => {
  test('an interrupted load leaves nothing behind and can be repeated', async () => {
    const db = await openTestDatabase();
    try {
      const before = await fingerprint(db);
      const onProgress = (done: number) => {
        if (done >= 8) throw new Error('cut short');
      };
      await expect(loadDemo({ db, ...small, onProgress })).rejects.toThrow('cut short');
      expect(await fingerprint(db)).toEqual(before);
      await loadDemo({ db, ...small });
      expect(await ask(db, 'select count(*)::int as n from tocsin.site')).toEqual([{ n: fewestSites }]);
    } finally {
      await db.close();
    }
  });

  test('a database that has customers is refused and unchanged', async () => {
    const { db, print } = await firstLoad();
    await expect(loadDemo({ db, ...small })).rejects.toThrow(DemoRefused);
    expect(await fingerprint(db)).toEqual(print);
    const asleep = await ask(
      db,
      `select tgrelid::regclass from pg_trigger where tgname = 'record_change' and tgenabled = 'D'`,
    );
    expect(asleep).toEqual([]);
  });
});
