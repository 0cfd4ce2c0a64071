/**
 * Runs the embedded database in a thread. A running query blocks the thread, so the main thread enforces the time
 * limit.
 */
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { FromWorker, ToWorker, WorkerSettings } from './wire.ts';
import { concat, isStartup, replaceErrors, simpleQuery } from './wire.ts';

const READ_ONLY_TRANSACTION = '25006';
const DISK_FULL = '53100';

const port = parentPort;
if (!port) throw new Error('This file must run in a worker thread.');
const settings = workerData as WorkerSettings;

const lastLines: string[] = [];
const database = await open();
let freeBytes = Number.POSITIVE_INFINITY;
let lastLook = Number.NEGATIVE_INFINITY;
let diskLow = false;
let readOnlySession = false;

if (database) {
  port.on('message', (message: ToWorker) => {
    answer(database, message).catch((error: Error) => giveUp(`The embedded database crashed: ${error.message}`));
  });
  send({ kind: 'ready' });
}

async function open(): Promise<PGlite | undefined> {
  const { folder, loadFrom } = settings;
  const exists = folder !== null && existsSync(join(folder, 'PG_VERSION'));
  try {
    return await PGlite.create(folder ?? 'memory://', {
      ...(loadFrom && !exists && { loadDataDir: new Blob([readFileSync(loadFrom)]) }),
      onStderr: (line) => {
        lastLines.push(line);
        if (lastLines.length > 5) lastLines.shift();
        // After a PANIC, the database would respond to queries with an endless loop, so the thread ends immediately.
        const panic = line.split('PANIC:')[1];
        if (panic) giveUp(`The embedded database had to stop: ${panic.trim()}.`);
        return false;
      },
    });
  } catch (error) {
    giveUp([(error as Error).message, ...lastLines].join(' '));
    return undefined;
  }
}

async function answer(db: PGlite, message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'wire': {
      if (isStartup(message.bytes)) await resetSession(db);
      await watchDisk(db);
      const reply = await run(db, message.bytes);
      return send({ kind: 'wire', bytes: diskLow || readOnlySession ? explainRefusal(reply) : reply });
    }
    case 'dump': {
      await run(db, simpleQuery('checkpoint'));
      const dump = await db.dumpDataDir(message.compression);
      return send({ kind: 'dumped', bytes: new Uint8Array(await dump.arrayBuffer()) });
    }
    case 'close': {
      await db.close();
      send({ kind: 'closed' });
      port?.close();
    }
  }
}

async function run(db: PGlite, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  await db.execProtocolRawStream(bytes, {
    syncToFs: false,
    // `window` is a view of database memory that is overwritten later, so its data is copied.
    onRawData: (window) => parts.push(window.slice()),
  });
  return concat(parts);
}

/**
 * Resets the database's only session, so that a new connection has no open transaction, settings, statements or
 * listeners.
 */
async function resetSession(db: PGlite): Promise<void> {
  if (db.isInTransaction()) await run(db, simpleQuery('rollback'));
  await run(db, simpleQuery('discard all'));
  readOnlySession = false;
}

/**
 * Makes the session read-only when disk space is low, so that PostgreSQL refuses writes. A full disk would damage the
 * database.
 */
async function watchDisk(db: PGlite): Promise<void> {
  if (settings.folder === null) return;
  const now = performance.now();
  if (now - lastLook >= settings.diskCheckMs) {
    lastLook = now;
    const disk = statfsSync(settings.folder);
    freeBytes = disk.bavail * disk.bsize;
  }
  diskLow = freeBytes < settings.diskFloorBytes;
  if (diskLow === readOnlySession) return;
  if (!db.isInTransaction()) {
    await run(db, simpleQuery(`set default_transaction_read_only = ${diskLow ? 'on' : 'off'}`));
    readOnlySession = diskLow;
  } else if (diskLow) {
    await run(db, simpleQuery('set transaction read only'));
  }
}

function explainRefusal(reply: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);
  return replaceErrors(reply, READ_ONLY_TRANSACTION, {
    code: DISK_FULL,
    message: `The disk is almost full: ${megabytes(freeBytes)} MB are free and ${megabytes(settings.diskFloorBytes)} MB are needed for writing. Free some space; reading still works.`,
  });
}

function send(message: FromWorker): void {
  port?.postMessage(message, 'bytes' in message ? [message.bytes.buffer] : []);
}

function giveUp(message: string): void {
  send({ kind: 'failed', message });
  process.exit(1);
}
