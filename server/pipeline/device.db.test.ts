import { describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import { createCustomer, insertRow, serviceQuery } from '../../test/harness/database/factories.ts';
import { createSensor, giveToken, type TestSensor } from '../../test/harness/device/devices.ts';
import { at, START, testPipeline } from '../../test/harness/server/pipeline.ts';

const bench = testPipeline();
const { sensorWith, signedIn, send, readingsOf, framesOf } = bench;
const deafDatabase = () => bench.variant({ listen: async () => async () => {} });

describe('identification', () => {
  test('unknown uid, wrong token, revoked token, disabled sensor and customer each get their own response', async () => {
    const sensor = await sensorWith();
    const closing = await createCustomer(bench.db);
    const theirs = await createSensor(bench.db, { customer: closing });
    const disabled = await sensorWith({ columns: { status: 0 } });
    await serviceQuery(bench.db, 'update tocsin.customer set status = 0 where uuid = $1', [closing.uuid]);
    const because = async (uid: string, token: string) => {
      const answer = await bench.pipeline.identify(uid, token);
      return answer.ok ? 'ok' : answer.because;
    };
    expect(await because('nobody', sensor.token)).toBe('unknown-uid');
    expect(await because('no\0body', sensor.token)).toBe('unknown-uid');
    expect(await because(sensor.uid, 'x'.repeat(43))).toBe('wrong-token');
    expect(await because(sensor.uid, disabled.token)).toBe('wrong-token');
    expect(await because(disabled.uid, disabled.token)).toBe('disabled');
    expect(await because(theirs.uid, theirs.token), 'may be moving to another cell').toBe('unavailable');
    expect(await because(sensor.uid, sensor.token)).toBe('ok');
    await serviceQuery(
      bench.db,
      'update tocsin_private.device_token set revoked_at = now() where tocsin_sensor_uuid = $1',
      [sensor.uuid],
    );
    await expect.poll(() => because(sensor.uid, sensor.token)).toBe('revoked-token');
  });

  test('a revoked token is refused by the next batch, even without a notification', async () => {
    const sensor = await sensorWith();
    const deaf = await bench.start(deafDatabase());
    const device = await signedIn(sensor, deaf);
    const frame = () => ({ protocol: 'mqtt' as const, body: Buffer.from('1=1') });
    expect(await deaf.receive(device, frame())).toMatchObject({ ok: true });
    await serviceQuery(
      bench.db,
      'update tocsin_private.device_token set revoked_at = now() where tocsin_sensor_uuid = $1',
      [sensor.uuid],
    );
    expect(await deaf.receive(device, frame())).toMatchObject({ ok: false, because: 'revoked-token' });
    await deaf.close();
    expect(await framesOf(sensor)).toHaveLength(1);
  });

  test('a disabled sensor or a new channel takes effect with the next batch', async () => {
    const sensor = await sensorWith();
    const deaf = await bench.start(deafDatabase());
    const device = await signedIn(sensor, deaf);
    const receive = (body: string) => deaf.receive(device, { protocol: 'tcp', body: Buffer.from(body) });
    expect(await receive('2=1')).toMatchObject({ accepted: 0, refused: [{ because: 'unknown-channel' }] });
    await insertRow(bench.db, 'tocsin.sensor_channel', {
      tocsin_customer_uuid: bench.customer.uuid,
      tocsin_sensor_uuid: sensor.uuid,
      name: 'Late',
      channel_number: 2,
    });
    expect(await receive('2=1')).toMatchObject({ accepted: 1 });
    await serviceQuery(bench.db, 'update tocsin.sensor set status = 0 where uuid = $1', [sensor.uuid]);
    expect(await receive('2=2')).toMatchObject({ ok: false, because: 'disabled' });
    await serviceQuery(bench.db, 'delete from tocsin.sensor where uuid = $1', [sensor.uuid]);
    expect(await receive('2=3')).toMatchObject({ ok: false, because: 'unknown-uid' });
    await deaf.close();
  });

  test('a new sensor is identified at once if a sensor of another customer with its uid is cached', async () => {
    const neighbour = await createCustomer(bench.db);
    await signedIn(await sensorWith({ uid: 'shared-uid' }));
    const news = Promise.withResolvers<void>();
    const stop = bench.pipeline.onDeviceChange(() => news.resolve());
    const theirs = await createSensor(bench.db, { customer: neighbour, uid: 'shared-uid' });
    await news.promise;
    stop();
    expect(await signedIn(theirs)).toMatchObject({ sensorUuid: theirs.uuid });
    expect(await bench.pipeline.identifyByUid('shared-uid')).toMatchObject({ ok: false, because: 'ambiguous-uid' });
  });

  test('a new token works at once, and two customers may use one uid', async () => {
    const neighbour = await createCustomer(bench.db);
    const mine = await sensorWith({ uid: 'same-uid' });
    const theirs = await createSensor(bench.db, { customer: neighbour, uid: 'same-uid' });
    expect(await signedIn(mine)).toMatchObject({ sensorUuid: mine.uuid });
    expect(await signedIn(theirs)).toMatchObject({ sensorUuid: theirs.uuid, customerUuid: neighbour.uuid });
    expect(await bench.pipeline.identifyByUid('same-uid')).toMatchObject({ ok: false, because: 'ambiguous-uid' });
    bench.clock.advance(1000);
    const token = await giveToken(bench.db, bench.customer, mine);
    expect(await bench.pipeline.identify('same-uid', token)).toMatchObject({ sensorUuid: mine.uuid });
    expect(await bench.pipeline.identifyByToken(token)).toMatchObject({ sensorUuid: mine.uuid });
    expect(await bench.pipeline.identifyByToken('x'.repeat(43))).toMatchObject({ because: 'wrong-token' });
  });

  test('limits a device that sends too often, but not other devices', async () => {
    const [loud, quiet] = [await sensorWith(), await sensorWith()];
    const device = await signedIn(loud);
    const frame = { protocol: 'http' as const, body: Buffer.from('1=1') };
    const answers = await Promise.all(Array.from({ length: 520 }, () => bench.pipeline.receive(device, frame)));
    const refused = answers.filter((answer) => !answer.ok);
    expect(refused).toHaveLength(20);
    expect(refused[0]).toMatchObject({ because: 'flood', retryAfterMs: 20 });
    expect(await send(quiet, '1=1')).toMatchObject({ ok: true });
    expect(await framesOf(loud)).toHaveLength(500);
  });
});

describe('a gateway', () => {
  const batch = async (gateway: TestSensor, body: unknown) =>
    bench.pipeline.receiveBatch(await signedIn(gateway), {
      protocol: 'http',
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    });

  test('delivers frames of its sensors, each with its own response', async () => {
    const gateway = await sensorWith();
    const behind = await sensorWith({ columns: { tocsin_gateway_uuid: gateway.uuid } });
    const stranger = await sensorWith();
    const abroad = await createSensor(bench.db, { customer: await createCustomer(bench.db) });
    const body = {
      frames: [
        { uid: behind.uid, t: START.toISOString(), '1': 7 },
        { uid: stranger.uid, '1': 8 },
        { uid: gateway.uid, '1': 9 },
        { uid: 'nobody', '1': 1 },
        { uid: abroad.uid, '1': 1 },
        { uid: behind.uid, '1': 'x' },
        { uid: behind.uid, '1': 1, words: 'ö'.repeat(frameLimits.bytes / 2) },
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
        { uid: 'nobody', ok: false, because: 'unknown-uid' },
        // This sensor belongs to another customer, so the response must not reveal that the uid exists.
        { uid: abroad.uid, ok: false, sentence: `No sensor with the uid ${abroad.uid} is registered.` },
        { uid: behind.uid, ok: true, accepted: 0, refused: [{ channel: '1', because: 'not-a-number' }] },
        // The refusal is the same as for a frame that is sent alone.
        {
          uid: behind.uid,
          ok: false,
          because: 'too-large',
          sentence: expect.stringMatching(/^The frame is too large and was not stored\. The maximum is 65536 bytes/),
        },
      ],
    });
    expect(await readingsOf(behind)).toEqual([{ channel: 1, time: START, value: 7 }]);
    expect(await readingsOf(stranger)).toEqual([]);
    const frames = await framesOf(gateway);
    expect(frames).toHaveLength(1);
    expect(frames[0]?.raw).toBe(JSON.stringify(body));
    expect(frames[0]?.problem).toContain(`${stranger.uid}: The sensor`);
  });

  test('may send a list without the key "frames", and any sensor may do so for its own frames', async () => {
    const sensor = await sensorWith();
    const frames = [1, 2].map((value) => ({ uid: sensor.uid, t: at(value * 1000).toISOString(), '1': value }));
    expect(await batch(sensor, frames)).toMatchObject({
      ok: true,
      accepted: 2,
      results: [{ accepted: 1 }, { accepted: 1 }],
    });
    expect(await batch(sensor, { frames })).toMatchObject({ ok: true, accepted: 0, duplicates: 2 });
    expect(await batch(sensor, [{ '1': 1 }])).toMatchObject({ ok: false, because: 'no-uid' });
    expect(await batch(sensor, [])).toMatchObject({ ok: false, because: 'empty' });
  });

  test('gets a refusal for an unreadable call, and the call is kept', async () => {
    const gateway = await sensorWith();
    expect(await batch(gateway, '{')).toMatchObject({ ok: false, because: 'not-json' });
    expect(await batch(gateway, { frames: [] })).toMatchObject({ ok: false, because: 'empty' });
    expect(await batch(gateway, { frames: [{ '1': 1 }] })).toMatchObject({ ok: false, because: 'no-uid' });
    expect(await batch(gateway, { '1': 1 })).toMatchObject({ ok: false, because: 'no-frames' });
    expect(await batch(gateway, { frames: Array(1001).fill({ uid: 'x' }) })).toMatchObject({
      ok: false,
      because: 'too-many-frames',
      sentence: 'A call may contain at most 1000 frames. Send several calls.',
    });
    expect((await framesOf(gateway)).map(({ problem }) => problem !== null)).toEqual(Array(5).fill(true));
  });
});

