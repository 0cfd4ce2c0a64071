import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../test/harness/database/database.ts';
import type { CustomerRow, UserRow } from '../../test/harness/database/factories.ts';
import {
  createCustomer,
  createUser,
  insertRow,
  serviceQuery,
  setDefaultCustomer,
} from '../../test/harness/database/factories.ts';
import type { AuthApp } from '../../test/harness/server/auth-app.ts';
import { startAuthApp } from '../../test/harness/server/auth-app.ts';
import { serviceAccess } from '../access.ts';
import { customerOfHost } from './customer.ts';

const PASSWORD = 'tocsin-demo-plant';
const WRONG = { errorMessage: 'The e-mail address or the password is wrong.' };

let app: AuthApp;
let customer: CustomerRow;
let other: CustomerRow;
let user: UserRow;

beforeAll(async () => {
  app = await startAuthApp();
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

describe('the customer of a host name', () => {
  const of = (host: string) => app.db.transaction(serviceAccess(app.clock), (tx) => customerOfHost(tx, host));

  test('is undefined on an empty installation', async () => {
    expect(await of('localhost:8080')).toBeUndefined();
  });

  test('is the oldest customer until a default is set', async () => {
    const partner = await insertRow(app.db, 'tocsin.partner', {
      name: 'Integrator',
      email: 'help@integrator.example',
      phone: '+49 30 1',
    });
    other = await createCustomer(app.db, { partner, endPoint: 'Other.Example' });
    customer = await createCustomer(app.db, { partner, timeZone: 'Europe/Berlin' });
    expect(await of('localhost')).toMatchObject({ uuid: other.uuid, byHost: false });
    await setDefaultCustomer(app.db, customer);
    expect(await of('localhost')).toEqual({
      uuid: customer.uuid,
      id: customer.id,
      name: customer.name,
      email: '',
      phone: '',
      endPoint: '',
      timeZone: 'Europe/Berlin',
      partnerEmail: 'help@integrator.example',
      partnerPhone: '+49 30 1',
      active: true,
      byHost: false,
    });
    expect(await of('')).toMatchObject({ uuid: customer.uuid });
    expect(await of('other.example')).toMatchObject({ uuid: other.uuid, byHost: true });
  });

  test('is a disabled customer, where nobody can sign in', async () => {
    const closed = await createCustomer(app.db, { endPoint: 'closed.example', status: 0 });
    expect(await of('closed.example')).toMatchObject({ uuid: closed.uuid, active: false });
    const there = await createUser(app.db, { customer: closed, password: PASSWORD });
    const response = await app.browser({ host: 'closed.example' }).login(there.email, PASSWORD);
    expect([response.statusCode, response.json()]).toEqual([401, WRONG]);
  });

  test('prefers an entry with the port', async () => {
    const onPort = await createCustomer(app.db, { endPoint: 'other.example:9000' });
    expect(await of('OTHER.example:9000')).toMatchObject({ uuid: onPort.uuid });
    expect(await of('other.example:9001')).toMatchObject({ uuid: other.uuid });
  });

  test('is the oldest again when the default is deleted', async () => {
    await setDefaultCustomer(app.db, { uuid: '00000000-0000-0000-0000-000000000000' });
    expect(await of('localhost')).toMatchObject({ uuid: other.uuid });
    await setDefaultCustomer(app.db, customer);
    expect(await serviceQuery(app.db, 'select from tocsin_private.installation')).toHaveLength(1);
  });
});

describe('the customer of a login', () => {
  beforeAll(async () => {
    user = await createUser(app.db, { customer, password: PASSWORD });
  });

  test('is the customer of the host name, in any case and with any port', async () => {
    const there = await createUser(app.db, { customer: other, password: PASSWORD });
    for (const host of ['other.example', 'OTHER.example', 'other.example:8443']) {
      const browser = app.browser({ host });
      expect((await browser.login(there.email, PASSWORD)).statusCode, host).toBe(200);
      expect((await app.browser({ host }).login(user.email, PASSWORD)).statusCode, host).toBe(401);
    }
  });

  test('cannot be overridden by an id on a customer’s host name', async () => {
    const browser = app.browser({ host: 'other.example' });
    const response = await browser.login(user.email, PASSWORD, { tocsin_customer_id: customer.id });
    expect([response.statusCode, response.json()]).toEqual([401, WRONG]);
  });

  test('is chosen by the id on an unassigned host name', async () => {
    const there = await createUser(app.db, { customer: other, password: PASSWORD });
    for (const id of [other.id, String(other.id), other.uuid, other.uuid.toUpperCase()]) {
      const response = await app.browser().login(there.email, PASSWORD, { tocsin_customer_id: id });
      expect(response.statusCode, String(id)).toBe(200);
    }
    expect((await app.browser().login(there.email, PASSWORD, { tocsin_customer_id: null })).statusCode).toBe(401);
  });

  test('two customers can have users with the same address and different passwords', async () => {
    const email = 'shared@plant.example';
    await createUser(app.db, { customer, email, password: 'password-of-north' });
    await createUser(app.db, { customer: other, email, password: 'password-of-other' });
    const north = await app.browser().login(email, 'password-of-north');
    expect(north.json().tocsin_customer_id).toBe(customer.id);
    const elsewhere = await app.browser({ host: 'other.example' }).login(email, 'password-of-other');
    expect(elsewhere.json().tocsin_customer_id).toBe(other.id);
    expect((await app.browser().login(email, 'password-of-other')).statusCode).toBe(401);
  });
});
