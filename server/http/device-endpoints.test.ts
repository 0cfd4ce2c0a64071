import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { deviceEndpoints } from './device-endpoints.ts';

const settings = { MQTT_PORT: '1883', TCP_PORT: '5055', TOCSIN_DEMO: 'off' };

test('returns the ports that were opened, not those that were configured', () => {
  expect(deviceEndpoints(readConfig(settings), { mqttPort: 1884, tcpPort: 5056 })).toEqual({
    mqtt: { host: null, port: 1884, tls: false },
    tcp: { port: 5056 },
  });
});

test('returns the configured ports if another process is the gateway', () => {
  expect(deviceEndpoints(readConfig(settings), undefined)).toMatchObject({ mqtt: { port: 1883 }, tcp: { port: 5055 } });
});

test('returns an external broker without the password in its address', () => {
  const config = readConfig({ ...settings, TOCSIN_MQTT_URL: 'mqtts://tocsin:secret@broker.example.com' });
  const endpoints = deviceEndpoints(config, { mqttPort: undefined, tcpPort: 5055 });
  expect(endpoints.mqtt).toEqual({ host: 'broker.example.com', port: 8883, tls: true });
  expect(JSON.stringify(endpoints)).not.toContain('secret');
});

test('returns RabbitMQ with the usual port of its MQTT listener, without the password in its address', () => {
  const url = 'amqps://tocsin:secret@rabbit1.example.com:5671,amqps://tocsin:secret@rabbit2.example.com:5671';
  const config = readConfig({ ...settings, TOCSIN_AMQP_URL: url });
  const endpoints = deviceEndpoints(config, { mqttPort: undefined, tcpPort: 5055 });
  expect(endpoints.mqtt).toEqual({ host: 'rabbit1.example.com', port: 8883, tls: true });
});
