import { setImmediate } from 'node:timers/promises';
import {
  type Advice,
  type AdviceInput,
  adviseInSteps,
  type ShownTrial as ReplayedTrial,
} from '../../domain/rule/advice/advise.ts';
import { countPerDay, type ReadingDay, readingDays } from '../../domain/rule/advice/days.ts';
import {
  type AlarmClass,
  countChattering,
  countFleeting,
  type PastAlarm,
} from '../../domain/rule/advice/past-alarm.ts';
import { adviceNotes, adviceSentence, noAdviceSentence } from '../../domain/rule/advice/sentence.ts';
import { longestDebounce } from '../../domain/rule/advice/settings.ts';
import type { Transaction } from '../platform/database.ts';
import { type HistoryRefusal, historyLimits, loadHistory, type Range, refuse } from './history.ts';
import { isNuisance } from './nuisance.ts';
import { loadSubject } from './subject.ts';

export interface RecordedAlarm extends PastAlarm {
  message: string;
  reason: string | null;
}

export interface ReasonCount {
  reason: string | null;
  class: AlarmClass;
  alarms: number;
}

/** Numbers of alarms that the rule opened in the period, including alarms that cannot be replayed. */
export interface RecordedCounts {
  alarms: number;
  nuisance: number;
  real: number;
  unknown: number;
  chattering: number;
  fleeting: number;
  reasons: ReasonCount[];
}

export interface ShownTrial extends Omit<ReplayedTrial, 'missed' | 'openings'> {
  missed: RecordedAlarm[];
  /** Number of replayed alarms that open on each day. */
  perDay: number[];
}

export interface AdvisedRule {
  uuid: string;
  name: string;
  version: number;
  unit: string;
  siteName: string;
}

export interface RuleAdvice {
  because: Advice['because'] | 'conditions' | 'digital';
  sentence: string;
  notes: string[];
  range: Range;
  /** The result of the replay; null for multi-condition rules and digital alarms. */
  result: {
    rule: AdvisedRule;
    recorded: RecordedCounts;
    replayedFrom: number;
    readings: number;
    late: number;
    days: (ReadingDay & { start: number })[];
    present: ShownTrial;
    trials: ShownTrial[];
    tried: number;
  } | null;
}

const DAY = 86_400_000;
const MOST_ALARMS = 10_000;
const SHOWN_REASONS = 50;

/**
 * Finds settings of a rule that would avoid its nuisance alarms, by replaying the stored readings. Refuses users who
 * are not allowed to change rules. Changes nothing.
 */
export async function adviseRule(
  tx: Transaction,
  ruleUuid: string,
  days: number,
  now: number,
): Promise<RuleAdvice | HistoryRefusal> {
  await tx.query('select tocsin_private.require_manager()');
  if (!Number.isInteger(days) || days < 1 || days > historyLimits.days) {
    return refuse('days', `Enter a whole number of days from 1 to ${historyLimits.days}.`);
  }
  const range = { from: now - days * DAY, until: now };
  const rule = await loadRule(tx, ruleUuid);
  if (rule === undefined) {
    const kind = (await loadSubject(tx, ruleUuid))?.kind;
    if (kind !== 'conditions' && kind !== 'digital') {
      return refuse('ruleUuid', 'This rule was deleted, or you do not have access to it. Choose another.');
    }
    return { because: kind, sentence: noAdviceSentence(kind), notes: [], range, result: null };
  }
  const alarms = await loadAlarms(tx, rule, range);
  if (alarms.length > MOST_ALARMS) {
    return refuse('days', `The rule opened more than ${MOST_ALARMS} alarms in this period. Choose fewer days.`);
  }
  // Also loads earlier readings, because they determine the rule's state at the start of the range for every debounce
  // that is tried.
  const history = await loadHistory(tx, rule.datapointUuid, range, longestDebounce(rule.debounce) * 1000);
  if ('refused' in history) {
    return refuse('days', `There are more than ${historyLimits.readings} readings in this period. Choose fewer days.`);
  }
  const { times, values, late } = history;
  const { lower, upper, clearLower, clearUpper, debounce } = rule;
  const input: AdviceInput = {
    settings: { lower, upper, clearLower, clearUpper, debounce },
    ...{ times, values, alarms, ...range },
  };
  const advice = await inTurns(input);
  const starts = await loadDayStarts(tx, range);
  const byUuid = new Map(alarms.map((alarm) => [alarm.uuid, alarm]));
  const shown = ({ missed, openings, ...trial }: ReplayedTrial): ShownTrial => ({
    ...trial,
    missed: missed.flatMap((uuid) => byUuid.get(uuid) ?? []),
    perDay: countPerDay(starts, openings),
  });
  const compared = advice.counts.nuisance + advice.counts.real + advice.counts.unknown;
  return {
    because: advice.because,
    sentence: adviceSentence(advice),
    notes: adviceNotes(advice, alarms.length - compared),
    range,
    result: {
      rule,
      recorded: countRecorded(alarms),
      replayedFrom: advice.from,
      readings: advice.readings,
      late: late.length,
      days: readingDays(starts, times, values).map((day, index) => ({ start: starts[index] as number, ...day })),
      present: shown(advice.present),
      trials: advice.best.map(shown),
      tried: advice.tried,
    },
  };
}

