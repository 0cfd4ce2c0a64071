import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitText } from '../../domain/alarm/message.ts';
import { alarmText, silenceText, withSeverity } from '../../domain/alarm/texts.ts';
import { compileConditions } from '../../domain/rule/conditions.ts';
import { smsSegments } from '../../domain/sms.ts';
import { personAccess, serviceAccess } from '../../server/access.ts';
import { HandClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import type { DemoSummary } from './index.ts';
import { demoSignIns, loadDemo } from './index.ts';

const now = new Date('2026-11-12T14:32:14Z');
const clock = new HandClock(now);
const hashPassword = async (plain: string) => `hash of ${plain}`;

let db: Database;
let summary: DemoSummary;
const progress: [number, number][] = [];

async function ask(text: string, values: unknown[] = []): Promise<any[]> {
  const { rows } = await db.transaction(serviceAccess(clock), (tx) => tx.query(text, values));
  return rows;
}

async function askAs(email: string, text: string, values: unknown[] = []): Promise<any[]> {
  const [user] = await ask('select * from tocsin.user where email = $1', [email]);
  const person = {
    uuid: user.uuid,
    customerUuid: user.tocsin_customer_uuid,
    level: user.level,
    partnerAccount: user.tocsin_partner_account,
  };
  const { rows } = await db.transaction(personAccess(person, clock), (tx) => tx.query(text, values));
  return rows;
}

beforeAll(async () => {
  db = await openTestDatabase();
  const onProgress = (done: number, total: number) => progress.push([done, total]);
  summary = await loadDemo({ db, now, weeks: 4, hashPassword, onProgress });
}, 180_000);

afterAll(async () => {
  await db?.close();
  await disposeTestDatabases();
});

describe('people', () => {
  test('loads two partners and three customers, and makes the first customer the default', async () => {
    expect(await ask('select id, tocsin_partner_id, name, time_zone from tocsin.customer order by id')).toEqual([
      { id: 1, tocsin_partner_id: 1, name: 'Northmere Water', time_zone: 'Europe/London' },
      { id: 2, tocsin_partner_id: 1, name: 'Westmarsh Drainage Board', time_zone: 'Europe/London' },
      { id: 3, tocsin_partner_id: 2, name: 'Polar Quay Cold Stores', time_zone: 'Europe/London' },
    ]);
    const [fallback] = await ask(
      `select c.id from tocsin_private.installation i join tocsin.customer c on to_jsonb(c.uuid) = i.value where i.name = 'default_customer'`,
    );
    expect(fallback).toEqual({ id: 1 });
  });

  test('continues the numbers of partners and customers', async () => {
    await db.migration(async (tx) => {
      const next = async (table: string) =>
        (await tx.query(`select nextval(pg_get_serial_sequence('tocsin.${table}', 'id'))::int as id`)).rows[0].id;
      expect(await next('partner')).toBe(3);
      expect(await next('customer')).toBe(4);
    });
  });

  test('gives passwords only to the four documented users of the first customer', async () => {
    const rows = await ask(
      `select u.email, u.level, u.tocsin_partner_account as "partnerAccount", u.varified, u.status, c.id, s.password_hash
       from tocsin_private.credential s join tocsin.user u on u.uuid = s.user_uuid
       join tocsin.customer c on c.uuid = u.tocsin_customer_uuid`,
    );
    const expected = demoSignIns.people.map(({ email, level, partnerAccount }) => {
      const password_hash = `hash of ${demoSignIns.password}`;
      return { email, level, partnerAccount, varified: true, status: true, id: 1, password_hash };
    });
    expect(rows).toHaveLength(4);
    expect(rows).toEqual(expect.arrayContaining(expected));
  });

  test('gives every customer an owner, managers, operators and a partner account', async () => {
    const rows = await ask(
      `select count(*) filter (where level = 0)::int as owners, count(*) filter (where level between 1 and 9 and not tocsin_partner_account)::int as managers,
         count(*) filter (where level >= 10)::int as operators, count(*) filter (where tocsin_partner_account)::int as accounts
       from tocsin.user group by tocsin_customer_uuid`,
    );
    for (const row of rows) for (const count of Object.values(row)) expect(count).toBeGreaterThanOrEqual(1);
  });

  test('uses invented addresses only', async () => {
    expect(await ask(`select email from tocsin.user where email !~ '\\.example$'`)).toEqual([]);
    expect(
      await ask(`select phone_number from tocsin.user where phone_number !~ '^\\+44 7700 900\\d{3}$'
        union select phone_number from tocsin.site where phone_number !~ '^\\+44 7700 900\\d{3}$'`),
    ).toEqual([]);
  });

  test('links the operator to fifteen sites, several with open alarms', async () => {
    const sites = await askAs('operator@demo.example', 'select uuid, site_status from tocsin.site');
    expect(sites).toHaveLength(15);
    const open = await askAs('operator@demo.example', 'select uuid from tocsin.alarm where resolved_date is null');
    expect(open.length).toBeGreaterThanOrEqual(5);
  });

  test('links the visitor to some sites of the third customer', async () => {
    const [user] = await ask(
      `select u.level, u.varified, c.id, c.tocsin_partner_id from tocsin.user u
       join tocsin.customer c on c.uuid = u.tocsin_customer_uuid where u.email = 'bypass@demo.example'`,
    );
    expect(user).toEqual({ level: 100, varified: true, id: 3, tocsin_partner_id: 2 });
    expect((await askAs('bypass@demo.example', 'select from tocsin.site')).length).toBe(4);
  });
});

describe('plant', () => {
  test('has sixty sites, each with groups of four levels and one to three assets', async () => {
    expect(summary.sites).toBe(60);
    const rows = await ask(
      `select s.name, g2.level + g3.level + g4.level + g5.level as levels, (select count(*)::int from tocsin.asset a where a.tocsin_site_uuid = s.uuid) as assets
       from tocsin.site s join tocsin.group g2 on g2.uuid = s.tocsin_group2_uuid join tocsin.group g3 on g3.uuid = s.tocsin_group3_uuid
       join tocsin.group g4 on g4.uuid = s.tocsin_group4_uuid join tocsin.group g5 on g5.uuid = s.tocsin_group5_uuid`,
    );
    expect(rows).toHaveLength(60);
    for (const row of rows) {
      expect(row.levels, row.name).toBe(14);
      expect([1, 2, 3], row.name).toContain(row.assets);
    }
  });

  test('creates sites and users before the history starts', async () => {
    expect(await ask('select name from tocsin.site where created_at >= $1', [summary.from])).toEqual([]);
    expect(await ask('select email from tocsin.user where created_at >= $1', [summary.from])).toEqual([]);
  });

  test('uses only data points of the same site in a multi-condition rule', async () => {
    const rows = await ask('select * from tocsin.rules_json');
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const row of rows) {
      expect(compileConditions(row.rule_json).ok).toBe(true);
      const rule = JSON.parse(row.rule_json);
      expect(rule.event.type).toBe('alarm');
      const facts = rule.conditions.all.map((condition: { fact: string }) => condition.fact);
      const known = await ask(
        `select from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid join tocsin.site s on s.uuid = a.tocsin_site_uuid
         where d.uuid = any ($1::uuid[]) and s.site_id = $2 and s.tocsin_customer_uuid = $3`,
        [facts, row.site_id, row.tocsin_customer_uuid],
      );
      expect(known).toHaveLength(facts.length);
    }
  });

  test('has planned and past work, of which none concerns an alarm of the history', async () => {
    const windows = await ask(
      `select w.name, w.scope, w.repeats, w.ended_how, min(o.starts_at) as first, count(o.*)::int as occurrences,
         bool_and(o.is_done) as done, bool_or(o.starts_at <= $1 and o.ends_at > $1) as active
       from tocsin.maintenance_window w join tocsin.maintenance_occurrence o on o.tocsin_maintenance_window_uuid = w.uuid
       where w.repeats <> 'until-ended' group by w.uuid order by w.name`,
      [now],
    );
    expect(windows).toMatchObject([
      { name: 'Chlorine analyser service', scope: 'asset', repeats: 'monthly-weekday', ended_how: null, active: false },
      { name: 'Generator test', scope: 'site', repeats: 'weekly', ended_how: null, active: false },
      { name: 'Panel change', scope: 'site', repeats: 'once', ended_how: 'over', done: true, occurrences: 1 },
    ]);
    expect(windows[0].first).toEqual(new Date('2026-12-01T08:00:00Z'));
    expect(windows[1].first).toEqual(new Date('2026-11-18T06:00:00Z'));
    expect(
      await ask(
        `select a.uuid from tocsin.alarm a join tocsin.maintenance_occurrence o on o.target_uuid = a.tocsin_site_uuid
         where a.created_at < o.ends_at and coalesce(a.resolved_date, $1) > o.starts_at`,
        [now],
      ),
    ).toEqual([]);
  });

  test('has mains power and a gateway as causes, and no alarm under them', async () => {
    expect(
      await ask(
        `select s.name as site, r.name as rule, coalesce(c.tocsin_datapoint_name, g.name) as cause from tocsin.dependency d
           left join tocsin.rule r on r.uuid = d.tocsin_rule_uuid
           left join tocsin.asset_datapoint c on c.uuid = d.cause_datapoint_uuid
           left join tocsin.site g on g.uuid = d.cause_site_uuid
           join tocsin.site s on s.uuid in (d.tocsin_site_uuid, r.tocsin_site_uuid) order by 1, 2`,
      ),
    ).toEqual([
      { site: 'Hagg Wood Booster', rule: null, cause: 'Upper Fell Repeater' },
      { site: 'Lowmarsh SPS 4', rule: 'Battery voltage low', cause: 'Mains' },
      { site: 'Lowmarsh SPS 4', rule: 'Wet well level high', cause: 'Mains' },
    ]);
    expect(
      await ask('select uuid from tocsin.alarm where quiet_because is not null or opened_quiet is not null'),
    ).toEqual([]);
  });

  test('returns the number of rows of each table', async () => {
    for (const [table, count] of Object.entries(summary.rows)) {
      // The demo's audited changes add further rows to this table. The summary counts them separately, so the test
      // skips the table.
      if (table === 'tocsin.site_user') continue;
      const name = table.replace(/\.(\w+)$/, '."$1"');
      // The spare sensor of each customer is in maintenance: a trigger adds its window.
      const spares = table.startsWith('tocsin.maintenance_') ? 3 : 0;
      expect(await ask(`select count(*)::int as n from ${name}`), table).toEqual([{ n: count + spares }]);
    }
  });

  test('reports rising progress that ends at the total', () => {
    expect(progress.at(-1)).toEqual([61, 61]);
    for (let index = 1; index < progress.length; index++) {
      expect(progress[index]![0]).toBeGreaterThanOrEqual(progress[index - 1]![0]);
    }
  });
});

