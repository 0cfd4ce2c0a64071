/** Moves customers between two databases, and compares them before and after. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDemo } from '../../db/demo/index.ts';
import { exportTo, importFrom, rowsOfCustomer } from '../../test/harness/database/cells.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { now, small } from '../../test/harness/database/demo.ts';
import {
  type CustomerRow,
  createCustomer,
  createUser,
  insertRow,
  serviceQuery,
} from '../../test/harness/database/factories.ts';
import { createSensor } from '../../test/harness/device/devices.ts';
import { personAccess } from '../access.ts';
import { ensurePartitions } from '../engine/housekeeping.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';

const clock = new HandClock(now);
const DAY = 86_400_000;
interface DemoCustomer {
  uuid: string;
  name: string;
}

let source: Database;
let target: Database;
/** A customer that already exists in the target cell. The import must not change its rows or reuse its numeric keys. */
let resident: CustomerRow;
let demo: DemoCustomer[];

beforeAll(async () => {
  [source, target] = await Promise.all([openTestDatabase(), openTestDatabase()]);
  await loadDemo({ db: source, ...small });
  demo = await serviceQuery(source, 'select uuid, name from tocsin.customer order by id');
  await serviceQuery(
    source,
    `insert into tocsin.reply_message (tocsin_customer_uuid, uid, reply_command)
     select tocsin_customer_uuid, uid, 'restart ' || uid from tocsin.sensor`,
  );
  await ensurePartitions(target, now);
  resident = await createCustomer(target, { endPoint: 'resident.example' });
  await populate(target, resident, 'Resident', [1, 2, 3]);
});
afterAll(async () => {
  await source?.close();
  await target?.close();
  await disposeTestDatabases();
});

/** Adds a user to the customer, and a sensor with readings, a frame and a command. */
async function populate(db: Database, customer: CustomerRow, text: string, values: readonly number[]): Promise<void> {
  await createUser(db, { customer, level: 0, password: 'a long enough password' });
  const sensor = await createSensor(db, { customer, channels: [{ description: text }, {}] });
  for (const [index, value] of values.entries()) {
    const at = new Date(now.getTime() - index * DAY);
    await insertRow(db, 'tocsin.reading', {
      channel_key: sensor.channels[index % 2]?.key,
      device_time: at,
      server_time: at,
      value,
    });
  }
  await serviceQuery(
    db,
    `update tocsin.asset_datapoint d set latest_value = r.value, last_updated = r.device_time, status = 1
     from tocsin.sensor_channel c join lateral (
       select * from tocsin.reading r where r.channel_key = c.key order by r.device_time desc limit 1) r on true
     where c.uuid = d.tocsin_sensor_channel_uuid and c.tocsin_sensor_uuid = $1`,
    [sensor.uuid],
  );
  const uid = { tocsin_customer_uuid: customer.uuid, uid: sensor.uid };
  await insertRow(db, 'tocsin.incoming_sensor_log', { ...uid, raw_data: text, date_time: now });
  await insertRow(db, 'tocsin.reply_message', { ...uid, reply_command: `say ${text}`.slice(0, 500), queued_on: now });
}

/**
 * Returns the rows of a customer that must be equal before and after a move. Leaves out the status, the audit entries
 * of the move itself, and the hourly figures that each cell computes from the alarms.
 */
async function comparable(db: Database, customer: { uuid: string }): Promise<Record<string, string[]>> {
  const { 'tocsin_private.alarm_hour_change': hours, ...rows } = await rowsOfCustomer(db, customer);
  const withoutMove = (line: string) => {
    const { action, before, after } = JSON.parse(line);
    return !(action === 'customer.update' && before.status !== after.status);
  };
  return {
    ...rows,
    'tocsin.customer': (rows['tocsin.customer'] ?? []).map((line) => {
      const { status, updated_at, tocsin_partner_id, ...rest } = JSON.parse(line);
      return JSON.stringify(rest);
    }),
    'tocsin.audit': (rows['tocsin.audit'] ?? []).filter(withoutMove).map((line) => {
      const { row_key, ...rest } = JSON.parse(line);
      return JSON.stringify(rest.noun === 'reply_message' ? rest : { row_key, ...rest });
    }),
  };
}