/** Runs the steps of the advice and lets the event loop serve other requests in between. */
async function inTurns(input: AdviceInput): Promise<Advice> {
  const steps = adviseInSteps(input);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}

interface LoadedRule extends AdvisedRule {
  datapointUuid: string;
  lower: number | null;
  upper: number | null;
  clearLower: number | null;
  clearUpper: number | null;
  debounce: number;
}

async function loadRule(tx: Transaction, uuid: string): Promise<LoadedRule | undefined> {
  const { rows } = await tx.query<LoadedRule>(
    `select r.uuid, r.name, r.version, d.uom as unit, s.name as "siteName", r.tocsin_datapoint_uuid as "datapointUuid",
       r.value_lower as lower, r.value_upper as upper, r.clear_lower as "clearLower",
       r.clear_upper as "clearUpper", r.debounce
     from tocsin.rule r join tocsin.asset_datapoint d on d.uuid = r.tocsin_datapoint_uuid
     join tocsin.site s on s.uuid = r.tocsin_site_uuid where r.uuid = $1`,
    [uuid],
  );
  return rows[0];
}

interface AlarmRow extends Omit<RecordedAlarm, 'resolvedAt'> {
  resolvedAt: number | null;
}

/**
 * Loads the alarms that the rule opened in the range. An alarm counts as nuisance if its reason is marked as nuisance
 * today.
 */
async function loadAlarms(tx: Transaction, rule: LoadedRule, { from, until }: Range): Promise<RecordedAlarm[]> {
  // Returns all alarms in a single row, because an API request may read only a limited number of rows.
  const { rows } = await tx.query<{ found: { alarms: AlarmRow[] | null } }>(
    `select json_build_object('alarms', json_agg(a order by a."openedAt", a.uuid)) as found from (
       select a.uuid, a.message, a.reason, extract(epoch from a.date_time)::float8 * 1000 as "openedAt",
         extract(epoch from a.resolved_date)::float8 * 1000 as "resolvedAt",
         case when a.reason is null then 'unknown' when ${isNuisance('$5')} then 'nuisance' else 'real' end as class
       from tocsin.alarm a
       where a.rule_uuid = $1 and a.source = 'limits' and a.date_time >= to_timestamp($2::float8 / 1000)
         and a.date_time <= to_timestamp($3::float8 / 1000)
       order by a.date_time, a.uuid limit $4
     ) a`,
    [rule.uuid, from, until, MOST_ALARMS + 1, rule.name],
  );
  return (rows[0]?.found.alarms ?? []).map((alarm) => ({ ...alarm, resolvedAt: alarm.resolvedAt ?? undefined }));
}

function countRecorded(alarms: readonly RecordedAlarm[]): RecordedCounts {
  const reasons = new Map<string, ReasonCount>();
  const counts = { nuisance: 0, real: 0, unknown: 0 };
  for (const { reason, class: kind } of alarms) {
    counts[kind] += 1;
    const key = JSON.stringify([reason, kind]);
    const known = reasons.get(key) ?? { reason, class: kind, alarms: 0 };
    known.alarms += 1;
    reasons.set(key, known);
  }
  const order: readonly AlarmClass[] = ['nuisance', 'real', 'unknown'];
  return {
    alarms: alarms.length,
    ...counts,
    chattering: countChattering(alarms),
    fleeting: countFleeting(alarms),
    reasons: [...reasons.values()]
      .sort((a, b) => order.indexOf(a.class) - order.indexOf(b.class) || b.alarms - a.alarms)
      .slice(0, SHOWN_REASONS),
  };
}

/**
 * Loads the start of each day in the range, in the customer's time zone, and the end of the last day. The first entry
 * is the start of the range.
 */
async function loadDayStarts(tx: Transaction, { from, until }: Range): Promise<number[]> {
  const { rows } = await tx.query<{ at: number }>(
    `select extract(epoch from d at time zone z.zone)::float8 * 1000 as at
     from (select coalesce(tocsin_private.my_zone(), 'UTC') as zone) z,
       generate_series(date_trunc('day', to_timestamp($1::float8 / 1000) at time zone z.zone),
         date_trunc('day', to_timestamp($2::float8 / 1000) at time zone z.zone) + interval '1 day', interval '1 day') d
     order by 1`,
    [from, until],
  );
  return rows.map(({ at }) => Math.max(at, from));
}
