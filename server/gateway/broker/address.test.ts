import { describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { StartError } from '../../platform/start-error.ts';
import { amqpAddressOf } from './amqp-address.ts';
import { bridgeLimits } from './limits.ts';
import { addressOf } from './mqtt-address.ts';

describe('the address of an MQTT broker', () => {
  test('requests one durable session, with the same client id in every process', () => {
    const { clientId, topics, host, settings } = addressOf('mqtts://tocsin:p%40ss@broker.example.com', 'a1b2');
    expect({ clientId, topics, host }).toEqual({
      ...{ clientId: 'tocsin-a1b2', topics: ['tocsin/+/up'], host: 'broker.example.com' },
    });
    expect(settings(5, bridgeLimits)).toMatchObject({
      ...{ clientId: 'tocsin-a1b2', clean: false, username: 'tocsin', password: 'p@ss', reconnectPeriod: 0 },
      properties: { sessionExpiryInterval: 604_800 },
    });
    expect(settings(4, bridgeLimits)).toMatchObject({ clean: false, protocolVersion: 4 });
  });

  test('sets the client id with ?client=', () => {
    expect(addressOf('mqtt://broker.example.com?client=line-2', 'a1b2').clientId).toBe('line-2');
  });
});

describe('the address of RabbitMQ', () => {
  test('lists several nodes with one user, and sets the number of queues', () => {
    const { hosts, nodes, user, virtualHost, queues } = amqpAddressOf(
      'amqp://tocsin:p%40ss@rabbit1:5673/plant?queues=16&heartbeat=5, amqp://tocsin:p%40ss@rabbit2/plant',
    );
    expect({ hosts, user, virtualHost, queues }).toEqual({
      ...{ hosts: 'rabbit1:5673, rabbit2', user: 'tocsin', virtualHost: 'plant', queues: 16 },
    });
    expect(nodes).toEqual([
      'amqp://tocsin:p%40ss@rabbit1:5673/plant?heartbeat=5',
      'amqp://tocsin:p%40ss@rabbit2/plant',
    ]);
    expect(amqpAddressOf('amqp://tocsin:secret@rabbit1')).toMatchObject({ virtualHost: '/', queues: 8 });
  });

  test.each(['0', '257', '1.5', 'many'])('refuses %s queues', (queues) => {
    expect(() => amqpAddressOf(`amqp://rabbit1?queues=${queues}`)).toThrow(
      new StartError(`TOCSIN_AMQP_URL: queues must be a whole number from 1 to 256, not "${queues}".`),
    );
  });

  test.each([
    [{ TOCSIN_AMQP_URL: 'amqp://u:secret@rabbit1,http://rabbit2' }, /^TOCSIN_AMQP_URL must look like amqp:/],
    [{ TOCSIN_AMQP_URL: 'amqp://rabbit1', TOCSIN_MQTT_URL: 'mqtt://broker' }, /but not both/],
    [{ TOCSIN_BROKER_AUTH_SECRET: 'sixteen-letters-or-more' }, /needs TOCSIN_AMQP_URL/],
    [{ TOCSIN_AMQP_URL: 'amqp://rabbit1', TOCSIN_BROKER_AUTH_SECRET: 'short' }, /must have 16 to 200 characters/],
  ])('is refused with an instruction: %o', (environment, says) => {
    const attempt = () => readConfig(environment as unknown as Record<string, string>);
    expect(attempt).toThrow(says);
    expect(attempt).not.toThrow(/secret@/);
  });
});