describe('messages', () => {
  test('stores the segments of each SMS text', async () => {
    const rows = await ask('select notify_message, segments from tocsin.notification where method_type = 3');
    expect(rows.length).toBeGreaterThan(200);
    for (const row of rows) expect(row.segments, row.notify_message).toBe(smsSegments(row.notify_message).segments);
    expect(rows.some((row) => row.segments > 1)).toBe(true);
  });

  test('go only to users of the customer, by methods they have enabled', async () => {
    const wrong = await ask(
      `select n.uuid from tocsin.notification n join tocsin.user u on u.uuid = n.tocsin_user_uuid
       where u.tocsin_customer_uuid <> n.tocsin_customer_uuid or not case n.method_type when 1 then u.email_notification
         when 2 then u.whatsapp_notification when 3 then u.sms_notification else u.apps_notification end`,
    );
    expect(wrong).toEqual([]);
  });

  test('are mostly delivered, sometimes rejected with a response, and never queued', async () => {
    const rows = await ask('select state, count(*)::int as n from tocsin.notification group by 1');
    const count = (state: string) => rows.find((row) => row.state === state)?.n ?? 0;
    expect(count('queued')).toBe(0);
    expect(count('failed')).toBeGreaterThan(8);
    expect(count('delivered')).toBeGreaterThan(10 * count('failed'));
    // No e-mail has the state `delivered`, because e-mail has no delivery receipts.
    expect(
      await ask(`select from tocsin.notification where method_type = 1 and state not in ('sent', 'failed')`),
    ).toEqual([]);
    // No demo user has subscribed to push, so no notification was sent by push.
    expect(await ask('select from tocsin.notification where method_type = 4')).toEqual([]);
    expect(await ask('select from tocsin.push_subscription')).toEqual([]);
    expect(
      await ask(`select from tocsin.notification where state = 'failed' and (provider_answer = '' or attempts <> 3)`),
    ).toEqual([]);
  });

  test('have the texts that the product composes', async () => {
    const rows = await ask(
      `select distinct n.notify_message as text, a.message, a.severity, a.source, a.site_name, a.asset_name, a.datapoint_name, a.value, a.unit,
         a.date_time, a.pending_since, (a.criteria ->> 'lower')::float8 as lower, (a.criteria ->> 'upper')::float8 as upper
       from tocsin.notification n join tocsin.alarm a on a.uuid = n.tocsin_alarm_uuid where n.kind in ('alarm', 'health')`,
    );
    expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(['limits', 'digital', 'silence']));
    for (const row of rows) {
      const facts = {
        site: row.site_name,
        asset: row.asset_name,
        datapoint: row.datapoint_name,
        value: row.source === 'limits' ? row.value : null,
        limit: limitText(row.lower, row.upper, row.unit),
        unit: row.unit,
        time: row.date_time,
        timeZone: 'Europe/London',
      };
      const words =
        row.source === 'silence'
          ? `${row.site_name}: ${silenceText(row.pending_since.getTime(), row.date_time.getTime())}`
          : alarmText(row.message, facts);
      expect(row.text).toBe(withSeverity(row.severity, words));
    }
  });

  test('have the provider `demo`, neither a configured sender nor the outbox', async () => {
    expect(await ask('select distinct provider from tocsin.notification')).toEqual([{ provider: 'demo' }]);
    expect(await ask(`select from tocsin.notification where provider_answer not like '% (demo history)'`)).toEqual([]);
    expect(await ask('select from tocsin.outbox')).toEqual([]);
  });

  test('a confirmed command was sent, and the last contact of a sensor is that of its site', async () => {
    const confirmed = `select count(*)::int as n from tocsin.reply_message where delivered_on is not null`;
    expect((await ask(confirmed))[0].n).toBeGreaterThan(5);
    expect((await ask(`${confirmed} and attempts = 0`))[0].n).toBe(0);
    expect(
      await ask(
        `select e.uid from tocsin.sensor e join tocsin.asset a on a.tocsin_sensor_uuid = e.uuid
         join tocsin.site s on s.uuid = a.tocsin_site_uuid where e.last_contact is distinct from s.last_update`,
      ),
    ).toEqual([]);
  });

  test('escalation recipients get the resolution once by each method', async () => {
    const [{ told, missing }] = await ask(
      `select count(*) filter (where o.n = 1)::int as told, count(*) filter (where o.n <> 1)::int as missing
       from (select distinct tocsin_alarm_uuid, tocsin_user_uuid, method_type from tocsin.notification where kind = 'escalation') e
       join tocsin.alarm a on a.uuid = e.tocsin_alarm_uuid and a.resolved_date is not null
       cross join lateral (select count(*) as n from tocsin.notification r where r.kind = 'resolve'
         and (r.tocsin_alarm_uuid, r.tocsin_user_uuid, r.method_type) = (a.uuid, e.tocsin_user_uuid, e.method_type)) o`,
    );
    expect(told).toBeGreaterThan(10);
    expect(missing).toBe(0);
  });

  test('an alarm escalates only while it is unacknowledged', async () => {
    const rows = await ask(
      `select n.notify_time, a.date_time, a.acknowledge_json ->> 'at' as acknowledged from tocsin.notification n
       join tocsin.alarm a on a.uuid = n.tocsin_alarm_uuid where n.notify_message like '%: Not acknowledged for %'`,
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) {
      expect(row.notify_time.getTime() - row.date_time.getTime()).toBeGreaterThanOrEqual(15 * 60_000);
      if (row.acknowledged) expect(row.notify_time.getTime()).toBeLessThan(Date.parse(row.acknowledged));
    }
  });
});

