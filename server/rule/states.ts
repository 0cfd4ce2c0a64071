import type { RuleState } from '../../domain/rule/step.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import type { Watch } from './watch.ts';

/** Stored state of a rule that is pending, open or clearing. A normal rule has no row. */
export interface StoredState extends RuleState {
  readonly kind: Watch['kind'];
  readonly shard: number;
  /** Version of the rule at the last evaluation. */
  readonly version: number;
  /** Server time at which the debounce ends if no further reading arrives; undefined if no debounce is running. */
  readonly dueAt: number | undefined;
  readonly value: number | undefined;
  readonly alarmUuid: string | undefined;
}

interface StateRow {
  uuid: string;
  kind: Watch['kind'];
  shard: number;
  version: number;
  phase: RuleState['phase'];
  since: number;
  opened_at: number;
  due_at: number | null;
  value: number | null;
  alarm_uuid: string | null;
}

const SELECT_STATES = `
  select watch_uuid as uuid, kind, shard, version, phase, round(extract(epoch from since) * 1000)::float8 as since,
    round(extract(epoch from opened_at) * 1000)::float8 as opened_at, round(extract(epoch from due_at) * 1000)::float8 as due_at,
    value, alarm_uuid
  from tocsin_private.rule_state`;

export async function readStates(
  tx: Transaction,
  where: string,
  values: readonly unknown[],
): Promise<Map<string, StoredState>> {
  const { rows } = await tx.query<StateRow>(`${SELECT_STATES} where ${where}`, values);
  return new Map(
    rows.map(({ uuid, kind, shard, version, phase, since, opened_at, due_at, value, alarm_uuid }) => [
      uuid,
      {
        kind,
        shard,
        version,
        phase,
        since,
        openedAt: opened_at,
        dueAt: due_at ?? undefined,
        value: value ?? undefined,
        alarmUuid: alarm_uuid ?? undefined,
      },
    ]),
  );
}

/**
 * Writes changed states. An undefined state means normal and deletes the row. Increments the versions of the shards, so
 * that other processes reload them.
 */
export async function writeStates(
  tx: Transaction,
  changed: ReadonlyMap<string, StoredState | undefined>,
  shards: readonly number[],
): Promise<Map<number, string>> {
  const rows: object[] = [];
  const gone: string[] = [];
  for (const [uuid, state] of changed) {
    if (state) rows.push({ uuid, ...state });
    else gone.push(uuid);
  }
  const { rows: bumped } = await tx.query<{ shard: number; version: string }>(
    `with gone as (delete from tocsin_private.rule_state where watch_uuid = any ($2::uuid[])),
     put as (
       insert into tocsin_private.rule_state as s
         (watch_uuid, kind, shard, version, phase, since, opened_at, due_at, value, alarm_uuid)
       select uuid, kind, shard, version, phase, to_timestamp(since / 1000), to_timestamp("openedAt" / 1000),
         to_timestamp("dueAt" / 1000), value, "alarmUuid"
       from ${recordset('r', { uuid: 'uuid', kind: 'text', shard: 'smallint', version: 'int', phase: 'text', since: 'float8', openedAt: 'float8', dueAt: 'float8', value: 'float8', alarmUuid: 'uuid' })}
       on conflict (watch_uuid) do update set kind = excluded.kind, shard = excluded.shard, version = excluded.version,
         phase = excluded.phase, since = excluded.since, opened_at = excluded.opened_at, due_at = excluded.due_at,
         value = excluded.value, alarm_uuid = excluded.alarm_uuid)
     update tocsin_private.evaluator_shard set version = version + 1 where shard = any ($3::smallint[])
     returning shard, version::text`,
    [JSON.stringify(rows), gone, shards],
  );
  return new Map(bumped.map(({ shard, version }) => [shard, version]));
}
