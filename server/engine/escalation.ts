import { decideEscalation } from '../../domain/alarm/escalation.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import { escalationText } from '../../domain/alarm/texts.ts';
import type { NotificationDraft, Recipient } from '../../domain/notification/draft.ts';
import { serviceAccess } from '../access.ts';
import { addEvents } from '../alarm/events.ts';
import { type DueAlarm, type Escalated, runSteps } from '../alarm/plan-steps.ts';
import { loadCurrentRecipients, topicOf } from '../notification/current-recipients.ts';
import { queueNotifications } from '../notification/queue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import { recordset } from '../platform/recordset.ts';
import type { EngineModule } from './engine.ts';

const AT_ONCE = 100;

/** Notifies the recipients of later steps of unacknowledged alarms, according to the plan stored on the alarm. */
export function escalation(db: Database, clock: Clock): EngineModule {
  return {
    name: 'escalation',
    every: 5000,
    async tick(now) {
      for (;;) {
        const done = await db.transaction(serviceAccess(clock), (tx) => escalate(tx, now.getTime()));
        if (done < AT_ONCE) return;
      }
    },
  };
}

async function escalate(tx: Transaction, now: number): Promise<number> {
  const { rows } = await tx.query<DueAlarm>(
    `select a.uuid, a.tocsin_customer_uuid as customer, a.tocsin_site_uuid as site, a.rule_uuid as rule, a.severity, a.plan, a.recipients, a.source,
       a.escalation_step as step, a.plan_step as "planStep", a.plan_repeat as "planRepeat",
       round(extract(epoch from a.date_time) * 1000)::float8 as happened, extract(epoch from a.created_at)::float8 * 1000 as opened,
       extract(epoch from a.next_escalation_at)::float8 * 1000 as due
     from tocsin.alarm a
     where a.next_escalation_at <= to_timestamp($1::float8 / 1000) and a.resolved_date is null and a.acknowledge_json is null
     order by a.next_escalation_at limit ${AT_ONCE} for update skip locked`,
    [now],
  );
  const drafts: NotificationDraft[] = [];
  const events: NewEvent[] = [];
  const changes: ReturnType<typeof changeOf>[] = [];
  const simple = rows.filter(({ plan }) => !plan.steps);
  const people = await loadCurrentRecipients(tx, simple, 'escalate');
  const withSteps = await runSteps(
    tx,
    rows.filter(({ plan }) => plan.steps),
    now,
  );
  for (const alarm of rows) {
    const done = withSteps.get(alarm.uuid) ?? escalateOnce(alarm, people.get(alarm.uuid) ?? [], now);
    changes.push(changeOf(alarm, done));
    events.push(
      ...done.events.map((event) => ({ ...event, alarmUuid: alarm.uuid, customerUuid: alarm.customer, at: now })),
    );
    if (done.people.length > 0) drafts.push(draftOf(alarm, done.people, done.step, now));
  }
  events.push(...(await queueNotifications(tx, drafts, now)));
  await addEvents(tx, events);
  await tx.query(
    `update tocsin.alarm a set escalation_step = s.step, next_escalation_at = to_timestamp(s.next / 1000), plan_step = s."planStep",
       plan_repeat = s."planRepeat", recipients = coalesce(s.recipients, a.recipients)
     from ${recordset('s', { uuid: 'uuid', step: 'smallint', next: 'float8', planStep: 'smallint', planRepeat: 'smallint', recipients: 'jsonb' })}
     where a.uuid = s.uuid`,
    [JSON.stringify(changes)],
  );
  if (rows.length > 0) dieAt('escalated');
  return rows.length;
}

function changeOf(alarm: DueAlarm, { step, next, planStep, planRepeat, recipients }: Escalated) {
  const changed = recipients === alarm.recipients ? null : recipients;
  return { uuid: alarm.uuid, step, next, planStep, planRepeat, recipients: changed };
}

/** Escalates by a plan of people in two steps. */
function escalateOnce(alarm: DueAlarm, people: readonly Recipient[], now: number): Escalated {
  const { plan, step, opened, due, planStep, planRepeat, recipients } = alarm;
  const facts = { plan, openedAt: opened, step, acknowledged: false, resolved: false, dueAt: due };
  const decision = decideEscalation(facts, now);
  const same = { planStep, planRepeat, recipients };
  if (!decision.escalate) return { ...same, step, next: decision.until ?? null, people: [], events: [] };
  const names = people.map(({ name }) => name).join(', ') || 'nobody: all recipients were deleted';
  const sentence = `Nobody acknowledged the alarm, so it was escalated (${decision.step} of ${plan.times}) to ${names}.`;
  const events = [{ kind: 'escalated' as const, sentence }];
  return { ...same, step: decision.step, next: decision.next ?? null, people, events };
}

function draftOf(alarm: DueAlarm, people: readonly Recipient[], step: number, now: number): NotificationDraft {
  const { uuid, customer, site, severity, recipients, opened, happened, source } = alarm;
  return {
    alarmUuid: uuid,
    customerUuid: customer,
    siteUuid: site,
    kind: 'escalation',
    step,
    topic: topicOf(alarm),
    at: happened + (now - opened),
    messageType: source === 'silence' ? 2 : 1,
    severity,
    subject: `Not acknowledged: ${recipients.subject}`,
    text: escalationText(recipients.text, now - opened),
    people,
  };
}