describe('rules and their alarms', () => {
  test('an alarm has the rule version that was valid when it opened', async () => {
    const changed = await ask(
      `select one.created_at < two.created_at as ordered from tocsin.rule_version one
       join tocsin.rule_version two on two.rule_uuid = one.rule_uuid and two.version = 2 where one.version = 1`,
    );
    expect(changed.length).toBeGreaterThan(10);
    expect(changed.every(({ ordered }) => ordered)).toBe(true);
    const wrong = await ask(
      `select a.message, a.date_time, a.rule_version from tocsin.alarm a join tocsin.rule_version v on v.rule_uuid = a.rule_uuid
       where v.version = (select max(x.version) from tocsin.rule_version x where x.rule_uuid = a.rule_uuid and x.created_at <= a.date_time)
         and (v.version <> a.rule_version or v.debounce <> (a.criteria ->> 'debounce')::int
           or v.value_upper is distinct from (a.criteria ->> 'upper')::float8
           or v.value_lower is distinct from (a.criteria ->> 'lower')::float8)`,
    );
    expect(wrong).toEqual([]);
    // The engine must have no queued work.
    expect(await ask('select * from tocsin_private.alarm_work')).toEqual([]);
  });

  test('an alarm has its escalation step, and a next time while it escalates', async () => {
    const wrong = await ask(
      `select a.message, a.escalation_step from tocsin.alarm a
       where a.escalation_step <> (select count(*) from tocsin.alarm_event e where e.tocsin_alarm_uuid = a.uuid and e.kind = 'escalated')
         or a.escalation_step < (select coalesce(max(n.step), 0) from tocsin.notification n where n.tocsin_alarm_uuid = a.uuid)
         or not a.must_acknowledge and a.escalation_step > 0
         or (a.next_escalation_at is not null) <> (a.resolved_date is null and a.acknowledge_json is null and a.escalation_step < 3
           and jsonb_array_length(a.plan -> 'people') > 0)`,
    );
    expect(wrong).toEqual([]);
    expect((await ask('select count(*)::int as n from tocsin.alarm where escalation_step > 0'))[0].n).toBeGreaterThan(
      10,
    );
  });

  test('alarms of digital channels have no debounce', async () => {
    const rows = await ask(
      `select e.sentence from tocsin.alarm a join tocsin.alarm_event e on e.tocsin_alarm_uuid = a.uuid and e.kind = 'opened'
       where a.source = 'digital' and ((a.criteria ->> 'debounce')::int > 0 or e.sentence like '%out of limits%')`,
    );
    expect(rows).toEqual([]);
  });
});

