import type { Span } from '../history/history.ts';
import type { Customer } from '../plant/people.ts';
import { fictionalNumber, groupUuid } from '../plant/people.ts';
import type { Site } from '../plant/plant.ts';
import { alarmsOf } from '../plant/plant.ts';
import { randomOf, uuidOf } from '../random.ts';
import { defaultMessages, spareUuid } from './base.ts';
import type { Change } from './change.ts';
import { linkUuid } from './config.ts';
import type { Tx } from './insert.ts';
import { insert } from './insert.ts';
import type { Row, Table } from './tables.ts';
import { tables } from './tables.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Plans about forty changes to records of the first customer, made by its owner and its manager. */
export function planChanges(seed: string, customer: Customer, sites: readonly Site[], span: Span): Change[] {
  const random = randomOf(seed, 'changes');
  const changes: Change[] = [];
  const managers = customer.people.filter((person) => person.signIn && person.level < 10 && !person.partnerAccount);
  const change = (table: Table, uuid: string, column?: string, before?: unknown) => {
    if (changes.some((other) => other.uuid === uuid)) return;
    const day = Math.floor(random.between(span.start + 2 * DAY, span.now - DAY) / DAY) * DAY;
    const at = day + 8 * HOUR + random.whole(0, 8 * 3600) * 1000;
    changes.push({ at, by: random.pick(managers), customer, table, uuid, ...(column && { column, before }) });
  };
  const owner = managers.find((person) => person.level === 0)!;
  const rules = sites.flatMap((site) => alarmsOf(site)).filter(({ alarm }) => alarm.kind.side !== 'state');
  for (let count = 0; count < 11; count++) {
    const { alarm, point } = random.pick(rules);
    const step = 10 ** -point.kind.decimals * 2;
    const column = alarm.kind.side === 'above' ? 'value_upper' : 'value_lower';
    const before = alarm.kind.limit + (alarm.kind.side === 'above' ? -step : step);
    change(tables.rule, alarm.ruleUuid, column, Number(before.toFixed(point.kind.decimals)));
  }
  for (let count = 0; count < 7; count++) {
    const { alarm } = random.pick(rules);
    change(tables.rule, alarm.ruleUuid, 'debounce', alarm.kind.debounce === 60 ? 30 : 60);
  }
  for (const site of sites.slice(2, 8))
    change(tables.site, site.uuid, 'phone_number', fictionalNumber(random.whole(0, 999)));
  for (const site of sites.slice(9, 12)) change(tables.site, site.uuid, 'description', '');
  for (const site of sites.slice(0, 4)) change(tables.asset, site.assets[0]!.uuid, 'description', '');
  for (const site of sites.slice(0, 5)) change(tables.siteUser, linkUuid(seed, site, random.pick(site.people)));
  for (const person of customer.people.filter((one) => one.level === 20 && !one.signIn).slice(0, 2)) {
    change(tables.user, person.uuid, 'phone_number', fictionalNumber(random.whole(0, 999)));
  }
  const left = customer.people.find((person) => !person.active);
  if (left) change(tables.user, left.uuid, 'status', true);
  change(tables.group, groupUuid(seed, customer, 4, 'Dunmere and Ashmoor'), 'name', 'Dunmere');
  change(tables.group, groupUuid(seed, customer, 4, 'Greystoke and Keld'), 'name', 'Greystoke & Keld');
  change(
    tables.defaultMessage,
    uuidOf(seed, 'default-message', customer.id, 1),
    'message',
    defaultMessages[1].replace(' at {time}', ''),
  );
  change(tables.sensor, spareUuid(seed, customer, 1), 'status', 1);
  for (const site of sites.slice(1, 3)) change(tables.ruleAlert, site.silentAlertUuid, 'ind_ack', false);
  // Managers cannot change users of their own level, so the owner makes the changes to users.
  for (const one of changes) if (one.table === tables.user) one.by = owner;
  return changes.sort((a, b) => a.at - b.at);
}

/**
 * Returns the rows as they were before the changes, without the rows that a change creates. Stores the later values in
 * `changes`.
 */
export function holdBack<T extends Table>(table: T, rows: readonly Row<T>[], changes: readonly Change[]): Row<T>[] {
  const mine = new Map(changes.filter((change) => change.table === table).map((change) => [change.uuid, change]));
  if (mine.size === 0) return [...rows];
  return rows.flatMap((row) => {
    const change = mine.get((row as Record<string, unknown>).uuid as string);
    if (!change) return [row];
    if (change.column === undefined) {
      change.row = { ...row, created_at: change.at };
      return [];
    }
    change.after = (row as Record<string, unknown>)[change.column];
    return [{ ...row, [change.column]: change.before }];
  });
}

/** Applies the changes in order, each by its user and at its time. Returns the number of changes. */
export async function makeChanges(tx: Tx, changes: readonly Change[]): Promise<number> {
  const made = changes.filter((change) => change.row !== undefined || change.after !== undefined);
  // The first version of a rule must have the creation time of the rule.
  await tx.query(
    'update tocsin.rule_version v set created_at = r.created_at from tocsin.rule r where r.uuid = v.rule_uuid and v.version = 1',
  );
  for (const { at, by, customer, table, uuid, column, after, row } of made) {
    await tx.query(
      `select set_config('tocsin.now', $1, true), set_config('tocsin.user_uuid', $2, true), set_config('tocsin.customer_uuid', $3, true)`,
      [new Date(at).toISOString(), by.uuid, customer.uuid],
    );
    if (row) await insert(tx, table, [row]);
    else await tx.query(`update ${table.name} set ${column} = $2 where uuid = $1`, [uuid, after]);
  }
  // Discards the work that these changes queued for the engine. All open alarms opened after the changes, so they
  // already have the current rule version.
  await tx.query('delete from tocsin_private.alarm_work');
  await tx.query(`select set_config('tocsin.user_uuid', '', true), set_config('tocsin.customer_uuid', '', true)`);
  return made.length;
}
