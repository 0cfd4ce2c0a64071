import type { Database, Transaction } from '../platform/database.ts';
import type { Check } from './readiness.ts';

/** Identifies a process to the other processes. The values do not change while the process runs. */
export interface ProcessIdentity {
  uuid: string;
  /** Name that stays the same after a restart: TOCSIN_PROCESS_NAME, or host name and port. */
  name: string;
  version: string;
  /** The newest migration that this process knows. */
  schemaVersion: string;
  roles: readonly string[];
}

export type ProcessState = 'starting' | 'ready' | 'draining' | 'stopped';

export interface Heartbeat {
  name: string;
  httpAddress: string;
  state: ProcessState;
  clockOffsetMs: number;
  isClockApart: boolean;
  checks: readonly Check[];
  load: object;
}

export interface RunningProcess {
  uuid: string;
  name: string;
  clockOffsetMs: number;
  isClockApart: boolean;
}

/** A process counts as missing after this time without a heartbeat. */
export const MISSING_AFTER_MS = 15_000;

/** SQL condition: the process `p` is not stopped, and its last heartbeat is recent. */
const RUNNING = `p.state <> 'stopped' and p.heartbeat_at > tocsin_private.lease_clock() - ${MISSING_AFTER_MS} * interval '1 millisecond'`;

/** Returns the running processes except the one with the uuid `own`. */
export async function runningProcesses(tx: Transaction, own: string): Promise<RunningProcess[]> {
  const { rows } = await tx.query<RunningProcess>(
    `select p.uuid, p.name, p.clock_offset_ms as "clockOffsetMs", p.is_clock_apart as "isClockApart"
     from tocsin_private.process p where p.uuid <> $1 and ${RUNNING} order by p.started_at`,
    [own],
  );
  return rows;
}

/**
 * Registers a starting process. Only one process at a time can register, so that processes that start simultaneously
 * see each other. An embedded database has only one process, so the rows of earlier processes are deleted.
 */
export async function registerProcess(
  tx: Transaction,
  kind: Database['kind'],
  identity: ProcessIdentity,
): Promise<RunningProcess[]> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('tocsin_private.process', 0))");
  if (kind === 'embedded') await tx.query('delete from tocsin_private.process');
  // Stores the schema version in a row that heartbeats can read: their role cannot read the table of migrations. A
  // process of an older version must not lower the schema version.
  await tx.query(
    `insert into tocsin_private.installation as i (name, value) values ('schema', to_jsonb($1::text))
     on conflict (name) do update set value = excluded.value where i.value #>> '{}' < $1`,
    [identity.schemaVersion],
  );
  const others = await runningProcesses(tx, identity.uuid);
  const { uuid, name, version, schemaVersion, roles } = identity;
  await tx.query(
    `insert into tocsin_private.process (uuid, name, version, schema_version, roles, started_at, heartbeat_at)
     values ($1, $2, $3, $4, $5, tocsin_private.lease_clock(), tocsin_private.lease_clock())`,
    [uuid, name, version, schemaVersion, roles],
  );
  return others;
}

/**
 * Stores the clock offset of a starting process before its first heartbeat, because the next process to start reads it
 * to set its own time.
 */
export async function recordClockOffset(tx: Transaction, { uuid }: ProcessIdentity, offsetMs: number): Promise<void> {
  await tx.query('update tocsin_private.process set clock_offset_ms = $2 where uuid = $1', [
    uuid,
    Math.round(offsetMs),
  ]);
}

/** Writes a heartbeat. Restores the row if it was deleted, for example because the process was suspended for days. */
export async function writeHeartbeat(tx: Transaction, identity: ProcessIdentity, beat: Heartbeat): Promise<void> {
  const { uuid, version, schemaVersion, roles } = identity;
  await tx.query(
    `insert into tocsin_private.process (uuid, name, version, schema_version, roles, http_address, state, started_at, heartbeat_at,
       clock_offset_ms, is_clock_apart, checks, load)
     values ($1, $2, $3, $4, $5, $6, $7, tocsin_private.lease_clock(), tocsin_private.lease_clock(), $8, $9, $10, $11)
     on conflict (uuid) do update set name = excluded.name, http_address = excluded.http_address, state = excluded.state,
       heartbeat_at = excluded.heartbeat_at, clock_offset_ms = excluded.clock_offset_ms,
       is_clock_apart = excluded.is_clock_apart, checks = excluded.checks, load = excluded.load`,
    [
      ...[uuid, beat.name, version, schemaVersion, roles, beat.httpAddress, beat.state],
      ...[Math.round(beat.clockOffsetMs), beat.isClockApart, JSON.stringify(beat.checks), JSON.stringify(beat.load)],
    ],
  );
}
