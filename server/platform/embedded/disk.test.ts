import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { embeddedFolder } from '../../../test/harness/database/embedded.ts';
import { isLong } from '../../../test/harness/long.ts';
import { silentLog } from '../log.ts';
import { openEmbedded } from './embedded.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MEGABYTE = 1024 * 1024;
let root: string;
let dump: string;

beforeAll(async () => {
  root = await embeddedFolder('empty');
  dump = join(root, 'dump.tar');
  const db = await openEmbedded({ dataDir: root, log: silentLog });
  await db.pool.query('create table fact (id serial primary key, note text)');
  writeFileSync(dump, await db.dump());
  await db.close();
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('an almost full disk', () => {
  test('refuses writes with the error of a full disk and still serves reads', async () => {
    const dataDir = join(root, 'floor');
    const db = await openEmbedded({ dataDir, loadFrom: dump, log: silentLog, diskFloorBytes: Number.MAX_SAFE_INTEGER });
    const count = 'select count(*)::int as n from fact';
    expect((await db.pool.query(count)).rows).toEqual([{ n: 0 }]);
    const full = { code: '53100', message: expect.stringMatching(/^The disk is almost full: \d+ MB are free/) };
    await expect(db.pool.query("insert into fact (note) values ('x')")).rejects.toMatchObject(full);
    await expect(db.pool.query('insert into fact (note) values ($1)', ['x'])).rejects.toMatchObject(full);
    await expect(db.pool.query('create table more (id int)')).rejects.toMatchObject(full);
    await expect(db.migration((tx) => tx.query('begin; delete from fact; commit'))).rejects.toMatchObject(full);
    expect((await db.pool.query(count)).rows).toEqual([{ n: 0 }]);
    expect(await db.check()).toMatchObject({ ok: false, problem: expect.stringContaining('The disk is almost full') });
    await db.close();

    const again = await openEmbedded({ dataDir, log: silentLog });
    await again.pool.query("insert into fact (note) values ('x')");
    expect(await again.check()).toEqual({ ok: true });
    await again.close();
  });
});

/** Mounts a small separate file system. Returns undefined if this user is not root. */
function smallDisk(megabytes: number): { folder: string; remove(): void } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status === 0;
  const remove = () => {
    if (mounted) spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  if (mounted) return { folder, remove };
  remove();
  return undefined;
}

const disk = smallDisk(140);
afterAll(() => disk?.remove());

describe.skipIf(!disk)('a small disk that fills up', () => {
  const noticed = { how: 'is noticed before it is full', floor: 20 * MEGABYTE, codes: ['53100'], readsOn: true };
  // Depending on which file no longer fits on the disk, one write fails or the whole database stops.
  const unnoticed = {
    ...{ how: 'may stop the database if nothing notices it', floor: 0 },
    ...{ codes: ['53100', '57P02'], readsOn: false },
  };
  test.each(isLong ? [noticed, unnoticed] : [noticed])(
    '$how, and keeps all data when space is free again',
    async ({ floor, codes, readsOn }) => {
      const folder = disk?.folder ?? '';
      const ballast = join(folder, 'ballast');
      writeFileSync(ballast, Buffer.alloc(40 * MEGABYTE));
      const dataDir = join(folder, 'data');
      const db = await openEmbedded({ dataDir, loadFrom: dump, log: silentLog, diskFloorBytes: floor, diskCheckMs: 0 });
      try {
        const count = async () => (await db.pool.query('select count(*)::int as n from fact')).rows[0].n as number;
        const write = () =>
          db.pool.query("insert into fact (note) select repeat('x', 1000) from generate_series(1, 500)");
        let written = 0;
        let failure: { code?: string } | undefined;
        while (!failure) {
          await write().then(
            () => (written += 500),
            (error) => (failure = error),
          );
        }
        expect(codes).toContain(failure.code);
        expect(written).toBeGreaterThan(0);
        if (readsOn) expect(await count()).toBe(written);
        rmSync(ballast);
        expect(await count()).toBe(written);
        await write();
        expect(await count()).toBe(written + 500);
      } finally {
        await db.close();
        rmSync(dataDir, { recursive: true });
      }
    },
  );
});
