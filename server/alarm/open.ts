import { type EscalationPlan, firstEscalation } from '../../domain/alarm/escalation.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import { displayNumber } from '../../domain/alarm/number-text.ts';
import { alarmMessage, alarmText, includesValue, outsideForText, withSite } from '../../domain/alarm/texts.ts';
import type { Person } from '../../domain/notification/recipients.ts';
import { type Priority, type Severity, severityOf } from '../../domain/rule/priority.ts';
import { type NotificationDraft, type Recipient, type Recipients, recipientOf } from '../notification/draft.ts';
import { loadPeople } from '../notification/people.ts';
import type { NotificationQueue } from '../notification/queue.ts';
import { randomUuid } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import { recordset } from '../platform/recordset.ts';
import type { RecordedStep } from '../rule/change.ts';
import type { Context } from '../rule/context.ts';
import { runActions } from './actions.ts';
import {
  channelsOf,
  conditionsOf,
  evaluationRecord,
  type MeasuredValues,
  measuredAt,
  type RecordedConditions,
} from './evaluation-record.ts';
import { type Brought, type Joining, joinAlarms, nothingBrought } from './join.ts';
import { factsOf, messageTemplates } from './opening-texts.ts';
import { lastOut, loadSamples, type Sample, type SamplesOf } from './samples.ts';

export interface Opening {
  context: Context;
  step: RecordedStep;
  since: number;
}

/** An alarm before it is stored. */
interface Draft extends Opening {
  uuid: string;
  message: string;
  value: number | null;
  samples: readonly Sample[];
  conditions: RecordedConditions | undefined;
  measured: MeasuredValues | undefined;
  recipients: Recipients;
  plan: EscalationPlan;
  mustAcknowledge: boolean;
}

/** Opens alarms, or counts an occurrence of those already open. Returns the alarm of each opening, in the same order. */
export async function openAlarms(
  tx: Transaction,
  openings: readonly Opening[],
  notifications: NotificationQueue,
  now: number,
): Promise<{ alarms: string[]; events: NewEvent[] }> {
  const contexts = openings.map(({ context }) => context);
  const compiled = openings.map((opening) => ({ ...opening, conditions: conditionsOf(opening.context) }));
  const moments = compiled.flatMap(({ context, conditions, step: { at } }) =>
    channelsOf(context, conditions).map((channelKey) => ({ channelKey, at })),
  );
  const [samplesOf, people] = await Promise.all([
    loadSamples(tx, moments),
    loadPeople(tx, contexts.flatMap(peopleOf)),
    notifications.load(tx, { topics: contexts.map(({ watchUuid }) => watchUuid) }),
  ]);
  const drafts = compiled.map((opening) => draftOf(opening, samplesOf, people));
  // Rules with the same message at one site share an alarm.
  const first = new Map<string, Draft>();
  for (const draft of drafts) {
    const key = `${draft.context.siteUuid}\n${draft.message}`;
    if (!first.has(key)) first.set(key, draft);
  }
  const existing = await insert(tx, [...first.values()], now);
  dieAt('alarm inserted');
  const placed = drafts.map((draft) => {
    const opener = first.get(`${draft.context.siteUuid}\n${draft.message}`) as Draft;
    const alarmUuid = existing.get(opener.uuid) ?? opener.uuid;
    const isOpener = draft === opener;
    return { draft, context: draft.context, alarmUuid, isOpener, isNew: isOpener && !existing.has(opener.uuid) };
  });
  const fresh = placed.filter(({ isNew }) => isNew);
  const joining = placed.filter(({ isNew }) => !isNew);
  const again = joining.filter(({ isOpener }) => !isOpener);
  await countAgain(
    tx,
    again.map(({ alarmUuid }) => alarmUuid),
    now,
  );
  const brought = await joinAlarms(
    tx,
    joining.map(({ draft, alarmUuid }) => joiningOf(draft, alarmUuid)),
    now,
  );
  const broughtBy = new Map(joining.map(({ draft }, index) => [draft, brought[index]]));
  const notificationDrafts = placed.flatMap(({ draft, alarmUuid, isNew }) =>
    notificationDraftsOf(draft, alarmUuid, isNew ? undefined : (broughtBy.get(draft) ?? nothingBrought)),
  );
  const events = placed.map(({ draft, alarmUuid, isNew }) => eventOf(draft, alarmUuid, isNew, broughtBy.get(draft)));
  events.push(...notifications.add(notificationDrafts), ...(await runActions(tx, fresh, joining, now)));
  return { alarms: placed.map(({ alarmUuid }) => alarmUuid), events };
}

