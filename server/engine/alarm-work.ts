import type { NewEvent } from '../../domain/alarm/event.ts';
import type { RecordedStep } from '../../domain/rule/recorded-step.ts';
import { updateAlarmStates } from '../alarm/alarm-states.ts';
import { addEvents } from '../alarm/events.ts';
import { notifyResolved } from '../alarm/resolve.ts';
import { evaluationTransaction } from '../pipeline/evaluation-transaction.ts';
import type { Evaluation, Evaluator } from '../pipeline/evaluator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { RuleChange } from '../rule/change.ts';
import { loadContexts } from '../rule/context.ts';
import { loadWatches } from '../rule/load-watches.ts';
import type { StoredState } from '../rule/states.ts';
import type { EngineModule } from './engine.ts';

interface Work {
  id: string;
  kind: 'resolved' | 'rule-changed' | 'rule-ended';
  uuid: string;
  because: 'changed' | 'disabled' | 'deleted' | 'moved' | string;
  by_name: string;
}

const AT_ONCE = 100;

/** Applies changes that users made: alarms resolved by hand, and rules changed, disabled or deleted. */
export function alarmWork(deps: { db: Database; clock: Clock; evaluator: Evaluator }): EngineModule {
  return {
    name: 'alarm work',
    every: 5000,
    wakeOn: 'tocsin_alarm_work',
    ignoresClock: true,
    tick: () => doAlarmWork(deps),
  };
}

async function doAlarmWork(deps: { db: Database; clock: Clock; evaluator: Evaluator }): Promise<void> {
  for (;;) {
    const done = await evaluationTransaction(deps, async (tx, evaluation) => {
      const { rows } = await tx.query<Work>(
        `delete from tocsin_private.alarm_work where id in (
           select id from tocsin_private.alarm_work order by id limit $1 for update skip locked)
         returning id, kind, uuid, because, by_name`,
        [AT_ONCE],
      );
      const work = rows.toSorted((a, b) => Number(a.id) - Number(b.id));
      await applyWork(tx, evaluation, work, deps.clock.now().getTime());
      return rows.length;
    });
    if (done < AT_ONCE) return;
  }
}

async function applyWork(tx: Transaction, evaluation: Evaluation, work: readonly Work[], now: number): Promise<void> {
  const resolved = work.filter(({ kind }) => kind === 'resolved');
  const released = await evaluation.held(tx, 'alarm_uuid', uuidsOf(resolved));
  const lasting = new Set(
    [...released.values()].filter(({ phase }) => phase === 'open').map((state) => state.alarmUuid),
  );
  for (const { uuid, because, by_name } of resolved) {
    const by = because === '' ? `by ${by_name}` : `by ${by_name}, ${because}`;
    await addEvents(tx, await notifyResolved(tx, uuid, by, lasting.has(uuid), now));
  }
  const changes: RuleChange[] = [];
  for (const [uuid, before] of released) changes.push(endOf(uuid, before, 'resolved-by-person', now));
  // If a rule changed several times since the last tick, only the last change counts.
  const rules = new Map(work.filter(({ kind }) => kind !== 'resolved').map((item) => [item.uuid, item]));
  const states = await evaluation.held(tx, 'watch_uuid', [...rules.keys()]);
  const { byUuid } = await loadWatches(tx, { watches: [...states.keys()] });
  const deleted = [...states].filter(([uuid]) => rules.get(uuid)?.because === 'deleted');
  const gone = await goneWith(
    tx,
    deleted.flatMap(([, { alarmUuid }]) => alarmUuid ?? []),
  );
  const events: NewEvent[] = [];
  for (const [uuid, before] of states) {
    if (released.has(uuid)) continue;
    const item = rules.get(uuid) as Work;
    const watch = byUuid.get(uuid);
    if (item.kind === 'rule-ended' || !watch) {
      const because = item.because === 'deleted' ? 'rule-deleted' : 'rule-disabled';
      const what =
        item.because === 'deleted' ? `deleted ${gone.get(before.alarmUuid ?? '') ?? 'the rule'}` : 'disabled the rule';
      const sentence = `${item.by_name} ${what}, so the rule is no longer evaluated.`;
      changes.push(endOf(uuid, before, because, now, sentence));
    } else if (item.because === 'moved') {
      // The data point moved to another sensor. The rule is from now on evaluated with the readings of that sensor.
      changes.push({ watch, before, after: { ...before, shard: watch.shard }, steps: [] });
    } else if (before.phase === 'pending') {
      changes.push(endOf(uuid, before, 'rule-changed', now));
    } else {
      // The alarm stays open. The next reading is compared with the new limits.
      const after: StoredState = {
        ...before,
        shard: watch.shard,
        version: watch.version,
        phase: 'open',
        dueAt: undefined,
      };
      changes.push({ watch, before, after, steps: [] });
      events.push(...(await changedEvents(tx, item, before, now)));
    }
  }
  await evaluation.changes(tx, changes, now);
  await addEvents(tx, events);
  await updateAlarmStates(tx, await placesOf(tx, uuidsOf(resolved)));
}

