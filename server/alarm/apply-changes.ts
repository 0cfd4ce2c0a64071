import type { NewEvent } from '../../domain/alarm/event.ts';
import { shownNumber } from '../../domain/alarm/number-text.ts';
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

/** A rule that is over. */
interface Ending {
  change: RuleChange;
  step: RecordedStep;
  alarmUuid: string;
  context: Context | undefined;
}

export interface AppliedChanges {
  /** What every changed rule is now, with its alarm; undefined is at rest. */
  states: Map<string, StoredState | undefined>;
  /** The new versions of the changed shards. */
  versions: Map<number, string>;
}

/** Does what judging led to, in the transaction that judged: alarms, messages, records, and the state itself. */
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
  const judged = changes.map(({ watch }) => watch.uuid);
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
        const words = await closingTexts(tx, over);
        const resolutions = over.map((ending, index) => resolutionOf(ending, words[index] ?? ''));
        const resolved = await resolveAlarms(tx, resolutions, judged, notifications, now);
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
  // Sent together, and carried out in this order.
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

function overWords({ watch }: RuleChange, step: RecordedStep): string {
  const over =
    watch.kind === 'conditions'
      ? 'The conditions held no more, and stayed so.'
      : 'It came back inside and stayed there.';
  return step.sentence ?? over;
}

function leavingOf({ change, step, alarmUuid, context }: Ending): Leaving {
  return { alarmUuid, at: step.at, ruleName: context?.ruleName, sentence: overWords(change, step) };
}

function resolutionOf({ change, step, alarmUuid, context }: Ending, words: string): Resolution {
  const watchUuid = change.watch.uuid;
  const ruleName = context?.ruleName;
  const ended = step.because === 'rule-deleted' || step.because === 'rule-disabled';
  const sentence = overWords(change, step);
  const how = ended ? 'rule-changed' : 'by-itself';
  // A rule that ended says nothing of the value.
  return { alarmUuid, at: step.at, how, sentence, because: ended ? sentence : words, watchUuid, ruleName };
}

/** When an alarm whose value came back resolves by itself, by the server's clock; undefined where something came in between. */
function endOf({ after, steps }: RuleChange, step: RecordedStep): number | undefined {
  return step.to === 'clearing' && step === steps.at(-1) ? after?.dueAt : undefined;
}

function eventOf(step: RecordedStep, context: Context, alarmUuid: string, until: number | undefined): NewEvent {
  const { customerUuid, kind, datapointName, unit } = context;
  const value = step.value === undefined ? '' : ` (${`${datapointName} ${shownNumber(step.value)} ${unit}`.trim()})`;
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

/** Going out again while an alarm is open is one more occurrence of it. */
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
