import { plural } from '../plural.ts';

/** Kinds of faults of the installation itself. */
export type SystemAlarmKind = 'process' | 'gateway' | 'delivery' | 'broker' | 'sender' | 'disk' | 'clock' | 'backup';

/** A fault of the installation. Kind and subject identify it while it lasts. */
export interface SystemAlarm {
  kind: SystemAlarmKind;
  /** The process, method or sender that has the fault; empty if the kind alone identifies the fault. */
  subject: string;
  sentence: string;
}

/** A process, as described by its last heartbeat. */
export interface WatchedProcess {
  name: string;
  roles: readonly string[];
  state: 'starting' | 'ready' | 'draining' | 'stopped';
  /** Seconds since the last heartbeat of the process, measured by the database's clock. */
  silentSeconds: number;
  isClockApart: boolean;
  checks: readonly { name: string; ok: boolean; problem: string; failingSeconds: number }[];
}

export interface SystemFacts {
  /** For each process name, the process that started last. */
  processes: readonly WatchedProcess[];
  /** Seconds for which the evaluating process has sent heartbeats without interruption. */
  watchedSeconds: number;
  /**
   * For each method, the number of notifications that have been due for two minutes without an attempt to send them.
   */
  overdue: readonly { method: string; count: number }[];
  /** The last backup; undefined if backups are not watched. `hours` is its age; null if no backup was ever reported. */
  backup: { hours: number | null; mostHours: number; isLastOk: boolean } | undefined;
}

/** Seconds without a heartbeat after which a process counts as missing. */
export const MISSING_SECONDS = 15;
/**
 * Seconds after a clean stop of all gateways during which a missing gateway opens no alarm, so that a restart raises no
 * alarm.
 */
const RESTART_SECONDS = 60;
/** Seconds for which a check must fail before it opens an alarm. Most connections recover sooner. */
const FAILING_SECONDS = 30;
/**
 * Seconds for which a process opens and ends no system alarms after it has started or has reconnected to the database.
 * The other processes need this time for their next heartbeat.
 */
export const SETTLED_SECONDS = MISSING_SECONDS + 5;

/**
 * Returns the roles that at least one working process has. A process works if it is ready, its clock is right and its
 * checks pass. Failing checks of senders and disks are ignored.
 */
export function workingRoles(processes: readonly WatchedProcess[]): Set<string> {
  const working = processes.filter(
    (process) =>
      process.state === 'ready' &&
      !isMissing(process) &&
      !process.isClockApart &&
      process.checks.every(({ name, ok }) => ok || /^(sender|disk)\b/.test(name)),
  );
  return new Set(working.flatMap(({ roles }) => roles));
}

/**
 * Checks that open a system alarm when they fail. With `isOfProcess`, each process has its own alarm; otherwise all
 * processes share one alarm.
 */
const watchedChecks = {
  broker: { isOfProcess: false },
  sender: { isOfProcess: false },
  disk: { isOfProcess: true },
} as const;

export function systemAlarms({ processes, watchedSeconds, overdue, backup }: SystemFacts): SystemAlarm[] {
  const missing = processes.filter(isMissing);
  const running = processes.filter((process) => process.state !== 'stopped' && !isMissing(process));
  const noGateway = missesGateways(processes, watchedSeconds);
  const alarms: SystemAlarm[] = [];
  if (noGateway) alarms.push(noGateway);
  for (const { name, roles } of missing) {
    // The system alarm about all gateways already covers this process.
    if (noGateway && roles.includes('gateway')) continue;
    alarms.push({
      kind: 'process',
      subject: name,
      sentence: `The process ${name} has sent no heartbeat for ${MISSING_SECONDS} s and did not stop cleanly. Check its machine, then start Tocsin.`,
    });
  }
  for (const { name, isClockApart } of running) {
    if (!isClockApart) continue;
    const sentence = `The process ${name} sends nothing and evaluates no deadlines, because its clock is wrong. Check the time synchronisation of its machine.`;
    alarms.push({ kind: 'clock', subject: name, sentence });
  }
  alarms.push(...failedChecks(running));
  for (const { method, count } of overdue) {
    const what = plural(count, `notification by ${method} is`, `notifications by ${method} are`);
    const sentence = `${count} ${what} overdue by two minutes or more. Check the processes with the role engine and their logs.`;
    alarms.push({ kind: 'delivery', subject: method, sentence });
  }
  const old = backup && oldBackup(backup);
  if (old) alarms.push({ kind: 'backup', subject: '', sentence: old });
  return alarms;
}

function isMissing({ state, silentSeconds }: WatchedProcess): boolean {
  return state !== 'stopped' && silentSeconds > MISSING_SECONDS;
}

