/** Returns SQL statements that create a large plant with ninety days of history, for the report benchmark. */
export function plantSql({ sites, messages, alarms }: { sites: number; messages: number; alarms: number }): string[] {
  const customer = '(select uuid from tocsin.customer order by id limit 1)';
  return [
    'set role tocsin_service',
    `insert into tocsin.site (tocsin_customer_uuid, site_id, name, tocsin_group5_uuid, tocsin_health_duration_hours, created_at)
     select ${customer}, 'BENCH-' || n, 'Bench site ' || n, g.offices[1 + n % array_length(g.offices, 1)], 1, now() - interval '200 days'
     from generate_series(1, ${sites}) n,
       (select array_agg(uuid) as offices from tocsin.group where level = 5 and tocsin_customer_uuid = ${customer}) g`,
    `create temporary table place as select uuid, row_number() over () - 1 as n from tocsin.site where site_id like 'BENCH-%'`,
    // Inserts the same rows that the trigger on health slots would write.
    `insert into tocsin.health_week (tocsin_site_uuid, tocsin_customer_uuid, week, hours)
     select uuid, ${customer}, w, rpad(repeat('1111111111111110', 10), 168, '0')::bit(168)
     from place, generate_series((extract(epoch from now()) / 604800)::int - 14, (extract(epoch from now()) / 604800)::int) w`,
    `insert into tocsin.notification (tocsin_customer_uuid, tocsin_site_uuid, recipient_name, address, method_type, message_type, notify_message,
       notify_time, state, segments, sent_at)
     select ${customer}, p.uuid, 'Person ' || i % 40, '+44', 3, 1 + i % 4, 'High level at ' || i, now() - i * interval '90 days' / ${messages},
       'sent', 1 + i % 2, now() - i * interval '90 days' / ${messages} + interval '3 seconds'
     from generate_series(1, ${messages}) i join place p on p.n = i % ${sites}`,
    // Each site has two rules with five reasons each, and each rule has three of forty recipients. One alarm in seven
    // is never acknowledged; one in a hundred opens while it is shelved.
    `insert into tocsin.alarm (tocsin_customer_uuid, tocsin_site_uuid, site_name, rule_uuid, rule_name, message, severity, date_time, resolved_date,
       created_at, reason, acknowledge_json, opened_quiet, recipients)
     select ${customer}, p.uuid, 'Site', md5('rule ' || r.rule)::uuid, 'Rule ' || r.rule, 'Alarm ' || i,
       (array['critical', 'major', 'minor', 'silent'])[1 + r.rule % 4], t.at, t.at + (i::bigint * 7919 % 5000000) * interval '1 millisecond', t.at,
       case when i % 7 > 0 then 'Reason ' || (r.rule + i / 9973 % 5) % 20 end, case when i % 7 > 0 then jsonb_build_object('at', t.at + i % 900 * interval '1 second') end,
       case when i % 100 = 0 then 'shelved' end, w.recipients
     from generate_series(1, ${alarms}) i join place p on p.n = i % ${sites}
     cross join lateral (select i % (2 * ${sites}) as rule) r
     join lateral (
       select jsonb_build_object('alert', jsonb_agg(jsonb_build_object('uuid', md5('person ' || n % 40)::uuid, 'name', 'Person ' || n % 40,
         'methods', '[{"method": 3, "address": "+447700900113"}]'::jsonb))) as recipients
       from generate_series(r.rule, r.rule + 2) n
     ) w on true
     cross join lateral (select now() - i * interval '90 days' / ${alarms} as at) t`,
    'reset role',
    'vacuum analyze',
  ];
}