function peopleOf({ alert, actions, customerUuid }: Context): { customerUuid: string; uuid: string }[] {
  const uuids = [
    ...(alert?.users.map(({ uuid }) => uuid) ?? []),
    ...(alert?.escalate ?? []),
    ...actions.flatMap(({ people }) => people),
  ];
  return uuids.map((uuid) => ({ uuid, customerUuid }));
}

function draftOf(
  opening: Opening & Pick<Draft, 'conditions'>,
  samplesOf: SamplesOf,
  people: ReadonlyMap<string, Person>,
): Draft {
  const { context, step, since, conditions } = opening;
  const samples = samplesOf(context.channelKey, step.at);
  const measured = conditions && measuredAt(conditions, samplesOf, step.at);
  // Conditions compare several values, so their alarm has none.
  const value = conditions ? null : (lastOut(context, samples, since, step.at) ?? step.value ?? null);
  const facts = factsOf(context, value, step.at);
  const templates = messageTemplates(context, conditions, value);
  const message = alarmMessage(templates, facts);
  const recipients = freeze(context, people);
  recipients.subject = withSite(context.siteName, message).slice(0, 200);
  recipients.text = alarmText(message, facts, measured?.sentences, includesValue(templates, facts));
  const { alert, actions } = context;
  const mustAcknowledge = alert ? alert.indAck || actions.some((action) => action.acknowledge) : true;
  const plan: EscalationPlan = {
    afterMinutes: alert?.afterMinutes ?? 15,
    everyMinutes: alert?.everyMinutes ?? 15,
    times: alert?.times ?? 3,
    people: mustAcknowledge ? recipients.escalate.map(({ uuid }) => uuid) : [],
  };
  return { ...opening, uuid: randomUuid(), message, value, samples, measured, recipients, plan, mustAcknowledge };
}

/** Recipients for opening, escalation and resolution as they are now, with notes about missing ones. */
function freeze({ alert, actions, ruleName }: Context, people: ReadonlyMap<string, Person>): Recipients {
  const recipients: Recipients = { alert: [], resolve: [], escalate: [], notes: [], subject: '', text: '' };
  const add = (list: Recipient[], uuid: string) => {
    const person = people.get(uuid);
    if (!person) recipients.notes.push(`Nobody of this customer has the uuid ${uuid}.`);
    else if (!list.some((known) => known.uuid === uuid)) list.push(recipientOf(person));
  };
  if (!alert) recipients.notes.push(`No rule alert joins "${ruleName}" at this site to people.`);
  else if (alert.users.every(({ isAlert }) => !isAlert)) {
    recipients.notes.push(`The rule alert "${ruleName}" names nobody to be told when it opens.`);
  }
  for (const { uuid, isAlert, isResolve } of alert?.users ?? []) {
    if (isAlert) add(recipients.alert, uuid);
    if (isResolve) add(recipients.resolve, uuid);
  }
  for (const uuid of alert?.escalate ?? []) add(recipients.escalate, uuid);
  for (const { people: named, escalate } of actions) {
    for (const uuid of named) {
      add(recipients.alert, uuid);
      if (escalate) add(recipients.escalate, uuid);
    }
  }
  return recipients;
}

function joiningOf(draft: Draft, alarmUuid: string): Joining {
  const { context, recipients, plan, mustAcknowledge } = draft;
  return { alarmUuid, watchUuid: context.watchUuid, ...gravityOf(draft), recipients, plan, mustAcknowledge };
}

function gravityOf({ context, conditions }: Draft): { priority: Priority; severity: Severity } {
  const priority = conditions?.rule.priority ?? context.priority;
  const { kind, channelMajor } = context;
  const digital = channelMajor ? 'major' : 'minor';
  return { priority, severity: kind === 'digital' ? digital : severityOf(priority, channelMajor) };
}