function missesGateways(processes: readonly WatchedProcess[], watchedSeconds: number): SystemAlarm | undefined {
  const gateways = processes.filter(({ roles }) => roles.includes('gateway'));
  const isDown = (gateway: WatchedProcess) =>
    gateway.state === 'stopped'
      ? gateway.silentSeconds > RESTART_SECONDS && watchedSeconds >= RESTART_SECONDS
      : isMissing(gateway);
  if (!gateways.every(isDown)) return undefined;
  if (gateways.length === 0 && watchedSeconds < RESTART_SECONDS) return undefined;
  const names = gateways.map(({ name }) => name).join(', ');
  const which = names === '' ? '' : ` The last one was ${names}.`;
  return {
    kind: 'gateway',
    subject: '',
    sentence: `No process accepts readings, so no alarm can open.${which} Start a process with the role gateway.`,
  };
}

function failedChecks(running: readonly WatchedProcess[]): SystemAlarm[] {
  const alarms = new Map<string, SystemAlarm>();
  for (const process of running) {
    for (const { name, ok, problem, failingSeconds } of process.checks) {
      // The name of a sender's check is `sender`, a space and the sender's title.
      const [kind, ...rest] = name.split(' ') as [keyof typeof watchedChecks, ...string[]];
      if (ok || failingSeconds < FAILING_SECONDS || !Object.hasOwn(watchedChecks, kind)) continue;
      const subject = watchedChecks[kind].isOfProcess ? process.name : rest.join(' ');
      const where = watchedChecks[kind].isOfProcess ? `${process.name}: ` : '';
      alarms.set(`${kind} ${subject}`, { kind, subject, sentence: `${where}${problem}` });
    }
  }
  return [...alarms.values()];
}

function oldBackup({ hours, mostHours, isLastOk }: NonNullable<SystemFacts['backup']>): string | undefined {
  const task = 'Check the backup job. It must run npm run backup-done.';
  if (!isLastOk) return `The last backup failed. ${task}`;
  if (hours === null) return `No backup has been reported yet. ${task}`;
  if (hours <= mostHours) return undefined;
  return `The last backup is more than ${mostHours} ${plural(mostHours, 'hour', 'hours')} old. ${task}`;
}

/**
 * Milliseconds for which a fault must be absent before its alarm ends. An intermittent fault therefore stays one alarm.
 */
const GONE_MS = 60_000;

/** An open alarm. `absentSince` is the time at which the fault disappeared; null while the fault is present. */
export interface OpenSystemAlarm extends SystemAlarm {
  absentSince: number | null;
}

export interface SystemAlarmChanges {
  opened: SystemAlarm[];
  ended: SystemAlarm[];
  /** `absent`: open alarms whose fault has just disappeared. `back`: open alarms whose fault has returned. */
  absent: SystemAlarm[];
  back: SystemAlarm[];
}

/** Compares the open alarms with the current faults and returns the differences. */
export function changesOf(
  open: readonly OpenSystemAlarm[],
  present: readonly SystemAlarm[],
  now: number,
): SystemAlarmChanges {
  const keyOf = ({ kind, subject }: SystemAlarm) => `${kind} ${subject}`;
  const openKeys = new Set(open.map(keyOf));
  const presentKeys = new Set(present.map(keyOf));
  const gone = open.filter((alarm) => !presentKeys.has(keyOf(alarm)));
  return {
    opened: present.filter((alarm) => !openKeys.has(keyOf(alarm))),
    ended: gone.filter(({ absentSince }) => absentSince !== null && now - absentSince >= GONE_MS),
    absent: gone.filter(({ absentSince }) => absentSince === null),
    back: open.filter((alarm) => alarm.absentSince !== null && presentKeys.has(keyOf(alarm))),
  };
}

/** Returns the subject and text of one message about all opened and ended alarms; undefined if there are none. */
export function systemAlarmMessage({
  opened,
  ended,
}: Pick<SystemAlarmChanges, 'opened' | 'ended'>): { subject: string; text: string } | undefined {
  const [first] = opened.length > 0 ? opened : ended;
  if (!first) return undefined;
  const more = opened.length + ended.length - 1;
  const title = `${titles[first.kind]}${first.subject === '' ? '' : `: ${first.subject}`}`;
  const subject = `Tocsin system alarm${opened.length > 0 ? '' : ' ended'}: ${title}${more > 0 ? ` and ${more} more` : ''}`;
  const lines = [...opened.map(({ sentence }) => sentence), ...ended.map(({ sentence }) => `Ended: ${sentence}`)];
  return { subject: subject.slice(0, 200), text: lines.join('\n\n') };
}

const titles: Readonly<Record<SystemAlarmKind, string>> = {
  process: 'a process is missing',
  gateway: 'no gateway is running',
  delivery: 'notifications are overdue',
  broker: 'the MQTT broker is not working',
  sender: 'a sender is not working',
  disk: 'a disk is nearly full',
  clock: 'a clock is wrong',
  backup: 'the last backup is too old',
};
