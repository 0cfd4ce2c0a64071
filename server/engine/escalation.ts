import { decideEscalation, type EscalationPlan } from '../../domain/alarm/escalation.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import { escalationText } from '../../domain/alarm/texts.ts';
import type { NotificationDraft, Recipient, Recipients } from '../../domain/notification/draft.ts';
import { serviceAccess } from '../access.ts';
import { addEvents } from '../alarm/events.ts';
import { loadCurrentRecipients, type NotifiedAlarm, topicOf } from '../notification/current-recipients.ts';
import { queueNotifications } from '../notification/queue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import type { EngineModule } from './engine.ts';

interface DueAlarm extends NotifiedAlarm {
  plan: EscalationPlan;
  recipients: Recipients;
  due: number;
  step: number;
}

const AT_ONCE = 100;

/** Notifies the escalate users of unacknowledged alarms, according to the escalation plan stored on the alarm. */
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
       a.escalation_step as step, round(extract(epoch from a.date_time) * 1000)::float8 as happened, extract(epoch from a.created_at)::float8 * 1000 as opened,
       extract(epoch from a.next_escalation_at)::float8 * 1000 as due
     from tocsin.alarm a
     where a.next_escalation_at <= to_timestamp($1::float8 / 1000) and a.resolved_date is null and a.acknowledge_json is null
     order by a.next_escalation_at limit ${AT_ONCE} for update skip locked`,
    [now],
  );
  const drafts: NotificationDraft[] = [];
  const events: NewEvent[] = [];
  const steps: { uuid: string; step: number; next: number | null }[] = [];
  const people = await loadCurrentRecipients(tx, rows, 'escalate');
  for (const alarm of rows) {
    const { uuid, plan, step, opened, due, customer } = alarm;
    const facts = { plan, openedAt: opened, step, acknowledged: false, resolved: false, dueAt: due };
    const decision = decideEscalation(facts, now);
    if (!decision.escalate) {
      steps.push({ uuid, step, next: decision.until ?? null });
      continue;
    }
    steps.push({ uuid, step: decision.step, next: decision.next ?? null });
    drafts.push(draftOf(alarm, people.get(uuid) ?? [], decision.step, now));
    const names = (people.get(uuid) ?? []).map(({ name }) => name).join(', ') || 'nobody: all recipients were deleted';
    const sentence = `Nobody acknowledged the alarm, so it was escalated (${decision.step} of ${plan.times}) to ${names}.`;
    events.push({ alarmUuid: uuid, customerUuid: customer, at: now, kind: 'escalated', sentence });
  }
  events.push(...(await queueNotifications(tx, drafts, now)));
  await addEvents(tx, events);
  await tx.query(
    `update tocsin.alarm a set escalation_step = s.step, next_escalation_at = to_timestamp(s.next / 1000)
     from ${recordset('s', { uuid: 'uuid', step: 'smallint', next: 'float8' })} where a.uuid = s.uuid`,
    [JSON.stringify(steps)],
  );
  return rows.length;
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
