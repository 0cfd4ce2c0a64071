import { serviceAccess } from '../access.ts';
import { secretKey } from '../auth/secrets.ts';
import type { Config } from '../config.ts';
import { createComposer } from '../notification/compose.ts';
import type { Evaluator } from '../pipeline/evaluator.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, within } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { receiptDoors, shownReceiptAddress } from '../sender/receipt/endpoints.ts';
import type { Sender } from '../sender/sender.ts';
import { createSenders } from '../sender/senders.ts';
import { vapidKeys } from '../sender/vapid.ts';
import { alarmWork } from './alarm-work.ts';
import { debounce } from './debounce.ts';
import { deferred } from './deferred.ts';
import { delivery } from './delivery.ts';
import { type Engine, type EngineModule, startEngine } from './engine.ts';
import { escalation } from './escalation.ts';
import { housekeeping, partitions } from './housekeeping.ts';
import { invitations } from './invitations.ts';
import { retention } from './retention.ts';
import { rollup } from './rollup.ts';
import { silence } from './silence.ts';

/** A provider that stalls must not hold up the end of the process. */
const CLOSE_MS = 1000;

export interface TimedOptions {
  db: Database;
  config: Config;
  clock: Clock;
  log: Log;
  evaluator: Evaluator;
  mailer: Sender;
  /** Where people reach the console, for links in messages. */
  publicUrl: string;
  timers: boolean;
}

export interface Timed {
  engine: Engine;
  close(): Promise<void>;
}

/** What happens because time passed, by the roles of this process. */
export async function startTimed(options: TimedOptions): Promise<Timed> {
  const { db, config, clock, log, evaluator, mailer, publicUrl, timers } = options;
  const { roles, keep } = config;
  const modules: EngineModule[] = [];
  if (roles.includes('evaluator')) {
    modules.push(debounce({ db, clock, evaluator }), alarmWork({ db, clock, evaluator }), silence(db, clock));
  }
  let channels: Sender[] = [];
  if (roles.includes('engine')) {
    const byMethod = createSenders({ config, db, clock, log, vapid: await vapidKeys(db, clock) });
    channels = Object.values(byMethod);
    const describe = () => describeChannels(db, clock, channels, (provider) => shownReceiptAddress(config, provider));
    await describe();
    const key = () => secretKey(db, clock, 'alarm-link');
    const composer = createComposer({ db, clock, key, publicUrl });
    modules.push(
      escalation(db, clock),
      deferred(db, clock),
      receiptTrouble(channels, describe),
      ...delivery({
        db,
        clock,
        log,
        channels: byMethod,
        composer,
        reporting: new Set(receiptDoors(config).map((door) => door.provider)),
      }),
      invitations({ db, clock, log, mailer, publicUrl }),
      housekeeping(db, clock),
      partitions(db),
      rollup({ db, clock }),
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
  const engine = startEngine(modules, { clock, log, timers });
  if (timers) await engine.listen(db);
  return {
    engine,
    async close() {
      await engine.stop();
      await within(Promise.all(channels.map((channel) => channel.close())), CLOSE_MS, () => []);
    },
  };
}

/** A provider may find out with any message that it cannot report here. */
function receiptTrouble(channels: readonly Sender[], describe: () => Promise<void>): EngineModule {
  const problems = () => channels.map((channel) => channel.receiptProblem?.() ?? '').join('\n');
  let described = problems();
  return {
    name: 'receipt trouble',
    every: 10_000,
    async tick() {
      const current = problems();
      if (current === described) return;
      await describe();
      described = current;
    },
  };
}

/** Writes down how people are reached here, for the page that shows it. */
async function describeChannels(
  db: Database,
  clock: Clock,
  channels: readonly Sender[],
  receiptAddressOf: (provider: string) => string | undefined,
): Promise<void> {
  const described = channels.map((channel) => ({
    name: channel.name,
    title: channel.title,
    methodType: channel.methodType,
    leavesTheHouse: channel.isExternal,
    receiptAddress: receiptAddressOf(channel.name),
    receiptProblem: channel.receiptProblem?.(),
  }));
  await db.transaction(serviceAccess(clock), (tx) =>
    tx.query(
      `insert into tocsin_private.installation (name, value) values ('channels', $1)
       on conflict (name) do update set value = excluded.value where installation.value <> excluded.value`,
      [JSON.stringify(described)],
    ),
  );
}
