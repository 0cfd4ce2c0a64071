import type { NewEvent } from '../../domain/alarm/event.ts';
import { type Brought, type JoinedAlarm, type Joining, planJoins } from '../../domain/alarm/join.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { ofRule } from './events.ts';

/**
 * Adds rules to alarms that are already open. Returns the changes that each rule made to its alarm, in the order of
 * `joinings`. The item is undefined for the rule that opened the alarm.
 */
export async function joinAlarms(
  tx: Transaction,
  joinings: readonly Joining[],
  now: number,
): Promise<(Brought | undefined)[]> {
  if (joinings.length === 0) return [];
  const { rows } = await tx.query<JoinedAlarm>(
    `select a.uuid, a.rule_uuid as rule, a.priority, a.severity, a.recipients, a.plan,
       a.plan_step as "planStep", a.plan_repeat as "planRepeat", a.must_acknowledge as must,
       a.acknowledge_json is not null as acknowledged, extract(epoch from a.next_escalation_at)::float8 * 1000 as next,
       a.quiet_because as "quietBecause", extract(epoch from a.quiet_until)::float8 * 1000 as "quietUntil"
     from tocsin.alarm a where a.uuid = any ($1::uuid[]) order by a.uuid for update`,
    [[...new Set(joinings.map(({ alarmUuid }) => alarmUuid))]],
  );
  const { changed, brought } = planJoins(rows, joinings, now);
  if (changed.length === 0) return brought;
  await tx.query(
    `update tocsin.alarm a set priority = j.priority, severity = j.severity, recipients = j.recipients, plan = j.plan,
       plan_step = j."planStep", plan_repeat = j."planRepeat",
       must_acknowledge = j.must, next_escalation_at = to_timestamp(j.next / 1000), quiet_until = to_timestamp(j."quietUntil" / 1000)
     from ${recordset('j', { uuid: 'uuid', priority: 'text', severity: 'text', recipients: 'jsonb', plan: 'jsonb', planStep: 'smallint', planRepeat: 'smallint', must: 'boolean', next: 'float8', quietUntil: 'float8' })}
     where a.uuid = j.uuid`,
    [JSON.stringify(changed)],
  );
  return brought;
}

/** A rule that returned to normal. `sentence` is the timeline text without the rule's name. */
export interface Leaving {
  alarmUuid: string;
  at: number;
  /** Name of the rule; undefined if the rule is deleted. */
  ruleName: string | undefined;
  sentence: string;
}

/** Returns timeline events for rules that returned to normal while another rule keeps the alarm open. */
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
