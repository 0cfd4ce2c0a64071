import { type MethodType, methodNames } from '../../domain/notification/methods.ts';
import {
  changesOf,
  type OpenSystemAlarm,
  SETTLED_SECONDS,
  type SystemAlarm,
  type SystemFacts,
  systemAlarmMessage,
  systemAlarms,
  type WatchedProcess,
} from '../../domain/process/system-alarm.ts';
import { serviceAccess } from '../access.ts';
import { notifyOwners } from '../notification/owners.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { EngineModule } from './engine.ts';

export interface SystemAlarmOptions {
  db: Database;
  clock: Clock;
  log: Log;
  /** Returns the number of seconds for which this process has sent heartbeats without interruption. */
  watchedSeconds(): number;
  /** Number of hours after which a backup is too old; undefined if backups are not monitored. */
  backupMaxAgeHours: number | undefined;
}

/** Number of days after which the row of a stopped or missing process is deleted. */
const KEEP_DAYS = 7;
const OVERDUE_MINUTES = 2;

/**
 * Opens and ends system alarms, and notifies the owners once about each alarm. Every process runs this module, so that
 * the others notice if a process fails. A lock lets only one process work at a time.
 */
export function systemAlarmWatch(options: SystemAlarmOptions): EngineModule {
  const { db, clock, log, watchedSeconds, backupMaxAgeHours } = options;
  return {
    name: 'system alarms',
    every: 5000,
    async tick(now) {
      if (watchedSeconds() < SETTLED_SECONDS) return;
      await db.transaction(serviceAccess(clock), async (tx) => {
        if (!(await takeTurn(tx))) return;
        const facts = await readFacts(tx, watchedSeconds(), backupMaxAgeHours);
        const changes = changesOf(await readOpen(tx), systemAlarms(facts), now.getTime());
        for (const { kind, subject, sentence } of changes.opened) {
          log.error('a system alarm opened', { kind, subject, sentence });
          await tx.query(
            'insert into tocsin_private.system_alarm (kind, subject, sentence, opened_at) values ($1, $2, $3, $4)',
            [kind, subject, sentence, now],
          );
        }
        for (const { kind, subject } of changes.ended) log.info('a system alarm ended', { kind, subject });
        await set(tx, 'ended_at', now, changes.ended);
        await set(tx, 'absent_since', now, changes.absent);
        await set(tx, 'absent_since', null, changes.back);
        const message = systemAlarmMessage(changes);
        if (message) await notifyOwners(tx, message, now);
      });
    },
  };
}

/** Locks this module until the transaction ends. Returns false if another process holds the lock. */
async function takeTurn(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.query<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('tocsin_private.system_alarm', 0)) as mine`,
  );
  return rows[0]?.mine ?? false;
}

async function readOpen(tx: Transaction): Promise<OpenSystemAlarm[]> {
  const { rows } = await tx.query<OpenSystemAlarm>(
    `select kind, subject, sentence, extract(epoch from absent_since)::float8 * 1000 as "absentSince"
     from tocsin_private.system_alarm where ended_at is null order by opened_at, kind, subject`,
  );
  return rows;
}

async function set(
  tx: Transaction,
  column: 'ended_at' | 'absent_since',
  value: Date | null,
  alarms: readonly SystemAlarm[],
): Promise<void> {
  for (const { kind, subject } of alarms) {
    await tx.query(
      `update tocsin_private.system_alarm set ${column} = $3 where kind = $1 and subject = $2 and ended_at is null`,
      [kind, subject, value],
    );
  }
}

async function readFacts(tx: Transaction, watchedSeconds: number, mostHours: number | undefined): Promise<SystemFacts> {
  await tx.query(
    `delete from tocsin_private.process where heartbeat_at < tocsin_private.lease_clock() - ${KEEP_DAYS} * interval '1 day'`,
  );
  const processes = await readProcesses(tx);
  const { rows: overdue } = await tx.query<{ method: MethodType; count: number }>(
    // Notifications of disabled customers are not sent, so they are not overdue.
    `select method_type as method, count(*)::int as count from tocsin.notification
     join tocsin.customer c on c.uuid = tocsin_customer_uuid and c.status = 1
     where state = 'queued' and next_attempt_at <= tocsin_private.clock() - ${OVERDUE_MINUTES} * interval '1 minute'
       and (lease_until is null or lease_until <= tocsin_private.lease_clock()) group by 1 order by 1`,
  );
  const backup = mostHours === undefined ? undefined : { mostHours, ...(await readBackup(tx)) };
  return {
    ...{ processes, watchedSeconds, backup },
    overdue: overdue.map(({ method, count }) => ({ method: methodNames[method], count })),
  };
}

/** Returns the most recently started process for each process name. */
export async function readProcesses(tx: Transaction): Promise<WatchedProcess[]> {
  const { rows } = await tx.query<WatchedProcess>(
    `select distinct on (p.name) p.name, p.roles, p.state, p.is_clock_apart as "isClockApart", p.checks,
       extract(epoch from tocsin_private.lease_clock() - p.heartbeat_at)::float8 as "silentSeconds"
     from tocsin_private.process p order by p.name, p.started_at desc, p.heartbeat_at desc`,
  );
  return rows;
}

async function readBackup(tx: Transaction): Promise<{ hours: number | null; isLastOk: boolean }> {
  const { rows } = await tx.query<{ hours: number | null; isLastOk: boolean }>(
    `select (select extract(epoch from tocsin_private.lease_clock() - max(b.finished_at))::float8 / 3600
         from tocsin_private.backup b where b.ok) as hours,
       coalesce((select b.ok from tocsin_private.backup b order by b.finished_at desc limit 1), true) as "isLastOk"`,
  );
  return rows[0] ?? { hours: null, isLastOk: true };
}
