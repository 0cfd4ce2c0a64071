/** Compares the alarm performance report of the demo with figures that the test computes from the demo's rows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personAccess, serviceAccess } from '../../server/access.ts';
import { HandClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { type AlarmFacts, referenceOf } from '../../test/api/performance-reference.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { loadDemo } from './index.ts';

const now = new Date('2026-11-12T14:32:14Z');
const clock = new HandClock(now);

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  await loadDemo({ db, now, weeks: 4, hashPassword: async (plain) => `hash of ${plain}`, onProgress: () => {} });
}, 180_000);
afterAll(async () => {
  await db?.close();
  await disposeTestDatabases();
});

async function ask(text: string, values: unknown[] = []): Promise<any[]> {
  return (await db.transaction(serviceAccess(clock), (tx) => tx.query(text, values))).rows;
}

/** Returns why nobody was notified of an alarm. */
function causeOf(alarm: any, notifications: readonly any[], events: readonly any[]): AlarmFacts['cause'] {
  if (alarm.opened_quiet) return ['shelved', alarm.shelving_reason ?? ''];
  const wentOut = ({ state, provider }: any) =>
    ['sent', 'delivered'].includes(state) && !(state === 'sent' && provider === 'outbox');
  if (notifications.some((row) => wentOut(row) || (row.state === 'queued' && row.attempts === 0))) return null;
  if (notifications.some(({ state }) => state === 'queued')) return ['unreached', 'retrying'];
  if (notifications.some(({ state, provider }) => state === 'sent' && provider === 'outbox'))
    return ['unreached', 'kept'];
  if (notifications.length > 0) return ['unreached', 'failed'];
  const { alert = [], escalate = [] } = alarm.recipients ?? {};
  if (alarm.recipients && alert.length === 0 && escalate.length === 0) return ['unreached', 'no-recipients'];
  if (alert.length > 0 && alert.every(({ methods }: any) => methods.length === 0)) return ['unreached', 'unreachable'];
  return events.some(({ because }) => because === 'said-before') ? ['suppressed', ''] : null;
}

test('equals a recomputation from the rows', async () => {
  const [user] = await ask(`select * from tocsin.user where email = 'owner@demo.example'`);
  const customer = user.tocsin_customer_uuid;
  const rows = await ask(
    `select a.*, s.reason as shelving_reason from tocsin.alarm a left join tocsin.shelving s on s.uuid = a.tocsin_shelving_uuid
     where a.tocsin_customer_uuid = $1`,
    [customer],
  );
  const notifications = Map.groupBy(
    await ask('select * from tocsin.notification where tocsin_customer_uuid = $1', [customer]),
    (row: any) => row.tocsin_alarm_uuid,
  );
  const events = Map.groupBy(
    await ask(
      `select tocsin_alarm_uuid, detail ->> 'because' as because from tocsin.alarm_event
       where tocsin_customer_uuid = $1 and kind = 'not-notified'`,
      [customer],
    ),
    (row: any) => row.tocsin_alarm_uuid,
  );
  const facts = rows.map((alarm): AlarmFacts => {
    const at = alarm.acknowledge_json?.at;
    const created = alarm.created_at.getTime();
    return {
      ...{ uuid: alarm.uuid, site: alarm.tocsin_site_uuid, rule: alarm.rule_uuid, severity: alarm.severity, created },
      opened: alarm.date_time.getTime(),
      resolved: alarm.resolved_date?.getTime() ?? null,
      seconds: at === undefined ? null : Math.max(0, (Date.parse(at) - created) / 1000),
      quiet: alarm.opened_quiet !== null,
      people: (alarm.recipients?.alert ?? []).flatMap(({ uuid, methods }: any) => (methods.length > 0 ? [uuid] : [])),
      cause: causeOf(alarm, notifications.get(alarm.uuid) ?? [], events.get(alarm.uuid) ?? []),
    };
  });
  const [{ since }] = await ask(`select min(created_at) as since from tocsin.site where tocsin_customer_uuid = $1`, [
    customer,
  ]);
  const sites = await ask('select uuid, tocsin_group5_uuid as office from tocsin.site');
  const offices = new Map<string, string | null>(sites.map(({ uuid, office }) => [uuid, office]));
  const [from, to] = [new Date('2026-10-16T23:00:00Z'), new Date('2026-11-13T00:00:00Z')];
  const expected = referenceOf(facts, {
    ...{ from: from.getTime(), to: to.getTime(), now: now.getTime(), since: since.getTime() },
    ...{ staleHours: 24, floodEnd: 5, placeOf: (uuid) => offices.get(uuid) ?? uuid },
    dayOf: (at) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' }).format(at),
  });
  const person = { uuid: user.uuid, customerUuid: customer, level: 0, partnerAccount: false };
  const { rows: answer } = await db.transaction(personAccess(person, clock), (tx) =>
    tx.query<any>('select to_jsonb(p) as report from tocsin.report_performance($1, $2) p', [from, to]),
  );
  const { report } = answer[0];
  const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 3));
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const totals = { ...expected.totals, medianSeconds: near(expected.totals.medianSeconds) };
  expect(expected.totals.alarms).toBeGreaterThan(100);
  expect(report).toMatchObject(
    Object.fromEntries(
      Object.entries({ ...totals, p90Seconds: near(totals.p90Seconds) }).map(([name, value]) => [snake(name), value]),
    ),
  );
  expect(report.load).toEqual(expected.load);
  expect(report.rules.map((row: any) => [row.uuid, row.alarms])).toEqual(
    expected.rules.map(({ rule, alarms }) => [rule, alarms]),
  );
  expect(new Map(report.recipients.map((row: any) => [row.uuid, [row.alarms, row.peak]]))).toEqual(
    new Map(expected.recipients.map((row) => [row.uuid, [row.alarms, row.peak]])),
  );
  expect(new Set(report.causes.map(({ kind, cause, alarms }: any) => `${kind} ${cause} ${alarms}`))).toEqual(
    new Set(expected.causes.map(({ kind, cause, alarms }) => `${kind} ${cause} ${alarms}`)),
  );
});
