import { type AlarmDraft, draftAlarm, gravityOf } from '../../domain/alarm/alarm-draft.ts';
import { layersOfFirstStep, type OnCall, peopleOfAlert } from '../../domain/alarm/begin-plan.ts';
import { channelsOf, conditionsOf, criteriaOf } from '../../domain/alarm/criteria.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import {
  alarmsToInsert,
  joiningsOf,
  openingMessages,
  type PlacedOpening,
  planOpenings,
  type StoredAlarm,
} from '../../domain/alarm/plan-openings.ts';
import type { Context } from '../../domain/rule/context.ts';
import type { RecordedStep } from '../../domain/rule/recorded-step.ts';
import type { NewAlarm } from '../notification/alarm-floods.ts';
import { loadPeople } from '../notification/people.ts';
import type { NotificationQueue } from '../notification/queue.ts';
import { loadLayers } from '../on-call/load-layers.ts';
import { randomUuid } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import { recordset } from '../platform/recordset.ts';
import { runActions } from './actions.ts';
import { joinAlarms } from './join.ts';
import { loadQuiet, quieten } from './quiet.ts';
import { loadSamples } from './samples.ts';

/**
 * Opens an alarm for each item of `wanted`, or adds an occurrence to the alarm that is already open. Returns the alarm
 * uuids in the order of `wanted`.
 */
export async function openAlarms(
  tx: Transaction,
  wanted: readonly { context: Context; step: RecordedStep; since: number }[],
  notifications: NotificationQueue,
  now: number,
): Promise<{ alarms: string[]; events: NewEvent[] }> {
  const openings = wanted.map((opening) => ({ ...opening, conditions: conditionsOf(opening.context) }));
  const contexts = openings.map(({ context }) => context);
  const moments = openings.flatMap(({ context, conditions, step: { at } }) =>
    channelsOf(context, conditions).map((channelKey) => ({ channelKey, at })),
  );
  const layers = await loadLayers(
    tx,
    contexts.flatMap(({ alert }) => layersOfFirstStep(alert)),
    now,
  );
  const onCall = { layers, now };
  const [samplesOf, people] = await Promise.all([
    loadSamples(tx, moments),
    loadPeople(
      tx,
      contexts.flatMap((context) => peopleOf(context, onCall)),
    ),
    notifications.load(tx, { topics: contexts.map(({ watchUuid }) => watchUuid) }),
  ]);
  const drafts = openings.map((opening) => draftAlarm(opening, samplesOf, people, randomUuid(), onCall));
  const plan = planOpenings(drafts, await insert(tx, alarmsToInsert(drafts), now));
  dieAt('alarm inserted');
  const quiet = await loadQuiet(tx, plan.placed, now);
  plan.placed.forEach((placed, index) => {
    placed.quiet = quiet[index];
  });
  await quieten(tx, plan.opened);
  await countAgain(tx, plan.occurredAgain, now);
  const flooded = notifications.floods.open(plan.opened.filter(({ quiet: found }) => !found).map(newAlarmOf));
  if (plan.joined.length > 0) {
    await notifications.floods.loadAlarms(
      tx,
      plan.joined.map(({ alarmUuid }) => alarmUuid),
    );
  }
  const brought = await joinAlarms(tx, joiningsOf(plan), now);
  const messages = openingMessages(plan, brought);
  const events = [
    ...messages.events,
    ...flooded,
    ...(await notifications.add(tx, messages.notifications)),
    ...(await runActions(tx, plan.opened, plan.joined, now)),
  ];
  return { alarms: plan.placed.map(({ alarmUuid }) => alarmUuid), events };
}

function newAlarmOf({ alarmUuid, context, draft }: PlacedOpening): NewAlarm {
  const { customerUuid, siteUuid } = context;
  return { alarmUuid, customerUuid, siteUuid, severity: gravityOf(draft).severity };
}

function peopleOf({ alert, actions, customerUuid }: Context, onCall: OnCall): { customerUuid: string; uuid: string }[] {
  const uuids = [...peopleOfAlert(alert, onCall), ...actions.flatMap(({ people }) => people)];
  return uuids.map((uuid) => ({ uuid, customerUuid }));
}

/** Inserts alarms. If an alarm with the same message is open at the site, adds an occurrence to it instead. */
async function insert(tx: Transaction, drafts: readonly AlarmDraft[], now: number): Promise<StoredAlarm[]> {
  const rows = drafts.map((draft) => {
    const { uuid, context, conditions, measured, step, since } = draft;
    const { message, value, samples, recipients, plan, position, due, mustAcknowledge } = draft;
    return {
      uuid,
      customer: context.customerUuid,
      site: context.siteUuid,
      asset: context.assetUuid,
      datapoint: context.datapointUuid,
      site_name: context.siteName,
      asset_name: context.assetName,
      datapoint_name: context.datapointName,
      rule_name: context.ruleName,
      rule: context.watchUuid,
      version: context.version,
      source: context.kind,
      ...gravityOf(draft),
      message,
      at: step.at,
      since,
      value,
      unit: context.unit,
      criteria: criteriaOf(context, conditions, measured),
      samples,
      recipients,
      plan,
      plan_repeat: position.repeat,
      must: mustAcknowledge,
      next: due,
    };
  });
  const { rows: stored } = await tx.query<StoredAlarm>(
    `insert into tocsin.alarm as a (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, site_name,
       asset_name, datapoint_name, rule_name, rule_uuid, rule_version, source, priority, severity, message, date_time, pending_since,
       value, unit, criteria, samples, recipients, plan, plan_repeat, must_acknowledge, next_escalation_at, created_at)
     select uuid, customer, site, asset, datapoint, site_name, asset_name, datapoint_name, rule_name, rule, version, source, priority,
       severity, message, to_timestamp(at / 1000), to_timestamp(since / 1000), value, unit, criteria, samples, recipients, plan, plan_repeat, must,
       to_timestamp(next / 1000), to_timestamp($2::float8 / 1000)
     from ${recordset('d', { uuid: 'uuid', customer: 'uuid', site: 'uuid', asset: 'uuid', datapoint: 'uuid', site_name: 'text', asset_name: 'text', datapoint_name: 'text', rule_name: 'text', rule: 'uuid', version: 'int', source: 'text', priority: 'text', severity: 'text', message: 'text', at: 'float8', since: 'float8', value: 'float8', unit: 'text', criteria: 'jsonb', samples: 'jsonb', recipients: 'jsonb', plan: 'jsonb', plan_repeat: 'smallint', must: 'boolean', next: 'float8' })}
     on conflict (tocsin_site_uuid, message) where resolved_date is null do update
       set occurrences = a.occurrences + 1, last_occurred_at = greatest(a.last_occurred_at, excluded.date_time)
     returning a.uuid, a.tocsin_site_uuid as site, a.message`,
    [JSON.stringify(rows), now],
  );
  return stored;
}

async function countAgain(tx: Transaction, alarms: readonly string[], now: number): Promise<void> {
  if (alarms.length === 0) return;
  await tx.query(
    `update tocsin.alarm a set occurrences = a.occurrences + n.times,
       last_occurred_at = greatest(a.last_occurred_at, to_timestamp($2::float8 / 1000))
     from (select uuid, count(*)::int as times from unnest($1::uuid[]) uuid group by uuid) n where a.uuid = n.uuid`,
    [alarms, now],
  );
}
