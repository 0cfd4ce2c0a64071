/** A customer's names for its group levels: permission to set and read them, and the report files that contain them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Staff, startTestApp, type TestApp } from '../harness/server/app.ts';

let app: TestApp;
let staff: Staff;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterAll(() => app?.close());

const rename = async (person: Staff['owner'], patch: Record<string, string>) =>
  (await app.browser(person)).graphql(
    'mutation ($uuid: UUID!, $patch: CustomerPatch!) { updateCustomer(input: { uuid: $uuid, patch: $patch }) { customer { group5Name } } }',
    { uuid: staff.customer.uuid, patch },
  );

test('an owner names the levels, sign-in returns them, and reports use them', async () => {
  const answer = await rename(staff.owner, { group2Name: 'Region', group5Name: 'Area' });
  expect(JSON.stringify(answer)).toContain('"group5Name":"Area"');
  const operator = await app.browser(staff.operator);
  const status = (await operator.get('/api/v1/auth/login')).json();
  expect(status.user.tocsin_customer).toMatchObject({ group2_name: 'Region', group3_name: '', group5_name: 'Area' });
  const manager = await app.browser(staff.manager);
  const health = await manager.get('/api/v1/reports/health.csv');
  expect(health.body).toContain('Area');
  expect(health.body).not.toContain('Unit office');
});

test('refuses a name that is too long or has a line break, and a name from other users', async () => {
  for (const group3Name of ['x'.repeat(41), 'two\nlines'])
    expect(JSON.stringify(await rename(staff.owner, { group3Name }))).toContain('Enter at most 40 characters');
  for (const person of [staff.manager, staff.operator, staff.partner])
    expect(JSON.stringify(await rename(person, { group3Name: 'District' }))).not.toContain('"group5Name"');
});
