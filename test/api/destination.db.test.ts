import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';

let app: TestApp;
let staff: Staff;
let site: { uuid: string };
beforeAll(async () => {
  app = await startTestApp({ config: { webhookPrivate: true } });
  staff = await app.staff();
  [site] = (await serviceQuery<{ uuid: string }>(
    app.db,
    `insert into tocsin.site (tocsin_customer_uuid, site_id, name) values ($1, 'S-1', 'Mill') returning uuid`,
    [staff.customer.uuid],
  )) as [{ uuid: string }];
});
afterAll(() => app?.close());

const SAVE = 'mutation ($input: SaveDestinationInput!) { saveDestination(input: $input) { saved { uuid secret } } }';

function save(browser: TestBrowser, more: object) {
  const input = {
    name: 'Desk',
    kind: 'webhook',
    status: true,
    tocsinSiteUuid: site.uuid,
    url: 'http://127.0.0.1:9/',
    ...more,
  };
  return browser.graphql(SAVE, { input });
}

describe('saveDestination', () => {
  test.each([
    [{ name: ' ' }, 'name', 'Enter a name.'],
    [{ name: 'x'.repeat(201) }, 'name', /200/],
    [{ kind: 'pager' }, 'kind', 'Choose webhook, slack or teams.'],
    [{ tocsinSiteUuid: null }, 'tocsinSiteUuid', 'Choose a site or a group.'],
    [{ url: null }, 'url', 'Enter the URL of the destination.'],
    [{ url: 'nonsense' }, 'url', /^Enter a complete URL/],
    [
      { url: 'http://no-such-host.invalid/' },
      'url',
      'The host no-such-host.invalid was not found. Check the spelling of the URL.',
    ],
    [
      { tocsinSiteUuid: '00000000-0000-4000-8000-000000000000' },
      'tocsinSiteUuid',
      'This site does not exist. Choose another.',
    ],
  ])('refuses %j at its field', async (more, field, message) => {
    const { errors } = await save(await app.browser(staff.manager), more);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field } }]);
    if (typeof message === 'string') expect(errors?.[0]?.message).toBe(message);
    else expect(errors?.[0]?.message).toMatch(message);
  });

  test('is refused for operators and partner accounts', async () => {
    for (const person of [staff.operator, staff.partner]) {
      const { errors } = await save(await app.browser(person), {});
      expect(errors).toHaveLength(1);
    }
    expect(await serviceQuery(app.db, 'select from tocsin.destination')).toEqual([]);
  });

  test('returns the secret once, and no query returns the URL', async () => {
    const manager = await app.browser(staff.manager);
    const { data } = await save(manager, { url: 'http://127.0.0.1:9/very-secret' });
    expect(data.saveDestination.saved.secret).toMatch(/^whsec_/);
    const again = await save(manager, { uuid: data.saveDestination.saved.uuid, url: null });
    expect(again.data.saveDestination.saved.secret).toBeNull();
    const other = await save(manager, { uuid: data.saveDestination.saved.uuid, url: null, kind: 'slack' });
    expect(other.errors).toMatchObject([{ extensions: { field: 'kind' } }]);
    const { errors } = await manager.graphql('{ destinations { nodes { url } } }');
    expect(errors?.[0]?.message).toContain('url');
    const shown = await manager.data('{ destinations { nodes { name host kind status } } }');
    expect(shown.destinations.nodes).toEqual([{ name: 'Desk', host: '127.0.0.1:9', kind: 'webhook', status: true }]);
    const audit = await serviceQuery(app.db, `select before, after from tocsin.audit where noun like 'destination%'`);
    expect(audit.length).toBeGreaterThan(0);
    expect(JSON.stringify(audit)).not.toMatch(/very-secret|whsec_/);
    const same = await save(manager, {});
    expect(same.errors).toMatchObject([{ extensions: { field: 'name' } }]);
  });

  test('refuses a change of a record that another user has changed', async () => {
    const manager = await app.browser(staff.manager);
    const [stored] = await serviceQuery<{ uuid: string }>(app.db, 'select uuid from tocsin.destination');
    const { errors } = await save(manager, { uuid: stored?.uuid, url: null, updatedAt: '2020-01-01T00:00:00Z' });
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  });
});

test('allows five test messages in ten minutes', async () => {
  const manager = await app.browser(staff.manager);
  const [stored] = await serviceQuery<{ uuid: string }>(app.db, 'select uuid from tocsin.destination');
  const send = () =>
    manager.graphql('mutation ($u: UUID!) { testDestination(input: { uuid: $u }) { deliveryUuid } }', {
      u: stored?.uuid,
    });
  for (let count = 0; count < 5; count += 1) expect((await send()).errors).toBeUndefined();
  expect((await send()).errors?.[0]?.message).toMatch(/^At most five test messages/);
  const operator = await app.browser(staff.operator);
  const { errors } = await operator.graphql(
    'mutation ($u: UUID!) { testDestination(input: { uuid: $u }) { deliveryUuid } }',
    {
      u: stored?.uuid,
    },
  );
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});
