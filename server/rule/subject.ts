import { compileConditions } from '../../domain/rule/conditions.ts';
import { conditionsWords } from '../../domain/rule/conditions-words.ts';
import type { ConditionPoint } from '../../domain/rule/context.ts';
import { limitsOf, placeState } from '../../domain/rule/limits.ts';
import { type ReplayRule, ruleOfLimits } from '../../domain/rule/replay.ts';
import type { Transaction } from '../platform/database.ts';
import { POINTS } from './context.ts';
import type { Watch } from './watch.ts';

/** One version of a rule and the period in which it was active. */
export interface SubjectVersion {
  version: number;
  since: number;
  until: number;
  enabled: boolean;
  changedBy: string;
  lower: number | null;
  upper: number | null;
  clearLower: number | null;
  clearUpper: number | null;
  /** The conditions as a sentence; null for rules without conditions. */
  words: string | null;
  holdMs: number;
  /** Data points that this version evaluates. Only multi-condition rules can have several. */
  datapoints: readonly string[];
  rule: ReplayRule;
  /**
   * Returns whether the newest values of the data points meet the conditions. Undefined for rules without conditions.
   */
  holds?: (latest: (datapointUuid: string) => number | undefined) => boolean;
}

/** A rule with its versions, and the sensors whose status determines whether the rule is evaluated. */
export interface Subject {
  kind: Watch['kind'];
  name: string;
  deleted: boolean;
  sensors: { uid: string; status: number; changedAt: number }[];
  versions: SubjectVersion[];
}

const MILLISECONDS = (column: string) => `extract(epoch from ${column})::float8 * 1000`;

interface LimitsRow {
  version: number;
  since: number;
  made: number | null;
  now_version: number | null;
  name: string;
  enabled: boolean;
  changed_by: string;
  lower: number | null;
  upper: number | null;
  clear_lower: number | null;
  clear_upper: number | null;
  debounce: number;
  datapoint: string;
  uid: string | null;
  status: number | null;
  sensor_changed: number | null;
}

/**
 * Loads a rule with limits, a digital alarm or a multi-condition rule. Returns undefined if the user is not allowed to
 * see it.
 */
export async function loadSubject(tx: Transaction, uuid: string): Promise<Subject | undefined> {
  return (await limitsSubject(tx, uuid)) ?? (await digitalSubject(tx, uuid)) ?? (await conditionsSubject(tx, uuid));
}

async function limitsSubject(tx: Transaction, uuid: string): Promise<Subject | undefined> {
  const { rows } = await tx.query<LimitsRow>(
    `select v.version, ${MILLISECONDS('v.created_at')} as since, ${MILLISECONDS('r.created_at')} as made, r.version as now_version,
       v.name, v.enabled, v.changed_by, v.value_lower as lower, v.value_upper as upper, v.clear_lower, v.clear_upper, v.debounce,
       v.tocsin_datapoint_uuid as datapoint, e.uid, e.status, ${MILLISECONDS('e.updated_at')} as sensor_changed
     from tocsin.rule_version v left join tocsin.rule r on r.uuid = v.rule_uuid
     left join tocsin.asset_datapoint d on d.uuid = v.tocsin_datapoint_uuid left join tocsin.sensor e on e.uuid = d.tocsin_sensor_uuid
     where v.rule_uuid = $1 order by v.version`,
    [uuid],
  );
  const newest = rows.at(-1);
  if (!newest) return undefined;
  const versions = rows.map((row, index): SubjectVersion => {
    const { version, enabled, lower, upper } = row;
    const { clear_lower: clearLower, clear_upper: clearUpper } = row;
    const holdMs = row.debounce * 1000;
    return {
      ...{ version, enabled, lower, upper, clearLower, clearUpper, holdMs },
      // A rule can be older than the table of versions. Its first version then starts at the creation of the rule.
      since: index === 0 ? Math.min(row.since, row.made ?? row.since) : row.since,
      until: rows[index + 1]?.since ?? Number.POSITIVE_INFINITY,
      changedBy: row.changed_by,
      words: null,
      datapoints: [row.datapoint],
      rule: ruleOfLimits(limitsOf({ lower, upper, clearLower, clearUpper }), holdMs),
    };
  });
  const { name, uid, status, sensor_changed: changedAt } = newest;
  const sensors = uid !== null && status !== null ? [{ uid, status, changedAt: changedAt ?? 0 }] : [];
  return { kind: 'limits', name, deleted: newest.now_version === null, sensors, versions };
}