/** Returns the report, list and chart data that the owner of a customer sees. */
async function shownTo(db: Database, { uuid }: { uuid: string }): Promise<Record<string, string>> {
  const [owner] = await serviceQuery(
    db,
    'select uuid from tocsin.user where tocsin_customer_uuid = $1 and level = 0 order by uuid limit 1',
    [uuid],
  );
  const access = personAccess({ uuid: owner.uuid, customerUuid: uuid, level: 0, partnerAccount: false }, clock);
  const from = new Date(now.getTime() - 21 * DAY);
  const range = '$1::timestamptz, $2::timestamptz';
  const zone = '(select time_zone from tocsin.customer)';
  const weeks = `(select array_agg((date_trunc('week', $2::timestamptz at time zone ${zone}) - n * interval '7 days') at time zone ${zone} order by n desc)
    from generate_series(0, 11) n)`;
  const questions = {
    figures: `select * from tocsin.alarm_figures(${range})`,
    breakdown: `select * from tocsin.alarm_breakdown(${range})`,
    acknowledgements: `select * from tocsin.acknowledgement_figures(${range})`,
    delivery: `select * from tocsin.delivery_figures(${range})`,
    sms: `select * from tocsin.sms_by_day(${range})`,
    health: `select * from tocsin.health_report_by_site(${weeks}, $2::timestamptz)`,
    alarms: `select a.uuid, a.message, a.date_time, a.resolved_date, a.reason from tocsin.alarm_list() a, (select ${range}) p`,
    series: `select s.* from tocsin.asset_datapoint d, lateral unnest(tocsin.series(array[d.uuid], ${range}, 300)) s`,
  };
  const shown: Record<string, string> = {};
  await db.transaction(access, async (tx) => {
    for (const [name, question] of Object.entries(questions)) {
      const { rows } = await tx.query<{ line: string }>(
        `select to_jsonb(q)::text as line from (${question}) q where $1::timestamptz < $2::timestamptz order by 1`,
        [from, now],
      );
      shown[name] = rows.map(({ line }) => line).join('\n');
    }
  });
  return shown;
}

describe('a customer of the demo', () => {
  test('has the same rows in the other cell with new numeric keys, and other customers do not change', async () => {
    const [moved, stays] = demo;
    if (!moved || !stays) throw new Error('The demo has two customers.');
    const before = {
      moved: await comparable(source, moved),
      stays: await rowsOfCustomer(source, stays),
      resident: await rowsOfCustomer(target, resident),
      shown: await shownTo(source, moved),
    };
    expect(before.moved['tocsin.reading']?.length).toBeGreaterThan(1000);
    expect(Object.values(before.shown).filter((text) => text === '')).toEqual([]);

    await importFrom(target, clock, await exportTo(source, clock, moved), { host: 'moved.example', sharedUids: true });

    const [customer] = before.moved['tocsin.customer'] as [string];
    before.moved['tocsin.customer'] = [JSON.stringify({ ...JSON.parse(customer), end_point: 'moved.example' })];
    const after = await comparable(target, moved);
    expect(Object.keys(after)).toEqual(Object.keys(before.moved));
    for (const [table, rows] of Object.entries(before.moved)) {
      // Compares the rows here, because a failed `expect` on whole tables would print every row.
      const sorted = [after[table]?.toSorted(), rows.toSorted()].map((some) => some?.join('\n'));
      expect(sorted[0] === sorted[1], `${table} has the same rows`).toBe(true);
    }
    const shown = await shownTo(target, moved);
    for (const [name, text] of Object.entries(before.shown)) expect(shown[name] === text, name).toBe(true);
    expect(await rowsOfCustomer(source, stays)).toEqual(before.stays);
    expect(await rowsOfCustomer(target, resident)).toEqual(before.resident);
    expect(await serviceQuery(source, 'select status from tocsin.customer where uuid = $1', [moved.uuid])).toEqual([
      { status: 0 },
    ]);
    expect(await serviceQuery(target, 'select status from tocsin.customer where uuid = $1', [moved.uuid])).toEqual([
      { status: 1 },
    ]);
  });

  test('has audit entries that name each command by its new numeric key', async () => {
    const [moved] = demo;
    if (!moved) throw new Error('The demo has customers.');
    const rows = await serviceQuery(
      target,
      `select a.after ->> 'reply_command' as written, m.reply_command as found
       from tocsin.audit a left join tocsin.reply_message m on m.id::text = a.row_key and m.tocsin_customer_uuid = $1
       where a.tocsin_customer_uuid = $1 and a.noun = 'reply_message'`,
      [moved.uuid],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ written, found }) => written !== found)).toEqual([]);
  });
});

