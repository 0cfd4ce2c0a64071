import { LINK_LENGTH } from '../../domain/notification/digest-texts.ts';
import { METHOD, type MethodType } from '../../domain/notification/methods.ts';
import { type SmsAccount, type UsedUpBudget, usedUpBudget } from '../../domain/notification/sms-budget.ts';
import type { Candidate } from '../../domain/notification/stages.ts';
import type { SmsBudgetFacts } from '../../domain/notification/suppression.ts';
import { smsSegments } from '../../domain/sms.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';

/** Accounts to which an SMS counts: the customer, and the unit office of the site. */
export interface SmsPlace {
  customerUuid: string;
  siteUuid: string | null;
}

export interface StoredAccount {
  customerUuid: string;
  uuid: string;
  office: string | null;
  dayBudget: number | null;
  monthBudget: number | null;
  /** Today's date in the customer's time zone, such as `2026-03-31`. */
  today: string;
  dayUsed: number;
  monthUsed: number;
}

/** Reads the accounts that have a budget, with their usage. With null, reads the accounts of all customers. */
export async function loadSmsAccounts(tx: Transaction, customers: readonly string[] | null): Promise<StoredAccount[]> {
  const { rows } = await tx.query<StoredAccount>(
    `select a.customer_uuid as "customerUuid", a.account_uuid as uuid, a.office, a.day_budget as "dayBudget", a.month_budget as "monthBudget",
       a.today::text as today, a.day_used as "dayUsed", a.month_used as "monthUsed"
     from tocsin_private.sms_accounts($1::uuid[]) a order by a.customer_uuid, a.office nulls first, a.account_uuid`,
    [customers],
  );
  return rows;
}

export function accountOf({ uuid, office, dayBudget, monthBudget, dayUsed, monthUsed }: StoredAccount): SmsAccount {
  return { uuid, office, budget: { day: dayBudget, month: monthBudget }, used: { day: dayUsed, month: monthUsed } };
}

/**
 * Returns the estimated number of segments of an SMS, including its link, when the SMS is queued. The segments are
 * counted again when it is sent.
 */
export function reservedSegments({ text, kind }: Pick<Candidate, 'text' | 'kind'>): number {
  return smsSegments(kind === 'resolve' ? text : `${text} ${'x'.repeat(LINK_LENGTH)}`).segments;
}

/**
 * SMS budgets that apply to the notifications of one transaction. `load` locks the budgets of each customer, so that
 * only one process at a time checks them. An SMS that a budget can suppress therefore never raises the usage above the
 * budget.
 */
export class SmsBudgets<C extends Candidate & SmsPlace> implements SmsBudgetFacts<C> {
  readonly #accounts = new Map<string, SmsAccount>();
  /** Accounts that apply at each place; empty if neither the customer nor the unit office has a budget. */
  readonly #places = new Map<string, SmsAccount[]>();
  #working: ReadonlySet<MethodType> | undefined;

  /** Loads the budgets of these places. Does nothing for places that are already loaded. */
  async load(tx: Transaction, places: Iterable<SmsPlace>): Promise<void> {
    const missing = new Map([...places].map((place) => [keyOf(place), place]));
    for (const key of this.#places.keys()) missing.delete(key);
    if (missing.size === 0) return;
    const { rows } = await tx.query<{ key: string; customer: string; accounts: string[] }>(
      `select p.key, c.uuid as customer, array_remove(array[
         case when coalesce(c.sms_day_budget, c.sms_month_budget) is not null then c.uuid::text end,
         case when coalesce(g.sms_day_budget, g.sms_month_budget) is not null then g.uuid::text end], null) as accounts
       from ${recordset('p', { key: 'text', customer: 'uuid', site: 'uuid' })}
       join tocsin.customer c on c.uuid = p.customer
       left join tocsin.site s on s.uuid = p.site and s.tocsin_customer_uuid = c.uuid
       left join tocsin.group g on g.uuid = s.tocsin_group5_uuid`,
      [
        JSON.stringify(
          [...missing].map(([key, { customerUuid, siteUuid }]) => ({ key, customer: customerUuid, site: siteUuid })),
        ),
      ],
    );
    const unknown = rows.filter(({ accounts }) => accounts.some((uuid) => !this.#accounts.has(uuid)));
    if (unknown.length > 0) await this.#read(tx, [...new Set(unknown.map(({ customer }) => customer))]);
    for (const key of missing.keys()) this.#places.set(key, []);
    for (const { key, accounts } of rows) {
      this.#places.set(
        key,
        accounts.flatMap((uuid) => this.#accounts.get(uuid) ?? []),
      );
    }
  }

  async #read(tx: Transaction, customers: readonly string[]): Promise<void> {
    await tx.query('select tocsin_private.lock_sms_budgets($1::uuid[])', [customers]);
    for (const stored of await loadSmsAccounts(tx, customers)) {
      // Keeps an account that is already loaded, because it includes segments that this transaction has used but not
      // written.
      if (!this.#accounts.has(stored.uuid)) this.#accounts.set(stored.uuid, accountOf(stored));
    }
    this.#working ??= await loadWorkingMethods(tx);
  }

  /** Returns whether a message by this method can replace an SMS. Returns false if no budget is loaded. */
  replacesSms(method: MethodType): boolean {
    return method !== METHOD.sms && (this.#working?.has(method) ?? false);
  }

  usedUp(candidate: C): UsedUpBudget | undefined {
    return usedUpBudget(this.#accountsOf(candidate), reservedSegments(candidate));
  }

  count(candidate: C): void {
    if (candidate.method !== METHOD.sms) return;
    const segments = reservedSegments(candidate);
    for (const { used } of this.#accountsOf(candidate)) {
      used.day += segments;
      used.month += segments;
    }
  }

  #accountsOf(place: SmsPlace): readonly SmsAccount[] {
    return this.#places.get(keyOf(place)) ?? [];
  }
}

function keyOf({ customerUuid, siteUuid }: SmsPlace): string {
  return `${customerUuid} ${siteUuid ?? ''}`;
}

/** Returns the methods with a configured sender that no running process reports as failing. */
async function loadWorkingMethods(tx: Transaction): Promise<ReadonlySet<MethodType>> {
  const { rows } = await tx.query<{ method: MethodType }>(
    `select (c ->> 'methodType')::int as method from jsonb_array_elements(tocsin_definer.channels()) c
     where (c ->> 'isConfigured')::boolean and not exists (
       select from tocsin_private.process p cross join jsonb_array_elements(p.checks) k
       where p.state <> 'stopped' and p.heartbeat_at > tocsin_private.lease_clock() - interval '15 seconds'
         and k ->> 'name' = 'sender ' || (c ->> 'title') and not (k ->> 'ok')::boolean)`,
  );
  return new Set(rows.map(({ method }) => method));
}

/** Counts SMS that were suppressed by a budget, for the report. */
export async function countSuppressed(tx: Transaction, places: readonly SmsPlace[], now: number): Promise<void> {
  if (places.length === 0) return;
  const counts = Map.groupBy(places, keyOf);
  await tx.query(
    `select tocsin_private.add_sms_usage(p.customer, p.site, to_timestamp($2::float8 / 1000), 0, p.sms)
     from ${recordset('p', { customer: 'uuid', site: 'uuid', sms: 'int' })}`,
    [
      JSON.stringify(
        [...counts.values()].map((same) => ({
          customer: same[0]?.customerUuid,
          site: same[0]?.siteUuid,
          sms: same.length,
        })),
      ),
      now,
    ],
  );
}
