/** The public configuration before sign-in: the company's name and the available features. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CustomerRow,
  createCustomer,
  createUser,
  serviceQuery,
  setDefaultCustomer,
} from '../harness/database/factories.ts';
import { PASSWORD, startTestApp, type TestApp } from '../harness/server/app.ts';

let app: TestApp;
let north: CustomerRow;
let south: CustomerRow;
beforeAll(async () => {
  app = await startTestApp();
  // The default customer must not be the oldest customer. Otherwise the test could not show which of the two the server
  // uses.
  south = await createCustomer(app.db, { name: 'South', endPoint: 'south.example' });
  north = await createCustomer(app.db, { name: 'North', timeZone: 'Europe/Berlin' });
  await setDefaultCustomer(app.db, north);
});
afterAll(() => app?.close());

const configAt = async (host: string) => {
  const answer = await (await app.browser(undefined, { host })).get('/api/v1/config');
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  return answer.json();
};

test('returns the default customer for an unassigned host name', async () => {
  expect(await configAt('localhost:8080')).toEqual({
    product: 'Tocsin',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    customer: { id: north.id, name: 'North', timeZone: 'Europe/Berlin' },
    demo: false,
    mail: false,
    pushKey: null,
    keepReadingsDays: 400,
    contact: { email: '', phone: '' },
  });
});

test('returns the customer of the host name, in any case and with any port', async () => {
  for (const host of ['south.example', 'SOUTH.example', 'south.example:8443'])
    expect((await configAt(host)).customer, host).toEqual({ id: south.id, name: 'South', timeZone: 'UTC' });
});

test('returns the id for sign-in', async () => {
  const host = 'south.example';
  const person = await createUser(app.db, { customer: south, password: PASSWORD });
  const { customer } = await configAt(host);
  const browser = await app.browser(undefined, { host });
  const answer = await browser.login(person.email, PASSWORD, { tocsin_customer_id: customer.id });
  expect([answer.statusCode, answer.json().tocsin_customer_id]).toEqual([200, south.id]);
});

test('returns the contact of the customer, or else of its partner', async () => {
  const named = `update tocsin.partner set email = 'help@partner.example', phone = '+44 20 1' where id = $1`;
  await serviceQuery(app.db, named, [south.tocsin_partner_id]);
  expect((await configAt('south.example')).contact).toEqual({ email: 'help@partner.example', phone: '+44 20 1' });
  await serviceQuery(app.db, `update tocsin.customer set email = 'desk@south.example' where uuid = $1`, [south.uuid]);
  expect((await configAt('south.example')).contact).toEqual({ email: 'desk@south.example', phone: '+44 20 1' });
});

test('finds a customer by host name and port, as sign-in does', async () => {
  const east = await createCustomer(app.db, { name: 'East', endPoint: 'plants.example:9443' });
  expect((await configAt('plants.example:9443')).customer).toMatchObject({ id: east.id, name: 'East' });
  expect((await configAt('plants.example')).customer).toMatchObject({ name: 'North' });
});
