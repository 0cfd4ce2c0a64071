import { afterAll, describe, expect, test } from 'vitest';
import { serviceAccess } from '../../server/access.ts';
import { HandClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database.ts';
import type { DemoOptions } from './index.ts';
import { DemoRefused, fewestSites, loadDemo } from './index.ts';

const now = new Date('2026-11-12T14:32:14Z');
const clock = new HandClock(now);
const small = { now, sites: fewestSites, weeks: 1, hashPassword: async (plain: string) => plain };

async function ask(db: Database, text: string): Promise<any[]> {
  return (await db.transaction(serviceAccess(clock), (tx) => tx.query(text))).rows;
}

/** A fingerprint of every row of every table. */
async function fingerprint(db: Database): Promise<Record<string, string>> {
  const tables = await ask(
    db,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('migration', 'secret', 'device_change') order by 1`,
  );
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await ask(
      db,
      `select count(*)::int as n, encode(sha256(convert_to(string_agg(line, e'\\n' order by line), 'UTF8')), 'hex') as sum
       from (select t::text collate "C" as line from ${name} t) x`,
    );
    if (row.n > 0) prints[name] = `${row.n} rows, ${row.sum}`;
  }
  return prints;
}

async function withDemo<T>(options: Partial<DemoOptions>, look: (db: Database) => Promise<T>): Promise<T> {
  const db = await openTestDatabase();
  try {
    await loadDemo({ db, ...small, ...options });
    return await look(db);
  } finally {
    await db.close();
  }
}

/** A load and its fingerprint, made once for all comparisons with it. */
let load: Promise<{ db: Database; print: Record<string, string> }> | undefined;
function firstLoad(): NonNullable<typeof load> {
  load ??= openTestDatabase().then(async (db) => {
    await loadDemo({ db, ...small });
    return { db, print: await fingerprint(db) };
  });
  return load;
}

afterAll(disposeTestDatabases);

describe('the same seed and time', { timeout: 120_000 }, () => {
  test('make the same rows in every table', async () => {
    const { print: first } = await firstLoad();
    const second = await withDemo({}, fingerprint);
    expect(Object.keys(first).length).toBeGreaterThan(25);
    expect(second).toEqual(first);
  });

  test('another seed or another time makes other rows', async () => {
    const { print: first } = await firstLoad();
    const seed = await withDemo({ seed: 'another' }, fingerprint);
    const later = await withDemo({ now: new Date(now.getTime() + 3_600_000) }, fingerprint);
    for (const table of ['tocsin.reading', 'tocsin.alarm', 'tocsin.notification', 'tocsin.site']) {
      expect(seed[table]).not.toBe(first[table]);
      expect(later[table]).not.toBe(first[table]);
    }
  });
});

describe('all or nothing', { timeout: 120_000 }, () => {
  test('a load that is cut short leaves nothing behind, and can be done again', async () => {
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

  test('a database that has customers is refused and left as it is', async () => {
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

describe('any moment will do', { timeout: 120_000 }, () => {
  test.each([
    ['the first instant of a week', '2026-11-09T00:00:00.000Z'],
    ['the last of a leap day', '2024-02-29T23:59:59.999Z'],
    ['the hour that summer time leaves out', '2026-03-29T01:30:00.500Z'],
    ['a moment at which devices are asked', '2026-06-18T10:10:02.000Z'],
  ])('%s', async (_, moment) => {
    await withDemo({ now: new Date(moment) }, async (db) => {
      const [row] = await ask(
        db,
        `select (select max(server_time) from tocsin.reading) <= '${moment}' and (select max(date_time) from tocsin.alarm) <= '${moment}'
           and (select max(slot_start) from tocsin.health_slot) <= '${moment}' as past,
           (select count(*)::int from tocsin.alarm where resolved_date is null) as open,
           (select max(device_time) from tocsin.reading) = (select max(last_update) from tocsin.site) as current`,
      );
      expect(row).toEqual({ past: true, open: expect.any(Number), current: true });
      expect(row.open).toBeGreaterThanOrEqual(10);
    });
  });
});

describe('a plant of another size', { timeout: 120_000 }, () => {
  test('above 150 sites keeps fewer readings of each', async () => {
    await withDemo({ sites: 160 }, async (db) => {
      const [row] = await ask(
        db,
        `select (select count(*)::int from tocsin.site) as sites, (select count(*)::int from tocsin.reading) as readings,
        (select count(*)::int from tocsin.sensor_channel) as channels, (select count(*)::int from tocsin.alarm where resolved_date is null) as open`,
      );
      expect(row.sites).toBe(160);
      expect(row.readings / row.channels).toBeLessThan(180);
      expect(row.readings / row.channels).toBeGreaterThan(80);
      expect(row.open).toBe(21);
    });
  });

  test.each([0, fewestSites - 1, 12.5, Number.NaN])('%s sites are refused', async (sites) => {
    const db = { migration: () => Promise.reject(new Error('not reached')) };
    await expect(loadDemo({ db, ...small, sites })).rejects.toThrow(RangeError);
  });
});
