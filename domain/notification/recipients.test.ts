import { describe, expect, test } from 'vitest';
import { METHOD } from './methods.ts';
import { addressesOf, type Person } from './recipients.ts';

const everything = { email: true, sms: true, whatsapp: true, push: true };
const nothing = { email: false, sms: false, whatsapp: false, push: false };
const ann: Person = {
  uuid: 'ann',
  name: 'Ann Gray',
  active: true,
  varified: true,
  email: 'ann@northmere.example',
  phone: '+44 20 7946 0123',
  pushAddresses: ['https://push.example/1', 'https://push.example/2'],
  wants: everything,
};

describe('a person', () => {
  test('is notified by every enabled method that has an address, on each device', () => {
    expect(addressesOf(ann)).toEqual({
      methods: [
        { method: METHOD.email, address: 'ann@northmere.example' },
        { method: METHOD.whatsapp, address: '+442079460123' },
        { method: METHOD.sms, address: '+442079460123' },
        { method: METHOD.push, address: 'https://push.example/1' },
        { method: METHOD.push, address: 'https://push.example/2' },
      ],
      skipped: [],
    });
  });

  test.each([
    ['email', METHOD.email],
    ['whatsapp', METHOD.whatsapp],
    ['sms', METHOD.sms],
    ['push', METHOD.push],
  ] as const)('who wants %s only gets that only', (flag, method) => {
    const { methods, skipped } = addressesOf({ ...ann, wants: { ...nothing, [flag]: true } });
    expect(new Set(methods.map((entry) => entry.method))).toEqual(new Set([method]));
    expect(skipped).toEqual([]);
  });

  test('is notified even if the e-mail address is not verified', () => {
    expect(addressesOf({ ...ann, varified: false })).toEqual(addressesOf(ann));
  });

  test('is notified once on a device that subscribed twice', () => {
    const { methods } = addressesOf({ ...ann, pushAddresses: ['a', 'a', ''], wants: { ...nothing, push: true } });
    expect(methods).toEqual([{ method: METHOD.push, address: 'a' }]);
  });
});

describe('a person is not notified', () => {
  test('if the account is disabled, with a single reason', () => {
    expect(addressesOf({ ...ann, active: false })).toEqual({
      methods: [],
      skipped: [{ method: undefined, because: 'disabled', sentence: expect.stringContaining('Ann Gray') }],
    });
  });

  test('if every method is off', () => {
    expect(addressesOf({ ...ann, wants: nothing })).toEqual({
      methods: [],
      skipped: [
        { method: undefined, because: 'no-channel-on', sentence: expect.stringContaining('every method is off') },
      ],
    });
  });

  test('by a method without an address, but still by the others', () => {
    const { methods, skipped } = addressesOf({ ...ann, phone: ' ', pushAddresses: [] });
    expect(methods).toEqual([{ method: METHOD.email, address: ann.email }]);
    expect(skipped.map(({ method, because }) => [method, because])).toEqual([
      [METHOD.whatsapp, 'no-address'],
      [METHOD.sms, 'no-address'],
      [METHOD.push, 'no-address'],
    ]);
    // The sentence is conditional, because the user menu offers push only if the server can send it.
    expect(skipped.at(-1)?.sentence).toContain('If app push is set up, they can turn it on in the user menu');
    expect(skipped[1]?.sentence).toBe('Ann Gray is not notified by SMS: their profile has no phone number. Add one.');
  });

  test.each(['', '  '])('by e-mail if the address is empty: %j', (email) => {
    const { methods, skipped } = addressesOf({ ...ann, email, wants: { ...nothing, email: true } });
    expect(methods).toEqual([]);
    expect(skipped).toMatchObject([{ method: METHOD.email, because: 'no-address' }]);
  });

  test.each(['ann', 'ann@', '@x', 'a@b@c', 'Ann <ann@x.example>'])(
    'by e-mail if the address is invalid: %j',
    (email) => {
      const { skipped } = addressesOf({ ...ann, email, wants: { ...nothing, email: true } });
      expect(skipped).toMatchObject([{ because: 'bad-address', sentence: expect.stringContaining(email) }]);
    },
  );

  test.each(['none', '12', '+44 twenty', '++442079460123', '+1234567890123456', '020 7946 0123'])(
    'by SMS if the number is invalid: %j',
    (phone) => {
      const { methods, skipped } = addressesOf({ ...ann, phone, wants: { ...nothing, sms: true } });
      expect(methods).toEqual([]);
      expect(skipped).toMatchObject([{ because: 'bad-address', sentence: expect.stringContaining('country code') }]);
    },
  );
});

test.each([
  ['+44 (0)20 7946-0123', '+442079460123'],
  ['0044 20 7946 0123', '+442079460123'],
  ['+1 (212) 555.0123', '+12125550123'],
  ['\u202a+44\u00a020–7946–0123\u202c', '+442079460123'],
])('dials the number %j as %s', (phone, address) => {
  const { methods } = addressesOf({ ...ann, phone, wants: { ...nothing, sms: true } });
  expect(methods).toEqual([{ method: METHOD.sms, address }]);
});
