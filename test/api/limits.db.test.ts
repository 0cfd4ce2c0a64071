/** Limits on the cost and size of one request. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '../../server/graphql/limit/limits.ts';
import { longWork } from '../../server/graphql/limit/turns.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  owner = await app.browser(staff.owner);
  await serviceQuery(
    app.db,
    `insert into tocsin.sensor (tocsin_customer_uuid, uid, sensor_type)
     select $1, 'NM-' || n, 1 from generate_series(1, 520) n`,
    [staff.customer.uuid],
  );
});
afterAll(() => app?.close());

async function refusedAs(query: string, variables: Record<string, unknown> = {}): Promise<string | undefined> {
  const { status, data, errors } = await owner.graphql(query, variables);
  expect(data).toBeUndefined();
  expect(status).toBe(400);
  expect(errors?.[0]?.message).toMatch(/^["\w].+\.$/);
  return errors?.[0]?.extensions?.code;
}

describe('pages', () => {
  test('have 500 rows by default and say that there are more', async () => {
    const { sensors } = await owner.data('{ sensors { totalCount pageInfo { hasNextPage endCursor } nodes { uid } } }');
    expect(sensors.nodes).toHaveLength(500);
    expect(sensors).toMatchObject({ totalCount: 520, pageInfo: { hasNextPage: true } });
    const next = await owner.data('query ($after: Cursor) { sensors(after: $after) { nodes { uid } } }', {
      after: sensors.pageInfo.endCursor,
    });
    expect(next.sensors.nodes).toHaveLength(20);
  });

  test('are limited inside other lists too', async () => {
    const { customers } = await owner.data('{ customers { nodes { sensors { nodes { uid } } } } }');
    expect(customers.nodes[0].sensors.nodes).toHaveLength(500);
  });

  test('may have 500 rows, by literal and by variable', async () => {
    const query = 'query ($n: Int) { sensors(first: $n) { nodes { uid } } }';
    expect((await owner.data('{ sensors(first: 500) { nodes { uid } } }')).sensors.nodes).toHaveLength(500);
    expect((await owner.data(query, { n: 500 })).sensors.nodes).toHaveLength(500);
    expect((await owner.data(query, { n: 0 })).sensors.nodes).toHaveLength(0);
    // If the page size is a variable without a value, the default page size applies.
    expect((await owner.data(query)).sensors.nodes).toHaveLength(500);
  });

  test('are refused above 500, at 0 and for invalid sizes, at every level', async () => {
    const list = '{ sensors(first: $n) { nodes { uid } } }';
    const attempts: [string, Record<string, unknown>?][] = [
      ['{ sensors(first: 501) { nodes { uid } } }'],
      [`query ($n: Int) ${list}`, { n: 501 }],
      [`query ($n: Int = 501) ${list}`],
      ['{ customers { nodes { sensors(first: 501) { nodes { uid } } } } }'],
      ['{ ...all } fragment all on Query { sensors(first: 501) { nodes { uid } } }'],
      ['{ ... on Query { sensors(first: 501) { totalCount } } }'],
    ];
    for (const [query, variables] of attempts) {
      expect(await refusedAs(query, variables), query).toBe('PAGE_TOO_LARGE');
    }
    const noCounts: typeof attempts = [
      ['{ sensors(first: 1e3) { nodes { uid } } }'],
      ['{ sensors(first: -1) { nodes { uid } } }'],
      ['{ sensors(first: null) { nodes { uid } } }'],
      [`query ($n: Int) ${list}`, { n: null }],
      [`query ($n: Int) ${list}`, { n: '501' }],
      [`query ($n: Int = null) ${list}`],
    ];
    for (const [query, variables] of noCounts) {
      expect(await refusedAs(query, variables), query).toBe('NOT_A_PAGE');
    }
  });

  test('cannot be read from the end', async () => {
    const { errors } = await owner.graphql('{ sensors(last: 5) { nodes { uid } } }');
    expect(errors?.[0]?.message).toMatch(/Unknown argument "last"/);
  });
});

describe('size', () => {
  const nested = (levels: number) => `{ ${'query { '.repeat(levels)} __typename ${'} '.repeat(levels)} }`;

  test('limits depth', async () => {
    expect((await owner.graphql(nested(limits.depth - 1))).errors).toBeUndefined();
    expect(await refusedAs(nested(limits.depth))).toBe('TOO_DEEP');
    const chain = Array.from({ length: 20 }, (_, i) => `fragment f${i} on Query { query { ...f${i + 1} } }`).join(' ');
    expect(await refusedAs(`{ ...f0 } ${chain} fragment f20 on Query { __typename }`)).toBe('TOO_DEEP');
  });

  test('limits aliases', async () => {
    const aliases = (count: number) =>
      `{ sites { ${Array.from({ length: count }, (_, i) => `a${i}: totalCount`).join(' ')} } }`;
    expect((await owner.graphql(aliases(limits.aliases))).errors).toBeUndefined();
    expect(await refusedAs(aliases(limits.aliases + 1))).toBe('TOO_MANY_ALIASES');
  });

  test('limits root fields', async () => {
    const field = 'sites { totalCount } ';
    expect(await refusedAs(`{ ${field.repeat(limits.rootFields + 1)} }`)).toBe('TOO_MANY_ROOT_FIELDS');
  });

  test('limits fields, even through fragments that use each other', async () => {
    expect(await refusedAs(`{ sites { nodes { ${'uuid '.repeat(limits.fields)} } } }`)).toBe('TOO_MANY_FIELDS');
    const ring = Array.from({ length: 40 }, (_, i) => {
      const next = `...f${(i + 1) % 40}`;
      return `fragment f${i} on Query { ${next} ${next} }`;
    });
    expect(await refusedAs(`{ ...f0 } ${ring.join(' ')}`)).toBe('TOO_MANY_FIELDS');
  });

  test('refuses a query that is too long to check', async () => {
    const filler = 'uuid '.repeat(limits.tokens);
    expect(await refusedAs(`{ __schema { types { name } } sites { nodes { ${filler} } } }`)).toBe('TOO_LONG');
  });

  test('limits the rows that nested lists could read', async () => {
    const plain = `{ sensors(first: 500) { nodes { assetDatapoints(first: 500) { nodes { uuid } } } } }`;
    const fragments = `{ sensors(first: 500) { nodes { assetDatapoints { ...points } } } }
      fragment points on AssetDatapointConnection { ... { nodes { alarms { ... { edges { node { uuid } } } } } } }`;
    for (const query of [plain, fragments]) expect(await refusedAs(query)).toBe('TOO_COSTLY');
    const { errors } = await owner.graphql('{ sensors(first: 50) { nodes { assetDatapoints { nodes { uuid } } } } }');
    expect(errors).toBeUndefined();
  });

  test('limits the number and the depth of values', async () => {
    const query = 'query ($f: SiteFilter) { sites(filter: $f) { totalCount } }';
    const name = { name: { equalTo: 'x' } };
    expect(await refusedAs(query, { f: { or: Array(limits.values).fill(name) } })).toBe('TOO_MANY_VALUES');
    const deep = (levels: number) => `${'{"and":['.repeat(levels)}${JSON.stringify(name)}${']}'.repeat(levels)}`;
    expect(await refusedAs(query, { f: JSON.parse(deep(200)) })).toBe('VALUES_TOO_DEEP');
    const literal = (levels: number) =>
      `{ sites(filter: ${'{and:['.repeat(levels)}{name:{equalTo:"x"}}${']}'.repeat(levels)}) { totalCount } }`;
    expect(await refusedAs(literal(200))).toBe('VALUES_TOO_DEEP');
    expect(['TOO_DEEP', 'TOO_LONG', 'VALUES_TOO_DEEP']).toContain(await refusedAs(literal(5000)));
    // The test sends the JSON as text, because JSON.stringify cannot serialise an object this deep.
    const body = `{"query":${JSON.stringify(query)},"variables":{"f":${deep(10_000)}}}`;
    const response = await owner.post('/graphql', body);
    expect(response.statusCode).toBe(400);
    expect(response.json().errors[0].extensions.code).toBe('VALUES_TOO_DEEP');
    expect((await owner.graphql(query, { f: JSON.parse(deep(3)) })).errors).toBeUndefined();
  });
});

describe('responses', () => {
  test('have 30 rows of a list inside each row of another, and say that there are more', async () => {
    const { sensors } = await owner.data(
      '{ sensors(first: 2) { nodes { customer { sensors { pageInfo { hasNextPage } nodes { uid } } } } } }',
    );
    for (const { customer } of sensors.nodes) {
      expect(customer.sensors.nodes).toHaveLength(limits.nestedPage);
      expect(customer.sensors.pageInfo.hasNextPage).toBe(true);
    }
  });

  test('have 500 rows of a list below a single row', async () => {
    const { sensors } = await owner.data('{ sensors(first: 1) { nodes { customer { sensors { nodes { uid } } } } } }');
    expect(sensors.nodes[0].customer.sensors.nodes).toHaveLength(limits.page);
  });

  test('keep the filter of a nested list without first', async () => {
    const query = `query ($f: SensorFilter) {
      sensors(first: 3) { nodes { customer { sensors( filter: $f ) { totalCount } } } } }`;
    const { sensors } = await owner.data(query, { f: { uid: { equalTo: 'NM-7' } } });
    expect(sensors.nodes[2].customer.sensors.totalCount).toBe(1);
  });

  test('are refused if the database sends more values than the limit', async () => {
    const query = '{ sensors(first: 210) { nodes { customer { sensors(first: 500) { nodes { uid } } } } } }';
    const { errors } = await owner.graphql(query);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringMatching(/^The response is too large/),
      extensions: { code: 'ANSWER_TOO_LARGE' },
    });
    expect((await owner.graphql('{ sensors { totalCount } }')).errors).toBeUndefined();
  });

  test('are refused beyond the byte limit while they are written', async () => {
    await serviceQuery(
      app.db,
      `update tocsin.sensor set description = repeat('x', 1000) where tocsin_customer_uuid = $1`,
      [staff.customer.uuid],
    );
    const aliases = Array.from({ length: 29 }, (_, n) => `a${n}: description`).join(' ');
    expect(await refusedAs(`{ sensors { nodes { ${aliases} } } }`)).toBe('ANSWER_TOO_LARGE');
  });

  test('are refused with 429 and Retry-After when too many requests of a user wait', async () => {
    const query = '{ sensors(first: 400) { nodes { uid customer { name } } } }';
    const answers = await Promise.all(Array.from({ length: 80 }, () => owner.post('/graphql', { query })));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(refused[0]?.json().errors[0].extensions.code).toBe('TOO_MANY_REQUESTS');
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThanOrEqual(50);
    expect((await owner.graphql('{ sensors { totalCount } }')).errors).toBeUndefined();
  });
});

describe('long work yields to device requests while', () => {
  const turnsTaken = async (query: string): Promise<number> => {
    const next = vi.spyOn(longWork, 'next');
    try {
      await owner.data(query);
      return next.mock.calls.length;
    } finally {
      next.mockRestore();
    }
  };
  const fields = (count: number) => 'uuid uid '.repeat(count / 2);

  test('planning a query of many fields', async () => {
    const large = `query Large { sensors(first: 1) { nodes { ${fields(200)} } } }`;
    expect([await turnsTaken(large), await turnsTaken(large)]).toEqual([1, 1]);
  });

  test('planning a query of the console’s size for the first time', async () => {
    const query = `query ConsoleSize { sensors(first: 1) { nodes { ${fields(80)} } } }`;
    expect([await turnsTaken(query), await turnsTaken(query)]).toEqual([1, 0]);
    expect(await turnsTaken('{ sensors(first: 1) { nodes { uuid } } }')).toBe(0);
  });

  test('handling a large result', async () => {
    expect(await turnsTaken('{ customers { nodes { sensors(first: 500) { nodes { uuid uid } } } } }')).toBe(0);
    expect(
      await turnsTaken(
        `{ sensors(first: 500) { nodes { uuid customer { sensors(first: 8) { nodes { uuid uid } } } } } }`,
      ),
    ).toBe(1);
  });
});

describe('introspection', () => {
  test.each([
    '{ __schema { types { name } } }',
    '{ __type(name: "User") { fields { name } } }',
    '{ x: __schema { queryType { name } } }',
    '{ ...f } fragment f on Query { ... { __schema { types { name } } } }',
    'query ($n: String! = "User") { __type(name: $n) { name } }',
    'query A { sites { totalCount } } query B { __schema { types { name } } }',
  ])('refuses %s', async (query) => {
    expect(await refusedAs(query)).toBe('INTROSPECTION');
  });

  test('refuses a type by a variable, and returns null for an unknown type', async () => {
    const query = 'query ($n: String!) { __type(name: $n) { name } }';
    expect(await refusedAs(query, { n: 'User' })).toBe('INTROSPECTION');
    expect(await refusedAs(query, { n: '__Type' })).toBe('INTROSPECTION');
    expect(await owner.data(query, { n: 'user' })).toEqual({ __type: null });
  });

  test('supports __typename', async () => {
    expect(await owner.data('{ __typename customers { nodes { __typename } } }')).toEqual({
      __typename: 'Query',
      customers: { nodes: [{ __typename: 'Customer' }] },
    });
  });
});
