import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { embeddedFolder } from '../../../test/harness/database/embedded.ts';
import { HandClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import type { EmbeddedDatabase } from './embedded.ts';
import { openEmbedded } from './embedded.ts';
import { defaultMaintenance, whatIsDue } from './maintenance.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const quiet = { logBytes: 0, sinceCheckpointMs: 0, sinceVacuumMs: 0, busy: false };
const due = (facts: Partial<typeof quiet>) => whatIsDue({ ...quiet, ...facts }, defaultMaintenance);

describe('due maintenance', () => {
  test('is nothing as long as nothing is written', () => {
    expect(due({ sinceCheckpointMs: 86_400_000 })).toEqual({ task: 'nothing', because: 'not-due' });
  });

  test('is a checkpoint one minute after a write, not before', () => {
    expect(due({ logBytes: 1, sinceCheckpointMs: 59_999 })).toEqual({ task: 'nothing', because: 'not-due' });
    expect(due({ logBytes: 1, sinceCheckpointMs: 60_000 })).toEqual({ task: 'checkpoint', because: 'time-passed' });
  });

  test('is a checkpoint at once when the log is long, even when requests wait', () => {
    expect(due({ logBytes: 64 * 1024 * 1024, busy: true })).toEqual({ task: 'checkpoint', because: 'log-is-long' });
  });

  test('is vacuuming every half hour while no request waits', () => {
    expect(due({ sinceVacuumMs: 1_799_999 })).toEqual({ task: 'nothing', because: 'not-due' });
    expect(due({ sinceVacuumMs: 1_800_000 })).toEqual({ task: 'vacuum', because: 'time-passed' });
    expect(due({ sinceVacuumMs: 1_800_000, busy: true })).toEqual({ task: 'nothing', because: 'busy' });
  });

  test('is the checkpoint before the vacuuming', () => {
    expect(due({ logBytes: 1, sinceCheckpointMs: 60_000, sinceVacuumMs: 1_800_000 }).task).toBe('checkpoint');
  });
});

describe('the maintenance of a database', () => {
  let dataDir: string;
  const clock = new HandClock(new Date('2026-03-01T10:00:00Z'));
  let db: EmbeddedDatabase;

  beforeAll(async () => {
    dataDir = await embeddedFolder('empty');
    const maintenance = { everyMs: 86_400_000, checkpointBytes: 4 * 1024 * 1024 };
    db = await openEmbedded({ dataDir, log: silentLog, clock, maintenance });
    await db.pool.query('create table fact (id int primary key, note text)');
    clock.advance(60_000);
    await db.maintain();
  });

  afterAll(async () => {
    await db?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const redo = async () =>
    (await db.pool.query('select redo_lsn::text as at from pg_control_checkpoint()')).rows[0].at as string;

  test('makes a checkpoint a minute after a write, and none while nothing is written', async () => {
    const before = await redo();
    clock.advance(600_000);
    expect(await db.maintain()).toEqual({ task: 'nothing', because: 'not-due' });
    expect(await redo()).toBe(before);

    await db.pool.query("insert into fact values (1, 'x')");
    expect(await db.maintain()).toEqual({ task: 'checkpoint', because: 'time-passed' });
    expect(await redo()).not.toBe(before);
    await db.pool.query("insert into fact values (2, 'x')");
    expect(await db.maintain()).toEqual({ task: 'nothing', because: 'not-due' });
  });

  test('makes a checkpoint when the log has grown, without waiting for the minute', async () => {
    await db.pool.query('truncate fact; insert into fact select n from generate_series(1, 10000) n');
    for (let round = 0; round < 2; round += 1) {
      await db.pool.query("update fact set note = repeat('x', 600)");
      expect(await db.maintain()).toEqual({ task: 'checkpoint', because: 'log-is-long' });
      expect(await db.maintain()).toEqual({ task: 'nothing', because: 'not-due' });
    }
  });

  test('vacuums tables with many changes after half an hour', async () => {
    await db.pool.query('truncate fact; insert into fact select n from generate_series(1, 500) n');
    await db.pool.query('delete from fact where id > 100');
    clock.advance(30 * 60_000);
    expect((await db.maintain()).task).toBe('checkpoint');
    expect(await db.maintain()).toEqual({ task: 'vacuum', because: 'time-passed' });
    const { rows } = await db.pool.query(
      "select n_dead_tup::int as dead, last_vacuum is not null as vacuumed, last_analyze is not null as analysed from pg_stat_user_tables where relname = 'fact'",
    );
    expect(rows).toEqual([{ dead: 0, vacuumed: true, analysed: true }]);
    expect((await db.maintain()).task).not.toBe('vacuum');
    expect(await db.vacuum()).toBe(0);
  });

  test('runs by a timer when it is switched on', async () => {
    await db.close();
    db = await openEmbedded({ dataDir, log: silentLog, maintenance: { everyMs: 10, checkpointMs: 0 } });
    const before = await redo();
    await db.pool.query("insert into fact values (1001, 'x')");
    await vi.waitUntil(async () => (await redo()) !== before, { timeout: 30_000 });
  });
});
