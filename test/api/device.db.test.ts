import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timeText } from '../../domain/alarm/message.ts';
import { reservedKey, reservedNames } from '../../domain/frame/collect.ts';
import { disposeTestDatabases } from '../harness/database/database.ts';
import { createSite, linkUser, serviceQuery } from '../harness/database/factories.ts';
import { createSensor } from '../harness/device/devices.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { accessOf, ingest } from './api.ts';

let app: TestApp;
let staff: Staff;
let manager: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  // Refusals show times in the customer's time zone, here UTC+5:45.
  await serviceQuery(app.db, `update tocsin.customer set time_zone = 'Asia/Kathmandu' where uuid = $1`, [
    staff.customer.uuid,
  ]);
  manager = await app.browser(staff.manager);
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

const REGISTER = `mutation ($input: RegisterSensorInput!) { registerSensor(input: $input) {
  credentials { tocsinSensorUuid uid token } } }`;
const ROTATE = `mutation ($input: RotateDeviceTokenInput!) { rotateDeviceToken(input: $input) {
  credentials { tocsinSensorUuid uid token } } }`;
const REVOKE = 'mutation ($input: RevokeDeviceTokenInput!) { revokeDeviceToken(input: $input) { revoked } }';
const STATUS = `mutation ($input: UpdateSensorInput!) { updateSensor(input: $input) { sensor { uuid status } } }`;