describe('audit trail', () => {
  test('has about forty changes by the owner and the manager, with old and new values', async () => {
    const rows = await ask('select * from tocsin.audit order by created_at');
    expect(rows.length).toBeGreaterThanOrEqual(35);
    expect(rows.length).toBeLessThanOrEqual(50);
    const [customer] = await ask('select uuid from tocsin.customer where id = 1');
    for (const row of rows) {
      expect(['Demo Owner', 'Demo Manager']).toContain(row.user_display_name);
      expect(row.tocsin_customer_uuid, row.action).toBe(customer.uuid);
      expect(row.row_key, row.action).not.toBe('');
      expect(row.after, row.action).not.toBeNull();
      if (!row.action.endsWith('.create')) expect(row.before, row.action).not.toEqual(row.after);
      expect(row.created_at.getTime()).toBeGreaterThan(summary.from.getTime());
      expect(row.created_at.getTime()).toBeLessThan(now.getTime());
    }
    expect(new Set(rows.map((row) => row.noun)).size).toBeGreaterThanOrEqual(7);
  });

  test('records changes again after the load', async () => {
    const before = (await ask('select count(*)::int as n from tocsin.audit'))[0].n;
    await ask(`update tocsin.site set description = 'Changed' where site_id = 'PS-0009'`);
    expect((await ask('select count(*)::int as n from tocsin.audit'))[0].n).toBe(before + 1);
  });
});
