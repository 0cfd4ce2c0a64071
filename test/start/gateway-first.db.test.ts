/** The server accepts device connections before it builds the API schema, the slowest step of startup. */
import { connect } from 'node:net';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import type { SchemaSource } from '../../server/graphql/routes.ts';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openTestDatabase } from '../harness/database/database.ts';
import { createCustomer } from '../harness/database/factories.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { freePorts } from '../harness/machine/ports.ts';

let db: Database;
let sensor: TestSensor;
let app: App | undefined;
beforeAll(async () => {
  db = await openTestDatabase();
  sensor = await createSensor(db, { customer: await createCustomer(db) });
});
afterAll(() => app?.close() ?? db?.close());

test('serves devices by every protocol and reports healthy before the API is built, and API calls wait', async () => {
  const [PORT, TCP_PORT, MQTT_PORT] = (await freePorts(3)).map(String);
  const config = readConfig({ PORT, TCP_PORT, MQTT_PORT, TOCSIN_DEMO: 'off', TOCSIN_HOST: '127.0.0.1' });
  const building = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const schemaOf: SchemaSource = async (build) => {
    building.resolve();
    await goOn.promise;
    return build();
  };
  const starting = startApp({ config, database: db, log: silentLog, timers: false, schemaOf, consoleDir: null });
  starting.catch(building.reject);
  await building.promise;
  try {
    const url = `http://127.0.0.1:${PORT}`;
    const frame = await fetch(`${url}/api/v1/ingest/${sensor.uid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sensor.token}` },
      body: '{"1": 20}',
    });
    expect(frame.status).toBe(200);
    const line = await new Promise<string>((resolve) => {
      const socket = connect(Number(TCP_PORT), '127.0.0.1', () => {
        socket.write(`${sensor.uid} ${sensor.token} {"1": 21}\n`);
      });
      socket.once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
    });
    expect(line).toMatch(/^OK/);
    const options = { username: sensor.uid, password: sensor.token, reconnectPeriod: 0 };
    const mqtt = await connectAsync(`mqtt://127.0.0.1:${MQTT_PORT}`, options);
    await mqtt.publishAsync(`tocsin/${sensor.uid}/up`, '{"1": 22}', { qos: 1 });
    await mqtt.endAsync();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  } finally {
    goOn.resolve();
  }
  app = await starting;
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query": "{ __typename }"}',
  });
  expect(answer.status).toBe(401);
});
