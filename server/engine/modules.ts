import { serviceAccess } from '../access.ts';
import { secretKey } from '../auth/secrets.ts';
import type { Config } from '../config.ts';
import { createComposer } from '../notification/compose.ts';
import type { Evaluator } from '../pipeline/evaluator.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, within } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { ProcessHeartbeat } from '../process/heartbeat.ts';
import type { Readiness } from '../process/readiness.ts';
import { answerableMethods, shownInboundAddress } from '../sender/inbound/endpoints.ts';
import { receiptEndpoints, shownReceiptAddress } from '../sender/receipt/endpoints.ts';
import type { Sender } from '../sender/sender.ts';
import { createSenders } from '../sender/senders.ts';
import { vapidKeys } from '../sender/vapid.ts';
import { alarmHours } from './alarm-hours.ts';
import { alarmWork } from './alarm-work.ts';
import { databaseSize } from './database-size.ts';
import { debounce } from './debounce.ts';
import { deferred } from './deferred.ts';
import { delivery } from './delivery.ts';
import { destinations } from './destinations.ts';
import { digests } from './digests.ts';
import { type Engine, type EngineModule, startEngine } from './engine.ts';
import { escalation } from './escalation.ts';
import { externalHeartbeat } from './external-heartbeat.ts';
import { frameMinutes } from './frame-minutes.ts';
import { housekeeping, partitions } from './housekeeping.ts';
import { invitations } from './invitations.ts';
import { listening } from './listening.ts';
import { maintenancePlanning } from './maintenance.ts';
import { quiet } from './quiet.ts';
import { retention } from './retention.ts';
import { rollup } from './rollup.ts';
import { SenderFailures } from './sender-failures.ts';
import { silence } from './silence.ts';
import { smsBudget, suppressedSms } from './sms-budget.ts';
import { systemAlarmWatch } from './system-alarms.ts';
import { weeklyReport } from './weekly-report.ts';

/** Maximum wait for a stalled provider when the server stops. */
const CLOSE_MS = 1000;

export interface TimedOptions {
  db: Database;
  config: Config;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  evaluator: Evaluator;
  mailer: Sender;
  /** Public address of the console, for links in messages. */
  publicUrl: string;
  timers: boolean;
  heartbeat: ProcessHeartbeat;
  readiness: Readiness;
  /** True while devices can reach this process; undefined if this process is not a gateway. */
  isListening: (() => boolean) | undefined;
}

export interface Timed {
  engine: Engine;
  close(): Promise<void>;
}

/** Starts the engine modules for the roles of this process. */
export async function startTimed(options: TimedOptions): Promise<Timed> {
  const { db, config, clock, log, evaluator, mailer, publicUrl, timers, heartbeat, readiness, isListening } = options;
  const { roles, keep } = config;
  const { backupMaxAgeHours, heartbeatUrl } = config;
  const isClockApart = () => heartbeat.isClockApart;
  const watchedSeconds = () => heartbeat.steadySeconds;
  const modules: EngineModule[] = [systemAlarmWatch({ db, clock, log, watchedSeconds, backupMaxAgeHours })];
  if (heartbeatUrl) modules.push(externalHeartbeat({ db, clock, log, url: heartbeatUrl }));
  if (isListening) {
    modules.push(listening({ db, clock, isListening, timers }), frameMinutes({ db, clock, metrics: options.metrics }));
  }
  if (roles.includes('evaluator')) {
    modules.push(debounce({ db, clock, evaluator }), alarmWork({ db, clock, evaluator }), silence(db, clock));
  }
  let senders: Sender[] = [];
  if (roles.includes('engine')) {
    const byMethod = createSenders({ config, db, clock, log, vapid: await vapidKeys(db, clock) });
    senders = Object.values(byMethod);
    const describe = () => describeSenders(db, clock, senders, config);
    await describe();
    const key = () => secretKey(db, clock, 'alarm-link');
    const failures = new SenderFailures(senders, readiness);
    const composer = createComposer({ db, clock, key, publicUrl, answerable: answerableMethods(config) });
    modules.push(
      escalation(db, clock),
      deferred(db, clock),
      maintenancePlanning(db, clock),
      quiet(db, clock),
      digests(db, clock),
      smsBudget(db, clock),
      suppressedSms(db, clock),
      receiptTrouble(senders, describe),
      ...delivery({
        db,
        clock,
        log,
        senders: byMethod,
        composer,
        maySend: () => !isClockApart(),
        onResult: (sender, result) => failures.record(sender, result),
        reporting: new Set(receiptEndpoints(config).map((endpoint) => endpoint.provider)),
      }),
      destinations({
        ...{ db, clock, log, publicUrl, allowPrivate: config.webhookPrivate },
        maySend: () => !isClockApart(),
      }),
      invitations({ db, clock, log, mailer, publicUrl }),
      weeklyReport({ db, clock, log, publicUrl }),
      housekeeping(db, clock),
      partitions(db),
      databaseSize({ db, clock, diskGb: config.databaseDiskGb }),
      rollup({ db, clock }),
      alarmHours(db, clock),
      retention({
        db,
        clock,
        keepFramesDays: keep.frames,
        keepReadingsDays: keep.readings,
        keepMinutesDays: keep.minutes,
        keepHoursDays: keep.hours,
        keepDaysDays: keep.days,
      }),
    );
  }
  const engine = startEngine(modules, { clock, log, timers, isClockApart });
  if (timers) await engine.listen(db);
  return {
    engine,
    async close() {
      await engine.stop();
      await within(Promise.all(senders.map((sender) => sender.close())), CLOSE_MS, () => []);
    },
  };
}

/** Updates the stored state of a sender when its provider's delivery receipts start to fail or work again. */
function receiptTrouble(senders: readonly Sender[], describe: () => Promise<void>): EngineModule {
  const problems = () => senders.map((sender) => sender.receiptProblem?.() ?? '').join('\n');
  let described = problems();
  return {
    name: 'receipt trouble',
    every: 10_000,
    ignoresClock: true,
    async tick() {
      const current = problems();
      if (current === described) return;
      await describe();
      described = current;
    },
  };
}

/** Stores the configured senders, so that the console can show them. */
async function describeSenders(db: Database, clock: Clock, senders: readonly Sender[], config: Config): Promise<void> {
  const described = senders.map((sender) => ({
    name: sender.name,
    title: sender.title,
    methodType: sender.methodType,
    isConfigured: sender.isExternal,
    receiptAddress: shownReceiptAddress(config, sender.name),
    inboundAddress: shownInboundAddress(config, sender.name),
    receiptProblem: sender.receiptProblem?.(),
  }));
  await db.transaction(serviceAccess(clock), (tx) =>
    tx.query(
      `insert into tocsin_private.installation (name, value) values ('channels', $1)
       on conflict (name) do update set value = excluded.value where installation.value <> excluded.value`,
      [JSON.stringify(described)],
    ),
  );
}
