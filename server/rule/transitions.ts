import type { Context } from '../../domain/rule/context.ts';
import type { RecordedStep } from '../../domain/rule/recorded-step.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import type { RuleChange } from './change.ts';

/** Records every transition of a rule with its reason, including transitions that opened no alarm. */
export async function addTransitions(
  tx: Transaction,
  records: readonly { change: RuleChange; step: RecordedStep; alarmUuid: string | undefined }[],
  contexts: ReadonlyMap<string, Context>,
  now: number,
): Promise<void> {
  const rows: object[] = [];
  /** Transitions of deleted rules. The site and name of such a rule are copied from its last recorded transition. */
  const orphans: object[] = [];
  for (const { change, step, alarmUuid } of records) {
    const { watch } = change;
    const context = contexts.get(watch.uuid);
    const fact = {
      watch: watch.uuid,
      version: watch.version,
      from: step.from,
      to: step.to,
      because: step.because,
      at: step.at,
      value: step.value,
      alarm: alarmUuid,
    };
    if (!context) {
      orphans.push(fact);
      continue;
    }
    const { customerUuid: customer, siteUuid: site, datapointUuid: datapoint, ruleName: name } = context;
    rows.push({ ...fact, customer, site, datapoint, name });
  }
  if (rows.length > 0) await insert(tx, rows, now);
  if (orphans.length > 0) await insertOrphans(tx, orphans, now);
}

async function insert(tx: Transaction, rows: readonly object[], now: number): Promise<void> {
  await tx.query(
    `insert into tocsin.rule_transition (tocsin_customer_uuid, tocsin_site_uuid, tocsin_datapoint_uuid, watch_uuid, rule_name,
       rule_version, from_phase, to_phase, because, at, noticed_at, value, tocsin_alarm_uuid)
     select customer, site, datapoint, watch, name, version, "from", "to", because, to_timestamp(at / 1000),
       to_timestamp($2::float8 / 1000), value, alarm
     from ${recordset('t', { customer: 'uuid', site: 'uuid', datapoint: 'uuid', watch: 'uuid', name: 'text', version: 'int', from: 'text', to: 'text', because: 'text', at: 'float8', value: 'float8', alarm: 'uuid' })}`,
    [JSON.stringify(rows), now],
  );
}

async function insertOrphans(tx: Transaction, orphans: readonly object[], now: number): Promise<void> {
  await tx.query(
    `insert into tocsin.rule_transition (tocsin_customer_uuid, tocsin_site_uuid, tocsin_datapoint_uuid, watch_uuid, rule_name,
       rule_version, from_phase, to_phase, because, at, noticed_at, value, tocsin_alarm_uuid)
     select k.tocsin_customer_uuid, k.tocsin_site_uuid, k.tocsin_datapoint_uuid, t.watch, k.rule_name, t.version, t."from", t."to",
       t.because, to_timestamp(t.at / 1000), to_timestamp($2::float8 / 1000), t.value, t.alarm
     from ${recordset('t', { watch: 'uuid', version: 'int', from: 'text', to: 'text', because: 'text', at: 'float8', value: 'float8', alarm: 'uuid' })}
     cross join lateral (select * from tocsin.rule_transition k where k.watch_uuid = t.watch order by k.at desc, k.id desc limit 1) k`,
    [JSON.stringify(orphans), now],
  );
}
