import { timeText } from '../../domain/alarm/message.ts';
import { alarmsInWords, explainNoAlarm } from '../../domain/rule/explain.ts';
import type { ReplayedAlarm } from '../../domain/rule/replay.ts';
import type { Transaction } from '../platform/database.ts';
import { countFrom, type History, type HistoryRefusal, type Range, refuse } from './history.ts';
import { loadQuietReason, loadSuppressingWindow, type SuppressingWindow } from './quiet.ts';
import { loadSubject, type Subject, type SubjectVersion } from './subject.ts';
import { loadHistories, readingsOf } from './version-readings.ts';

export type RuleBecause =
  | 'opened'
  | 'already-open'
  | 'would-have-opened'
  | 'too-short'
  | 'never-out'
  | 'no-readings'
  | 'only-late-readings'
  | 'disabled'
  | 'not-made-yet'
  | 'sensor-disabled'
  | 'sensor-in-maintenance'
  | 'maintenance';

export interface RuleResult {
  because: RuleBecause;
  sentence: string;
}

/**
 * Result of evaluating one version of a rule with the readings that arrived while that version was active. The device
 * times of the readings can be earlier.
 */
export interface VersionResult extends RuleResult {
  version: SubjectVersion;
  from: number;
  until: number;
  readings: number;
  late: number;
  /** Alarms that open in a replay with this version alone. */
  alarms: ReplayedAlarm[];
}

export interface RecordedTransition {
  at: number;
  noticedAt: number;
  from: string;
  to: string;
  because: string;
  value: number | null;
  version: number;
  alarmUuid: string | null;
}

export interface RecordedAlarm {
  uuid: string;
  /** True if this rule opened the alarm; false if another rule with the same message did. */
  isOwn: boolean;
  version: number | null;
  message: string;
  openedAt: number;
  resolvedAt: number | null;
  /** Name of the person who resolved the alarm; null if the alarm is open or was resolved automatically. */
  resolvedName: string | null;
}

export interface RuleExplanation extends RuleResult {
  kind: Subject['kind'];
  ruleName: string;
  deleted: boolean;
  range: Range;
  versions: VersionResult[];
  transitions: RecordedTransition[];
  transitionCount: number;
  alarms: RecordedAlarm[];
}

const MOST_RECORDS = 500;

/**
 * Explains why a rule opened or did not open alarms in a time range. Refuses a rule that the user is not allowed to
 * see.
 */
export async function explainRule(
  tx: Transaction,
  ruleUuid: string,
  range: Range,
): Promise<RuleExplanation | HistoryRefusal> {
  const subject = await loadSubject(tx, ruleUuid);
  if (!subject) return refuse('ruleUuid', 'This rule was deleted, or you do not have access to it. Choose another.');
  const { transitions, count: transitionCount } = await loadTransitions(tx, ruleUuid, range);
  const alarms = await loadAlarms(tx, ruleUuid, range);
  const count = countOpened(await loadOpenings(tx, ruleUuid, range), alarms, range);
  const histories = await loadHistories(tx, subject, range);
  if (!(histories instanceof Map)) return histories;
  const versions = subject.versions.flatMap((version): VersionResult | [] => {
    const result = evaluateVersion(version, readingsOf(version, histories), range);
    return result ? { ...result, ...opened(count.by(version.version)) } : [];
  });
  const { rows: zones } = await tx.query<{ zone: string | null }>('select tocsin_private.my_zone() as zone');
  const timeZone = zones[0]?.zone ?? 'UTC';
  const window = await loadSuppressingWindow(
    tx,
    subject.versions.flatMap(({ datapoints }) => datapoints),
    versions.flatMap((version) => version.alarms.map(({ openedAt }) => openedAt)),
  );
  const { because, sentence } = overall({ subject, range, count: count.all, alarms, versions, timeZone, window });
  const quiet = await loadQuietReason(
    tx,
    alarms.map(({ uuid }) => uuid),
    timeZone,
  );
  return {
    because,
    sentence: [sentence, quiet && quietText(quiet, alarms), subject.deleted && 'The rule has been deleted since.']
      .filter(Boolean)
      .join(' '),
    kind: subject.kind,
    ruleName: subject.name,
    deleted: subject.deleted,
    range,
    versions,
    transitions,
    transitionCount,
    alarms,
  };
}

/**
 * Evaluates one version of a rule. Returns undefined if the version was not active in the range and no reading in the
 * range arrived while it was active.
 */
