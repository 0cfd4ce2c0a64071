import type { NewEvent } from '../../domain/alarm/event.ts';
import { opensAlarm } from '../../domain/alarm/hold-openings.ts';
import { type AlarmRef, planChanges } from '../../domain/alarm/plan-changes.ts';
import { endingText, progressEvent } from '../../domain/alarm/progress.ts';
import type { Context } from '../../domain/rule/context.ts';
import type { RecordedStep } from '../../domain/rule/recorded-step.ts';
import { NotificationQueue } from '../notification/queue.ts';
import type { Transaction } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import { recordset } from '../platform/recordset.ts';
import type { RuleChange } from '../rule/change.ts';
import { type StoredState, writeStates } from '../rule/states.ts';
import { addTransitions } from '../rule/transitions.ts';
import { type AffectedPlace, type DisplayedReading, updateAlarmStates } from './alarm-states.ts';
import { closingTexts } from './closing-texts.ts';
import { beginOpenings, recordConsequences } from './dependencies.ts';
import { addEvents } from './events.ts';
import { type Leaving, leaveAlarms } from './join.ts';
import { holdInMaintenance } from './maintenance.ts';
import { openAlarms } from './open.ts';
import { type Resolution, resolveAlarms } from './resolve.ts';

/** A rule that has returned to normal, with the uuid of the alarm that the rule kept open. */
interface Ending {
  change: RuleChange;
  step: RecordedStep;
  alarmUuid: string;
  context: Context | undefined;
}

export interface AppliedChanges {
  /** New state of each changed rule, with the uuid of its alarm; undefined if the rule is normal. */
  states: Map<string, StoredState | undefined>;
  /** New version of each changed shard. */
  versions: Map<number, string>;
}

/**
 * Applies the result of an evaluation: writes alarms, notifications, transitions and rule states in the transaction
 * `tx`.
 */
export async function applyChanges(
  tx: Transaction,
  evaluated: readonly RuleChange[],
  contexts: ReadonlyMap<string, Context>,
  now: number,
  newest: ReadonlyMap<string, DisplayedReading> = new Map(),
): Promise<AppliedChanges> {
  const notifications = new NotificationQueue(now);
  const opening = evaluated.filter(({ watch, steps }) => contexts.has(watch.uuid) && opensAlarm(steps));
  const sites = opening.map(({ watch }) => (contexts.get(watch.uuid) as Context).siteUuid);
  // The queries are sent together, and the database runs them in this order.
  const [changes, hasDependencies] = await Promise.all([
    holdInMaintenance(tx, evaluated, contexts, now),
    opening.length > 0 && beginOpenings(tx, ...openingWatches(opening, contexts)),
    notifications.floods.load(tx, sites),
  ]);
  const plan = planChanges(changes, ({ watch }) => contexts.get(watch.uuid)?.siteUuid);
  const opened: string[] = [];
  const uuidOf = (alarm: AlarmRef | undefined) => (typeof alarm === 'number' ? opened[alarm] : alarm);
  const events: NewEvent[] = [];
  const touched: AffectedPlace[] = [...contexts.values()];
  const rules = changes.map(({ watch }) => watch.uuid);
  const openings = plan.rounds.flatMap((round) => round.openings.map(({ change }) => change));
  // If a maintenance window holds back an alarm, the alarm does not open, so alarms that depend on its rule are not
  // quiet.
  if (hasDependencies && changes !== evaluated) await beginOpenings(tx, ...openingWatches(openings, contexts));
  for (const { progress, openings, endings, held } of plan.rounds) {
    for (const { change, step, alarm, until } of progress) {
      const context = contexts.get(change.watch.uuid) as Context;
      events.push(progressEvent(step, context, uuidOf(alarm) as string, until));
    }
    if (openings.length > 0) {
      const wanted = openings.map(({ change, step, since }) => {
        return { context: contexts.get(change.watch.uuid) as Context, step, since };
      });
      const result = await openAlarms(tx, wanted, notifications, now);
      opened.push(...result.alarms);
      events.push(...result.events);
    }
    if (endings.length > 0) {
      const heldUuids = new Set(held.map(uuidOf));
      const resolving = endings.map(({ change, step, alarm }) => {
        return { change, step, alarmUuid: uuidOf(alarm) as string, context: contexts.get(change.watch.uuid) };
      });
      const over = resolving.filter(({ alarmUuid }) => !heldUuids.has(alarmUuid));
      const ended = new Set<string>();
      if (over.length > 0) {
        const texts = await closingTexts(tx, over);
        const resolutions = over.map((ending, index) => resolutionOf(ending, texts[index] ?? ''));
        const resolved = await resolveAlarms(tx, resolutions, rules, notifications, now);
        events.push(...resolved.events);
        touched.push(...resolved.touched);
        for (const { alarmUuid, kind } of resolved.events) if (kind === 'resolved') ended.add(alarmUuid);
      }
      const leaving = resolving.filter(({ alarmUuid }) => !ended.has(alarmUuid));
      events.push(...(await leaveAlarms(tx, leaving.map(leavingOf))));
    }
  }
  const states = new Map<string, StoredState | undefined>();
  for (const change of changes) {
    const { watch, after } = change;
    const lost = !contexts.has(watch.uuid);
    states.set(watch.uuid, after && !lost ? { ...after, alarmUuid: uuidOf(plan.alarms.get(change)) } : undefined);
  }
  const shards = new Set(changes.flatMap(({ watch, before }) => [watch.shard, ...(before ? [before.shard] : [])]));
  const records = plan.transitions.map(({ change, step, alarm }) => ({ change, step, alarmUuid: uuidOf(alarm) }));
  // The queries are sent together, and the database runs them in this order.
  const [versions] = await Promise.all([
    writeStates(tx, states, [...shards]).finally(() => dieAt('state written')),
    addEvents(tx, events),
    countOutAgain(tx, events),
    addTransitions(tx, records, contexts, now).finally(() => dieAt('transitions recorded')),
    updateAlarmStates(tx, touched, newest),
    notifications.write(tx).finally(() => dieAt('messages queued')),
  ]);
  if (hasDependencies) {
    await recordConsequences(
      tx,
      openings.map(({ watch }) => watch.uuid),
    );
  }
  return { states, versions };
}

