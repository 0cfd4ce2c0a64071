import { randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from '../../server/platform/database.ts';

export type Row = Record<string, any>;

/** Two rows: one at the site to which the operator is linked, and one at another site. */
export interface Pair {
  linked: Row;
  other?: Row;
}

/** A customer with rows in every table, at two sites. */
export interface Plant {
  customer: Row;
  people: { owner: Row; manager: Row; operator: Row; partner: Row };
  rows: Record<string, Pair>;
  /** For each table, a function that returns valid values for one more row. */
  fresh: Record<string, (where: 'linked' | 'other') => Row>;
}

const when = '2026-03-02T08:00:00Z';
let counter = 0;
const unique = (prefix: string) => `${prefix}${++counter}`;

async function insert(tx: Transaction, table: string, values: Row): Promise<Row> {
  const columns = Object.keys(values);
  const { rows } = await tx.query(
    `insert into ${table} as t (${columns.map((column) => `"${column}"`).join(', ')})
     values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning to_jsonb(t) as row`,
    Object.values(values),
  );
  return rows[0]!.row;
}

/** Creates a customer with rows in every table. Runs as tocsin_service. */
export async function buildPlant(tx: Transaction): Promise<Plant> {
  const partner = await insert(tx, 'tocsin.partner', { name: unique('Partner ') });
  const customer = await insert(tx, 'tocsin.customer', {
    tocsin_partner_id: partner.id,
    name: unique('Customer '),
    table_name: unique('customer_'),
  });
  const c = { tocsin_customer_uuid: customer.uuid };
  const later = '2026-04-01T00:00:00Z';
  const rows: Record<string, Pair> = {};
  const fresh: Plant['fresh'] = {};

  /**
   * Inserts one row of this table at each site. Stores `make` in `fresh`, so that tests can create another row later.
   */
  const table = async (name: string, make: (where: 'linked' | 'other') => Row, schema = 'tocsin') => {
    const linked = await insert(tx, `${schema}.${name}`, { ...c, ...make('linked') });
    const other = await insert(tx, `${schema}.${name}`, { ...c, ...make('other') });
    rows[name] = { linked, other };
    fresh[name] = (where) => ({ ...c, ...make(where) });
  };
  const of = (name: string, where: 'linked' | 'other'): Row => rows[name]![where]!;

  rows.partner = { linked: partner };
  rows.customer = { linked: customer };
  fresh.partner = () => ({ name: unique('Partner ') });
  fresh.customer = () => ({
    tocsin_partner_id: partner.id,
    name: unique('Customer '),
    table_name: unique('customer_'),
  });

  const person = (level: number, partnerAccount = false) => {
    const name = unique('person');
    return {
      username: name,
      display_name: name,
      email: `${name}@plant.example`,
      level,
      tocsin_partner_account: partnerAccount,
    };
  };
  const owner = await insert(tx, 'tocsin.user', { ...c, ...person(0) });
  const manager = await insert(tx, 'tocsin.user', { ...c, ...person(5) });
  const partnerAccount = await insert(tx, 'tocsin.user', { ...c, ...person(5, true) });
  const operator = await insert(tx, 'tocsin.user', { ...c, ...person(20) });
  rows.user = { linked: operator, other: await insert(tx, 'tocsin.user', { ...c, ...person(30) }) };
  fresh.user = () => ({ ...c, ...person(40) });
  const user = (where: 'linked' | 'other') => of('user', where).uuid;

  await table('group', () => ({ level: 5, name: unique('Office ') }));
  await table('site', (where) => ({
    site_id: unique('PS-'),
    name: unique('Site '),
    tocsin_group5_uuid: of('group', where).uuid,
  }));
  const site = (where: 'linked' | 'other') => of('site', where).uuid;
  const anyUser = async () => (await insert(tx, 'tocsin.user', { ...c, ...person(50) })).uuid;
  const spare = [await anyUser(), await anyUser()];

  rows.site_user = {
    linked: await insert(tx, 'tocsin.site_user', {
      ...c,
      tocsin_site_uuid: site('linked'),
      tocsin_user_uuid: operator.uuid,
    }),
    other: await insert(tx, 'tocsin.site_user', {
      ...c,
      tocsin_site_uuid: site('other'),
      tocsin_user_uuid: user('other'),
    }),
  };
  fresh.site_user = (where) => ({ ...c, tocsin_site_uuid: site(where), tocsin_user_uuid: spare[0] });

  await table('sensor', () => ({ uid: unique('NM-'), sensor_type: 2 }));
  const sensor = (where: 'linked' | 'other') => of('sensor', where).uuid;
  await table('sensor_channel', (where) => ({
    tocsin_sensor_uuid: sensor(where),
    name: 'Level',
    channel_number: ++counter,
  }));
  await table('asset', (where) => ({ tocsin_site_uuid: site(where), name: unique('Pump ') }));
  const asset = (where: 'linked' | 'other') => of('asset', where).uuid;
  await table('asset_datapoint', (where) => ({
    tocsin_asset_uuid: asset(where),
    tocsin_sensor_uuid: sensor(where),
    tocsin_sensor_channel_uuid: of('sensor_channel', where).uuid,
    tocsin_datapoint_name: unique('Level '),
    sensor_type: 2,
  }));
  // Adds a second asset at each site, so that a new data point is unique.
  const spareAsset = {
    linked: await insert(tx, 'tocsin.asset', { ...c, tocsin_site_uuid: site('linked'), name: unique('Spare ') }),
    other: await insert(tx, 'tocsin.asset', { ...c, tocsin_site_uuid: site('other'), name: unique('Spare ') }),
  };
  const freshDatapoint = fresh.asset_datapoint!;
  fresh.asset_datapoint = (where) => ({ ...freshDatapoint(where), tocsin_asset_uuid: spareAsset[where].uuid });

  const watched = (where: 'linked' | 'other') => ({
    tocsin_site_uuid: site(where),
    tocsin_asset_uuid: asset(where),
    tocsin_datapoint_uuid: of('asset_datapoint', where).uuid,
  });
  await table('rule', (where) => ({ ...watched(where), name: unique('High '), value_upper: 4.5 }));
  const judged = (where: 'linked' | 'other') => ({
    tocsin_site_uuid: site(where),
    tocsin_datapoint_uuid: of('asset_datapoint', where).uuid,
  });
  await table('rule_version', (where) => ({
    ...judged(where),
    rule_uuid: of('rule', where).uuid,
    version: 1 + ++counter,
    name: 'High',
    value_upper: 4.5,
    debounce: 0,
    priority: 'medium',
    enabled: true,
    message: '',
  }));
  await table('rule_alert', (where) => ({ tocsin_site_uuid: site(where), tocsin_rule_name: unique('High ') }));
  const alert = (where: 'linked' | 'other') => of('rule_alert', where).uuid;
  await table('rule_alert_user', (where) => ({ tocsin_rule_alert_uuid: alert(where), tocsin_user_uuid: user(where) }));
  fresh.rule_alert_user = (where) => ({ ...c, tocsin_rule_alert_uuid: alert(where), tocsin_user_uuid: spare[0] });
  await table('rule_escalate_user', (where) => ({
    tocsin_rule_alert_uuid: alert(where),
    tocsin_user_uuid: user(where),
  }));
  fresh.rule_escalate_user = (where) => ({ ...c, tocsin_rule_alert_uuid: alert(where), tocsin_user_uuid: spare[0] });
  await table('reason', (where) => ({ rule_uuid: alert(where), reason: unique('Blocked ') }));
  const spareReason = await insert(tx, 'tocsin.reason', { ...c, rule_uuid: alert('linked'), reason: unique('Spare ') });
  await table('site_reason', (where) => ({
    tocsin_reason_uuid: of('reason', where).uuid,
    tocsin_site_uuid: site(where),
  }));
  fresh.site_reason = (where) => ({ ...c, tocsin_reason_uuid: spareReason.uuid, tocsin_site_uuid: site(where) });
  await table('user_reason', (where) => ({
    tocsin_reason_uuid: of('reason', where).uuid,
    tocsin_site_uuid: site(where),
    tocsin_user_uuid: user(where),
  }));
  fresh.user_reason = (where) => ({
    ...c,
    tocsin_reason_uuid: spareReason.uuid,
    tocsin_site_uuid: site(where),
    tocsin_user_uuid: spare[1],
  });
  await table('rules_json', (where) => ({
    rule_name: unique('Both '),
    site_id: of('site', where).site_id,
    rule_json: JSON.stringify({
      conditions: { all: [{ fact: of('asset_datapoint', where).uuid, operator: 'greaterThan', value: 4 }] },
      event: { type: 'alarm' },
    }),
  }));
  // The first default message is in use and cannot be deleted. The tests therefore delete the default messages that the
  // next statement adds.
  await insert(tx, 'tocsin.alarm_default_message', { ...c, message: unique('{site} ') });
  await table('alarm_default_message', () => ({ message: unique('{site} ') }));
  await table('action', (where) => ({ ...watched(where), action: 1, notify_to: user(where) }));
  await table('alarm', (where) => ({
    tocsin_site_uuid: site(where),
    site_name: 'Site',
    message: unique('High level '),
    date_time: when,
  }));
  const alarm = (where: 'linked' | 'other') => of('alarm', where).uuid;
  await table('alarm_event', (where) => ({
    tocsin_alarm_uuid: alarm(where),
    at: when,
    kind: 'opened',
    sentence: 'Level was 5 m.',
  }));
  await table('rule_transition', (where) => ({
    ...judged(where),
    watch_uuid: of('rule', where).uuid,
    rule_name: 'High',
    rule_version: 1,
    from_phase: 'normal',
    to_phase: 'open',
    because: 'above-upper',
    at: when,
    noticed_at: when,
    tocsin_alarm_uuid: alarm(where),
  }));
  await table('dependency', (where) => ({ tocsin_rule_uuid: of('rule', where).uuid, cause_site_uuid: site(where) }));
  const spareRule = {
    linked: await insert(tx, 'tocsin.rule', { ...c, ...watched('linked'), name: unique('Power '), value_upper: 4.5 }),
    other: await insert(tx, 'tocsin.rule', { ...c, ...watched('other'), name: unique('Power '), value_upper: 4.5 }),
  };
  fresh.dependency = (where) => ({
    ...c,
    tocsin_rule_uuid: of('rule', where).uuid,
    cause_rule_uuid: spareRule[where].uuid,
  });
  await table('shelving', (where) => ({
    ...{ scope: 'asset', target_uuid: randomUUID(), tocsin_site_uuid: site(where) },
    ...{
      target_name: 'Pump',
      site_name: 'Mill',
      user_name: 'Somebody',
      reason: 'Work',
      created_at: when,
      until: later,
    },
  }));
  await table('maintenance_window', (where) => ({
    ...{ name: unique('Service '), scope: 'site', target_uuid: randomUUID(), tocsin_site_uuid: site(where) },
    ...{ target_name: 'Mill', site_name: 'Mill', user_name: 'Somebody', suppresses: 'alarms', repeats: 'once' },
    ...{ first_day: '2026-11-17', from_time: '08:00', to_time: '12:00' },
  }));
  await table('maintenance_occurrence', (where) => ({
    ...{ tocsin_maintenance_window_uuid: of('maintenance_window', where).uuid, target_uuid: randomUUID() },
    ...{ starts_at: when, ends_at: later },
  }));
  await table('rota', () => ({ name: unique('Rota ') }));
  const layer = {
    ...{ name: 'Primary', position: 1, turn_hours: 168, first_day: '2026-03-02' },
    ...{ handover_time: '08:00', time_zone: 'Europe/London' },
  };
  await table('rota_layer', (where) => ({ ...layer, tocsin_rota_uuid: of('rota', where).uuid }));
  const ofLayer = (where: 'linked' | 'other') => ({ tocsin_rota_layer_uuid: of('rota_layer', where).uuid });
  await table('rota_layer_person', (where) => ({
    ...{ ...ofLayer(where), position: 1, person_name: 'Somebody' },
    person_uuid: rows.rota_layer_person ? randomUUID() : user(where),
  }));
  const shift = { starts_at: when, ends_at: later };
  await table('rota_override', (where) => ({
    ...{ ...ofLayer(where), ...shift, off_uuid: randomUUID(), off_name: 'Somebody', user_name: 'Somebody' },
  }));
  await table('rota_gap', (where) => ({ ...ofLayer(where), ...shift, user_name: 'Somebody' }));
  await table('rota_swap', (where) => ({
    ...{ ...ofLayer(where), ...shift, asker_uuid: user(where), asker_name: 'Somebody' },
    ...{ colleague_uuid: randomUUID(), colleague_name: 'Anybody' },
  }));
  await table('rule_step', (where) => ({
    ...{ tocsin_rule_alert_uuid: alert(where), step: 3, wait_minutes: 20, repeat_count: 1, repeat_minutes: 10 },
  }));
  await table('rule_step_recipient', (where) => ({ tocsin_rule_alert_uuid: alert(where), step: 1, ...ofLayer(where) }));
  await table('alarm_flood', (where) => ({
    ...{ tocsin_site_uuid: site(where), tocsin_alarm_uuid: alarm(where), place_name: 'Mill', first_message: 'High' },
    ...{ first_site_name: 'Mill', began_at: when, ends_at: later, last_alarm_at: when, alarms: 11 },
  }));
  await table('destination', (where) => ({
    ...{ name: unique('Desk '), kind: 'webhook', tocsin_site_uuid: site(where), host: 'hooks.plant.example' },
  }));
  await table('destination_delivery', (where) => ({
    ...{ tocsin_destination_uuid: of('destination', where).uuid, event: 'test' },
  }));
  await table('push_subscription', (where) => ({
    tocsin_user_uuid: user(where),
    endpoint: `https://push.example/${unique('browser-')}`,
    subscription: '{"endpoint":"https://push.example","keys":{}}',
  }));
  await table('notification', (where) => ({
    tocsin_site_uuid: site(where),
    recipient_name: 'Somebody',
    address: 'somebody@plant.example',
    method_type: 1,
    message_type: 1,
    notify_message: 'High level',
    notify_time: when,
  }));
  await table('incoming_sensor_log', (where) => ({
    uid: of('sensor', where).uid,
    raw_data: 'level=4',
    date_time: when,
  }));
  await table('reply_message', (where) => ({ uid: of('sensor', where).uid, reply_command: 'REBOOT' }));
  await table('health_slot', (where) => ({
    tocsin_site_uuid: site(where),
    slot_start: new Date(Date.parse(when) + ++counter * 3_600_000).toISOString(),
  }));
  await table('health_week', (where) => ({
    tocsin_site_uuid: site(where),
    week: ++counter,
    hours: '1'.padEnd(168, '0'),
  }));
  await table('outbox', () => ({ method_type: 1, address: 'somebody@plant.example', body: 'Hello' }));
  await table('audit', () => ({
    user_display_name: 'Somebody',
    action: 'site.update',
    noun: 'site',
    row_key: unique('k'),
  }));
  const reading = (where: 'linked' | 'other') => ({
    channel_key: of('sensor_channel', where).key,
    device_time: new Date(Date.parse(when) + ++counter * 1000).toISOString(),
    server_time: when,
    value: 1,
  });
  rows.reading = {
    linked: await insert(tx, 'tocsin.reading', reading('linked')),
    other: await insert(tx, 'tocsin.reading', reading('other')),
  };
  fresh.reading = reading;
  for (const name of ['rollup_minute', 'rollup_hour', 'rollup_day']) {
    const rollup = (where: 'linked' | 'other') => ({
      channel_key: of('sensor_channel', where).key,
      bucket: new Date(Date.parse(when) + ++counter * 60_000).toISOString(),
      ...{ min: 1, max: 1, mean: 1, count: 1, last: 1, last_at: when },
    });
    rows[name] = {
      linked: await insert(tx, `tocsin.${name}`, rollup('linked')),
      other: await insert(tx, `tocsin.${name}`, rollup('other')),
    };
    fresh[name] = rollup;
  }

  const secretTable = async (name: string, make: (where: 'linked' | 'other') => Row) => {
    rows[name] = {
      linked: await insert(tx, `tocsin_private.${name}`, make('linked')),
      other: await insert(tx, `tocsin_private.${name}`, make('other')),
    };
    fresh[name] = make;
  };
  await secretTable('credential', (where) => ({
    user_uuid: counter++ < 0 ? spare[0] : user(where),
    password_hash: 'hash',
  }));
  fresh.credential = () => ({ user_uuid: spare[0], password_hash: 'hash' });
  await secretTable('session', (where) => ({
    token_hash: randomBytes(32),
    user_uuid: user(where),
    created_at: when,
    last_seen_at: when,
    expires_at: later,
  }));
  await secretTable('one_time_code', (where) => ({
    user_uuid: user(where),
    purpose: 'reset',
    code_hash: randomBytes(32),
    created_at: when,
    expires_at: later,
  }));
  await secretTable('pending_invitation', (where) => ({
    user_uuid: user(where),
    requested_at: when,
    next_attempt_at: when,
  }));
  fresh.pending_invitation = () => ({ user_uuid: spare[0], requested_at: when, next_attempt_at: when });
  await secretTable('secret', () => ({ name: unique('key-'), value: randomBytes(8) }));
  await secretTable('installation', () => ({ name: unique('fact-'), value: '1' }));
  await secretTable('process', () => ({
    ...{ uuid: randomUUID(), name: unique('process-'), version: '0.1.0', schema_version: '0011' },
    ...{ roles: ['web'], started_at: when, heartbeat_at: when },
  }));
  await secretTable('system_alarm', () => ({
    ...{ kind: 'process', subject: unique('process-'), sentence: 'A process is missing.', opened_at: when },
  }));
  await secretTable('backup', () => ({ finished_at: when, ok: true }));
  await secretTable('frame_minute', () => ({ minute: when, protocol: unique('protocol-'), taken: 1, refused: 0 }));
  await secretTable('database_size', () => ({
    hour: new Date(Date.parse(when) + ++counter * 3_600_000).toISOString(),
    bytes: 2,
    reading_bytes: 1,
  }));
  await secretTable('lease', () => ({ name: unique('lease-'), holder: randomUUID(), until: when, fence: 1 }));
  await secretTable('attempts', () => ({ kind: 'failuresPerAccount', key: randomBytes(32), ends_at: later }));
  await secretTable('early_receipt', () => ({
    ...{ provider: 'twilio', provider_id: unique('SM'), state: 'delivered', words: 'delivered' },
  }));
  await secretTable('inbound_message', () => ({
    ...{ provider: 'twilio', message_id: unique('SM'), address: '+447700900001', received_at: when },
  }));
  await secretTable('answer_offer', () => ({
    ...{ ...c, notification_uuid: randomUUID(), method_type: 3, address: '+447700900001', created_at: when },
  }));
  await secretTable('evaluator_shard', () => ({ shard: 100 + ++counter }));
  await secretTable('rule_state', () => ({
    watch_uuid: randomUUID(),
    kind: 'limits',
    shard: 0,
    version: 1,
    phase: 'open',
    since: when,
    opened_at: when,
  }));
  await secretTable('alarm_work', (where) => ({ kind: 'resolved', uuid: alarm(where) }));
  await secretTable('last_notified', (where) => ({
    ...{ topic: unique('topic-'), method_type: 1, address: 'someone@plant.example', alarm_uuid: alarm(where) },
    ...{ ended: false, event_time: when, noted_at: when },
  }));
  await secretTable('deferred_notification', (where) => ({
    ...{ ...c, once_key: unique('once-'), tocsin_alarm_uuid: alarm(where), tocsin_user_uuid: user(where) },
    ...{ topic: unique('topic-'), due_at: when, event_time: when, draft: '{}' },
  }));
  const dismissed = async () =>
    (await insert(tx, 'tocsin.rule', { ...c, ...watched('linked'), name: unique('Dismissed '), value_upper: 4 })).uuid;
  const spareRules = [await dismissed(), await dismissed(), await dismissed()];
  await secretTable('advice_dismissal', () => ({
    ...{
      ...c,
      rule_uuid: spareRules.pop(),
      note: 'Work',
      settings: '{}',
      nuisance: 3,
      user_name: 'Somebody',
      created_at: when,
    },
  }));
  const readers = [await anyUser(), await anyUser(), await anyUser()];
  await secretTable('report_subscription', () => ({
    ...{ ...c, tocsin_user_uuid: readers.pop(), weekday: 1, hour: 7, sent_until: when },
  }));
  await secretTable('calendar_feed', (where) => ({
    ...{ ...c, tocsin_user_uuid: user(where), tocsin_rota_uuid: of('rota', where).uuid },
    ...{ secret_hash: randomBytes(32), created_at: when },
  }));
  fresh.calendar_feed = (where) => ({
    ...c,
    tocsin_user_uuid: user(where),
    secret_hash: randomBytes(32),
    created_at: when,
  });
  await secretTable('alarm_hour', () => ({
    ...{ ...c, hour: new Date(Date.parse(when) + ++counter * 3_600_000), load: [1], seconds: [], flood_places: [] },
    ...{ critical: 0, major: 1, minor: 0, silent: 0, fleeting: 0, addressed: 0, open_seconds: [] },
    ...{ chattering_rules: [], recipients: [], recipient_alarms: [], recipient_peaks: [], recipient_acknowledged: [] },
    ...{ recipient_seconds: [], recipient_latest: [] },
  }));
  await secretTable('alarm_hour_change', () => ({ ...c, hour: when }));
  await secretTable('sms_usage', () => ({ ...c, account_uuid: randomUUID(), day: '2026-03-10' }));
  await secretTable('sms_budget_warning', () => ({
    ...{ ...c, account_uuid: randomUUID(), period: 'day', first_day: '2026-03-10' },
  }));
  await secretTable('suppressed_sms', (where) => ({
    ...{ ...c, once_key: unique('once-'), tocsin_alarm_uuid: alarm(where), tocsin_user_uuid: user(where) },
    ...{ replaced_by: '{}', draft: '{}', created_at: when },
  }));
  await secretTable('digest_audience', () => ({ ...c, key: unique('audience-'), addresses: '[]', used_at: when }));
  await secretTable('digest_entry', (where) => ({
    ...{ ...c, tocsin_alarm_uuid: alarm(where), tocsin_alarm_flood_uuid: of('alarm_flood', where).uuid, kind: 'alarm' },
    ...{ step: 0, audience: of('digest_audience', where).key, due_at: when },
  }));
  await secretTable('destination_work', (where) => ({
    ...{ ...c, tocsin_alarm_uuid: alarm(where), event: 'opened', at: when },
  }));
  await secretTable('destination_secret', (where) => ({
    ...{ ...c, tocsin_destination_uuid: of('destination', where).uuid, url: 'https://hooks.plant.example/secret' },
  }));
  await secretTable('destination_alarm', (where) => ({
    ...{ ...c, tocsin_destination_uuid: of('destination', where).uuid, tocsin_alarm_uuid: alarm(where) },
  }));
  const unnotified = await insert(tx, 'tocsin.destination', {
    ...{ ...c, name: unique('Desk '), kind: 'slack', tocsin_site_uuid: site('other'), host: 'hooks.plant.example' },
  });
  fresh.destination_secret = () => ({
    ...c,
    tocsin_destination_uuid: unnotified.uuid,
    url: 'https://hooks.plant.example/',
  });
  fresh.destination_alarm = (where) => ({
    ...c,
    tocsin_destination_uuid: unnotified.uuid,
    tocsin_alarm_uuid: alarm(where),
  });
  const waiting = await insert(tx, 'tocsin.customer', fresh.customer('linked'));
  rows.destination_turn = { linked: await insert(tx, 'tocsin_private.destination_turn', { ...c, next_at: when }) };
  fresh.destination_turn = () => ({ tocsin_customer_uuid: waiting.uuid, next_at: when });
  rows.digest_turn = { linked: await insert(tx, 'tocsin_private.digest_turn', { ...c, next_at: when }) };
  fresh.digest_turn = () => ({ tocsin_customer_uuid: waiting.uuid, next_at: when });
  await secretTable('milestone', () => ({ name: unique('milestone-'), at: when }));
  await secretTable('device_change', (where) => ({ tocsin_sensor_uuid: sensor(where) }));
  await secretTable('sensor_takeover', (where) => ({ tocsin_sensor_uuid: sensor(where), process: randomUUID() }));
  const notTaken = await insert(tx, 'tocsin.sensor', { ...c, uid: unique('NM-'), sensor_type: 2 });
  fresh.sensor_takeover = () => ({ tocsin_sensor_uuid: notTaken.uuid, process: randomUUID() });
  await secretTable('write_behind', () => ({ process: randomUUID(), written_until: when, touched_at: when }));
  await secretTable('device_token', (where) => ({
    ...c,
    tocsin_sensor_uuid: sensor(where),
    token_hash: randomBytes(32),
  }));
  // The table of migrations. Only the migrator writes its rows, and not even the server's role can read them.
  rows.migration = { linked: { name: '0001_customers_and_people.sql' } };
  fresh.migration = () => ({ name: `${randomUUID()}.sql`, checksum: 'x', applied_at: when });

  return { customer, people: { owner, manager, operator, partner: partnerAccount }, rows, fresh };
}