function evaluateVersion(version: SubjectVersion, history: History, asked: Range): VersionResult | undefined {
  const { times, values } = history;
  const late = history.late.length;
  const [first = Number.POSITIVE_INFINITY] = times.subarray(times.length - countFrom(times, asked.from));
  const range = {
    from: Math.max(asked.from, Math.min(version.since, first)),
    until: Math.max(Math.min(asked.until, version.until), times.at(-1) ?? Number.NEGATIVE_INFINITY),
  };
  if (range.from >= range.until && first === Number.POSITIVE_INFINITY && late === 0) return undefined;
  // If the version became active only after the range, all its readings in the range arrived late. The range of the
  // result is then empty.
  range.from = Math.min(range.from, range.until);
  const common = { version, ...range, readings: countFrom(times, range.from), late };
  if (!version.enabled) {
    // The server does not evaluate readings for a disabled rule.
    return { ...common, readings: 0, late: 0, because: 'disabled', sentence: 'The rule was disabled.', alarms: [] };
  }
  const quiet = explainNoAlarm(version.rule, times, values, range.from, range.until);
  // True if other versions were active in the rest of the range.
  const isShorter = range.from > asked.from || range.until < asked.until;
  if (quiet.because === 'no-readings' && late > 0) {
    const many = late === 1 ? 'The only reading' : `All ${late} readings`;
    const which = isShorter ? 'the time this version was active' : 'this period';
    const sentence = `${many} of ${which} arrived after newer ones. Late readings appear in charts but do not change alarms.`;
    return { ...common, because: 'only-late-readings', sentence, alarms: [] };
  }
  if (quiet.because === 'no-readings' && isShorter) {
    return {
      ...common,
      because: 'no-readings',
      sentence: 'No readings arrived while this version was active.',
      alarms: [],
    };
  }
  const alarms = quiet.because === 'would-have-opened' ? quiet.alarms : [];
  return { ...common, because: quiet.because, sentence: quiet.sentence, alarms };
}

interface Facts {
  subject: Subject;
  range: Range;
  /** Number of alarms that the rule opened in the range. */
  count: number;
  alarms: readonly RecordedAlarm[];
  versions: readonly VersionResult[];
  timeZone: string;
  /** A maintenance window that suppressed alarms of these versions; undefined if there was none. */
  window: SuppressingWindow | undefined;
}

/**
 * Results in order of precedence. If versions of the rule have different results, the explanation uses the result that
 * is closest to opening an alarm.
 */
const NEAREST_FIRST: readonly RuleBecause[] = [
  ...(['would-have-opened', 'already-open', 'too-short', 'never-out'] as const),
  ...(['only-late-readings', 'no-readings', 'disabled'] as const),
];

function overall({ subject, range, count, alarms, versions, timeZone, window }: Facts): RuleResult {
  const fired = opened(
    count,
    alarms.some(({ openedAt, resolvedAt }) => openedAt >= range.from && resolvedAt === null),
  );
  if (fired) return fired;
  const open = alarms.find(({ openedAt }) => openedAt < range.from);
  if (open) {
    const sentence = `Its alarm "${open.message}" was already open, so no second one was opened.`;
    return { because: 'already-open', sentence };
  }
  if (versions.length === 0) {
    const made = subject.versions[0]?.since;
    const day = made === undefined ? '' : ` on ${timeText(new Date(made), timeZone)}`;
    return { because: 'not-made-yet', sentence: `The rule was created${day}, after this period.` };
  }
  const [nearest] = versions.toSorted((a, b) => NEAREST_FIRST.indexOf(a.because) - NEAREST_FIRST.indexOf(b.because));
  const { because, sentence } = nearest as VersionResult;
  if (because === 'disabled') return { because, sentence };
  const idle = idleSensor(subject, range);
  if (idle) return idle;
  if (because !== 'would-have-opened') return { because, sentence };
  if (window !== undefined) {
    const end = window.until === null ? '' : ` until ${timeText(new Date(window.until), timeZone)}`;
    return {
      because: 'maintenance',
      sentence: `${sentence} The maintenance window "${window.name}" suppressed alarms${end}.`,
    };
  }
  const cause = 'sensor in maintenance, or readings added later';
  return { because, sentence: `${sentence} The readings were not evaluated when they arrived (${cause}).` };
}

/**
 * Returns the result for a rule that opened alarms; undefined if it opened none. Recorded alarms take precedence over
 * the result of the replay.
 */
function opened(count: number, isOpen = false): RuleResult | undefined {
  if (count === 0) return undefined;
  const still = isOpen ? ` ${count === 1 ? 'The alarm' : 'One'} is still open.` : '';
  return { because: 'opened', sentence: `It opened ${alarmsInWords(count)}.${still}` };
}

/** Returns why nobody was notified of alarms of the rule. */
function quietText(quiet: { openedQuiet: number; sentence: string }, alarms: readonly RecordedAlarm[]): string {
  const some =
    quiet.openedQuiet > 0 && alarms.length > 1 ? `${quiet.openedQuiet} of ${alarms.length} opened quiet. ` : '';
  return `${some}${quiet.sentence}`;
}

