/** Runs the GraphQL over HTTP conformance audit against the running server, with a signed-in session. */
import { type AuditFail, serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';

let app: TestApp;
let owner: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.browser((await app.staff()).owner);
});
afterAll(() => app?.close());

/** Adds the session's cookies and XSRF token, as the console does. */
const fetchFn = (url: string, init: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(init.headers);
  headers.set('cookie', [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
  headers.set('x-xsrf-token', owner.cookies.get('XSRF-TOKEN')!);
  return fetch(url, { ...init, headers });
};

const audits = serverAudits({ url: () => `http://127.0.0.1:${app.port}/graphql`, fetchFn });
const musts = audits.filter(({ name }) => name.startsWith('MUST'));

test('the audit has checks that a server must pass', () => {
  expect(musts.length).toBeGreaterThan(10);
});

test.each(musts.map((audit) => [audit.name, audit] as const))('%s', async (_name, audit) => {
  const result = await audit.fn();
  expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok');
});

test('logs the optional checks that fail, and never responds to them with 5xx', async () => {
  const failed: AuditFail[] = [];
  for (const audit of audits.filter((one) => !musts.includes(one))) {
    const result = await audit.fn();
    if (result.status !== 'ok') failed.push(result);
  }
  if (failed.length > 0) console.info(failed.map(({ name, reason }) => `${name}: ${reason}`).join('\n'));
  // Some audits fail, but the API never responds with a 5xx status.
  expect(failed.filter(({ response }) => response.status >= 500)).toEqual([]);
});

test('refuses a request that is too large, and states the limit', async () => {
  const answer = await fetchFn(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }', variables: { more: 'x'.repeat(300_000) } }),
  });
  expect(answer.status).toBe(413);
  expect(await answer.text()).toContain('The request is too large. Send at most 256 KiB at once.');
});

test.each(['*/*', undefined, 'text/html, */*;q=0.8'])('responds with plain JSON when Accept is %s', async (accept) => {
  // fetch would always add an Accept header, so the test uses inject.
  for (const query of ['{ __typename }', '{ nothing }']) {
    const { headers } = await owner.post('/graphql', { query }, { headers: accept === undefined ? {} : { accept } });
    expect(headers['content-type']).toMatch(/^application\/json\b/);
  }
});

test('responds with application/graphql-response+json to a client that names it', async () => {
  const accept = 'application/graphql-response+json, application/json;q=0.9';
  const { headers } = await owner.post('/graphql', { query: '{ __typename }' }, { headers: { accept } });
  expect(headers['content-type']).toMatch(/^application\/graphql-response\+json\b/);
});

test('suggests no field, argument, type or enum value in production', async () => {
  const attempts: [string, Record<string, unknown>?][] = [
    ['{ site { uuid } sitess { totalCount } }'],
    ['{ sites { nodes { nam } } }'],
    ['{ sites(frist: 1) { totalCount } }'],
    ['{ sites(orderBy: [NAM_ASC]) { totalCount } }'],
    ['{ sites(filter: { nam: { equalTo: "x" } }) { totalCount } }'],
    ['query ($f: SiteFilte) { sites(filter: $f) { totalCount } }'],
    ['{ sites { ... on SiteConnectio { totalCount } } }'],
    ['query ($f: SiteFilter) { sites(filter: $f) { totalCount } }', { f: { nam: { equalTo: 'x' } } }],
    ['query ($o: [SiteOrderBy!]) { sites(orderBy: $o) { totalCount } }', { o: ['NAM_ASC'] }],
  ];
  for (const [query, variables] of attempts) {
    const { errors } = await owner.graphql(query, variables);
    expect(errors, query).not.toBeUndefined();
    expect(JSON.stringify(errors), query).not.toMatch(/did you mean/i);
  }
});
