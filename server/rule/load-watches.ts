import { compileConditions } from '../../domain/rule/conditions.ts';
import { limitsOf } from '../../domain/rule/limits.ts';
import type { Transaction } from '../platform/database.ts';
import { type ConditionsWatch, shardOf, type Watch } from './watch.ts';

interface WatchRow {
  kind: Watch['kind'];
  uuid: string;
  version: number;
  evaluates_since: number;
  sensor: string | null;
  datapoint: string | null;
  lower: number | null;
  upper: number | null;
  clear_lower: number | null;
  clear_upper: number | null;
  debounce: number;
  condition: number | null;
  rule_json: string | null;
}

/** SQL that selects the rules to evaluate. Skips rules with limits and digital alarms whose sensor is not active. */
const selectWatches = (where: Readonly<Record<Watch['kind'], string>>) => `
  select 'limits' as kind, r.uuid, r.version, 1 + coalesce((select max(v.version) from tocsin.rule_version v where v.rule_uuid = r.uuid
      and (v.value_lower, v.value_upper, v.clear_lower, v.clear_upper, v.debounce, v.tocsin_datapoint_uuid)
        is distinct from (r.value_lower, r.value_upper, r.clear_lower, r.clear_upper, r.debounce, r.tocsin_datapoint_uuid)), 0) as evaluates_since,
    d.tocsin_sensor_uuid as sensor, d.uuid as datapoint, r.value_lower as lower,
    r.value_upper as upper, r.clear_lower, r.clear_upper, r.debounce, null::int as condition, null as rule_json
  from tocsin.rule r join tocsin.asset_datapoint d on d.uuid = r.tocsin_datapoint_uuid
  join tocsin.sensor e on e.uuid = d.tocsin_sensor_uuid
  where r.enabled and e.status = 1 and ${where.limits}
  union all
  select 'digital', d.uuid, 1, 1, d.tocsin_sensor_uuid, d.uuid, null, null, null, null, 0, c.channel_alarm_condition, null
  from tocsin.asset_datapoint d join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
  join tocsin.sensor e on e.uuid = d.tocsin_sensor_uuid
  where d.sensor_type = 1 and c.channel_alarm_condition in (0, 1) and e.status = 1 and ${where.digital}
  union all
  select 'conditions', j.uuid, j.version, j.version, null, null, null, null, null, null, 0, null, j.rule_json
  from tocsin.rules_json j join tocsin.site s on s.tocsin_customer_uuid = j.tocsin_customer_uuid and s.site_id = j.site_id
  where j.enabled and ${where.conditions}`;

/** Selects rules by sensor. Rules by uuid have a separate query, because one query with `or` would read every rule. */
const OF_SENSORS = selectWatches({
  limits: 'd.tocsin_sensor_uuid = any ($1::uuid[])',
  digital: 'd.tocsin_sensor_uuid = any ($1::uuid[])',
  conditions: `s.uuid in (
    select a.tocsin_site_uuid from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
    where d.tocsin_sensor_uuid = any ($1::uuid[]))`,
});
const THEMSELVES = selectWatches({
  limits: 'r.uuid = any ($1::uuid[])',
  digital: 'd.uuid = any ($1::uuid[])',
  conditions: 'j.uuid = any ($1::uuid[])',
});

export interface Watches {
  byUuid: Map<string, Watch>;
  /** Rules, keyed by data point. A multi-condition rule is listed under each of its data points. */
  byDatapoint: Map<string, Watch[]>;
}

/** Compiled conditions, keyed by rule uuid. Each version of a rule is compiled only once. */
const compiled = new Map<string, { version: number; watch: ConditionsWatch | undefined }>();

/** Loads the rules of the given sensors, or the rules with the given uuids. */
export async function loadWatches(
  tx: Transaction,
  wanted: { sensors: readonly string[] } | { watches: readonly string[] },
): Promise<Watches> {
  const [query, uuids] = 'sensors' in wanted ? [OF_SENSORS, wanted.sensors] : [THEMSELVES, wanted.watches];
  const { rows } = await tx.query<WatchRow>(query, [uuids]);
  const found: Watches = { byUuid: new Map(), byDatapoint: new Map() };
  for (const row of rows) {
    const watch = row.kind === 'conditions' ? conditionsOf(row) : watchOf(row);
    if (!watch) continue;
    found.byUuid.set(watch.uuid, watch);
    const datapoints = watch.kind === 'conditions' ? watch.rule.datapoints : [row.datapoint as string];
    for (const datapoint of datapoints) {
      const others = found.byDatapoint.get(datapoint);
      if (others) others.push(watch);
      else found.byDatapoint.set(datapoint, [watch]);
    }
  }
  return found;
}

function watchOf(row: WatchRow): Watch {
  const { uuid, version, evaluates_since: evaluatesSince } = row;
  const common = { uuid, version, evaluatesSince, shard: shardOf(row.sensor as string), holdMs: row.debounce * 1000 };
  if (row.kind === 'digital') return { kind: 'digital', ...common, alarmCondition: row.condition as number };
  const { lower, upper, clear_lower: clearLower, clear_upper: clearUpper } = row;
  return { kind: 'limits', ...common, limits: limitsOf({ lower, upper, clearLower, clearUpper }) };
}

/**
 * Compiles conditions; returns undefined if they are invalid. The API refuses invalid conditions, but if the database
 * contains them anyway, the rule is not evaluated.
 */
function conditionsOf({ uuid, version, rule_json }: WatchRow): ConditionsWatch | undefined {
  const known = compiled.get(uuid);
  if (known?.version === version) return known.watch;
  const result = compileConditions(rule_json ?? '');
  const watch: ConditionsWatch | undefined = result.ok
    ? {
        kind: 'conditions',
        uuid,
        version,
        evaluatesSince: version,
        shard: shardOf(uuid),
        holdMs: result.rule.holdMs,
        rule: result.rule,
      }
    : undefined;
  compiled.set(uuid, { version, watch });
  return watch;
}
