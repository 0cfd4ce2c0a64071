import type { NewEvent } from '../../domain/alarm/event.ts';
import { displayNumber } from '../../domain/alarm/number-text.ts';
import { NotificationQueue } from '../notification/queue.ts';
import type { Transaction } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import { recordset } from '../platform/recordset.ts';
import type { RecordedStep, RuleChange } from '../rule/change.ts';
import type { Context } from '../rule/context.ts';
import { type StoredState, writeStates } from '../rule/states.ts';
import { addTransitions } from '../rule/transitions.ts';
import { type AffectedPlace, type DisplayedReading, updateAlarmStates } from './alarm-states.ts';
import { closingTexts } from './closing-texts.ts';
import { addEvents } from './events.ts';
import { type Leaving, leaveAlarms } from './join.ts';
import { openAlarms } from './open.ts';
import { type Resolution, resolveAlarms } from './resolve.ts';
import { groupIntoRounds } from './rounds.ts';

/** A rule that returns to normal, with the alarm it kept open. */
interface Ending {
  change: RuleChange;
  step: RecordedStep;
  alarmUuid: string;
  context: Context | undefined;
}

export interface AppliedChanges {
  /** New state of every changed rule, with its alarm; undefined means normal. */
  states: Map<string, StoredState | undefined>;
  /** The new versions of the changed shards. */
  versions: Map<number, string>;
}

/** Applies the result of an evaluation in its transaction: alarms, notifications, transitions and rule states. */
export async function applyChanges(
  tx: Transaction,
  changes: readonly RuleChange[],
  contexts: ReadonlyMap<string, Context>,
  now: number,
  newest: ReadonlyMap<string, DisplayedReading> = new Map(),
): Promise<AppliedChanges> {
  const alarmOf = new Map<RuleChange, string | undefined>(changes.map((change) => [change, change.before?.alarmUuid]));
  const sinceOf = new Map<RuleChange, number | undefined>(changes.map((change) => [change, change.before?.since]));
  const events: NewEvent[] = [];
  const touched: AffectedPlace[] = [...contexts.values()];
  const notifications = new NotificationQueue(now);
  const evaluated = changes.map(({ watch }) => watch.uuid);
  const records: { change: RuleChange; step: RecordedStep; alarmUuid: string | undefined }[] = [];
  for (const round of groupIntoRounds(changes, ({ watch }) => contexts.get(watch.uuid)?.siteUuid ?? watch.uuid)) {
    const opening: { change: RuleChange; step: RecordedStep }[] = [];
    const resolving: Ending[] = [];
    for (const { change, step } of round) {
      const context = contexts.get(change.watch.uuid);
      if (step.from === 'normal') sinceOf.set(change, step.at);
      if (step.to === 'open' && step.from !== 'clearing') {
        if (context) opening.push({ change, step });
        continue;
      }
      const alarmUuid = alarmOf.get(change);
      records.push({ change, step, alarmUuid });
      if (alarmUuid === undefined) continue;
      if (step.to === 'normal') resolving.push({ change, step, alarmUuid, context });
      else if (context) events.push(eventOf(step, context, alarmUuid, endOf(change, step)));
    }
    if (opening.length > 0) {
      const openings = opening.map(({ change, step }) => {
        return { context: contexts.get(change.watch.uuid) as Context, step, since: sinceOf.get(change) ?? step.at };
      });
      const opened = await openAlarms(tx, openings, notifications, now);
      opening.forEach(({ change, step }, index) => {
        alarmOf.set(change, opened.alarms[index]);
        records.push({ change, step, alarmUuid: opened.alarms[index] });
      });
      events.push(...opened.events);
    }
    if (resolving.length > 0) {
      for (const { change } of resolving) alarmOf.set(change, undefined);
      const held = new Set(alarmOf.values());
      const over = resolving.filter(({ alarmUuid }) => !held.has(alarmUuid));
      const ended = new Set<string>();
      if (over.length > 0) {
        const texts = await closingTexts(tx, over);
        const resolutions = over.map((ending, index) => resolutionOf(ending, texts[index] ?? ''));
        const resolved = await resolveAlarms(tx, resolutions, evaluated, notifications, now);
        events.push(...resolved.events);
        touched.push(...resolved.touched);
        for (const { alarmUuid } of resolved.events) ended.add(alarmUuid);
      }
      const leaving = resolving.filter(({ alarmUuid }) => !ended.has(alarmUuid));
      events.push(...(await leaveAlarms(tx, leaving.map(leavingOf))));
    }
  }
  const states = new Map<string, StoredState | undefined>();
  for (const change of changes) {
    const { watch, after } = change;
    const lost = !contexts.has(watch.uuid);
    states.set(watch.uuid, after && !lost ? { ...after, alarmUuid: alarmOf.get(change) } : undefined);
  }
  const shards = new Set(changes.flatMap(({ watch, before }) => [watch.shard, ...(before ? [before.shard] : [])]));
  // Pipelined: the database runs them in this order.
  const [versions] = await Promise.all([
    writeStates(tx, states, [...shards]).finally(() => dieAt('state written')),
    addEvents(tx, events),
    countOutAgain(tx, events),
    addTransitions(tx, records, contexts, now).finally(() => dieAt('transitions recorded')),
    updateAlarmStates(tx, touched, newest),
    notifications.write(tx).finally(() => dieAt('messages queued')),
  ]);
  return { states, versions };
}

function endingText({ watch }: RuleChange, step: RecordedStep): string {
  const over =
    watch.kind === 'conditions'
      ? 'The conditions held no more, and stayed so.'
      : 'It came back inside and stayed there.';
  return step.sentence ?? over;
}

function leavingOf({ change, step, alarmUuid, context }: Ending): Leaving {
  return { alarmUuid, at: step.at, ruleName: context?.ruleName, sentence: endingText(change, step) };
}

function resolutionOf({ change, step, alarmUuid, context }: Ending, closingText: string): Resolution {
  const watchUuid = change.watch.uuid;
  const ruleName = context?.ruleName;
  const ended = step.because === 'rule-deleted' || step.because === 'rule-disabled';
  const sentence = endingText(change, step);
  const how = ended ? 'rule-changed' : 'by-itself';
  // A deleted or disabled rule does not know whether the value is inside.
  return { alarmUuid, at: step.at, how, sentence, because: ended ? sentence : closingText, watchUuid, ruleName };
}

/** Server time at which a clearing alarm resolves; undefined unless clearing is the last step of the change. */
function endOf({ after, steps }: RuleChange, step: RecordedStep): number | undefined {
  return step.to === 'clearing' && step === steps.at(-1) ? after?.dueAt : undefined;
}

function eventOf(step: RecordedStep, context: Context, alarmUuid: string, until: number | undefined): NewEvent {
  const { customerUuid, kind, datapointName, unit } = context;
  const value = step.value === undefined ? '' : ` (${`${datapointName} ${displayNumber(step.value)} ${unit}`.trim()})`;
  const again = step.because === 'out-again';
  return {
    alarmUuid,
    customerUuid,
    at: step.at,
    kind: again ? 'out-again' : 'clearing',
    sentence: again
      ? kind === 'conditions'
        ? 'The conditions hold again.'
        : `It went out of limits again${value}.`
      : step.because === 'left-clear-limits'
        ? `It left the clear limits again${value}, so it stays open.`
        : kind === 'conditions'
          ? 'The conditions hold no more.'
          : `It came back inside${value}.`,
    detail: { because: step.because, until },
  };
}

/** Counts one more occurrence for each alarm whose value leaves the limits again. */
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