describe('registering a device', () => {
  test('returns its token once, which the device can use', async () => {
    const { credentials } = (await manager.data(REGISTER, { input: { uid: 'new-1', sensorType: 2 } })).registerSensor;
    expect(credentials.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await ingest(app, 'new-1', credentials.token)).toMatchObject({ status: 200, answer: { accepted: 0 } });
    const { sensors } = await manager.data(
      '{ sensors(filter: { uid: { equalTo: "new-1" } }) { nodes { uuid uid frameFormat } } }',
    );
    expect(sensors.nodes).toEqual([{ uuid: credentials.tocsinSensorUuid, uid: 'new-1', frameFormat: 'auto' }]);
    const stored = await serviceQuery(app.db, 'select token_hash::text as hash from tocsin_private.device_token');
    expect(JSON.stringify(stored)).not.toContain(credentials.token);
    const audits = await serviceQuery(app.db, "select before, after from tocsin.audit where noun = 'device_token'");
    expect(audits.length).toBeGreaterThan(0);
    expect(JSON.stringify(audits)).not.toMatch(/token_hash/);
  });

  test('reports a problem at its field', async () => {
    const taken = await manager.graphql(REGISTER, { input: { uid: 'new-1', sensorType: 2 } });
    expect(taken.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', field: 'uid' });
    for (const [input, field] of [
      [{ uid: 'with space', sensorType: 2 }, 'uid'],
      [{ uid: 'new-2', sensorType: 9 }, 'sensorType'],
      [{ uid: 'new-2', sensorType: 2, frameFormat: 'xml' }, 'frameFormat'],
      [{ uid: 'new-2', sensorType: 2, tocsinGatewayUuid: staff.owner.uuid }, 'tocsinGatewayUuid'],
    ] as const) {
      const { errors } = await manager.graphql(REGISTER, { input });
      expect(errors?.[0]?.extensions, JSON.stringify(input)).toMatchObject({ field });
      expect(errors?.[0]?.message).toMatch(/^[A-Z][^{}]+ [^{}]+$/);
    }
    const { sensors } = await manager.data('{ sensors(filter: { uid: { equalTo: "new-2" } }) { nodes { uuid } } }');
    expect(sensors.nodes, 'no partly created rows').toEqual([]);
  });

  test('refuses gateway sensors that refer to each other, at the field', async () => {
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(() => createSensor(app.db, { customer: staff.customer })),
    );
    const name = (sensor: typeof first, gateway: typeof first) =>
      manager.graphql(STATUS, { input: { uuid: sensor!.uuid, patch: { tocsinGatewayUuid: gateway!.uuid } } });
    expect((await name(first, second)).errors).toBeUndefined();
    expect((await name(second, third)).errors).toBeUndefined();
    for (const sensor of [second, third]) {
      const { errors } = await name(sensor, first);
      expect(errors?.[0]?.extensions).toMatchObject({ field: 'tocsinGatewayUuid' });
      expect(errors?.[0]?.message).toMatch(/^The chosen sensor uses this sensor as its gateway/);
    }
    expect((await name(first, third)).errors).toBeUndefined();
  });

  test('is allowed for managers and the service account, in their own customer', async () => {
    const partner = await app.browser(staff.partner);
    expect((await partner.data(REGISTER, { input: { uid: 'by-partner', sensorType: 1 } })).registerSensor).toBeTruthy();
    const operator = await app.browser(staff.operator);
    const refused = await operator.graphql(REGISTER, { input: { uid: 'by-operator', sensorType: 1 } });
    expect(refused.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });
});

describe('a token', () => {
  test('is replaced at once, and can be revoked', async () => {
    const sensor = await createSensor(app.db, { customer: staff.customer });
    expect((await ingest(app, sensor.uid, sensor.token)).status).toBe(200);
    const input = { tocsinSensorUuid: sensor.uuid };
    const { credentials } = (await manager.data(ROTATE, { input })).rotateDeviceToken;
    const revokedAt = timeText(app.clock.now(), 'Asia/Kathmandu');
    const errorMessage = expect.stringContaining(`This token was revoked on ${revokedAt}. `);
    expect(await ingest(app, sensor.uid, sensor.token)).toMatchObject({
      status: 401,
      answer: { reason: 'revoked-token', errorMessage },
    });
    expect((await ingest(app, sensor.uid, credentials.token)).status).toBe(200);
    expect((await manager.data(REVOKE, { input })).revokeDeviceToken).toEqual({ revoked: true });
    expect((await manager.data(REVOKE, { input })).revokeDeviceToken).toEqual({ revoked: false });
    expect(await ingest(app, sensor.uid, credentials.token)).toMatchObject({
      status: 401,
      answer: {
        errorMessage: expect.stringMatching(/:\d\d, and the sensor has no new one\. Create one in the console\./),
      },
    });
  });

  test('is reported as present or missing to users who manage sensors', async () => {
    const sensor = await createSensor(app.db, { customer: staff.customer });
    await linkUser(app.db, staff.operator, sensor.site);
    const query = 'query ($uuid: UUID!) { sensor(uuid: $uuid) { hasToken } }';
    const told = async (browser: TestBrowser) => (await browser.data(query, { uuid: sensor.uuid })).sensor;
    const input = { tocsinSensorUuid: sensor.uuid };
    expect(await told(manager)).toEqual({ hasToken: true });
    await manager.data(REVOKE, { input });
    expect(await told(manager)).toEqual({ hasToken: false });
    await manager.data(ROTATE, { input });
    expect(await told(manager)).toEqual({ hasToken: true });
    expect(await told(await app.browser(staff.operator))).toEqual({ hasToken: null });
    expect(await told(await app.browser((await app.staff()).owner))).toBeNull();
  });

  test('of another customer, or for an operator, cannot be changed, not even by the function behind it', async () => {
    const sensor = await createSensor(app.db, { customer: staff.customer });
    const strangers = await app.staff();
    const input = { tocsinSensorUuid: sensor.uuid };
    for (const person of [strangers.owner, strangers.partner, staff.operator]) {
      const browser = await app.browser(person);
      for (const mutation of [ROTATE, REVOKE]) {
        expect((await browser.graphql(mutation, { input })).errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
      }
      for (const call of ['issue_device_token', 'revoke_device_tokens']) {
        const calling = app.db.transaction(accessOf(app, person), (tx) =>
          tx.query(`select tocsin_definer.${call}($1)`, [sensor.uuid]),
        );
        await expect(calling, call).rejects.toMatchObject({ code: 'TC404' });
      }
    }
    expect((await ingest(app, sensor.uid, sensor.token)).status).toBe(200);
  });
});

test('finds sensors by every word of uid, description, site or asset, sorted and filtered', async () => {
  const site = await createSite(app.db, { customer: staff.customer, name: 'Kelder Road' });
  const found = async (words: string[], browser = manager) => {
    const query = `query ($words: [String!]!) { sensorsLike(words: $words, first: 10, filter: { uid: { startsWith: "like-" } },
      orderBy: [UID_DESC]) { totalCount nodes { uid } } }`;
    const { sensorsLike } = await browser.data(query, { words });
    expect(sensorsLike.totalCount).toBe(sensorsLike.nodes.length);
    return sensorsLike.nodes.map(({ uid }: { uid: string }) => uid);
  };
  const columns = { description: 'Behind the weir' };
  const one = await createSensor(app.db, { customer: staff.customer, uid: 'like-1', site });
  await createSensor(app.db, { customer: staff.customer, uid: 'like-2', site, columns });
  await createSensor(app.db, { customer: staff.customer, uid: 'like-3', columns });
  await serviceQuery(app.db, `update tocsin.asset set name = 'Screw pump' where uuid = $1`, [one.assetUuid]);
  expect(await found(['-'])).toEqual(['like-3', 'like-2', 'like-1']);
  expect(await found(['KELDER'])).toEqual(['like-2', 'like-1']);
  expect(await found(['kelder', 'weir'])).toEqual(['like-2']);
  expect(await found(['LIKE-3'])).toEqual(['like-3']);
  expect(await found(['screw', 'pump', 'road'])).toEqual(['like-1']);
  expect(await found(['%'])).toEqual([]);
  expect(await found(['-'], await app.browser((await app.staff()).manager))).toEqual([]);
});

describe('a channel', () => {
  const CREATE = `mutation ($input: CreateSensorChannelInput!) { createSensorChannel(input: $input) { sensorChannel { uuid } } }`;
  const RENAME = `mutation ($input: UpdateSensorChannelInput!) { updateSensorChannel(input: $input) { sensorChannel { uuid } } }`;

  test('is refused with a name that frames reserve', async () => {
    const sensor = await createSensor(app.db, { customer: staff.customer, channels: [{ name: 'Level' }] });
    const [level] = sensor.channels;
    for (const name of reservedNames.flatMap((reserved) => [reserved, ` ${reserved.toUpperCase()}`])) {
      const sensorChannel = { tocsinSensorUuid: sensor.uuid, channelNumber: 9, name };
      for (const refused of [
        await manager.graphql(CREATE, { input: { sensorChannel } }),
        await manager.graphql(RENAME, { input: { uuid: level?.uuid, patch: { name } } }),
      ]) {
        expect(refused.errors?.[0]?.extensions, name).toMatchObject({ code: 'BAD_USER_INPUT', field: 'name' });
        expect(refused.errors?.[0]?.message).toMatch(
          /^Devices use ".+" for .+, not for a value\. Choose another name\.$/,
        );
      }
    }
    // The database has its own list of reserved channel names. Both lists must contain the same names.
    const [check] = await serviceQuery<{ source: string }>(
      app.db,
      "select prosrc as source from pg_proc where proname = 'check_channel_name'",
    );
    const listed = [...(check?.source ?? '').matchAll(/when '(\w+)' then/g)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...reservedNames].sort());
    for (const name of ['times', 'T1', 'gsm', 'signal', 'values']) {
      expect(reservedKey(name)).toBeUndefined();
      const renamed = await manager.graphql(RENAME, { input: { uuid: level?.uuid, patch: { name } } });
      expect(renamed.errors, name).toBeUndefined();
    }
  });

  test('is identified by its exact name if another differs only in case', async () => {
    const channels = [{ name: 'MW' }, { name: 'mW' }];
    const sensor = await createSensor(app.db, { customer: staff.customer, channels });
    expect((await ingest(app, sensor.uid, sensor.token, 'mW=5;MW=7')).answer).toMatchObject({
      accepted: 2,
      refused: [],
    });
    const newest = async (index: number) =>
      (
        await serviceQuery<{ value: number }>(
          app.db,
          'select r.value from tocsin.reading r join tocsin.sensor_channel c on c.key = r.channel_key where c.uuid = $1',
          [sensor.channels[index]?.uuid],
        )
      ).map(({ value }) => value);
    expect([await newest(0), await newest(1)]).toEqual([[7], [5]]);
    expect((await ingest(app, sensor.uid, sensor.token, 'mw=6')).answer).toMatchObject({
      refused: [{ channel: 'mw', reason: 'unknown-channel' }],
    });
  });
});

test('refuses a disabled sensor, accepts one in maintenance, and keeps both tokens', async () => {
  const sensor = await createSensor(app.db, { customer: staff.customer });
  const set = (status: number) => manager.data(STATUS, { input: { uuid: sensor.uuid, patch: { status } } });
  await set(0);
  expect(await ingest(app, sensor.uid, sensor.token)).toMatchObject({ status: 403, answer: { reason: 'disabled' } });
  await set(2);
  // The pipeline reloads a changed sensor with a delay, so the test polls.
  await expect
    .poll(() => ingest(app, sensor.uid, sensor.token))
    .toMatchObject({ status: 200, answer: { accepted: 1 } });
  await set(1);
  expect((await ingest(app, sensor.uid, sensor.token)).status).toBe(200);
});

test('shows an unreadable frame with its problem', async () => {
  const sensor = await createSensor(app.db, { customer: staff.customer });
  await ingest(app, sensor.uid, sensor.token, '{"uid": broken');
  const { sensorLogs } = await manager.data(
    `query ($from: Datetime!, $to: Datetime!) { sensorLogs(dateTimeFrom: $from, dateTimeTo: $to, uid: "broken") {
      nodes { uid rawData protocol encoding problem } } }`,
    { from: new Date(app.clock.now().getTime() - 1000), to: new Date(app.clock.now().getTime() + 1000) },
  );
  expect(sensorLogs.nodes).toEqual([
    {
      uid: sensor.uid,
      rawData: '{"uid": broken',
      protocol: 'http',
      encoding: 'text',
      problem: expect.stringMatching(/\.$/),
    },
  ]);
});
