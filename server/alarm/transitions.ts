import type { Transaction } from '../platform/database.ts';
import type { Change, Noted } from './change.ts';
import type { Context } from './context.ts';

/** Every step of a rule is a record with its reason, also those that led to no alarm. */
export async function addTransitions(
  tx: Transaction,
  records: readonly { change: Change; step: Noted; alarmUuid: string | undefined }[],
  contexts: ReadonlyMap<string, Context>,
  now: number,
): Promise<void> {
  const rows = records.flatMap(({ change: { watch }, step, alarmUuid }) => {
    const context = contexts.get(watch.uuid);
    if (!context) return [];
    return {
      customer: context.customerUuid,
      site: context.siteUuid,
      datapoint: context.datapointUuid,
      watch: watch.uuid,
      name: context.ruleName,
      version: watch.version,
      from: step.from,
      to: step.to,
      because: step.because,
      at: step.at,
      value: step.value,
      alarm: alarmUuid,
    };
  });
  if (rows.length === 0) return;
  await tx.query(
    `insert into tocsin.rule_transition (tocsin_customer_uuid, tocsin_site_uuid, tocsin_datapoint_uuid, watch_uuid, rule_name,
       rule_version, from_phase, to_phase, because, at, noticed_at, value, tocsin_alarm_uuid)
     select customer, site, datapoint, watch, name, version, "from", "to", because, to_timestamp(at / 1000),
       to_timestamp($2::float8 / 1000), value, alarm
     from json_to_recordset($1) as t (customer uuid, site uuid, datapoint uuid, watch uuid, name text, version int, "from" text,
       "to" text, because text, at float8, value float8, alarm uuid)`,
    [JSON.stringify(rows), now],
  );
}
