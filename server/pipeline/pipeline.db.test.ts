import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database.ts';
import { createSensor, giveToken, type NewSensor, type TestSensor } from '../../test/harness/devices.ts';
import { type CustomerRow, createCustomer, insertRow, serviceQuery } from '../../test/harness/factories.ts';
import { Judge } from '../alarm/judge.ts';
import { type LiveDatapoint, LiveHub } from '../live/hub.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';
import type { Answer, Delivery, Device, Taken } from './intake.ts';
import { Pipeline } from './pipeline.ts';

const START = new Date('2026-03-04T08:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let db: Database;
let clock: HandClock;
let live: LiveHub;
let pipeline: Pipeline;
let customer: CustomerRow;

function startPipeline(database = db): Promise<Pipeline> {
  return Pipeline.start({
    db: database,
    clock,
    log: silentLog,
    live,
    judge: new Judge(),
    flood: { perSecond: 50, burst: 500 },
    commandRetryMs: 60_000,
    keepReadingsMs: 400 * DAY,
    timers: false,
  });
}

beforeAll(async () => {
  db = await openTestDatabase();
  customer = await createCustomer(db);
});
beforeEach(async () => {
  clock = new HandClock(START);
  live = new LiveHub();
  await pipeline?.close();
  pipeline = await startPipeline();
});
afterAll(async () => {
  await pipeline.close();
  await db.close();
  await disposeTestDatabases();
});

/** The same database with some of its ways changed. */
function variant(changes: Partial<Database>): Database {
  return new Proxy(db, {
    get: (target, name) => {
      const value = name in changes ? changes[name as keyof Database] : target[name as keyof Database];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
const deafDatabase = () => variant({ listen: async () => async () => {} });

const sensorWith = (values: Partial<NewSensor> = {}) => createSensor(db, { customer, ...values });

async function signedIn(sensor: TestSensor, intake = pipeline): Promise<Device> {
  const device = await intake.identify(sensor.uid, sensor.token);
  if (!device.ok) throw new Error(device.sentence);
  return device;
}

async function send(
  sensor: TestSensor,
  body: string | Buffer | object,
  more: Partial<Delivery> & { intake?: Pipeline } = {},
): Promise<Answer> {
  const { intake = pipeline, ...delivery } = more;
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return intake.receive(await signedIn(sensor, intake), {
    door: 'http',
    body: Buffer.from(text as string),
    ...delivery,
  });
}

async function taken(sensor: TestSensor, body: string | object, more?: Partial<Delivery>): Promise<Taken> {
  const answer = await send(sensor, body, more);
  if (!answer.ok) throw new Error(answer.sentence);
  return answer;
}

const readingsOf = (sensor: TestSensor) =>
  serviceQuery(
    db,
    `select c.channel_number as channel, r.device_time as time, r.value from tocsin.reading r
     join tocsin.sensor_channel c on c.key = r.channel_key where c.tocsin_sensor_uuid = $1 order by 1, 2`,
    [sensor.uuid],
  );
const framesOf = (sensor: TestSensor) =>
  serviceQuery(
    db,
    `select raw_data as raw, encoding, door, problem, note from tocsin.incoming_sensor_log
     where uid = $1 and tocsin_customer_uuid = $2 order by auto_id`,
    [sensor.uid, sensor.customerUuid],
  );
const datapointOf = async (sensor: TestSensor, index = 0) =>
  (
    await serviceQuery(
      db,
      'select status, latest_value, last_updated, datapoint_color, datapoint_title_text from tocsin.asset_datapoint where uuid = $1',
      [sensor.channels[index]?.datapointUuid],
    )
  )[0];
const at = (offsetMs: number) => new Date(START.getTime() + offsetMs);

describe('a frame', () => {
  test('is kept word for word, and its values become readings', async () => {
    const sensor = await sensorWith({ channels: [{}, { name: 'Flow' }] });
    const raw = ' {"t": "2026-03-04T07:59:30Z", "1": 20.5, "flow": true}\r\n';
    expect(await taken(sensor, raw)).toEqual({
      ok: true,
      accepted: 2,
      duplicates: 0,
      refused: [],
      notes: [],
      commands: [],
    });
    expect(await readingsOf(sensor)).toEqual([
      { channel: 1, time: at(-30_000), value: 20.5 },
      { channel: 2, time: at(-30_000), value: 1 },
    ]);
    expect(await framesOf(sensor)).toEqual([{ raw, encoding: 'text', door: 'http', problem: null, note: null }]);
  });

  test('is scaled by its channel', async () => {
    const sensor = await sensorWith({
      channels: [{ channel_factor: 0.1, channel_offset: -40, channel_decimals: 1 }, { channel_factor: 1e12 }],
    });
    const answer = await taken(sensor, { '1': 651, '2': 1e308 });
    expect(answer.accepted).toBe(1);
    expect(answer.refused).toMatchObject([{ channel: '2', because: 'not-finite' }]);
    expect(await readingsOf(sensor)).toEqual([{ channel: 1, time: START, value: 25.1 }]);
  });

  test('with a channel the sensor does not have keeps the others', async () => {
    const sensor = await sensorWith();
    const answer = await taken(sensor, { '1': 4, '9': 5, __proto__x: 1 });
    expect(answer.accepted).toBe(1);
    expect(answer.refused.map(({ channel, because }) => [channel, because])).toEqual([
      ['9', 'unknown-channel'],
      ['__proto__x', 'unknown-channel'],
    ]);
    expect((await framesOf(sensor))[0]?.problem).toBe(
      'The sensor has no channel "9". The sensor has no channel "__proto__x".',
    );
  });

  test('that cannot be read is kept, marked with why, and raises nothing', async () => {
    const sensor = await sensorWith();
    for (const body of ['{"t": 1,', '', Buffer.from([0xff, 0x00, 0x41])]) {
      const answer = await send(sensor, body, { format: 'json' });
      expect(answer.ok).toBe(false);
    }
    expect(await readingsOf(sensor)).toEqual([]);
    const frames = await framesOf(sensor);
    expect(frames.map(({ raw, encoding }) => [raw, encoding])).toEqual([
      ['{"t": 1,', 'text'],
      ['', 'text'],
      [Buffer.from([0xff, 0x00, 0x41]).toString('base64'), 'base64'],
    ]);
    for (const { problem } of frames) expect(problem).toMatch(/\.$/);
    await pipeline.behind.flush();
    expect((await datapointOf(sensor)).status).toBe(0);
  });

  test('sent again changes nothing', async () => {
    const sensor = await sensorWith({ channels: [{}, {}] });
    const frame = { t: START.toISOString(), '1': 1, '2': 2 };
    await taken(sensor, frame);
    expect(await taken(sensor, { ...frame, '1': 99 })).toMatchObject({ accepted: 0, duplicates: 2 });
    // The same by a process that remembers nothing, and twice within one batch.
    const other = await startPipeline();
    expect(await send(sensor, frame, { intake: other })).toMatchObject({ accepted: 0, duplicates: 2 });
    clock.advance(1000);
    const later = { t: clock.now().toISOString(), '1': 5 };
    const both = await Promise.all([send(sensor, later), send(sensor, later)]);
    expect(both.map((answer) => answer.ok && [answer.accepted, answer.duplicates])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    await other.close();
    expect((await readingsOf(sensor)).map(({ value }) => value)).toEqual([1, 5, 2]);
    const two = '2 values were there already for their times and not stored again.';
    const one = '1 value was there already for this time and not stored again.';
    // Two processes number their frames apart.
    const notes = (await framesOf(sensor)).map(({ note }) => note ?? '');
    expect(notes.sort()).toEqual(['', '', one, two, two]);
  });

  test('that another process stored meanwhile is noticed', async () => {
    const sensor = await sensorWith();
    const other = await startPipeline();
    await send(sensor, { t: at(-2000).toISOString(), '1': 1 });
    await send(sensor, { t: at(-2000).toISOString(), '1': 1 }, { intake: other });
    expect(await send(sensor, { t: START.toISOString(), '1': 2 }, { intake: other })).toMatchObject({ accepted: 1 });
    // From here the reading looks new.
    expect(await send(sensor, { t: START.toISOString(), '1': 2 })).toMatchObject({ accepted: 0, duplicates: 1 });
    await other.close();
    expect(await readingsOf(sensor)).toHaveLength(2);
  });
});

describe('time', () => {
  test('an older reading is stored and does not become the newest value', async () => {
    const sensor = await sensorWith();
    await taken(sensor, { t: START.toISOString(), '1': 10 });
    expect(await taken(sensor, { t: at(-60 * DAY).toISOString(), '1': 99 })).toMatchObject({ accepted: 1 });
    await pipeline.behind.flush();
    expect(await datapointOf(sensor)).toMatchObject({ latest_value: 10, last_updated: START, status: 1 });
    expect(await readingsOf(sensor)).toHaveLength(2);
  });

  test('a reading keeps the device’s time and the server’s', async () => {
    const sensor = await sensorWith();
    await taken(sensor, { t: at(-90_000).toISOString(), '1': 10 });
    const times = await serviceQuery(
      db,
      `select r.device_time, r.server_time from tocsin.reading r
       join tocsin.sensor_channel c on c.key = r.channel_key where c.tocsin_sensor_uuid = $1`,
      [sensor.uuid],
    );
    expect(times).toEqual([{ device_time: at(-90_000), server_time: START }]);
  });

  test('a clock that runs ahead or was never set is taken as the server’s, and marked', async () => {
    const sensor = await sensorWith({ channels: [{}, {}, {}] });
    const answer = await taken(sensor, [
      { t: at(5 * 60_000 + 1).toISOString(), '1': 1 },
      { t: '1970-01-01T00:00:10Z', '2': 2 },
      { t: at(5 * 60_000).toISOString(), '3': 3 },
    ]);
    expect(answer.accepted).toBe(3);
    expect(answer.notes).toHaveLength(2);
    expect(await readingsOf(sensor)).toEqual([
      { channel: 1, time: START, value: 1 },
      { channel: 2, time: START, value: 2 },
      { channel: 3, time: at(5 * 60_000), value: 3 },
    ]);
    expect((await framesOf(sensor))[0]?.note).toContain('runs ahead');
  });

  test('a time before everything that is kept gives no reading, and the frame stays', async () => {
    const sensor = await sensorWith();
    const answer = await taken(sensor, { t: at(-401 * DAY).toISOString(), '1': 1 });
    expect([answer.accepted, answer.refused[0]?.because]).toEqual([0, 'too-old']);
    expect(await framesOf(sensor)).toHaveLength(1);
  });
});

describe('who is it', () => {
  test('unknown uid, wrong token, revoked token, disabled sensor and customer each get their own answer', async () => {
    const sensor = await sensorWith();
    const closing = await createCustomer(db);
    const theirs = await createSensor(db, { customer: closing });
    const disabled = await sensorWith({ columns: { status: 0 } });
    await serviceQuery(db, 'update tocsin.customer set status = 0 where uuid = $1', [closing.uuid]);
    const because = async (uid: string, token: string) => {
      const answer = await pipeline.identify(uid, token);
      return answer.ok ? 'ok' : answer.because;
    };
    expect(await because('nobody', sensor.token)).toBe('unknown-uid');
    expect(await because(sensor.uid, 'x'.repeat(43))).toBe('wrong-token');
    expect(await because(sensor.uid, disabled.token)).toBe('wrong-token');
    expect(await because(disabled.uid, disabled.token)).toBe('disabled');
    expect(await because(theirs.uid, theirs.token)).toBe('disabled');
    expect(await because(sensor.uid, sensor.token)).toBe('ok');
    await serviceQuery(db, 'update tocsin_private.device_token set revoked_at = now() where tocsin_sensor_uuid = $1', [
      sensor.uuid,
    ]);
    await expect.poll(() => because(sensor.uid, sensor.token)).toBe('revoked-token');
  });

  test('a token that was revoked is refused by the very next batch, even where nobody was told', async () => {
    const sensor = await sensorWith();
    const deaf = await startPipeline(deafDatabase());
    const device = await signedIn(sensor, deaf);
    const frame = () => ({ door: 'mqtt' as const, body: Buffer.from('1=1') });
    expect(await deaf.receive(device, frame())).toMatchObject({ ok: true });
    await serviceQuery(db, 'update tocsin_private.device_token set revoked_at = now() where tocsin_sensor_uuid = $1', [
      sensor.uuid,
    ]);
    expect(await deaf.receive(device, frame())).toMatchObject({ ok: false, because: 'revoked-token' });
    await deaf.close();
    expect(await framesOf(sensor)).toHaveLength(1);
  });

  test('a sensor that was disabled, or a channel that was added, counts with the very next batch', async () => {
    const sensor = await sensorWith();
    const deaf = await startPipeline(deafDatabase());
    const device = await signedIn(sensor, deaf);
    const receive = (body: string) => deaf.receive(device, { door: 'tcp', body: Buffer.from(body) });
    expect(await receive('2=1')).toMatchObject({ accepted: 0, refused: [{ because: 'unknown-channel' }] });
    await insertRow(db, 'tocsin.sensor_channel', {
      tocsin_customer_uuid: customer.uuid,
      tocsin_sensor_uuid: sensor.uuid,
      name: 'Late',
      channel_number: 2,
    });
    expect(await receive('2=1')).toMatchObject({ accepted: 1 });
    await serviceQuery(db, 'update tocsin.sensor set status = 0 where uuid = $1', [sensor.uuid]);
    expect(await receive('2=2')).toMatchObject({ ok: false, because: 'disabled' });
    await serviceQuery(db, 'delete from tocsin.sensor where uuid = $1', [sensor.uuid]);
    expect(await receive('2=3')).toMatchObject({ ok: false, because: 'unknown-uid' });
    await deaf.close();
  });

  test('a new token works at once, and two customers may use one uid', async () => {
    const neighbour = await createCustomer(db);
    const mine = await sensorWith({ uid: 'same-uid' });
    const theirs = await createSensor(db, { customer: neighbour, uid: 'same-uid' });
    expect(await signedIn(mine)).toMatchObject({ sensorUuid: mine.uuid });
    expect(await signedIn(theirs)).toMatchObject({ sensorUuid: theirs.uuid, customerUuid: neighbour.uuid });
    expect(await pipeline.identifyByUid('same-uid')).toMatchObject({ ok: false, because: 'ambiguous-uid' });
    clock.advance(1000);
    const token = await giveToken(db, customer, mine);
    expect(await pipeline.identify('same-uid', token)).toMatchObject({ sensorUuid: mine.uuid });
    expect(await pipeline.identifyByToken(token)).toMatchObject({ sensorUuid: mine.uuid });
    expect(await pipeline.identifyByToken('x'.repeat(43))).toMatchObject({ because: 'wrong-token' });
  });

  test('a device that floods is slowed down, and its neighbour is not', async () => {
    const [loud, quiet] = [await sensorWith(), await sensorWith()];
    const device = await signedIn(loud);
    const frame = { door: 'http' as const, body: Buffer.from('1=1') };
    const answers = await Promise.all(Array.from({ length: 520 }, () => pipeline.receive(device, frame)));
    const refused = answers.filter((answer) => !answer.ok);
    expect(refused).toHaveLength(20);
    expect(refused[0]).toMatchObject({ because: 'flood', retryAfterMs: 20 });
    expect(await send(quiet, '1=1')).toMatchObject({ ok: true });
    expect(await framesOf(loud)).toHaveLength(500);
  });
});

describe('a gateway', () => {
  const batch = async (gateway: TestSensor, body: unknown) =>
    pipeline.receiveBatch(await signedIn(gateway), {
      door: 'http',
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    });

  test('brings the frames of its sensors, each with its own answer', async () => {
    const gateway = await sensorWith();
    const behind = await sensorWith({ columns: { tocsin_gateway_uuid: gateway.uuid } });
    const stranger = await sensorWith();
    const body = {
      frames: [
        { uid: behind.uid, t: START.toISOString(), '1': 7 },
        { uid: stranger.uid, '1': 8 },
        { uid: gateway.uid, '1': 9 },
        { uid: 'nobody', '1': 1 },
        { uid: behind.uid, '1': 'x' },
      ],
    };
    const answer = await batch(gateway, body);
    expect(answer).toMatchObject({
      ok: true,
      accepted: 2,
      results: [
        { uid: behind.uid, ok: true, accepted: 1 },
        { uid: stranger.uid, ok: false, because: 'foreign-uid' },
        { uid: gateway.uid, ok: true, accepted: 1 },
        { uid: 'nobody', ok: false, because: 'foreign-uid' },
        { uid: behind.uid, ok: true, accepted: 0, refused: [{ channel: '1', because: 'not-a-number' }] },
      ],
    });
    expect(await readingsOf(behind)).toEqual([{ channel: 1, time: START, value: 7 }]);
    expect(await readingsOf(stranger)).toEqual([]);
    const frames = await framesOf(gateway);
    expect(frames).toHaveLength(1);
    expect(frames[0]?.raw).toBe(JSON.stringify(body));
    expect(frames[0]?.problem).toContain(`${stranger.uid}: The sensor`);
  });

  test('that sends nonsense is told so, and what it sent is kept', async () => {
    const gateway = await sensorWith();
    expect(await batch(gateway, '{')).toMatchObject({ ok: false, because: 'not-json' });
    expect(await batch(gateway, { frames: [] })).toMatchObject({ ok: false, because: 'empty' });
    expect(await batch(gateway, { frames: [{ '1': 1 }] })).toMatchObject({ ok: false, because: 'not-json' });
    expect(await batch(gateway, { frames: Array(1001).fill({ uid: 'x' }) })).toMatchObject({ ok: false });
    expect((await framesOf(gateway)).map(({ problem }) => problem !== null)).toEqual([true, true, true, true]);
  });
});

describe('a command', () => {
  const queue = (sensor: TestSensor, command = 'REBOOT') =>
    insertRow(db, 'tocsin.reply_message', {
      tocsin_customer_uuid: customer.uuid,
      uid: sensor.uid,
      reply_command: command,
      queued_on: clock.now().toISOString(),
    });
  const lifeOf = async (id: string) =>
    (
      await serviceQuery(db, 'select sent_on, delivered_on, attempts, reply from tocsin.reply_message where id = $1', [
        id,
      ])
    )[0];

  test('waits for its device, is sent again until it is confirmed, and never after that', async () => {
    const sensor = await sensorWith();
    await taken(sensor, '1=1');
    const { id } = await queue(sensor);
    expect((await taken(sensor, '1=2')).commands).toEqual([{ id: Number(id), text: 'REBOOT' }]);
    expect(await lifeOf(id)).toMatchObject({ sent_on: START, delivered_on: null, attempts: 1 });
    expect((await taken(sensor, '1=3')).commands).toEqual([]);
    clock.advance(60_000);
    expect((await taken(sensor, '1=4')).commands).toEqual([{ id: Number(id), text: 'REBOOT' }]);
    clock.advance(1000);
    expect((await taken(sensor, `1=5;ack=${id};reply=done`)).commands).toEqual([]);
    expect(await lifeOf(id)).toEqual({ sent_on: at(60_000), delivered_on: at(61_000), attempts: 2, reply: 'done' });
    clock.advance(HOUR);
    expect((await taken(sensor, `1=6;ack=${id};reply=again`)).commands).toEqual([]);
    expect((await lifeOf(id)).reply).toBe('done');
  });

  test('expires', async () => {
    const sensor = await sensorWith();
    await queue(sensor);
    clock.advance(72 * HOUR);
    expect((await taken(sensor, '1=1')).commands).toEqual([]);
  });

  test('of another sensor cannot be confirmed', async () => {
    const [mine, theirs] = [await sensorWith(), await sensorWith()];
    const { id } = await queue(theirs);
    const note = `There is no command ${id} for this sensor, so its ack confirms nothing.`;
    expect((await taken(mine, { '1': 1, ack: Number(id) })).notes).toEqual([note]);
    expect((await lifeOf(id)).delivered_on).toBeNull();
    expect((await framesOf(mine)).at(-1)).toMatchObject({ note });
  });

  test('that was never given is not logged as if it were confirmed, and one that was has no such note', async () => {
    const sensor = await sensorWith();
    const { id } = await queue(sensor);
    for (const frame of [`1=1;ack=${id}`, `1=2;ack=${id}`, '1=3;ack=987654321']) {
      await taken(sensor, frame);
      clock.advance(1000);
    }
    expect((await framesOf(sensor)).map(({ note }) => note)).toEqual([
      null,
      null,
      'There is no command 987654321 for this sensor, so its ack confirms nothing.',
    ]);
  });

  test('is taken by a door that can speak first, and only once by two of them', async () => {
    const sensor = await sensorWith();
    const device = await signedIn(sensor);
    const { id } = await queue(sensor);
    const other = await startPipeline();
    const [first, second] = await Promise.all([pipeline.takeCommands(device), other.takeCommands(device)]);
    expect([...first, ...second]).toEqual([{ id: Number(id), text: 'REBOOT' }]);
    await other.close();
  });

  test('tells whoever listens that it waits', async () => {
    const sensor = await sensorWith();
    const heard: string[] = [];
    pipeline.onDeviceChange((uuid) => heard.push(uuid));
    await queue(sensor);
    await expect.poll(() => heard).toContain(sensor.uuid);
  });
});

describe('what is worked out from readings', () => {
  test('a digital datapoint shows its state’s words and colour', async () => {
    const look = {
      channel_low_text: 'Closed',
      channel_high_text: 'Open',
      channel_normal_color: '#00aa00',
      channel_alarm_color: '#aa0000',
      channel_alarm_condition: 1,
    };
    const sensor = await sensorWith({ sensorType: 1, channels: [look] });
    await taken(sensor, '1=1');
    await pipeline.behind.flush();
    expect(await datapointOf(sensor)).toMatchObject({
      latest_value: 1,
      datapoint_title_text: 'Open',
      datapoint_color: '#aa0000',
    });
    clock.advance(1000);
    await taken(sensor, '1=0');
    await pipeline.behind.flush();
    expect(await datapointOf(sensor)).toMatchObject({ datapoint_title_text: 'Closed', datapoint_color: '#00aa00' });
  });

  test('a site knows its last contact, its signal and its slots, whichever sensor spoke', async () => {
    const first = await sensorWith();
    const second = await sensorWith({ site: first.site });
    await taken(first, '1=1;gsm_provider=Nordcell;gsm_signal=-77');
    clock.advance(1000);
    await taken(second, '1=1');
    await pipeline.behind.flush();
    const siteNow = async () =>
      (
        await serviceQuery(
          db,
          'select last_update, site_status, gsm_provider, gsm_signal_strength from tocsin.site where uuid = $1',
          [first.site.uuid],
        )
      )[0];
    expect(await siteNow()).toEqual({
      last_update: at(1000),
      site_status: 1,
      gsm_provider: 'Nordcell',
      gsm_signal_strength: -77,
    });
    clock.advance(DAY);
    await send(second, 'garbage');
    const slots = await serviceQuery(
      db,
      'select slot_start from tocsin.health_slot where tocsin_site_uuid = $1 order by 1',
      [first.site.uuid],
    );
    expect(slots.map(({ slot_start }) => slot_start.toISOString())).toEqual([
      '2026-03-04T00:00:00.000Z',
      '2026-03-05T00:00:00.000Z',
    ]);
  });

  test('whoever watches a site hears of its values once they are stored', async () => {
    const sensor = await sensorWith({ channels: [{}, {}] });
    const heard: LiveDatapoint[] = [];
    const stop = live.watch(sensor.site.uuid, { datapoints: (changed) => heard.push(...changed), site() {} });
    const siteUuid = sensor.site.uuid;
    await taken(sensor, { t: START.toISOString(), '1': 1, '2': 2 });
    await taken(sensor, { t: at(-1000).toISOString(), '1': 0 });
    expect(heard).toEqual([
      { datapointUuid: sensor.channels[0]?.datapointUuid, siteUuid, value: 1, time: START.getTime() },
      { datapointUuid: sensor.channels[1]?.datapointUuid, siteUuid, value: 2, time: START.getTime() },
    ]);
    stop();
    clock.advance(1000);
    await taken(sensor, '1=5');
    expect(heard).toHaveLength(2);
  });

  test('nothing of it is written when the database is away, and it is written later', async () => {
    const sensor = await sensorWith();
    let away = false;
    const flaky = variant({
      transaction: (...args) => (away ? Promise.reject(new Error('away')) : db.transaction(...args)),
    });
    const intake = await startPipeline(flaky);
    await send(sensor, '1=3', { intake });
    away = true;
    await intake.behind.flush();
    away = false;
    await intake.behind.flush();
    await intake.close();
    expect(await datapointOf(sensor)).toMatchObject({ latest_value: 3, status: 1 });
  });
});

describe('a device that is turned away', () => {
  const visit = { door: 'mqtt' as const, because: 'wrong-token', sentence: 'The token is wrong.' };
  const line = { raw: '', encoding: 'none', door: 'mqtt', problem: 'The token is wrong.', note: null };

  /** Closes the pipeline, which waits for what it writes, and starts another. */
  async function settled(): Promise<void> {
    await pipeline.close();
    pipeline = await startPipeline();
  }

  test('stands in the log of its sensor, once a minute for each reason, and is no sign of life', async () => {
    const sensor = await sensorWith();
    for (let again = 0; again < 3; again += 1) pipeline.turnedAway({ uid: sensor.uid }, visit);
    pipeline.turnedAway(
      { sensorUuid: sensor.uuid, uid: sensor.uid },
      { ...visit, because: 'flood', sentence: 'Slower.' },
    );
    pipeline.turnedAway({ uid: 'nobody' }, visit);
    pipeline.turnedAway({ uid: '' }, visit);
    await expect.poll(() => framesOf(sensor)).toHaveLength(2);
    clock.advance(60_000);
    pipeline.turnedAway({ uid: sensor.uid }, visit);
    await settled();
    const lines = await framesOf(sensor);
    expect(lines).toHaveLength(3);
    expect(lines).toEqual(expect.arrayContaining([line, { ...line, problem: 'Slower.' }]));
    const [row] = await serviceQuery(db, 'select last_contact from tocsin.sensor where uuid = $1', [sensor.uuid]);
    expect(row).toEqual({ last_contact: null });
  });

  test('is told by its token where several customers have its uid, and else by nobody', async () => {
    const mine = await sensorWith();
    const theirs = await createSensor(db, { customer: await createCustomer(db), uid: mine.uid });
    pipeline.turnedAway({ uid: mine.uid, token: 'guess' }, visit);
    pipeline.turnedAway({ uid: mine.uid, token: theirs.token }, visit);
    pipeline.turnedAway({ token: mine.token }, { ...visit, because: 'revoked-token' });
    await settled();
    expect([await framesOf(mine), await framesOf(theirs)]).toEqual([[line], [line]]);
  });

  test('does not let strangers fill the log of a customer', async () => {
    const crowd = await createCustomer(db);
    const sensors: TestSensor[] = [];
    for (let index = 0; index < 35; index += 1) sensors.push(await createSensor(db, { customer: crowd, channels: [] }));
    for (const sensor of sensors) pipeline.turnedAway({ uid: sensor.uid }, visit);
    await settled();
    const [row] = await serviceQuery(
      db,
      'select count(*)::int as lines from tocsin.incoming_sensor_log where tocsin_customer_uuid = $1',
      [crowd.uuid],
    );
    expect(row).toEqual({ lines: 30 });
  });
});

test('frames that the database cannot take are refused, and may be sent again', async () => {
  const sensor = await sensorWith();
  let away = true;
  const work =
    <T extends unknown[]>(begin: (...args: T) => Promise<any>) =>
    (...args: T) =>
      away ? Promise.reject(new Error('away')) : begin(...args);
  const flaky = variant({
    transaction: work((...args: Parameters<Database['transaction']>) =>
      db.transaction(...args),
    ) as Database['transaction'],
    ...(db.copying && { copying: work(db.copying.bind(db)) as NonNullable<Database['copying']> }),
  });
  away = false;
  const intake = await startPipeline(flaky);
  const device = await signedIn(sensor, intake);
  away = true;
  const frame = { door: 'tcp' as const, body: Buffer.from('1=1') };
  expect(await intake.receive(device, frame)).toMatchObject({ ok: false, because: 'unavailable' });
  // What was remembered is forgotten after a failure, so now not even the sensor can be looked up.
  expect(await intake.receive(device, frame)).toMatchObject({ ok: false, because: 'unavailable' });
  away = false;
  expect(await intake.receive(device, frame)).toMatchObject({ ok: true, accepted: 1 });
  await intake.close();
  expect(await framesOf(sensor)).toHaveLength(1);
});
