/** Display names of the kinds of records in the audit trail. */
export const nounWords: Readonly<Record<string, string>> = {
  action: 'Action',
  advice_dismissal: 'Dismissed advice',
  alarm: 'Alarm',
  alarm_default_message: 'Alarm default message',
  asset: 'Asset',
  asset_datapoint: 'Data point',
  calendar_feed: 'Calendar feed',
  credential: 'Password',
  customer: 'Customer',
  dependency: 'Dependency',
  destination: 'Destination',
  destination_secret: 'URL or secret of a destination',
  device_token: 'Device token',
  group: 'Group',
  maintenance_window: 'Maintenance window',
  partner: 'Partner',
  password_code: 'Password reset code',
  password_link: 'Password link',
  reason: 'Reason',
  reply_message: 'Sensor command',
  rota: 'Rota',
  rota_gap: 'Confirmed gap of a rota',
  rota_layer: 'Layer of a rota',
  rota_layer_person: 'Person in a layer',
  rota_override: 'Override of a rota',
  rota_swap: 'Swap of shifts',
  rule: 'Rule',
  rule_alert: 'Rule alert',
  rule_alert_user: 'Recipient',
  rule_escalate_user: 'Escalation recipient',
  rule_step: 'Step of a plan',
  rule_step_recipient: 'Recipient of a step',
  rules_json: 'Rules JSON',
  sensor: 'Sensor',
  sensor_channel: 'Sensor channel',
  shelving: 'Shelving',
  sign_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_out: 'Signed out',
  site: 'Site',
  site_reason: 'Site reason',
  site_user: 'Site-user link',
  user: 'User',
  user_reason: 'User reason',
};

const verbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  request: 'requested',
  record: '',
};

/** Returns the text of an action: `Site changed` for `site.update`. Returns an unknown action unchanged. */
export function actionWords(action: string): string {
  const [noun = '', verb = ''] = action.split('.');
  const words = nounWords[noun];
  const did = verbs[verb];
  return words && did !== undefined ? `${words} ${did}`.trim() : action;
}

/** Columns that may contain a record's name, in order of preference. */
const names = [
  'name',
  'display_name',
  'tocsin_datapoint_name',
  'uid',
  'tocsin_rule_name',
  'rule_name',
  'target_name',
  'reason',
  'message',
  'email',
];

/**
 * Columns with the uuids of other records, in display order. They describe a record without a name: for example, a
 * site-user link is described by its user and its site.
 */
const links = [
  'tocsin_user_uuid',
  'user_uuid',
  'tocsin_reason_uuid',
  'tocsin_sensor_uuid',
  'sensor_uuid',
  'tocsin_rule_alert_uuid',
  'tocsin_datapoint_uuid',
  'tocsin_asset_uuid',
  'tocsin_site_uuid',
];

/**
 * Columns with the sensor and the site of a record that has a name. Their names are added, because many rules and
 * assets have the same name.
 */
const places = ['tocsin_sensor_uuid', 'tocsin_site_uuid'];

type Names = ReadonlyMap<string, string>;
const noNames: Names = new Map();

/**
 * Returns the latest name of the changed record, with its sensor and site. For a record without a name, returns the
 * names of the records that it refers to. Skips unknown names; returns an empty string if no name is known.
 */
export function subjectOf(before: unknown, after: unknown, known: Names = noNames): string {
  const others = joinedBy(before, after).flatMap((key) => known.get(key) ?? []);
  // Only rows about signing in and out have a device. Add the network address and the device to their text.
  if (recordOf(after)?.device !== undefined) others.push(...valuesOf(before, after, ['address', 'device']));
  return [...valuesOf(before, after, names).slice(0, 1), ...others].join(', ');
}

/**
 * Returns the uuids of the sensor and site of a record that has a name. For a record without a name, returns the uuids
 * of the records that it refers to.
 */
export function joinedBy(before: unknown, after: unknown): string[] {
  return valuesOf(before, after, valuesOf(before, after, names).length > 0 ? places : links);
}

/** Kinds of records that have a name and that other records can refer to. */
export const namedNouns = 'site user group asset sensor sensor_channel asset_datapoint rule_alert reason'.split(' ');

interface AuditedRow {
  rowKey: string;
  before: unknown;
  after: unknown;
}

/**
 * Returns the most recent names of deleted records, keyed by uuid. The names come from the audit rows of the records.
 * `rows` are sorted newest first.
 */
export function goneNames(rows: readonly AuditedRow[]): Map<string, string> {
  const named = rows.flatMap(({ rowKey, before, after }) => {
    const name = subjectOf(before, after);
    return name === '' ? [] : [[rowKey, name] as const];
  });
  return new Map(named.toReversed());
}

/** Returns the options of the person filter: existing users, then deleted users who have audit rows. */
export function peopleOf(
  users: readonly { uuid: string; displayName: string }[],
  recorded: readonly { uuid: string | null; name: string | null }[],
): { value: string; label: string }[] {
  const there = new Set(users.map(({ uuid }) => uuid));
  return [
    ...users.map(({ uuid, displayName }) => ({ value: uuid, label: displayName })),
    ...recorded.flatMap(({ uuid, name }) =>
      uuid === null || there.has(uuid) ? [] : { value: uuid, label: `${name ?? ''}, deleted` },
    ),
  ];
}

function valuesOf(before: unknown, after: unknown, columns: readonly string[]): string[] {
  const fields = recordOf(after) ?? recordOf(before) ?? {};
  return columns
    .map((column) => fields[column])
    .filter((value) => typeof value === 'string' && value !== '') as string[];
}

export function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/**
 * Returns the label of a column: `Health duration hours` for `tocsin_health_duration_hours`, `Site ID` for `site_id`.
 */
export function fieldWords(column: string): string {
  const words = column
    .replace(/^tocsin_/, '')
    .replace(/(.)_uuid$/, '$1')
    .replace(/group([2-5])/, 'group $1')
    .split('_')
    .map((word) => capitals[word] ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const capitals: Readonly<Record<string, string>> = {
  id: 'ID',
  uid: 'UID',
  uuid: 'UUID',
  json: 'JSON',
  gsm: 'GSM',
  sms: 'SMS',
};
