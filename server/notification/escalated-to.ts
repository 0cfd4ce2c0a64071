import type { Transaction } from '../platform/database.ts';

/**
 * Maps each alarm to the people whom an escalation notified, and to the people on call whom the opening or a reminder
 * notified.
 */
export async function loadEscalatedTo(
  tx: Transaction,
  alarms: readonly { uuid: string; escalationStep: number; hasSteps: boolean }[],
): Promise<Map<string, Set<string>>> {
  const wanted = alarms.filter(({ escalationStep, hasSteps }) => escalationStep > 0 || hasSteps);
  if (wanted.length === 0) return new Map();
  const { rows } = await tx.query<{ alarm: string; people: string[] }>(
    `select n.tocsin_alarm_uuid as alarm, array_agg(distinct n.tocsin_user_uuid::text) as people from tocsin.notification n
     where n.tocsin_alarm_uuid = any ($1::uuid[]) and n.tocsin_user_uuid is not null
       and (n.kind = 'escalation' or n.kind in ('alarm', 'health', 'reminder') and exists (
         select from tocsin.alarm a cross join jsonb_array_elements(a.recipients -> 'alert') r
         where a.uuid = n.tocsin_alarm_uuid and a.plan ? 'steps' and r ? 'onCall' and r ->> 'uuid' = n.tocsin_user_uuid::text))
     group by 1`,
    [wanted.map(({ uuid }) => uuid)],
  );
  return new Map(rows.map(({ alarm, people }) => [alarm, new Set(people)]));
}
