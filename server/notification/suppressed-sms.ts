import { onceKey } from '../../domain/notification/stages.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { hashOfKey, insertNotifications, type NewNotification } from './insert.ts';
import { countSuppressed } from './sms-budgets.ts';

/** Counts the SMS that a budget suppressed. Stores them for two days, in case the other methods fail. */
export async function storeSuppressedSms(
  tx: Transaction,
  suppressed: readonly NewNotification[],
  now: number,
): Promise<void> {
  if (suppressed.length === 0) return;
  const rows = suppressed.map((candidate) => ({
    once: hashOfKey(onceKey(candidate)),
    customer: candidate.customerUuid,
    alarm: candidate.alarmUuid,
    person: candidate.personUuid,
    instead: (candidate.others ?? []).map((other) => hashOfKey(onceKey({ ...candidate, ...other }))),
    draft: candidate,
  }));
  await tx.query(
    `insert into tocsin_private.suppressed_sms (once_key, tocsin_customer_uuid, tocsin_alarm_uuid, tocsin_user_uuid, replaced_by, draft,
       created_at)
     select once, customer, alarm, person, array(select jsonb_array_elements_text(instead)), draft, to_timestamp($2::float8 / 1000)
     from ${recordset('s', { once: 'text', customer: 'uuid', alarm: 'uuid', person: 'uuid', instead: 'jsonb', draft: 'jsonb' })}
     on conflict (once_key) do nothing`,
    [JSON.stringify(rows), now],
  );
  await countSuppressed(tx, suppressed, now);
}

const AT_ONCE = 100;

interface FailedReplacement {
  key: string;
  draft: NewNotification;
  /** True if no notification that replaces the SMS was sent or is likely to be sent soon. */
  allFailed: boolean;
  /** False if the alarm has resolved since, or the person was disabled. */
  wanted: boolean;
}

/**
 * Sends each suppressed SMS if every replacement notification has failed for good or has failed three attempts. Ignores
 * the budget, because nobody was notified. Returns the number of SMS that were checked.
 */
export async function sendSuppressedSms(tx: Transaction, now: number): Promise<number> {
  const { rows } = await tx.query<FailedReplacement>(
    `select s.once_key as key, s.draft, u.status and (a.resolved_date is null or s.draft ->> 'kind' = 'resolve') as wanted,
       not exists (select from tocsin.notification n where n.tocsin_customer_uuid = s.tocsin_customer_uuid
         and n.once_key = any (s.replaced_by) and not tocsin_private.is_unsent(n.state, n.attempts)) as "allFailed"
     from tocsin_private.suppressed_sms s join tocsin.alarm a on a.uuid = s.tocsin_alarm_uuid
     join tocsin.user u on u.uuid = s.tocsin_user_uuid
     where s.failed_at is not null order by s.failed_at, s.once_key limit ${AT_ONCE} for update of s skip locked`,
  );
  if (rows.length === 0) return 0;
  const drafts = rows.filter(({ allFailed, wanted }) => allFailed && wanted).map(({ draft }) => draft);
  await insertNotifications(tx, drafts, now);
  await tx.query(
    `with done as (delete from tocsin_private.suppressed_sms where once_key = any ($1::text[]))
     update tocsin_private.suppressed_sms set failed_at = null where once_key = any ($2::text[])`,
    [keysOf(rows, true), keysOf(rows, false)],
  );
  return rows.length;
}

function keysOf(rows: readonly FailedReplacement[], allFailed: boolean): string[] {
  return rows.filter((row) => row.allFailed === allFailed).map(({ key }) => key);
}
