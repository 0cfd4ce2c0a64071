import { isDeepStrictEqual } from 'node:util';
import { type EscalationPlan, firstEscalation } from '../../domain/alarm/escalation.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import { type Priority, type Severity, severities } from '../../domain/rule/priority.ts';
import type { Recipient, Recipients } from '../notification/draft.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { ofRule } from './events.ts';

/** A rule that joins an open alarm with the same message at its site. It has its own people, severity and escalation. */
export interface Joining {
  alarmUuid: string;
  watchUuid: string;
  priority: Priority;
  severity: Severity;
  recipients: Recipients;
  plan: EscalationPlan;
  mustAcknowledge: boolean;
}

/** Changes that a joining rule made to an alarm. */
export interface Brought {
  /** New recipients. */
  people: Recipient[];
  /** The new severity, if the rule raised it. */
  severity: Severity | undefined;
  /** The severity the alarm has now. */
  alarmSeverity?: Severity;
}

/** For the rule that opened the alarm: no new recipients. */
export const nothingBrought: Brought = { people: [], severity: undefined };

interface JoinedRow {
  uuid: string;
  rule: string | null;
  priority: Priority;
  severity: Severity;
  /** Recipients and plan are null if a person reported the alarm. */
  recipients: Recipients | null;
  plan: EscalationPlan | null;
  must: boolean;
  acknowledged: boolean;
  next: number | null;
}

/**
 * Merges joining rules into their alarms: the higher severity, all recipients and the earlier escalation. Returns the
 * changes of each rule; undefined for the rule that opened the alarm.
 */
export async function joinAlarms(
  tx: Transaction,
  joinings: readonly Joining[],
  now: number,
): Promise<(Brought | undefined)[]> {
  if (joinings.length === 0) return [];
  const { rows } = await tx.query<JoinedRow>(
    `select a.uuid, a.rule_uuid as rule, a.priority, a.severity, a.recipients, a.plan, a.must_acknowledge as must,
       a.acknowledge_json is not null as acknowledged, extract(epoch from a.next_escalation_at)::float8 * 1000 as next
     from tocsin.alarm a where a.uuid = any ($1::uuid[]) order by a.uuid for update`,
    [[...new Set(joinings.map(({ alarmUuid }) => alarmUuid))]],
  );
  const alarms = new Map(rows.map((row) => [row.uuid, row]));
  const changed = new Set<JoinedRow>();
  const brought = joinings.map((joining) => {
    const alarm = alarms.get(joining.alarmUuid);
    if (!alarm || alarm.rule === joining.watchUuid) return undefined;
    const known = new Set(alarm.recipients?.alert.map(({ uuid }) => uuid));
    const { severity } = alarm;
    changed.add(alarm);
    merge(alarm, joining, now);
    const people = joining.recipients.alert.filter(({ uuid }) => !known.has(uuid));
    return {
      people,
      severity: alarm.severity === severity ? undefined : alarm.severity,
      alarmSeverity: alarm.severity,
    };
  });
  if (changed.size === 0) return brought;
  await tx.query(
    `update tocsin.alarm a set priority = j.priority, severity = j.severity, recipients = j.recipients, plan = j.plan,
       must_acknowledge = j.must, next_escalation_at = to_timestamp(j.next / 1000)
     from ${recordset('j', { uuid: 'uuid', priority: 'text', severity: 'text', recipients: 'jsonb', plan: 'jsonb', must: 'boolean', next: 'float8' })}
     where a.uuid = j.uuid`,
    [JSON.stringify([...changed])],
  );
  return brought;
}

function merge(
  alarm: JoinedRow,
  { priority, severity, recipients, plan, mustAcknowledge }: Joining,
  now: number,
): void {
  const isHigher = alarm.severity !== 'silent' && severities.indexOf(severity) < severities.indexOf(alarm.severity);
  if (isHigher) Object.assign(alarm, { severity, priority });
  alarm.must ||= mustAcknowledge;
  const before = alarm.recipients ?? { ...recipients, alert: [], resolve: [], escalate: [], notes: [] };
  alarm.recipients = {
    ...before,
    alert: mergeRecipients(before.alert, recipients.alert),
    resolve: mergeRecipients(before.resolve, recipients.resolve),
    escalate: mergeRecipients(before.escalate, recipients.escalate),
    notes: [...new Set([...before.notes, ...recipients.notes])],
  };
  const merged = mergePlans(alarm.plan, plan);
  // A rule that joins again must not bring the escalation forward.
  if (isDeepStrictEqual(merged, alarm.plan)) return;
  alarm.plan = merged;
  const due = firstEscalation(plan, now);
  if (!alarm.acknowledged && due !== undefined) alarm.next = Math.min(alarm.next ?? due, due);
}

function mergePlans(own: EscalationPlan | null, other: EscalationPlan): EscalationPlan | null {
  if (other.people.length === 0) return own;
  if (!own || own.people.length === 0) return other;
  return {
    afterMinutes: Math.min(own.afterMinutes, other.afterMinutes),
    everyMinutes: Math.min(own.everyMinutes, other.everyMinutes),
    times: Math.max(own.times, other.times),
    people: [...new Set([...own.people, ...other.people])],
  };
}

function mergeRecipients(some: readonly Recipient[], others: readonly Recipient[]): Recipient[] {
  const known = new Set(some.map(({ uuid }) => uuid));
  return [...some, ...others.filter(({ uuid }) => !known.has(uuid))];
}

/** A rule that returned to normal. `sentence` is the timeline text for an alarm of this rule alone. */
export interface Leaving {
  alarmUuid: string;
  at: number;
  /** Undefined if the rule is deleted. */
  ruleName: string | undefined;
  sentence: string;
}

/** Timeline events for rules that returned to normal while another rule keeps the alarm open. */
export async function leaveAlarms(tx: Transaction, leavings: readonly Leaving[]): Promise<NewEvent[]> {
  if (leavings.length === 0) return [];
  const { rows } = await tx.query<{ uuid: string; customer: string }>(
    `select a.uuid, a.tocsin_customer_uuid as customer from tocsin.alarm a
     where a.uuid = any ($1::uuid[]) and a.resolved_date is null`,
    [leavings.map(({ alarmUuid }) => alarmUuid)],
  );
  const customers = new Map(rows.map(({ uuid, customer }) => [uuid, customer]));
  return leavings.flatMap(({ alarmUuid, at, ruleName, sentence }) => {
    const customerUuid = customers.get(alarmUuid);
    if (customerUuid === undefined) return [];
    const text = `${ofRule(ruleName, sentence)} Another rule keeps the alarm open.`;
    return [{ alarmUuid, customerUuid, at, kind: 'one-back' as const, sentence: text }];
  });
}