/**
 * Finds a disabled sensor or a sensor in maintenance that last changed before the end of the range. The exact time at
 * which its status changed is not stored.
 */
function idleSensor({ sensors, kind }: Subject, range: Range): RuleResult | undefined {
  // Multi-condition rules also use readings of sensors in maintenance, so for them only a disabled sensor explains a
  // missing alarm.
  const idle = sensors.find(
    ({ status, changedAt }) => changedAt <= range.until && (kind === 'conditions' ? status === 0 : status !== 1),
  );
  if (!idle) return undefined;
  return idle.status === 0
    ? {
        because: 'sensor-disabled',
        sentence: `The sensor ${idle.uid} is disabled, so its data is rejected. Enable the sensor to have its readings evaluated.`,
      }
    : {
        because: 'sensor-in-maintenance',
        sentence: `The sensor ${idle.uid} is in maintenance: its data is stored, but raises no alarms. Set the status of the sensor to active to have its readings evaluated.`,
      };
}

async function loadTransitions(
  tx: Transaction,
  ruleUuid: string,
  { from, until }: Range,
): Promise<{ transitions: RecordedTransition[]; count: number }> {
  const { rows } = await tx.query<RecordedTransition & { count: number }>(
    `select extract(epoch from t.at)::float8 * 1000 as at, extract(epoch from t.noticed_at)::float8 * 1000 as "noticedAt",
       t.from_phase as "from", t.to_phase as "to", t.because, t.value, t.rule_version as version, t.tocsin_alarm_uuid as "alarmUuid",
       (count(*) over ())::int as count
     from tocsin.rule_transition t
     where t.watch_uuid = $1 and t.at >= to_timestamp($2::float8 / 1000) and t.at <= to_timestamp($3::float8 / 1000)
     order by t.at, t.id limit ${MOST_RECORDS}`,
    [ruleUuid, from, until],
  );
  return { transitions: rows, count: rows[0]?.count ?? 0 };
}

/** Counts the alarms that each version of the rule opened in the range. */
async function loadOpenings(tx: Transaction, ruleUuid: string, { from, until }: Range): Promise<Map<number, number>> {
  const { rows } = await tx.query<{ version: number; count: number }>(
    `select t.rule_version as version, count(*)::int as count from tocsin.rule_transition t
     where t.watch_uuid = $1 and t.at >= to_timestamp($2::float8 / 1000) and t.at <= to_timestamp($3::float8 / 1000)
       and t.to_phase = 'open' and t.from_phase <> 'clearing'
     group by t.rule_version`,
    [ruleUuid, from, until],
  );
  return new Map(rows.map(({ version, count }) => [version, count]));
}

/**
 * Counts the alarms that the rule opened in the range, in total and by version. Includes alarms whose recorded
 * transitions have been deleted.
 */
function countOpened(recorded: ReadonlyMap<number, number>, alarms: readonly RecordedAlarm[], { from, until }: Range) {
  const own = alarms.filter(({ isOwn, openedAt }) => isOwn && openedAt >= from && openedAt <= until);
  return {
    all: Math.max(
      own.length,
      [...recorded.values()].reduce((sum, count) => sum + count, 0),
    ),
    by: (version: number) =>
      Math.max(own.filter((alarm) => alarm.version === version).length, recorded.get(version) ?? 0),
  };
}

/** Loads the rule's alarms in the range, including shared alarms that another rule with the same message opened. */
async function loadAlarms(tx: Transaction, ruleUuid: string, { from, until }: Range): Promise<RecordedAlarm[]> {
  const { rows } = await tx.query<RecordedAlarm>(
    `select a.uuid, a.message, a.rule_uuid is not distinct from $1 as "isOwn", a.rule_version as version, extract(epoch from a.date_time)::float8 * 1000 as "openedAt",
       extract(epoch from a.resolved_date)::float8 * 1000 as "resolvedAt",
       tocsin.alarm_resolved_name(a) as "resolvedName"
     from tocsin.alarm a
     where a.date_time <= to_timestamp($3::float8 / 1000)
       and (a.resolved_date is null or a.resolved_date >= to_timestamp($2::float8 / 1000))
       and (a.rule_uuid = $1 or a.uuid in (select t.tocsin_alarm_uuid from tocsin.rule_transition t
         where t.watch_uuid = $1 and t.at >= to_timestamp($2::float8 / 1000) and t.at <= to_timestamp($3::float8 / 1000)))
     order by a.date_time, a.uuid limit ${MOST_RECORDS}`,
    [ruleUuid, from, until],
  );
  return rows;
}