const WITHOUT_LIMITS = { lower: null, upper: null, clearLower: null, clearUpper: null, changedBy: '' } as const;

async function digitalSubject(tx: Transaction, uuid: string): Promise<Subject | undefined> {
  const { rows } = await tx.query<{
    name: string;
    since: number;
    condition: number;
    uid: string;
    status: number;
    changed: number;
  }>(
    `select coalesce(nullif(c.channel_title_text, ''), c.name) as name, ${MILLISECONDS('d.created_at')} as since,
       c.channel_alarm_condition::int as condition, e.uid, e.status, ${MILLISECONDS('e.updated_at')} as changed
     from tocsin.asset_datapoint d join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
     join tocsin.sensor e on e.uuid = d.tocsin_sensor_uuid where d.uuid = $1 and d.sensor_type = 1`,
    [uuid],
  );
  const row = rows[0];
  if (!row) return undefined;
  const { name, since, condition, uid, status, changed } = row;
  const version: SubjectVersion = {
    ...WITHOUT_LIMITS,
    version: 1,
    since,
    until: Number.POSITIVE_INFINITY,
    enabled: condition !== 2,
    words: null,
    holdMs: 0,
    datapoints: [uuid],
    rule: { holdMs: 0, place: (value) => placeState(condition, value) },
  };
  return {
    kind: 'digital',
    name,
    deleted: false,
    sensors: [{ uid, status, changedAt: changed }],
    versions: [version],
  };
}

interface ConditionsRow {
  name: string;
  version: number;
  enabled: boolean;
  since: number;
  rule_json: string;
}

interface SensorRow {
  uid: string;
  status: number;
  changed: number;
}

/**
 * Loads a multi-condition rule. Earlier versions of such a rule are not stored, so the current version covers the
 * rule's whole lifetime.
 */
async function conditionsSubject(tx: Transaction, uuid: string): Promise<Subject | undefined> {
  const { rows } = await tx.query<ConditionsRow>(
    `select j.rule_name as name, j.version, j.enabled, ${MILLISECONDS('j.created_at')} as since, j.rule_json
     from tocsin.rules_json j where j.uuid = $1`,
    [uuid],
  );
  const row = rows[0];
  const compiled = compileConditions(row?.rule_json ?? '');
  if (!row || !compiled.ok) return undefined;
  const { datapoints, holdMs, tree, holds } = compiled.rule;
  const { rows: sensors } = await tx.query<SensorRow>(
    `select distinct e.uid, e.status, ${MILLISECONDS('e.updated_at')} as changed
     from tocsin.asset_datapoint d join tocsin.sensor e on e.uuid = d.tocsin_sensor_uuid where d.uuid = any ($1::uuid[])`,
    [datapoints],
  );
  const { rows: named } = await tx.query<{ points: Record<string, ConditionPoint> }>(
    `select ${POINTS('d.uuid = any ($1::uuid[])')} as points`,
    [datapoints],
  );
  const words = conditionsWords(tree, (datapoint) => named[0]?.points[datapoint]);
  const { name, version, enabled, since } = row;
  const only: SubjectVersion = {
    ...WITHOUT_LIMITS,
    ...{ version, enabled, since, words, holdMs, holds },
    until: Number.POSITIVE_INFINITY,
    datapoints,
    rule: { holdMs, place: (held) => (held === 1 ? 'alarm' : 'inside') },
  };
  return {
    kind: 'conditions',
    name,
    deleted: false,
    sensors: sensors.map(({ uid, status, changed }) => ({ uid, status, changedAt: changed })),
    versions: [only],
  };
}