describe('a refused connection', () => {
  const visit = { protocol: 'mqtt' as const, because: 'wrong-token', sentence: 'The token is wrong.' };
  const line = { raw: '', encoding: 'none', protocol: 'mqtt', problem: 'The token is wrong.', note: null };

  test('is logged once a minute for each sensor and reason, and does not count as contact', async () => {
    const sensor = await sensorWith();
    for (let again = 0; again < 3; again += 1) bench.pipeline.noteRejection({ uid: sensor.uid }, visit);
    bench.pipeline.noteRejection(
      { sensorUuid: sensor.uuid, uid: sensor.uid },
      { ...visit, because: 'flood', sentence: 'Slower.' },
    );
    bench.pipeline.noteRejection({ uid: 'nobody' }, visit);
    bench.pipeline.noteRejection({ uid: '' }, visit);
    await expect.poll(() => framesOf(sensor)).toHaveLength(2);
    bench.clock.advance(60_000);
    bench.pipeline.noteRejection({ uid: sensor.uid }, visit);
    await bench.restart();
    const lines = await framesOf(sensor);
    expect(lines).toHaveLength(3);
    expect(lines).toEqual(expect.arrayContaining([line, { ...line, problem: 'Slower.' }]));
    const [row] = await serviceQuery(bench.db, 'select last_contact from tocsin.sensor where uuid = $1', [sensor.uuid]);
    expect(row).toEqual({ last_contact: null });
  });

  test('is logged for the customer of its token if customers share a uid, and for all of them if the token is unknown', async () => {
    const mine = await sensorWith();
    const theirs = await createSensor(bench.db, { customer: await createCustomer(bench.db), uid: mine.uid });
    bench.pipeline.noteRejection({ uid: mine.uid, token: theirs.token }, { ...visit, sentence: 'Theirs.' });
    bench.pipeline.noteRejection({ token: mine.token }, { ...visit, sentence: 'Mine.' });
    await bench.restart();
    const both = async () => [await framesOf(mine), await framesOf(theirs)];
    expect(await both()).toEqual([[{ ...line, problem: 'Mine.' }], [{ ...line, problem: 'Theirs.' }]]);
    bench.clock.advance(60_000);
    for (let again = 0; again < 3; again += 1) bench.pipeline.noteRejection({ uid: mine.uid, token: 'guess' }, visit);
    bench.pipeline.noteRejection({ uid: mine.uid }, { ...visit, because: 'no-token', sentence: 'There is no token.' });
    await bench.restart();
    for (const lines of await both()) {
      expect(lines).toHaveLength(3);
      expect(lines).toEqual(expect.arrayContaining([line, { ...line, problem: 'There is no token.' }]));
    }
  });

  test('does not reveal other customers with the same uid', async () => {
    const mine = await sensorWith();
    await createSensor(bench.db, { customer: await createCustomer(bench.db), uid: mine.uid });
    for (const answer of [
      await bench.pipeline.identify(mine.uid, 'guess'),
      await bench.pipeline.identifyByUid(mine.uid),
    ]) {
      expect(answer).toMatchObject({ ok: false, sentence: expect.not.stringMatching(/customer/i) });
    }
  });

  test('cannot fill the log of a customer', async () => {
    const crowd = await createCustomer(bench.db);
    const sensors: TestSensor[] = [];
    for (let index = 0; index < 35; index += 1)
      sensors.push(await createSensor(bench.db, { customer: crowd, channels: [] }));
    for (const sensor of sensors) bench.pipeline.noteRejection({ uid: sensor.uid }, visit);
    await bench.restart();
    const [row] = await serviceQuery(
      bench.db,
      'select count(*)::int as lines from tocsin.incoming_sensor_log where tocsin_customer_uuid = $1',
      [crowd.uuid],
    );
    expect(row).toEqual({ lines: 30 });
  });
});
