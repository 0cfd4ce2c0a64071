import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestBrowser } from '../../test/harness/server/app.ts';

let app: TestApp;
let owner: TestBrowser;
beforeAll(async () => {
  app = await startTestApp({ config: { development: true } });
  owner = await app.browser((await app.staff()).owner);
});
afterAll(() => app?.close());

const ORIGIN = 'http://localhost:8080';

/** Runs the last script in the page's head with browser stubs and returns the `fetch` that the script installs. */
async function fetchOfPage(seen: { address: string; headers: Headers }[]): Promise<typeof fetch> {
  const page = await owner.get('/graphiql');
  expect(page.statusCode).toBe(200);
  const head = page.body.slice(0, page.body.indexOf('</head>'));
  const script = head.slice(head.lastIndexOf('<script>') + '<script>'.length, head.lastIndexOf('</script>'));
  const context = {
    ...{ URL, Headers },
    location: new URL(`${ORIGIN}/graphiql`),
    document: { cookie: `theme=dark; XSRF-TOKEN=${encodeURIComponent(owner.cookies.get('XSRF-TOKEN') ?? '')}` },
    fetch: async (address: string, { headers, body }: { headers?: Headers; body?: string } = {}) => {
      seen.push({ address, headers: new Headers(headers) });
      return owner.post(address, body, { headers: Object.fromEntries(new Headers(headers)), xsrf: false });
    },
  };
  runInNewContext(script, context);
  return context.fetch as never;
}

test('a signed-in user can query the API from the page', async () => {
  const seen: { address: string; headers: Headers }[] = [];
  const call = await fetchOfPage(seen);
  const answer: any = await call('/graphql', {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __schema { queryType { name } } }' }),
  });
  expect(answer.json()).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
  expect(seen[0]?.headers.get('accept')).toBe('application/json');
});

test('the XSRF token is sent to no other server', async () => {
  const seen: { address: string; headers: Headers }[] = [];
  await (await fetchOfPage(seen))('https://elsewhere.example/graphql', { method: 'POST' });
  expect(seen).toHaveLength(1);
  expect(seen[0]?.headers.has('x-xsrf-token')).toBe(false);
});
