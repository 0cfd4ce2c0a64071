import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSite, serviceQuery } from '../../test/harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../../test/harness/server/app.ts';
import { personAccess } from '../access.ts';
import { SESSION_COOKIE } from '../auth/session/cookies.ts';
import { beginInSession, LAST_SEEN_EVERY_MS, sessionHash } from '../auth/session/session.ts';
import { adaptor, sessionWasFound, settingsOfSession } from './adaptor.ts';

let app: TestApp;
let staff: Staff;
let browser: TestBrowser;
/** Number of session lookups in a separate query, outside the request's transaction. */
let looks = 0;

const sites = '{ sites { nodes { name } } }';

beforeAll(async () => {
  app = await startTestApp();
  const query = app.db.pool.query as (...args: any[]) => any;
  Object.assign(app.db.pool, {
    query(this: unknown, ...args: any[]) {
      if (args[0]?.name === 'find-session') looks += 1;
      return query.apply(this, args);
    },
  });
});
afterAll(() => app?.close());

beforeEach(async () => {
  staff = await app.staff();
  await createSite(app.db, { customer: staff.customer, name: 'Northern Works' });
  browser = await app.browser(staff.manager);
  expect((await browser.data(sites)).sites.nodes).toEqual([{ name: 'Northern Works' }]);
  looks = 0;
});

const endSession = () =>
  serviceQuery(app.db, 'delete from tocsin_private.session where user_uuid = $1', [staff.manager.uuid]);

async function refused(query: string): Promise<void> {
  const answer = await browser.post('/graphql', { query });
  expect(answer.statusCode).toBe(401);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.json()).toEqual({
    errors: [{ message: 'You are not signed in. Sign in first.', extensions: { code: 'UNAUTHENTICATED' } }],
  });
}

describe('a session that was found a moment ago', () => {
  test('is looked up by the query itself, not separately', async () => {
    expect((await browser.data(sites)).sites.nodes).toEqual([{ name: 'Northern Works' }]);
    expect(looks).toBe(0);
  });

  test('is looked up separately after a minute, which stores its last use', async () => {
    app.clock.advance(LAST_SEEN_EVERY_MS);
    await browser.data(sites);
    expect(looks).toBe(1);
    const seen = await serviceQuery(app.db, 'select last_seen_at from tocsin_private.session where user_uuid = $1', [
      staff.manager.uuid,
    ]);
    expect(seen[0].last_seen_at).toEqual(app.clock.now());
  });

  test('is refused once it has ended, for every query', async () => {
    await endSession();
    await refused(sites);
    await refused(sites);
  });

  test.each([
    ['a query without database access', '{ __typename }'],
    ['a query of an unknown field', '{ site { nodes { name } } }'],
    ['a query with a syntax error', '{ sites {'],
    ['a query above the limits', '{ sites(first: 501) { nodes { name } } }'],
  ])('reveals nothing about %s after the session has ended', async (_what, query) => {
    await endSession();
    await refused(query);
  });

  test('is refused once its user is disabled', async () => {
    await serviceQuery(app.db, 'update tocsin.user set status = false where uuid = $1', [staff.manager.uuid]);
    await refused(sites);
  });

  test('uses a changed level at once', async () => {
    await serviceQuery(app.db, 'update tocsin.user set level = 20 where uuid = $1', [staff.manager.uuid]);
    expect((await browser.data(sites)).sites.nodes).toEqual([]);
    expect(looks).toBe(0);
  });

  test('still serves queries without database access, and refuses invalid queries', async () => {
    expect(await browser.graphql('{ __typename }')).toEqual({ status: 200, data: { __typename: 'Query' } });
    expect(await browser.graphql('{ sites(first: 501) { nodes { name } } }')).toMatchObject({ status: 400 });
    const missing =
      'mutation { deleteSite(input: { uuid: "00000000-0000-4000-8000-000000000000" }) { clientMutationId } }';
    const { status, errors } = await browser.graphql(missing);
    expect({ status, code: errors?.[0]?.extensions?.code }).toEqual({ status: 200, code: 'NOT_FOUND' });
  });

  test('is looked up before a response in parts begins', async () => {
    await endSession();
    const answer = await browser.post('/graphql', { query: sites }, { headers: { accept: 'multipart/mixed' } });
    expect(answer.statusCode).toBe(401);
    expect(looks).toBe(1);
  });
});

describe('a transaction that begins with a session', () => {
  const hashOf = (who: TestBrowser) => sessionHash(who.cookies.get(SESSION_COOKIE)) as Buffer;
  const ask = (settings: Record<string, string>, text: string) =>
    adaptor.createWithPgClient({ pool: app.db.pool })(settings, (client) => client.query({ text })) as Promise<any>;

  test('has the same settings as a separate lookup', async () => {
    for (const person of [staff.owner, staff.partner]) {
      const hash = hashOf(await app.browser(person));
      const access = personAccess(
        {
          ...{ uuid: person.uuid, customerUuid: staff.customer.uuid },
          ...(person === staff.owner ? { level: 0, partnerAccount: false } : { level: 5, partnerAccount: true }),
        },
        app.clock,
      );
      const names = Object.keys(access.settings);
      const settings = settingsOfSession(beginInSession(hash, app.clock));
      const text = `select current_user as role, ${names.map((name) => `current_setting('${name}') as "${name}"`).join(', ')}`;
      expect(sessionWasFound(settings)).toBe(false);
      expect((await ask(settings, text)).rows).toEqual([{ role: access.role, ...access.settings }]);
      expect(sessionWasFound(settings)).toBe(true);
      await serviceQuery(app.db, 'delete from tocsin_private.session where user_uuid = $1', [person.uuid]);
      expect((await ask(settings, text)).rows, 'the rest of the same request').toEqual([
        { role: access.role, ...access.settings },
      ]);
    }
  });

  test('runs nothing without a valid session', async () => {
    const settings = settingsOfSession(beginInSession(Buffer.alloc(32, 7), app.clock));
    await expect(ask(settings, 'select current_user')).rejects.toMatchObject({ code: 'TC401' });
    expect(sessionWasFound(settings)).toBe(false);
    await expect(ask(settings, "insert into tocsin.partner (name) values ('Nobody')")).rejects.toMatchObject({
      code: 'TC401',
    });
    expect(await serviceQuery(app.db, "select from tocsin.partner where name = 'Nobody'")).toHaveLength(0);
  });
});
