import { budgetWarning, warnedPeriods } from '../../domain/notification/sms-budget.ts';
import { serviceAccess } from '../access.ts';
import { notifyOwners } from '../notification/owners.ts';
import { accountOf, loadSmsAccounts } from '../notification/sms-budgets.ts';
import { sendSuppressedSms } from '../notification/suppressed-sms.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

/**
 * Warns the owners of a customer when 80 % of a daily or monthly SMS budget is used. Sends one warning per budget and
 * period.
 */
export function smsBudget(db: Database, clock: Clock): EngineModule {
  return {
    name: 'SMS budgets',
    every: 30_000,
    async tick(now) {
      await db.transaction(serviceAccess(clock), (tx) => warnOwners(tx, now));
    },
  };
}

async function warnOwners(tx: Transaction, now: Date): Promise<void> {
  for (const stored of await loadSmsAccounts(tx, null)) {
    const account = accountOf(stored);
    for (const period of warnedPeriods(account)) {
      const firstDay = period === 'day' ? stored.today : `${stored.today.slice(0, 7)}-01`;
      // If the row already exists, another process has inserted it and warns the owners.
      const { rowCount } = await tx.query(
        `insert into tocsin_private.sms_budget_warning (tocsin_customer_uuid, account_uuid, period, first_day) values ($1, $2, $3, $4)
         on conflict (account_uuid, period, first_day) do nothing`,
        [stored.customerUuid, stored.uuid, period, firstDay],
      );
      if (rowCount === 0) continue;
      await notifyOwners(tx, budgetWarning(account, period), now, stored.customerUuid);
    }
  }
}

/** Sends each suppressed SMS if all notifications by other methods have failed. */
export function suppressedSms(db: Database, clock: Clock): EngineModule {
  return {
    name: 'suppressed SMS',
    every: 5000,
    async tick(now) {
      await db.transaction(serviceAccess(clock), (tx) => sendSuppressedSms(tx, now.getTime()));
    },
  };
}
