import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayConnect, mayUseResource, mayUseTopic, mayUseVirtualHost } from './access.ts';

const username = 'pump-1';

describe('a device at RabbitMQ', () => {
  test('connects only with its uid as client id', () => {
    expect(mayConnect({ username, client_id: 'pump-1' })).toEqual({ allowed: true });
    for (const client_id of ['pump-2', '', undefined]) {
      expect(mayConnect({ username, ...(client_id !== undefined && { client_id }) })).toEqual({
        allowed: false,
        because: 'client-id',
        sentence: 'Connect over MQTT and use the uid of the device, pump-1, as the client id.',
      });
    }
  });

  test('uses only the virtual host of Tocsin', () => {
    expect(mayUseVirtualHost({ username, vhost: '/' }, '/').allowed).toBe(true);
    expect(mayUseVirtualHost({ username, vhost: 'other' }, '/').allowed).toBe(false);
    expect(mayUseVirtualHost({ username }, '/').allowed).toBe(false);
  });

  test('uses the MQTT exchange and its own queues, and declares no exchange', () => {
    const may = (resource: string, name: string, permission: string) =>
      mayUseResource({ username, resource, name, permission }).allowed;
    expect(may('exchange', 'amq.topic', 'write')).toBe(true);
    expect(may('exchange', 'amq.topic', 'read')).toBe(true);
    expect(may('exchange', 'amq.topic', 'configure')).toBe(false);
    expect(may('exchange', 'tocsin.up', 'write')).toBe(false);
    expect(may('queue', 'mqtt-subscription-pump-1qos1', 'configure')).toBe(true);
    expect(may('queue', 'mqtt-subscription-pump-10qos1', 'read')).toBe(false);
    expect(may('queue', 'tocsin.up.1', 'read')).toBe(false);
    expect(may('queue', '', 'configure')).toBe(false);
  });

  test('may only publish to tocsin/<uid>/up and subscribe to tocsin/<uid>/down', () => {
    const uid = fc.stringMatching(/^[A-Za-z0-9._:-]{1,12}$/);
    const key = fc.oneof(
      fc.constantFrom('tocsin.*.up', 'tocsin.*.down', '#', 'tocsin.#', ''),
      fc.tuple(uid, fc.constantFrom('up', 'down', 'x')).map(([other, end]) => `tocsin.${other}.${end}`),
    );
    fc.assert(
      fc.property(uid, key, fc.constantFrom('read', 'write'), (name, routing_key, permission) => {
        const { allowed } = mayUseTopic({ username: name, routing_key, permission });
        expect(allowed).toBe(routing_key === `tocsin.${name}.${permission === 'write' ? 'up' : 'down'}`);
      }),
    );
    expect(mayUseTopic({ username, routing_key: 'tocsin.pump-2.up', permission: 'write' })).toMatchObject({
      because: 'foreign-topic',
      sentence: 'This device may publish to tocsin/pump-1/up, but not to tocsin.pump-2.up.',
    });
  });
});
