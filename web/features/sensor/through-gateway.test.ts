import { expect, test } from 'vitest';
import { throughGateway } from './through-gateway.ts';

const gateway = { uid: 'gw-1' };
const lastContact = '2026-03-30T08:00:00.000Z';

test("returns the gateway if no frame of the sensor's own is as new", () => {
  const heard = { gateway: 'gw-1', at: lastContact };
  expect(throughGateway({ gateway, lastContact }, null)).toEqual(heard);
  expect(throughGateway({ gateway, lastContact }, { dateTime: '2026-03-30T07:59:59Z' })).toEqual(heard);
});

test('returns null for a sensor with a newer frame of its own, without data or without a gateway', () => {
  expect(throughGateway({ gateway, lastContact }, { dateTime: '2026-03-30T08:00:00Z' })).toBeNull();
  expect(throughGateway({ gateway, lastContact: null }, null)).toBeNull();
  expect(throughGateway({ gateway: null, lastContact }, null)).toBeNull();
  expect(throughGateway(undefined, null)).toBeNull();
});