/**
 * Returns the uuids of the rules that open alarms and of their sites, and the uuids of the rules whose alarm stays
 * open.
 */
function openingWatches(
  openings: readonly RuleChange[],
  contexts: ReadonlyMap<string, Context>,
): [watches: string[], opening: string[]] {
  const rules = new Set(openings.map(({ watch }) => watch.uuid));
  const sites = new Set(openings.flatMap(({ watch }) => contexts.get(watch.uuid)?.siteUuid ?? []));
  const staying = openings.filter(({ after }) => after?.phase === 'open' || after?.phase === 'clearing');
  return [[...rules, ...sites], [...new Set(staying.map(({ watch }) => watch.uuid))]];
}

function leavingOf({ change, step, alarmUuid, context }: Ending): Leaving {
  return { alarmUuid, at: step.at, ruleName: context?.ruleName, sentence: endingText(change.watch.kind, step) };
}

function resolutionOf({ change, step, alarmUuid, context }: Ending, closingText: string): Resolution {
  const watchUuid = change.watch.uuid;
  const ruleName = context?.ruleName;
  const ended = step.because === 'rule-deleted' || step.because === 'rule-disabled';
  const sentence = endingText(change.watch.kind, step);
  const how = ended ? 'rule-changed' : 'by-itself';
  // A deleted or disabled rule was not evaluated, so the text must not state that the value is inside the limits.
  return { alarmUuid, at: step.at, how, sentence, because: ended ? sentence : closingText, watchUuid, ruleName };
}

/** Increments the number of occurrences of an open alarm each time a value leaves the limits again. */
async function countOutAgain(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  const again = events.filter(({ kind }) => kind === 'out-again');
  if (again.length === 0) return;
  await tx.query(
    `update tocsin.alarm a set occurrences = a.occurrences + n.times,
       last_occurred_at = greatest(a.last_occurred_at, to_timestamp(n.at / 1000))
     from (select "alarmUuid", count(*)::int as times, max(at) as at from ${recordset('e', { alarmUuid: 'uuid', at: 'float8' })}
       group by 1) n
     where a.uuid = n."alarmUuid"`,
    [JSON.stringify(again)],
  );
}