describe('generated customers', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((some) => some.replaceAll('\0', ''));
  const value = fc.double({ noNaN: true });

  test('keep every text and number unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(value, { minLength: 1, maxLength: 5 }), async (words, values) => {
        const customer = await createCustomer(source, { endPoint: '' });
        await populate(source, customer, `\t\\N "${words}`, values);
        const before = await comparable(source, customer);
        await importFrom(target, clock, await exportTo(source, clock, customer), {
          host: `c${customer.id}.example`,
          sharedUids: true,
        });
        const [row] = before['tocsin.customer'] as [string];
        before['tocsin.customer'] = [JSON.stringify({ ...JSON.parse(row), end_point: `c${customer.id}.example` })];
        expect(await comparable(target, customer)).toEqual(before);
      }),
      { numRuns: 6 },
    );
  });

  test('show the newest reading even if the old cell had not written it to the data point', async () => {
    const customer = await createCustomer(source);
    await populate(source, customer, 'newest', [7, 8]);
    const shown =
      'select latest_value from tocsin.asset_datapoint where tocsin_customer_uuid = $1 order by latest_value';
    const before = await serviceQuery(source, shown, [customer.uuid]);
    await serviceQuery(
      source,
      'update tocsin.asset_datapoint set latest_value = null, last_updated = null where tocsin_customer_uuid = $1',
      [customer.uuid],
    );
    await importFrom(target, clock, await exportTo(source, clock, customer), { host: 'newest.example' });
    expect(await serviceQuery(target, shown, [customer.uuid])).toEqual(before);
  });

  test('keep the gateways of gateways, in whatever order the sensors were created', async () => {
    const customer = await createCustomer(source);
    const sensors: { uuid: string }[] = [];
    for (let index = 0; index < 6; index += 1) sensors.push(await createSensor(source, { customer }));
    for (const [index, { uuid }] of sensors.entries()) {
      await serviceQuery(source, 'update tocsin.sensor set tocsin_gateway_uuid = $2 where uuid = $1', [
        uuid,
        sensors[index + 1]?.uuid ?? null,
      ]);
    }
    const before = await comparable(source, customer);
    await importFrom(target, clock, await exportTo(source, clock, customer), {
      host: 'gateways.example',
      bytesAtOnce: 1,
    });
    expect((await comparable(target, customer))['tocsin.sensor']).toEqual(before['tocsin.sensor']);
  });
});

