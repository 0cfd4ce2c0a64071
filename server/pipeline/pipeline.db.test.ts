import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serviceQuery } from '../../test/harness/database/factories.ts';
import type { TestSensor } from '../../test/harness/device/devices.ts';
import { isLong } from '../../test/harness/long.ts';
import { at, DAY, START, testPipeline } from '../../test/harness/server/pipeline.ts';
import type { LiveDatapoint } from '../live/hub.ts';
import type { Database } from '../platform/database.ts';

const bench = testPipeline();
const { sensorWith, signedIn, send, taken, readingsOf, framesOf } = bench;

const datapointOf = async (sensor: TestSensor, index = 0) =>
  (
    await serviceQuery(
      bench.db,
      'select status, latest_value, last_updated, datapoint_color, datapoint_title_text from tocsin.asset_datapoint where uuid = $1',
      [sensor.channels[index]?.datapointUuid],
    )
  )[0];

describe('a frame', () => {
  test('is stored word for word, and its values become readings', async () => {
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
    expect(await framesOf(sensor)).toEqual([{ raw, encoding: 'text', protocol: 'http', problem: null, note: null }]);
  });

  test('is scaled by its channel', async () => {
    const sensor = await sensorWith({
      channels: [{ channel_factor: 0.1, channel_offset: -40, channel_decimals: 1 }, { channel_factor: 1e12 }],
    });
    const answer = await taken(sensor, { '1': 651, '2': 1e30 });
    expect(answer.accepted).toBe(1);
    expect(answer.refused).toMatchObject([{ channel: '2', because: 'out-of-range' }]);
    expect(await readingsOf(sensor)).toEqual([{ channel: 1, time: START, value: 25.1 }]);
  });

  test('with an unknown channel keeps its other values', async () => {
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

  test('that is unreadable is stored with its problem and changes nothing', async () => {
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
    await bench.pipeline.behind.flush();
    expect((await datapointOf(sensor)).status).toBe(0);
  });

  test('sent again changes nothing', async () => {
    const sensor = await sensorWith({ channels: [{}, {}] });
    const frame = { t: START.toISOString(), '1': 1, '2': 2 };
    await taken(sensor, frame);
    expect(await taken(sensor, { ...frame, '1': 99 })).toMatchObject({ accepted: 0, duplicates: 2 });
    // A process with an empty cache also detects duplicates, including duplicates within one batch.
    const other = await bench.start();
    expect(await send(sensor, frame, { intake: other })).toMatchObject({ accepted: 0, duplicates: 2 });
    bench.clock.advance(1000);
    const later = { t: bench.clock.now().toISOString(), '1': 5 };
    const both = await Promise.all([send(sensor, later), send(sensor, later)]);
    expect(both.map((answer) => answer.ok && [answer.accepted, answer.duplicates])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    await other.close();
    expect((await readingsOf(sensor)).map(({ value }) => value)).toEqual([1, 5, 2]);
    const two = '2 values were already stored with these times, so they were not stored again.';
    const one = '1 value was already stored with this time, so it was not stored again.';
    // Each process reserves its own block of frame ids, so the frames are not in order of arrival.
    const notes = (await framesOf(sensor)).map(({ note }) => note ?? '');
    expect(notes.sort()).toEqual(['', '', one, two, two]);
  });

  test('with some duplicates is logged with their channels', async () => {
    const sensor = await sensorWith({ channels: [{ name: 'Level' }, { name: 'Flow' }, {}] });
    const t = START.toISOString();
    await taken(sensor, { t, '1': 1 });
    await taken(sensor, { t, '1': 1, flow: 2 });
    await taken(sensor, { t, level: 1, flow: 2, '3': 3 });
    expect((await framesOf(sensor)).map(({ note }) => note)).toEqual([
      null,
      '1 of 2 values was already stored with this time, so it was not stored again: channel 1.',
      '2 of 3 values were already stored with these times, so they were not stored again: channels 1, 2.',
    ]);
  });

  test('with many duplicates is logged with a few of their channels', async () => {
    const sensor = await sensorWith({ channels: Array(13).fill({}) });
    const values = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [index + 1, 1]));
    const t = START.toISOString();
    await taken(sensor, { t, ...values });
    await taken(sensor, { t, ...values, '13': 1 });
    expect((await framesOf(sensor)).at(-1)?.note).toMatch(/: channels 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more\.$/);
  });

  test('that another process has stored counts as a duplicate', async () => {
    const sensor = await sensorWith();
    const other = await bench.start();
    await send(sensor, { t: at(-2000).toISOString(), '1': 1 });
    await send(sensor, { t: at(-2000).toISOString(), '1': 1 }, { intake: other });
    expect(await send(sensor, { t: START.toISOString(), '1': 2 }, { intake: other })).toMatchObject({ accepted: 1 });
    // The other process has stored this reading, so the cache of this process does not contain it.
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
    await bench.pipeline.behind.flush();
    expect(await datapointOf(sensor)).toMatchObject({ latest_value: 10, last_updated: START, status: 1 });
    expect(await readingsOf(sensor)).toHaveLength(2);
  });

  test('a reading has the device time and the server time', async () => {
    const sensor = await sensorWith();
    await taken(sensor, { t: at(-90_000).toISOString(), '1': 10 });
    const times = await serviceQuery(
      bench.db,
      `select r.device_time, r.server_time from tocsin.reading r
       join tocsin.sensor_channel c on c.key = r.channel_key where c.tocsin_sensor_uuid = $1`,
      [sensor.uuid],
    );
    expect(times).toEqual([{ device_time: at(-90_000), server_time: START }]);
  });

  test('uses server time if the clock of the device is ahead or was never set, and notes it', async () => {
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
    expect((await framesOf(sensor))[0]?.note).toContain('clock is ahead');
  });

  test('keeps all values without a time that arrive at the same moment, in order', async () => {
    const sensor = await sensorWith();
    expect(await taken(sensor, [{ '1': 1 }, { t: 0, '1': 2 }, { '1': 3 }])).toMatchObject({
      accepted: 3,
      duplicates: 0,
    });
    const burst = await Promise.all([4, 5, 6].map((value) => taken(sensor, `1=${value}`)));
    expect(burst.map(({ accepted, duplicates }) => [accepted, duplicates])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(await taken(sensor, 'time,1\n1970-01-01T00:00:00Z,7\n1970-01-01T00:00:00Z,8')).toMatchObject({
      accepted: 2,
    });
    const stored = [1, 2, 3, 4, 5, 6, 7, 8].map((value, index) => ({ channel: 1, time: at(index), value }));
    expect(await readingsOf(sensor)).toEqual(stored);
    // The last value of the frame becomes the newest value. The next frame's value gets a distinct time.
    await bench.pipeline.behind.flush();
    expect(await datapointOf(sensor)).toMatchObject({ latest_value: 8 });
    bench.clock.advance(1000);
    await taken(sensor, '1=9');
    expect((await readingsOf(sensor)).at(-1)).toEqual({ channel: 1, time: at(1000), value: 9 });
    // The same value counts as a duplicate if its device time is the same.
    expect(await taken(sensor, { t: at(2).toISOString(), '1': 3 })).toMatchObject({ accepted: 0, duplicates: 1 });
  });

  test('ignores a reading older than the retention, and stores the frame', async () => {
    const sensor = await sensorWith();
    const answer = await taken(sensor, { t: at(-401 * DAY).toISOString(), '1': 1 });
    expect([answer.accepted, answer.refused[0]?.because]).toEqual([0, 'too-old']);
    expect(await framesOf(sensor)).toHaveLength(1);
  });
});

describe('derived values', () => {
  test('shows a digital data point with the text and colour of its state', async () => {
    const look = {
      channel_low_text: 'Closed',
      channel_high_text: 'Open',
      channel_normal_color: '#00aa00',
      channel_alarm_color: '#aa0000',
      channel_alarm_condition: 1,
    };
    const sensor = await sensorWith({ sensorType: 1, channels: [look] });
    await taken(sensor, '1=1');
    await bench.pipeline.behind.flush();
    expect(await datapointOf(sensor)).toMatchObject({
      latest_value: 1,
      datapoint_title_text: 'Open',
      datapoint_color: '#aa0000',
    });
    bench.clock.advance(1000);
    await taken(sensor, '1=0');
    await bench.pipeline.behind.flush();
    expect(await datapointOf(sensor)).toMatchObject({ datapoint_title_text: 'Closed', datapoint_color: '#00aa00' });
  });

  test('gives a new data point the newest value of its channel', async () => {
    const look = { channel_high_text: 'Open', channel_alarm_color: '#aa0000', channel_alarm_condition: 1 };
    const sensor = await sensorWith({ sensorType: 1, channels: [look, {}] });
    await taken(sensor, { t: at(-5000).toISOString(), '1': 0 });
    await taken(sensor, { t: at(-1000).toISOString(), '1': 1 });
    await bench.pipeline.behind.flush();
    for (const { datapointUuid } of sensor.channels) {
      const columns = 'uuid, tocsin_customer_uuid, tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid';
      const [gone] = await serviceQuery(
        bench.db,
        `delete from tocsin.asset_datapoint where uuid = $1 returning ${columns}`,
        [datapointUuid],
      );
      await serviceQuery(
        bench.db,
        `insert into tocsin.asset_datapoint (${columns}, tocsin_datapoint_name, sensor_type) values ($1, $2, $3, $4, $5, 'Later', 1)`,
        Object.values(gone),
      );
    }
    expect(await datapointOf(sensor)).toEqual({
      status: 1,
      latest_value: 1,
      last_updated: at(-1000),
      datapoint_color: '#aa0000',
      datapoint_title_text: 'Open',
    });
    expect(await datapointOf(sensor, 1)).toMatchObject({ status: 0, latest_value: null, last_updated: null });
  });

  test('updates last contact, signal and health slots of a site from any of its sensors', async () => {
    const first = await sensorWith();
    const second = await sensorWith({ site: first.site });
    const [{ last_updated: before }] = await serviceQuery(
      bench.db,
      'select last_updated from tocsin.site where uuid = $1',
      [first.site.uuid],
    );
    await taken(first, '1=1;gsm_provider=Nordcell;gsm_signal=-77');
    bench.clock.advance(1000);
    await taken(second, '1=1');
    await bench.pipeline.behind.flush();
    const siteNow = async () =>
      (
        await serviceQuery(
          bench.db,
          'select last_update, site_status, gsm_provider, gsm_signal_strength, last_updated from tocsin.site where uuid = $1',
          [first.site.uuid],
        )
      )[0];
    expect(await siteNow()).toEqual({
      last_update: at(1000),
      site_status: 1,
      gsm_provider: 'Nordcell',
      gsm_signal_strength: -77,
      // A contact does not change `last_updated`, so a form that is open meanwhile can still be saved.
      last_updated: before,
    });
    bench.clock.advance(DAY);
    await send(second, 'garbage');
    const slots = await serviceQuery(
      bench.db,
      'select slot_start from tocsin.health_slot where tocsin_site_uuid = $1 order by 1',
      [first.site.uuid],
    );
    expect(slots.map(({ slot_start }) => slot_start.toISOString())).toEqual([
      '2026-03-04T00:00:00.000Z',
      '2026-03-05T00:00:00.000Z',
    ]);
  });

  test('sends live values after they are stored', async () => {
    const sensor = await sensorWith({ channels: [{}, {}] });
    const heard: LiveDatapoint[] = [];
    const stop = bench.live.watch(sensor.site.uuid, { datapoints: (changed) => heard.push(...changed), site() {} });
    const siteUuid = sensor.site.uuid;
    await taken(sensor, { t: START.toISOString(), '1': 1, '2': 2 });
    await taken(sensor, { t: at(-1000).toISOString(), '1': 0 });
    expect(heard).toEqual([
      { datapointUuid: sensor.channels[0]?.datapointUuid, siteUuid, value: 1, time: START.getTime() },
      { datapointUuid: sensor.channels[1]?.datapointUuid, siteUuid, value: 2, time: START.getTime() },
    ]);
    stop();
    bench.clock.advance(1000);
    await taken(sensor, '1=5');
    expect(heard).toHaveLength(2);
  });

  test('writes derived values later when the database was unreachable', async () => {
    const sensor = await sensorWith();
    let away = false;
    const flaky = bench.variant({
      transaction: (...args) => (away ? Promise.reject(new Error('away')) : bench.db.transaction(...args)),
    });
    const intake = await bench.start(flaky);
    await send(sensor, '1=3', { intake });
    away = true;
    await intake.behind.flush();
    away = false;
    await intake.behind.flush();
    await intake.close();
    expect(await datapointOf(sensor)).toMatchObject({ latest_value: 3, status: 1 });
  });
});

test('refuses frames that the database cannot store, so that they are sent again', async () => {
  const sensor = await sensorWith();
  let away = true;
  const work =
    <T extends unknown[]>(begin: (...args: T) => Promise<any>) =>
    (...args: T) =>
      away ? Promise.reject(new Error('away')) : begin(...args);
  const flaky = bench.variant({
    transaction: work((...args: Parameters<Database['transaction']>) =>
      bench.db.transaction(...args),
    ) as Database['transaction'],
    ...(bench.db.copying && { copying: work(bench.db.copying.bind(bench.db)) as NonNullable<Database['copying']> }),
  });
  away = false;
  const intake = await bench.start(flaky);
  const device = await signedIn(sensor, intake);
  away = true;
  const frame = { protocol: 'tcp' as const, body: Buffer.from('1=1') };
  expect(await intake.receive(device, frame)).toMatchObject({ ok: false, because: 'unavailable' });
  // The failure has cleared the cache, so the lookup of the sensor fails too.
  expect(await intake.receive(device, frame)).toMatchObject({ ok: false, because: 'unavailable' });
  away = false;
  expect(await intake.receive(device, frame)).toMatchObject({ ok: true, accepted: 1 });
  await intake.close();
  expect(await framesOf(sensor)).toHaveLength(1);
});

describe('frames of a device in order', () => {
  /** Other frames fill the first batch, so that the sequence is distributed across several batches. */
  const MOST_JOBS = 2000;

  test('are stored up to the first one that must be sent again, and none after it', async () => {
    const random = fc.record({
      before: fc.constantFrom(0, MOST_JOBS - 1, MOST_JOBS - 3),
      count: fc.integer({ min: 4, max: 12 }),
      // Indexes of the transactions that fail.
      failing: fc.uniqueArray(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(random, async ({ before, count, failing }) => {
        let transactions = Number.NEGATIVE_INFINITY;
        const fails = () => failing.includes(transactions++);
        const { copying } = bench.db;
        const flaky = bench.variant({
          transaction: (...args) =>
            !copying && fails() ? Promise.reject(new Error('away')) : bench.db.transaction(...args),
          ...(copying && {
            copying: (...args: Parameters<typeof copying>) =>
              fails() ? Promise.reject(new Error('away')) : copying.apply(bench.db, args),
          }),
        } as Partial<Database>);
        const intake = await bench.start(flaky);
        const [sensor, other] = [await sensorWith(), await sensorWith()];
        const [device, busy] = [await signedIn(sensor, intake), await signedIn(other, intake)];
        const frameOf = (value: number) => ({
          ...{ protocol: 'mqtt' as const, queuedByBroker: true },
          body: Buffer.from(`t=${START.getTime() / 1000 - 600 + value};1=${value}`),
        });
        transactions = 0;
        const filling = Array.from({ length: before }, (_, value) => intake.receive(busy, frameOf(value)));
        const answers = await intake.receiveInOrder(
          device,
          Array.from({ length: count }, (_, value) => frameOf(value)),
        );
        await Promise.all(filling);
        await intake.close();
        const stored = answers.findIndex(({ ok }) => !ok);
        const prefix = stored < 0 ? count : stored;
        expect(answers.slice(prefix).every((answer) => !answer.ok && answer.because === 'unavailable')).toBe(true);
        const values = (await readingsOf(sensor)).map(({ value }) => value);
        expect(values).toEqual(Array.from({ length: prefix }, (_, value) => value));
      }),
      { numRuns: isLong ? 15 : 5 },
    );
  });
});

test('stores all frames that a broker kept during an outage, and limits the rate of direct frames', async () => {
  const sensor = await sensorWith();
  const device = await signedIn(sensor);
  const frame = { protocol: 'mqtt' as const, body: Buffer.from('1=1') };
  const kept = await bench.pipeline.receiveInOrder(device, Array(700).fill({ ...frame, queuedByBroker: true }));
  expect(kept.every(({ ok }) => ok)).toBe(true);
  const direct = await bench.pipeline.receiveInOrder(device, Array(700).fill(frame));
  expect(direct.filter(({ ok }) => ok)).toHaveLength(500);
  expect(direct[600]).toMatchObject({ because: 'flood', retryAfterMs: 20 });
});
