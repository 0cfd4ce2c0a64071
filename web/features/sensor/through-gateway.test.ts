import { expect, test } from 'vitest';
import { throughGateway } from './through-gateway.ts';

const gateway = { uid: 'gw-1' };
const lastContact = '2026-03-30T08:00:00.000Z';

test('a sensor was heard through its gateway where no frame of its own is as new', () => {
  const heard = { gateway: 'gw-1', at: lastContact };
  expect(throughGateway({ gateway, lastContact }, null)).toEqual(heard);
  expect(throughGateway({ gateway, lastContact }, { dateTime: '2026-03-30T07:59:59Z' })).toEqual(heard);
});

test('a sensor that spoke for itself, was never heard or has no gateway was not heard through it', () => {
  expect(throughGateway({ gateway, lastContact }, { dateTime: '2026-03-30T08:00:00Z' })).toBeNull();
  expect(throughGateway({ gateway, lastContact: null }, null)).toBeNull();
  expect(throughGateway({ gateway: null, lastContact }, null)).toBeNull();
  expect(throughGateway(undefined, null)).toBeNull();
});