describe('an import', () => {
  let customer: CustomerRow;
  let path: string;
  beforeAll(async () => {
    customer = await createCustomer(source, { name: 'Refused Works', endPoint: 'refused.example' });
    await populate(source, customer, 'Refused', [4, 5]);
    path = await exportTo(source, clock, customer);
  });

  /** Writes a modified copy of the export with a correct checksum. */
  async function changed(change: (text: string) => string): Promise<string> {
    const { createHash } = await import('node:crypto');
    const lines = gunzipSync(readFileSync(path)).toString().split('\n').slice(0, -2);
    const text = change(`${lines.join('\n')}\n`);
    const other = `${path}.changed`;
    writeFileSync(other, gzipSync(`${text}{"end":"${createHash('sha256').update(text).digest('hex')}"}\n`));
    return other;
  }

  /**
   * Applies `change` only to the section of the commands and all later sections, because earlier sections can contain
   * the same strings.
   */
  function inCommands(text: string, change: (rows: string) => string): string {
    const at = text.indexOf('{"table":"tocsin.reply_message","columns"');
    return text.slice(0, at) + change(text.slice(at));
  }

  const nothingOf = async (work: Promise<unknown>, sentence: RegExp) => {
    await expect(work).rejects.toThrow(sentence);
    expect(await rowsOfCustomer(target, customer)).toEqual({});
    const [off] = await serviceQuery(
      target,
      `select count(*)::int as n from pg_trigger where tgenabled = 'D' and not tgisinternal`,
    );
    expect(off.n, 'all triggers are on').toBe(0);
  };

  test('refuses an active customer at the export', async () => {
    const active = await createCustomer(source);
    const { exportCustomer } = await import('./export.ts');
    await expect(
      source.migration((tx) =>
        exportCustomer({ tx, customerUuid: active.uuid, path: `${path}.active`, version: 'test', now }),
      ),
    ).rejects.toThrow('is active. Freeze the customer first, or add --freeze.');
  });

  test('changes nothing when the file is truncated or a row violates a constraint', async () => {
    const whole = readFileSync(path);
    writeFileSync(`${path}.cut`, whole.subarray(0, whole.length - 40));
    await nothingOf(importFrom(target, clock, `${path}.cut`), /is damaged or incomplete/);
    await nothingOf(
      importFrom(
        target,
        clock,
        await changed((text) => inCommands(text, (rows) => rows.replace(/say Refused/, 'x'.repeat(600)))),
      ),
      /reply_message_reply_command_length/,
    );
    const less = await changed((text) => inCommands(text, (rows) => rows.replace(/\n\[[^\n]*say Refused[^\n]*/, '')));
    await nothingOf(importFrom(target, clock, less), /has 0 rows of tocsin\.reply_message instead of 1/);
  });

  test('refuses another schema', async () => {
    const older = await changed((text) => text.replace(/"checksum":"[^"]{10}/, '"checksum":"0000000000'));
    await nothingOf(importFrom(target, clock, older), /exported with another schema .* Install the same version/);
  });

  test('refuses a name, host name or uid that another customer of the cell has', async () => {
    const other = await createCustomer(target, { name: 'REFUSED works' });
    await nothingOf(importFrom(target, clock, path), /another customer called REFUSED works\. Rename/);
    await serviceQuery(
      target,
      `update tocsin.customer set name = 'Else', end_point = 'Refused.Example' where uuid = $1`,
      [other.uuid],
    );
    await nothingOf(importFrom(target, clock, path), /refused\.example is the host name of Else in this cell/);
    const [sensor] = await serviceQuery(source, 'select uid from tocsin.sensor where tocsin_customer_uuid = $1', [
      customer.uuid,
    ]);
    await createSensor(target, { customer: other, uid: sensor.uid });
    await nothingOf(
      importFrom(target, clock, path, { host: 'free.example' }),
      new RegExp(`have the same uid: ${sensor.uid}\\. Through a broker`),
    );
    const nameless = await createCustomer(source, { endPoint: '' });
    await nothingOf(
      importFrom(target, clock, await exportTo(source, clock, nameless)),
      /needs a host name of its own, because this cell has other customers/,
    );
  });

  test('refuses a token that a device of the cell has', async () => {
    const [token] = await serviceQuery(
      source,
      'select token_hash from tocsin_private.device_token where tocsin_customer_uuid = $1',
      [customer.uuid],
    );
    const sensor = await createSensor(target, { customer: resident });
    await serviceQuery(target, 'update tocsin_private.device_token set token_hash = $2 where tocsin_sensor_uuid = $1', [
      sensor.uuid,
      token.token_hash,
    ]);
    await nothingOf(
      importFrom(target, clock, path, { host: 'free.example', sharedUids: true }),
      /was not imported: in this cell, a row of device_token already has the same key \(device_token_hash_key\)/,
    );
    await serviceQuery(target, 'delete from tocsin.sensor where uuid = $1', [sensor.uuid]);
  });

  test('stores the customer once, and refuses it the second time', async () => {
    await importFrom(target, clock, path, { host: 'free.example', sharedUids: true });
    await expect(importFrom(target, clock, path, { host: 'free.example', sharedUids: true })).rejects.toThrow(
      'Refused Works is already in this cell.',
    );
  });
});
