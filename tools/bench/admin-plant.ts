/** Fills every admin list of a customer with the given number of rows. */
import pg from 'pg';

/**
 * Adds rows to the demo's first customer, as a superuser and without triggers. The benchmark only reads, so it needs no
 * audit rows or rule versions. All references are valid.
 */
export async function fillAdminPlant(adminUrl: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    const [customer] = (
      await client.query("select tocsin_customer_uuid as uuid from tocsin.user where email = 'owner@demo.example'")
    ).rows;
    // Creates an SQL function that derives a uuid from a kind and a number, so that rows can refer to each other by
    // number.
    await client.query(`create function pg_temp.key(kind integer, number integer) returns uuid language sql immutable
      as $$ select (lpad(to_hex(kind), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(number), 12, '0'))::uuid $$`);
    for (const statement of statements) {
      await client.query(
        statement.replaceAll(':customer', `'${customer.uuid}'::uuid`).replaceAll(':rows', String(rows)),
      );
    }
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

const numbers = 'generate_series(1, :rows) n';
const places = `(array['Kelder', 'Mill', 'Harbour', 'Fell', 'Abbey', 'Quarry', 'Weir', 'Moor'])[1 + n % 8]`;

const statements: readonly string[] = [
  `insert into tocsin.group (uuid, tocsin_customer_uuid, level, name)
   select pg_temp.key(1, n), :customer, 2 + n % 4, ${places} || ' group ' || n from generate_series(1, :rows / 50) n`,
  `insert into tocsin.site (uuid, tocsin_customer_uuid, site_id, name, address, site_type, site_category, phone_number, site_status,
     tocsin_group5_uuid, gsm_provider, gsm_signal_strength, last_update)
   select pg_temp.key(2, n), :customer, 'BX-' || lpad(n::text, 6, '0'), ${places} || ' station ' || n, n || ' Long Lane',
     (array['Pump station', 'Reservoir', 'Cold store'])[1 + n % 3], (array['Clean', 'Waste'])[1 + n % 2], '+4420' || n, n % 4,
     pg_temp.key(1, 3 + 4 * (n % (:rows / 250))), 'Telco', -50 - n % 60, now() - n * interval '1 second'
   from ${numbers}`,
  `insert into tocsin.sensor (uuid, tocsin_customer_uuid, uid, status, sensor_type, description, last_contact)
   select pg_temp.key(3, n), :customer, 'BX' || lpad(n::text, 6, '0'), n % 3, 1 + n % 3, 'Logger at ' || ${places}, now() - n * interval '1 second'
   from ${numbers}`,
  `insert into tocsin.sensor_channel (uuid, tocsin_customer_uuid, tocsin_sensor_uuid, name, channel_number)
   select pg_temp.key(4, n), :customer, pg_temp.key(3, n), 'Level', 0 from ${numbers}`,
  `insert into tocsin.asset (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_sensor_uuid, name)
   select pg_temp.key(5, n), :customer, pg_temp.key(2, n), pg_temp.key(3, n), 'Pump ' || n from ${numbers}`,
  `insert into tocsin.asset_datapoint (uuid, tocsin_customer_uuid, tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid,
     tocsin_datapoint_name, uom, sensor_type, status, tocsin_asset_datapoint_order, latest_value, last_updated)
   select pg_temp.key(6, n), :customer, pg_temp.key(5, n), pg_temp.key(3, n), pg_temp.key(4, n), 'Level ' || n, 'm', 2, n % 4, n % 10, n % 100, now()
   from ${numbers}`,
  `insert into tocsin.rule (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_upper, debounce, priority)
   select pg_temp.key(7, n), :customer, pg_temp.key(2, n), pg_temp.key(5, n), pg_temp.key(6, n), 'Level high ' || n, 100, 60,
     (array['low', 'medium', 'high', 'critical'])[1 + n % 4] from ${numbers}`,
  `insert into tocsin.rule_alert (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_rule_name)
   select pg_temp.key(8, n), :customer, pg_temp.key(2, n), 'Level high ' || n from ${numbers}`,
  `insert into tocsin.rules_json (uuid, tocsin_customer_uuid, rule_name, site_id, rule_json)
   select pg_temp.key(13, n), :customer, 'Both ' || n, 'BX-' || lpad(n::text, 6, '0'),
     '{"conditions":{"all":[{"fact":"' || pg_temp.key(6, n) || '","operator":"greaterThan","value":3}]},"event":{"type":"alarm"}}'
   from ${numbers}`,
  `insert into tocsin.user (uuid, tocsin_customer_uuid, username, display_name, email, level, varified)
   select pg_temp.key(9, n), :customer, 'bx' || n, ${places} || ' Operator ' || n, 'bx' || n || '@plant.example', 10 + n % 20, true
   from ${numbers}`,
  `insert into tocsin.site_user (tocsin_customer_uuid, tocsin_site_uuid, tocsin_user_uuid)
   select :customer, pg_temp.key(2, n), pg_temp.key(9, n) from ${numbers}`,
  `insert into tocsin.rule_alert_user (tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid)
   select :customer, pg_temp.key(8, n), pg_temp.key(9, n) from ${numbers}`,
  `insert into tocsin.reason (uuid, tocsin_customer_uuid, rule_uuid, reason)
   select pg_temp.key(10, n), :customer, pg_temp.key(8, n), 'Storm' from ${numbers}`,
  `insert into tocsin.action (tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, action, notify_to)
   select :customer, pg_temp.key(2, n), pg_temp.key(5, n), 1, pg_temp.key(9, n) from ${numbers}`,
  // One alarm in 200 is open.
  `insert into tocsin.alarm (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, site_name, rule_name,
     severity, message, date_time, resolved_date, created_at)
   select pg_temp.key(11, n), :customer, pg_temp.key(2, n), pg_temp.key(5, n), pg_temp.key(6, n), ${places} || ' station ' || n,
     'Level high ' || n, (array['critical', 'major', 'minor'])[1 + n % 3], 'Level above 100 m at ' || ${places} || ' station ' || n,
     now() - n * interval '1 minute', case when n % 200 > 0 then now() - n * interval '30 seconds' end, now() - n * interval '1 minute'
   from ${numbers}`,
  `insert into tocsin.notification (tocsin_customer_uuid, tocsin_site_uuid, tocsin_alarm_uuid, tocsin_user_uuid, recipient_name, address,
     method_type, message_type, notify_message, notify_time, state, once_key)
   select :customer, pg_temp.key(2, n), pg_temp.key(11, n), pg_temp.key(9, n), 'Operator ' || n, 'bx' || n || '@plant.example', 1, 1, 'Level above',
     now() - n * interval '1 minute', 'sent', 'bx' || n from ${numbers}`,
  `insert into tocsin.audit (tocsin_customer_uuid, tocsin_user_uuid, user_display_name, action, noun, row_key, before, after, created_at)
   select :customer, pg_temp.key(9, n % 100 + 1), ${places} || ' Operator', 'site.update', (array['site', 'rule', 'user'])[1 + n % 3],
     pg_temp.key(2, n)::text, jsonb_build_object('name', 'Old ' || n), jsonb_build_object('name', 'New ' || n), now() - n * interval '1 minute'
   from ${numbers}`,
  `insert into tocsin.reply_message (tocsin_customer_uuid, uid, reply_command, queued_on, expires_on)
   select :customer, 'BX' || lpad(n::text, 6, '0'), 'SET 1', now() - n * interval '1 minute', now() + interval '7 days' from ${numbers}`,
];
