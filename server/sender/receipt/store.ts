import { afterReceipt, type MessageState } from '../../../domain/notification/receipt.ts';
import type { Transaction } from '../../platform/database.ts';
import type { Receipt } from './receipt.ts';

/** `early` means that no message has this id yet. `unclear` means that several messages have this id. */
export type StoreResult = 'changed' | 'nothing-new' | 'early' | 'unclear';

interface Row {
  uuid: string;
  customer: string;
  alarm: string | null;
  state: MessageState;
}

/** Applies a receipt to its message. A repeated receipt has no effect. */
export async function storeReceipt(tx: Transaction, provider: string, receipt: Receipt): Promise<StoreResult> {
  await lockReceipts(tx, provider, receipt.providerId);
  const { rows } = await tx.query<Row>(
    `select n.uuid, n.tocsin_customer_uuid as customer, n.tocsin_alarm_uuid as alarm, n.state from tocsin.notification n
     where n.provider_id = $2 and n.provider_id <> '' and n.provider = $1 limit 2 for update`,
    [provider, receipt.providerId],
  );
  const [row, another] = rows;
  if (another) return 'unclear';
  if (row) return change(tx, row, receipt);
  await tx.query(
    `insert into tocsin_private.early_receipt as e (provider, provider_id, state, words) values ($1, $2, $3, $4)
     on conflict (provider, provider_id) do update set state = excluded.state, words = excluded.words where e.state <> 'delivered'`,
    [provider, receipt.providerId, receipt.state, receipt.words],
  );
  return 'early';
}

/**
 * Locks a provider's message id until the transaction ends. A receipt can arrive before this id is stored with the
 * message. The transactions that store the receipt and the id both take this lock, so the later one sees the row that
 * the earlier one has written.
 */
export async function lockReceipts(tx: Transaction, provider: string, providerId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`receipt ${provider} ${providerId}`]);
}

export async function applyEarlyReceipt(tx: Transaction, provider: string, providerId: string): Promise<void> {
  const { rows } = await tx.query<Omit<Receipt, 'providerId'>>(
    'delete from tocsin_private.early_receipt where provider = $1 and provider_id = $2 returning state, words',
    [provider, providerId],
  );
  if (rows[0]) await storeReceipt(tx, provider, { ...rows[0], providerId });
}

async function change(tx: Transaction, { uuid, customer, alarm, state }: Row, receipt: Receipt): Promise<StoreResult> {
  const after = afterReceipt(state, receipt.state);
  if (!after.changes) return 'nothing-new';
  await tx.query(
    `update tocsin.notification n set state = $2, provider_answer = $3,
       delivered_at = case when $2 = 'delivered' then tocsin_private.clock() end,
       failed_at = case when $2 = 'failed' then tocsin_private.clock() end,
       attempt_log = n.attempt_log || jsonb_build_array(jsonb_build_object('at', tocsin_private.clock(), 'outcome', $2::text, 'answer', $3::text))
     where n.uuid = $1`,
    [uuid, after.state, receipt.words],
  );
  // Notifies open pages, so that they update the alarm.
  if (alarm !== null) await tx.query(`select pg_notify('tocsin_alarm', $1)`, [customer]);
  return 'changed';
}
