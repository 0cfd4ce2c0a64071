import type { Transaction } from '../platform/database.ts';

/** Maps each alarm to the people whom an escalation notified. */
export async function loadEscalatedTo(
  tx: Transaction,
  alarms: readonly { uuid: string; escalationStep: number }[],
): Promise<Map<string, Set<string>>> {
  const escalated = alarms.filter(({ escalationStep }) => escalationStep > 0).map(({ uuid }) => uuid);
  if (escalated.length === 0) return new Map();
  const { rows } = await tx.query<{ alarm: string; people: string[] }>(
    `select n.tocsin_alarm_uuid as alarm, array_agg(distinct n.tocsin_user_uuid::text) as people from tocsin.notification n
     where n.tocsin_alarm_uuid = any ($1::uuid[]) and n.kind = 'escalation' and n.tocsin_user_uuid is not null group by 1`,
    [escalated],
  );
  return new Map(rows.map(({ alarm, people }) => [alarm, new Set(people)]));
}