function notificationDraftsOf(draft: Draft, alarmUuid: string, joined: Brought | undefined): NotificationDraft[] {
  const { context, recipients, step } = draft;
  const { customerUuid, watchUuid, siteUuid, alert } = context;
  const people = joined ? joined.people : recipients.alert;
  const common = {
    customerUuid,
    topic: watchUuid,
    at: step.at,
    alarmUuid,
    siteUuid,
    step: 0,
    messageType: 1 as const,
    severity: joined?.alarmSeverity ?? gravityOf(draft).severity,
    subject: recipients.subject,
    text: recipients.text,
  };
  // People named only by an action get a notification of kind `action`.
  const named = new Set(alert?.users.filter(({ isAlert }) => isAlert).map((user) => user.uuid));
  return [
    { ...common, kind: 'alarm', people: people.filter((person) => named.has(person.uuid)) },
    { ...common, kind: 'action', people: people.filter((person) => !named.has(person.uuid)) },
  ];
}

async function insert(tx: Transaction, drafts: readonly Draft[], now: number): Promise<Map<string, string>> {
  const rows = drafts.map((draft) => {
    const { uuid, context, conditions, measured, step, since } = draft;
    const { message, value, samples, recipients, plan, mustAcknowledge } = draft;
    const due = firstEscalation(plan, now);
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
      judged_by: evaluationRecord(context, conditions, measured),
      samples,
      recipients,
      plan,
      must: mustAcknowledge,
      next: due ?? null,
    };
  });
  const { rows: found } = await tx.query<{ uuid: string; site: string; message: string }>(
    `insert into tocsin.alarm as a (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, site_name,
       asset_name, datapoint_name, rule_name, rule_uuid, rule_version, source, priority, severity, message, date_time, pending_since,
       value, unit, judged_by, samples, recipients, plan, must_acknowledge, next_escalation_at, created_at)
     select uuid, customer, site, asset, datapoint, site_name, asset_name, datapoint_name, rule_name, rule, version, source, priority,
       severity, message, to_timestamp(at / 1000), to_timestamp(since / 1000), value, unit, judged_by, samples, recipients, plan, must,
       to_timestamp(next / 1000), to_timestamp($2::float8 / 1000)
     from ${recordset('d', { uuid: 'uuid', customer: 'uuid', site: 'uuid', asset: 'uuid', datapoint: 'uuid', site_name: 'text', asset_name: 'text', datapoint_name: 'text', rule_name: 'text', rule: 'uuid', version: 'int', source: 'text', priority: 'text', severity: 'text', message: 'text', at: 'float8', since: 'float8', value: 'float8', unit: 'text', judged_by: 'jsonb', samples: 'jsonb', recipients: 'jsonb', plan: 'jsonb', must: 'boolean', next: 'float8' })}
     on conflict (tocsin_site_uuid, message) where resolved_date is null do update
       set occurrences = a.occurrences + 1, last_occurred_at = greatest(a.last_occurred_at, excluded.date_time)
     returning a.uuid, a.tocsin_site_uuid as site, a.message`,
    [JSON.stringify(rows), now],
  );
  const byKey = new Map(drafts.map((draft) => [`${draft.context.siteUuid}\n${draft.message}`, draft.uuid]));
  const existing = new Map<string, string>();
  for (const { uuid, site, message } of found) {
    const wanted = byKey.get(`${site}\n${message}`);
    if (wanted !== undefined && wanted !== uuid) existing.set(wanted, uuid);
  }
  return existing;
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

function eventOf(draft: Draft, alarmUuid: string, isNew: boolean, brought: Brought | undefined): NewEvent {
  const { context, step, since, value, message, measured } = draft;
  const { customerUuid, datapointName, unit, kind, ruleName } = context;
  const what =
    kind === 'limits' && value !== null
      ? `${datapointName} was ${displayNumber(value)} ${unit}`.trimEnd()
      : kind === 'digital'
        ? message
        : `The conditions of "${ruleName}" held`;
  const said = measured?.shown ? `: ${measured.shown}` : '';
  const held = `${what}${outsideForText(kind, step.at - since)}${said}.`;
  const graver = brought?.severity ? ` It is ${brought.severity} now.` : '';
  const sentence = brought ? `${held} The rule "${ruleName}" says the same here.${graver}` : held;
  return {
    alarmUuid,
    customerUuid,
    at: step.at,
    kind: isNew ? 'opened' : 'occurred',
    sentence,
    detail: { because: step.because, value, since, rule: ruleName },
  };
}
