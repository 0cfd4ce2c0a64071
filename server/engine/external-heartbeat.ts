import { workingRoles } from '../../domain/process/system-alarm.ts';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { EngineModule } from './engine.ts';
import { readProcesses } from './system-alarms.ts';

const EVERY_SECONDS = 60;
const TIMEOUT_MS = 10_000;
/** Overdue work counts as a failure after this number of minutes, even if every process reports that it is ready. */
const OVERDUE_MINUTES = 2;

export interface ExternalHeartbeatOptions {
  db: Database;
  clock: Clock;
  log: Log;
  url: string;
}

/**
 * Calls a URL every minute while all roles work and no work is overdue. If the calls stop, an external service raises
 * an alarm, even if the whole installation has failed. Every process runs this module; a row in the database decides
 * which process makes the call.
 */
export function externalHeartbeat({ db, clock, log, url }: ExternalHeartbeatOptions): EngineModule {
  let hasFailed = false;

  const call = async (): Promise<string | undefined> => {
    try {
      const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
      await answer.body?.cancel();
      return answer.ok ? undefined : `it answered ${answer.status}`;
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      return cause?.message || message;
    }
  };

  return {
    name: 'external heartbeat',
    every: 5000,
    async tick() {
      const mayCall = await db.transaction(serviceAccess(clock), async (tx) => {
        const works = await isWorking(tx);
        return works && (await takeMinute(tx));
      });
      if (!mayCall) return;
      const problem = await call();
      // The URL can contain a secret, so only its host is logged.
      const data = { host: new URL(url).host, problem };
      if (problem !== undefined && !hasFailed) log.warn('TOCSIN_HEARTBEAT_URL could not be called', data);
      if (problem === undefined && hasFailed) log.info('TOCSIN_HEARTBEAT_URL responds again', data);
      hasFailed = problem !== undefined;
    },
  };
}

/**
 * Returns true if each of the roles gateway, evaluator and engine has at least one working process, and no work is
 * overdue.
 */
async function isWorking(tx: Transaction): Promise<boolean> {
  const working = workingRoles(await readProcesses(tx));
  if (!['gateway', 'evaluator', 'engine'].every((role) => working.has(role))) return false;
  const { rows } = await tx.query<{ overdue: boolean }>(
    `select exists (select from tocsin.notification n where n.state = 'queued'
         and n.next_attempt_at <= tocsin_private.clock() - $1 * interval '1 minute'
         and (n.lease_until is null or n.lease_until <= tocsin_private.lease_clock()))
       or exists (select from tocsin_private.rule_state s where s.due_at <= tocsin_private.clock() - $1 * interval '1 minute')
       as overdue`,
    [OVERDUE_MINUTES],
  );
  return rows[0]?.overdue === false;
}

/** Claims the current minute for this process. Returns false if another process has already claimed it. */
async function takeMinute(tx: Transaction): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into tocsin_private.installation as i (name, value)
     values ('external-heartbeat', to_jsonb(tocsin_private.lease_clock()))
     on conflict (name) do update set value = excluded.value
     where (i.value #>> '{}')::timestamptz not between tocsin_private.lease_clock() - $1 * interval '1 second'
       and tocsin_private.lease_clock() + interval '1 minute'`,
    [EVERY_SECONDS - 1],
  );
  return rowCount > 0;
}
