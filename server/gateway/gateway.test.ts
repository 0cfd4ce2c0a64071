import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { MemoryIntake } from '../../test/harness/server/memory-intake.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { StartError } from '../platform/start-error.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';

const any = { number: 0, fixed: true };
let gateway: Gateway | undefined;
let other: Server | undefined;

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  await new Promise((resolve) => (other ? other.close(resolve) : resolve(undefined)));
  other = undefined;
});

async function start(options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  const intake = new MemoryIntake();
  const common = { intake, log: silentLog, metrics: createMetrics(), clock: systemClock, host: '127.0.0.1' };
  gateway = await startGateway({ ...common, tcpPort: any, mqttPort: any, ...options });
  return gateway;
}

async function takenPort(): Promise<number> {
  other = createServer();
  await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve));
  return (other.address() as { port: number }).port;
}

test('opens MQTT and TCP on separate ports', async () => {
  const { tcpPort, mqttPort } = await start();
  expect(tcpPort).toBeGreaterThan(0);
  expect(mqttPort).toBeGreaterThan(0);
  expect(mqttPort).not.toBe(tcpPort);
});

test('replaces a default port that is in use, but not one that was set', async () => {
  const number = await takenPort();
  expect((await start({ tcpPort: { number, fixed: false } })).tcpPort).toBeGreaterThan(number);
  await gateway?.close();
  await expect(start({ mqttPort: { number, fixed: true } })).rejects.toThrow(
    new StartError(`Port ${number} is in use. Stop the program that uses it, or set MQTT_PORT to another port.`),
  );
});

test('closes all ports when one cannot be opened', async () => {
  const taken = { number: await takenPort(), fixed: true };
  // This port number is below the range of automatically assigned ports, so the system does not give it to another
  // test.
  const tcpPort = { number: 20_000 + (process.pid % 10_000), fixed: true };
  await expect(start({ tcpPort, mqttPort: taken })).rejects.toThrow(`Port ${taken.number} is in use.`);
  expect((await start({ tcpPort })).tcpPort).toBe(tcpPort.number);
});

test('names the setting of a certificate that cannot be read', async () => {
  await expect(start({ mqttTls: { cert: '/nowhere/cert.pem', key: '/nowhere/key.pem' } })).rejects.toThrow(
    'Cannot read /nowhere/cert.pem, the file specified in TOCSIN_MQTT_TLS_CERT (ENOENT).',
  );
});