/**
 * Finds alarms whose rule was deleted together with a parent record, such as its site. Returns the kind of that record
 * for each alarm, such as 'the site'. An alarm keeps the names of its asset and data point, so a name without a uuid
 * shows that the record was deleted.
 */
async function goneWith(tx: Transaction, alarms: readonly string[]): Promise<Map<string, string>> {
  if (alarms.length === 0) return new Map();
  const { rows } = await tx.query<{ uuid: string; what: string | null }>(
    `select a.uuid, case when a.tocsin_site_uuid is null then 'the site'
       when a.tocsin_asset_uuid is null and a.asset_name <> '' then 'the asset'
       when a.tocsin_datapoint_uuid is null and a.datapoint_name <> '' then 'the data point'
       when a.source = 'conditions' and exists (select from jsonb_array_elements_text(a.criteria -> 'datapoints') n (uuid)
         where not exists (select from tocsin.asset_datapoint d where d.uuid = n.uuid::uuid)) then 'a data point of the rule' end as what
     from tocsin.alarm a where a.uuid = any ($1::uuid[])`,
    [alarms],
  );
  return new Map(rows.flatMap(({ uuid, what }) => (what === null ? [] : [[uuid, what]])));
}

function uuidsOf(items: readonly { uuid: string }[]): string[] {
  return items.map(({ uuid }) => uuid);
}

function endOf(
  uuid: string,
  before: StoredState,
  because: RecordedStep['because'],
  now: number,
  sentence?: string,
): RuleChange {
  const { kind, shard, version, phase, value } = before;
  const step: RecordedStep = {
    from: phase,
    to: 'normal',
    at: now,
    because,
    value,
    ...(sentence !== undefined && { sentence }),
  };
  return { watch: { uuid, kind, shard, version }, before, after: undefined, steps: [step] };
}

async function changedEvents(tx: Transaction, item: Work, before: StoredState, now: number): Promise<NewEvent[]> {
  if (before.alarmUuid === undefined) return [];
  const context = (await loadContexts(tx, [{ uuid: item.uuid, kind: before.kind }])).get(item.uuid);
  if (!context) return [];
  // The rule version stored with a shared alarm can belong to another rule, so the query also compares the rule.
  const { rows } = await tx.query<{ version: number }>(
    'select a.rule_version as version from tocsin.alarm a where a.uuid = $1 and a.rule_uuid = $2 and a.rule_version is not null',
    [before.alarmUuid, item.uuid],
  );
  const opened = rows[0]?.version ?? before.version;
  const sentence = `${item.by_name} changed the rule to version ${context.version}. The alarm opened with version ${opened}; the new version decides when it clears.`;
  const { customerUuid } = context;
  return [{ alarmUuid: before.alarmUuid, customerUuid, at: now, kind: 'rule-changed', sentence }];
}

async function placesOf(tx: Transaction, alarms: readonly string[]) {
  if (alarms.length === 0) return [];
  const { rows } = await tx.query<{ siteUuid: string | null; datapointUuid: string | null }>(
    `select a.tocsin_site_uuid as "siteUuid", a.tocsin_datapoint_uuid as "datapointUuid" from tocsin.alarm a where a.uuid = any ($1::uuid[])`,
    [alarms],
  );
  return rows;
}
