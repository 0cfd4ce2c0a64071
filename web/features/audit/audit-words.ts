/** The nouns of which changes are on record, in the words of the console. */
export const nounWords: Readonly<Record<string, string>> = {
  action: 'Action',
  alarm: 'Alarm',
  alarm_default_message: 'Alarm default message',
  asset: 'Asset',
  asset_datapoint: 'Data point',
  credential: 'Password',
  customer: 'Customer',
  device_token: 'Device token',
  group: 'Group',
  partner: 'Partner',
  password_code: 'Code for a new password',
  password_link: 'Link for a password',
  reason: 'Reason',
  reply_message: 'Sensor command',
  rule: 'Rule',
  rule_alert: 'Rule alert',
  rule_alert_user: 'Alert user',
  rule_escalate_user: 'Escalate user',
  rules_json: 'Rules JSON',
  sensor: 'Sensor',
  sensor_channel: 'Sensor channel',
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
  request: 'asked for',
  record: '',
};

/** `site.update` reads `Site changed`. An action of a later version is shown as it is rather than guessed at. */
export function actionWords(action: string): string {
  const [noun = '', verb = ''] = action.split('.');
  const words = nounWords[noun];
  const did = verbs[verb];
  return words && did !== undefined ? `${words} ${did}`.trim() : action;
}

/** The fields by which people call a thing, most telling first. */
const names = [
  'name',
  'display_name',
  'tocsin_datapoint_name',
  'uid',
  'tocsin_rule_name',
  'rule_name',
  'reason',
  'message',
  'email',
];

/** The fields by which a thing without a name of its own, such as a link, says what it joins; most telling first. */
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

/** The fields that say where a thing with a name of its own is: many rules and assets share theirs. */
const places = ['tocsin_sensor_uuid', 'tocsin_site_uuid'];

type Names = ReadonlyMap<string, string>;
const noNames: Names = new Map();

/**
 * What the changed thing is called, as it was called last, and where it is. One without a name of its own is called by what
 * it joins. Both as far as the names are known; empty where nothing is.
 */
export function subjectOf(before: unknown, after: unknown, known: Names = noNames): string {
  const others = joinedBy(before, after).flatMap((key) => known.get(key) ?? []);
  // Signing in and out: from where is what people look for.
  if (recordOf(after)?.device !== undefined) others.push(...valuesOf(before, after, ['address', 'device']));
  return [...valuesOf(before, after, names).slice(0, 1), ...others].join(', ');
}

/** The keys of where a thing with a name of its own is, and of what any other joins. */
export function joinedBy(before: unknown, after: unknown): string[] {
  return valuesOf(before, after, valuesOf(before, after, names).length > 0 ? places : links);
}

/** The nouns that the keys of others point at and that have a name of their own. */
export const namedNouns = 'site user group asset sensor sensor_channel asset_datapoint rule_alert reason'.split(' ');

interface Recorded {
  rowKey: string;
  before: unknown;
  after: unknown;
}

/** What things that are gone were called last, out of their own rows in the trail, newest first. */
export function goneNames(rows: readonly Recorded[]): Map<string, string> {
  const named = rows.flatMap(({ rowKey, before, after }) => {
    const name = subjectOf(before, after);
    return name === '' ? [] : [[rowKey, name] as const];
  });
  return new Map(named.toReversed());
}

/** Whom the trail can be narrowed to: those who are there, then those who have rows and are deleted. */
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

/** A column's name in words: `tocsin_health_duration_hours` reads `Health duration hours`, `site_id` reads `Site ID`. */
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
