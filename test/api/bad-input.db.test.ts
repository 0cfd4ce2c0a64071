/** The API refuses bad input with a clear message that reveals no internal details, and changes no data. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { missing, remove, update } from './api.ts';
import { buildStation, places, type Station } from './pumps.ts';
import { countRows, expectRefused } from './refused.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let station: Station;
let stranger: Station;
/** Errors that the server logged. The list must stay empty, because bad input is not a server error. */
const faults: unknown[] = [];
let rowsBefore: unknown;

beforeAll(async () => {
  const log = { debug() {}, info() {}, warn() {}, error: (...fault: unknown[]) => void faults.push(fault) };
  app = await startTestApp({ log });
  staff = await app.staff();
  owner = await app.browser(staff.owner);
  station = await buildStation(app.db, staff.customer);
  stranger = await buildStation(app.db, (await app.staff()).customer);
});
afterAll(() => app?.close());

beforeEach(async () => {
  faults.length = 0;
  rowsBefore = await countRows(app.db);
});
afterEach(async () => {
  expect(await countRows(app.db)).toEqual(rowsBefore);
  expect(faults).toEqual([]);
});

const refused = (body: unknown, headers?: Record<string, string>) => expectRefused(owner, body, headers);

const createSite = 'mutation ($site: SiteInput!) { createSite(input: { site: $site }) { site { uuid } } }';
const site = (more: object) => ({ query: createSite, variables: { site: { siteId: 'BAD-1', name: 'Bad', ...more } } });
const sites = '{ sites { totalCount } }';

describe('bodies', () => {
  const json = { 'content-type': 'application/json' };
  const object = 'Send one JSON object with a query, such as {"query": "{ sites { totalCount } }"}.';
  const unreadable = 'The request body is not valid JSON. Check its brackets, commas and quotation marks.';
  const typed = [415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the request as application/json.'] as const;

  test.each<
    [string, unknown, Record<string, string>, readonly [status: number, code: string, sentence: string, field?: string]]
  >([
    ['broken JSON', '{"query": ', json, [400, 'BAD_REQUEST', unreadable]],
    ['no body', '', json, [400, 'BAD_REQUEST', 'The request body is empty. Send JSON.']],
    ['null', 'null', json, [400, 'BAD_REQUEST', object]],
    ['a number', '5', json, [400, 'BAD_REQUEST', object]],
    ['a text', '"{ sites { totalCount } }"', json, [400, 'BAD_REQUEST', object]],
    ['a batch', [{ query: sites }, { query: sites }], json, [400, 'BAD_REQUEST', object]],
    [
      'an empty object',
      {},
      json,
      [400, 'BAD_REQUEST', 'The query is missing. Send it as {"query": "{ sites { totalCount } }"}.', 'query'],
    ],
    [
      'a query that is a number',
      { query: 5 },
      json,
      [400, 'BAD_REQUEST', 'The query is not a string. Send it as {"query": "{ sites { totalCount } }"}.', 'query'],
    ],
    [
      'variables as a list',
      { query: sites, variables: [1] },
      json,
      [
        400,
        'BAD_REQUEST',
        'The variables are not a JSON object. Send an object with their names and values, such as {"id": "PS-0009"}.',
        'variables',
      ],
    ],
    [
      'an operation name that is a number',
      { query: sites, operationName: 3 },
      json,
      [
        400,
        'BAD_REQUEST',
        'The operationName is not a string. Leave it out, or specify the name of an operation in the query.',
        'operationName',
      ],
    ],
    ['text/plain', JSON.stringify({ query: sites }), { 'content-type': 'text/plain' }, typed],
    ['a form', 'query=%7Bsites%7BtotalCount%7D%7D', { 'content-type': 'application/x-www-form-urlencoded' }, typed],
    ['application/graphql', sites, { 'content-type': 'application/graphql' }, typed],
  ])('refuses %s with a message of its own', async (_title, body, headers, [status, code, message, field]) => {
    const response = await owner.post('/graphql', body, { headers });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toEqual({ errors: [{ message, extensions: { code, ...(field && { field }) } }] });
  });

  test.each<[string, unknown, Record<string, string>?]>([
    ['a query that is a list', { query: [sites] }],
    ['variables as text', { query: sites, variables: '{"a":1}' }],
    ['extensions as a number', { query: sites, extensions: 4 }],
    ['an unknown operation', { query: sites, operationName: 'Other' }],
    ['a prototype', '{"query":"{ sites { totalCount } }","__proto__":{"admin":true}}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString('latin1')],
    ['an unsupported type of answer', { query: sites }, { accept: 'image/png' }],
    ['a megabyte', site({ name: 'x'.repeat(1024 * 1024) })],
  ])('%s', async (_title, body, headers) => {
    await refused(body, headers);
  });

  test('accepts queries by POST only', async () => {
    const response = await owner.get(`/graphql?query=${encodeURIComponent(sites)}`);
    expect(response.statusCode).toBe(405);
    expect((await owner.put('/graphql')).statusCode).toBe(405);
    expect(response.headers.allow).toBe('POST');
    expect(response.json()).toEqual({
      errors: [{ message: 'Send queries by POST, as JSON.', extensions: { code: 'METHOD_NOT_ALLOWED' } }],
    });
    for (const path of ['/graphiql', '/ruru-static/x']) expect((await owner.get(path)).statusCode).toBe(404);
  });
});

describe('queries and values', () => {
  const rule = (more: object) => ({
    query: 'mutation ($rule: RuleInput!) { createRule(input: { rule: $rule }) { rule { uuid } } }',
    variables: { rule: { ...places(station), name: 'Bad', ...more } },
  });

  test.each<[string, () => unknown, (string | RegExp)?]>([
    ['a query that breaks off', () => ({ query: '{ sites {' }), /^Syntax Error/],
    ['a field that does not exist', () => ({ query: '{ sites { secret } }' }), /secret/],
    ['a table that is private', () => ({ query: '{ credentials { totalCount } }' }), /credentials/],
    ['a wrong type', () => site({ name: 5 }), /String cannot represent/],
    ['a missing field', () => ({ query: createSite, variables: { site: { name: 'x' } } }), /siteId/],
    ['null for a required argument', () => site({ name: null }), /not to be null/],
    ['an unknown field', () => site({ owner: 'me' }), /"owner" is not defined/],
    ['an empty name', () => site({ name: '' }), 'Name must have 1 to 200 characters.'],
    ['200,000 characters', () => site({ name: 'x'.repeat(200_000) }), 'Name must have 1 to 200 characters.'],
    ['a NUL in a variable', () => site({ name: 'a\u0000b' }), /^Text cannot contain the character NUL/],
    [
      'an invalid time',
      () => ({
        query: `{ series(datapointUuids: ["${station.site.uuid}"], from: "foo", to: "2026-03-02T07:00:00Z", width: 100) { datapointUuid } }`,
      }),
      '"foo" is not a time. Write it like 2026-03-02T07:00:00Z.',
    ],
    [
      'a day that no month has',
      () => ({ query: '{ replyMessages(filter: { queuedOn: { lessThan: "2026-02-31" } }) { totalCount } }' }),
      '"2026-02-31" is not a time. Write it like 2026-03-02T07:00:00Z.',
    ],
    [
      'a NUL in a filter',
      () => ({ query: '{ sites(filter: { name: { includes: "\\u0000" } }) { totalCount } }' }),
      /^Text cannot contain the character NUL/,
    ],
    ['a NUL in a query', () => ({ query: '{ sites\u0000 { totalCount } }' }), /^Syntax Error/],
    ['half a character', () => ({ query: '{ sites(filter: { name: { equalTo: "\\ud800" } }) { totalCount } }' })],
    ['an invalid uuid', () => ({ query: '{ site(uuid: "not-a-uuid") { name } }' }), /^"not-a-uuid" is not a uuid/],
    [
      'a uuid that is a number',
      () => ({ query: 'query ($u: UUID!) { site(uuid: $u) { name } }', variables: { u: 1 } }),
    ],
    ['a group that does not exist', () => site({ tocsinGroup5Uuid: station.site.uuid }), /^This group does not exist/],
    [
      'a group of another level',
      () => site({ tocsinGroup2Uuid: station.office.uuid }),
      'Choose a group of level 2 here.',
    ],
    ['a foreign group', () => site({ tocsinGroup5Uuid: stranger.office.uuid }), /^This group does not exist/],
    ...[1, 6].map((level): [string, () => unknown, string] => [
      `a group of level ${level}`,
      () => ({ query: mutation(`createGroup(input: { group: { level: ${level}, name: "Bad" } })`) }),
      'Enter a level from 2 to 5.',
    ]),
    [
      'a foreign customer',
      () => site({ tocsinCustomerUuid: stranger.site.tocsin_customer_uuid }),
      /^This is not your customer/,
    ],
    [
      'a customer that does not exist',
      () => site({ tocsinCustomerUuid: '00000000-0000-4000-8000-000000000000' }),
      /^This is not your customer/,
    ],
    ['a rule without limits', () => rule({}), 'Enter a lower limit, an upper limit or both.'],
    ['limits the wrong way round', () => rule({ valueLower: 2, valueUpper: 1 }), /lower limit must be below/],
    ['a limit beyond all numbers', () => rule({ valueUpper: 1e308 }), 'Enter a limit from -1e300 to 1e300.'],
    ['a datapoint of another asset', () => rule({ valueUpper: 1, tocsinDatapointUuid: stranger.datapoint.uuid })],
    [
      'a number too large for its column',
      () => ({ query: mutation('createSensor(input: { sensor: { uid: "x", sensorType: 99999 } })') }),
      /^Choose 1 \(digital\)/,
    ],
    [
      'a number too large for the column that a call fills',
      () => ({ query: mutation('registerSensor(input: { uid: "x", sensorType: 99999 })') }),
      /^Choose 1 \(digital\)/,
    ],
    [
      'a number too small for the column that a call changes',
      () => ({
        query: mutation(`updateAssetDatapointStatus(input: { uuid: "${station.datapoint.uuid}", status: -99999 })`),
      }),
      /^Choose 0 \(no data\)/,
    ],
    [
      'a number too large to compare with',
      () => ({ query: '{ notifications(filter: { methodType: { equalTo: 99999 } }) { totalCount } }' }),
      '"99999" is out of range for this field.',
    ],
    [
      'an unknown time zone',
      () => ({ query: '{ alarms(filter: { dateTime: { lessThan: "2026-03-02T07:00:00+99:00" } }) { totalCount } }' }),
      '"2026-03-02T07:00:00+99:00" is not a time. Write it like 2026-03-02T07:00:00Z.',
    ],
    [
      'a number out of its range',
      () => ({ query: mutation('createSensor(input: { sensor: { uid: "x", sensorType: 9 } })') }),
      /^Choose 1 \(digital\)/,
    ],
    [
      'a uid with a slash',
      () => ({ query: mutation('createSensor(input: { sensor: { uid: "a/b", sensorType: 1 } })') }),
      /^Enter a uid that begins with/,
    ],
    ['a number of 23 digits', () => ({ query: '{ audit(id: "99999999999999999999999") { action } }' })],
    ['an invalid date', () => ({ query: '{ alarms(filter: { dateTime: { lessThan: "soon" } }) { totalCount } }' })],
    ['an invalid cursor', () => ({ query: '{ sites(after: "x") { nodes { uuid } } }' }), /^This is not a valid cursor/],
    [
      'an invalid cursor for zero rows',
      () => ({ query: '{ sites(first: 0, after: "x") { nodes { uuid } } }' }),
      /^This is not a valid cursor/,
    ],
    [
      'the cursor of another order',
      () => ({ query: '{ sites(after: "WyJvdGhlciIsMV0=") { nodes { uuid } } }' }),
      /^This cursor belongs to a different sort order/,
    ],
    [
      'an unknown order',
      () => ({ query: '{ partners(orderBy: [SURNAME_ASC]) { totalCount } }' }),
      '"SURNAME_ASC" is not a valid choice. Choose ID, PRIMARY_KEY or UUID, followed by _ASC or _DESC, or NATURAL.',
    ],
    [
      'an order that is text',
      () => ({ query: '{ sites(orderBy: "NAME_ASC") { totalCount } }' }),
      'Write NAME_ASC without quotation marks.',
    ],
    [
      'a negative offset',
      () => ({ query: '{ sites(offset: -1) { nodes { uuid } } }' }),
      '"offset" must be a whole number, 0 or more.',
    ],
    [
      'an offset that is text',
      () => ({ query: 'query ($o: Int) { sites(offset: $o) { nodes { uuid } } }', variables: { o: 'x' } }),
      '"offset" must be a whole number, 0 or more.',
    ],
    [
      'the deletion of an unknown noun',
      () => ({ query: `{ deletionEffects(noun: "foo", uuid: "${station.site.uuid}") { nodes { noun } } }` }),
      /^Choose site, asset, .* maintenance_window, destination, rota or rota_layer\.$/,
    ],
    [
      'a command of blanks',
      () => ({ query: mutation('createReplyMessage(input: { replyMessage: { uid: "NONE", replyCommand: " \\t" } })') }),
      'Enter the command in the device’s own syntax.',
    ],
    [
      'an invalid SIM number',
      () => ({
        query: mutation(`updateSite(input: { uuid: "${station.site.uuid}", patch: { phoneNumber: "the grey one" } })`),
      }),
      'Enter a valid phone number, such as +44 7700 900113, or leave it empty.',
    ],
    ...['now', 'tomorrow', 'yesterday', 'infinity', '-infinity'].map((word): [string, () => unknown, string] => [
      `the time "${word}"`,
      () => ({ query: `{ alarms(filter: { dateTime: { lessThan: "${word}" } }) { totalCount } }` }),
      `"${word}" is not a time. Write it like 2026-03-02T07:00:00Z.`,
    ]),
    [
      'a pattern that breaks off',
      () => ({ query: '{ sites(filter: { name: { like: "\\\\" } }) { totalCount } }' }),
      'A pattern cannot end with a single backslash. Write two backslashes to search for one.',
    ],
    ['an empty filter', () => ({ query: '{ sites(filter: {}) { totalCount } }' }), /^Part of the filter is empty/],
    ['a filter by null', () => ({ query: '{ sites(filter: { name: { equalTo: null } }) { totalCount } }' }), /isNull/],
    ['a subscription', () => ({ query: 'subscription { sites }' }), /^Subscriptions work only over WebSocket/],
    [
      'a reply for an unknown sensor',
      () => ({ query: mutation('createReplyMessage(input: { replyMessage: { uid: "NONE", replyCommand: "x" } })') }),
      /^No sensor has this uid/,
    ],
  ])('%s', async (_title, body, sentence) => {
    const message = await refused(body());
    if (sentence !== undefined) expect(message).toMatch(sentence);
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    ['of an argument', '{ site(uuid: "x") { name } }', {}, 'uuid'],
    [
      'in a list',
      '{ series(datapointUuids: ["x"], from: "2026", to: "2026", width: 9) { datapointUuid } }',
      {},
      'datapointUuids',
    ],
    ['in a filter', '{ alarms(filter: { dateTime: { lessThan: "now" } }) { totalCount } }', {}, 'lessThan'],
    ['in a variable', 'query ($u: UUID!) { site(uuid: $u) { name } }', { u: 'x' }, 'u'],
    ['inside a variable', createSite, { site: { siteId: 'x', name: 'x', tocsinGroup2Uuid: 'x' } }, 'tocsinGroup2Uuid'],
    ['of a day', '{ alarms(filter: { dateTime: { lessThan: "2026-02-31" } }) { totalCount } }', {}, 'lessThan'],
    ['of a number', '{ audit(id: "x") { action } }', {}, 'id'],
    ['of a large number', '{ audit(id: "99999999999999999999999") { action } }', {}, 'id'],
    ['of an order', '{ sites(orderBy: [x]) { totalCount } }', {}, 'orderBy'],
    ['of orders in a variable', 'query ($o: [SiteOrderBy!]) { sites(orderBy: $o) { totalCount } }', { o: ['x'] }, 'o'],
  ])('names the field of a value of the wrong form, %s', async (_title, query, variables, field) => {
    const { errors } = await owner.graphql(query, variables);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringMatching(/^"(x|now|2026-02-31|9{23})" is not a (uuid|time|valid choice|whole number)/),
      extensions: { code: 'BAD_USER_INPUT', field },
    });
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    ['an invalid cursor', '{ sites(after: "x") { nodes { uuid } } }', {}, 'after'],
    ['the cursor of another order', '{ sites(after: "WyJvdGhlciIsMV0=") { nodes { uuid } } }', {}, 'after'],
    ['a cursor in a variable', 'query ($c: Cursor) { sites(after: $c) { nodes { uuid } } }', { c: 'x' }, 'after'],
    ['a variable that is missing', 'query ($u: UUID!) { site(uuid: $u) { name } }', {}, 'u'],
    ['a variable that is null', 'query ($u: UUID!) { site(uuid: $u) { name } }', { u: null }, 'u'],
    ['a field that is missing in a variable', createSite, { site: { siteId: 'x' } }, 'name'],
    [
      'a number that is text',
      'query ($w: Int!) { series(datapointUuids: [], from: "2026-03-01", to: "2026-03-02", width: $w) { datapointUuid } }',
      { w: 'x' },
      'w',
    ],
  ])('names the field of %s', async (_title, query, variables, field) => {
    const { errors } = await owner.graphql(query, variables);
    expect(errors?.[0]?.extensions, errors?.[0]?.message).toEqual({ code: 'BAD_USER_INPUT', field });
  });

  const orders = 'query ($o: [SiteOrderBy!]) { sites(orderBy: $o) { totalCount } }';
  const earlier = 'query ($t: Datetime!) { alarms(filter: { dateTime: { lessThan: $t } }) { totalCount } }';
  test.each<[string, string, string, Record<string, unknown>?]>([
    ['5', 'uuid', '{ site(uuid: 5) { name } }'],
    ['[1, 2]', 'lessThan', '{ alarms(filter: { dateTime: { lessThan: [1, 2] } }) { totalCount } }'],
    ['20260302', 't', earlier, { t: 20260302 }],
    ['{"a":1}', 't', earlier, { t: { a: 1 } }],
    ['true', 'id', '{ audit(id: true) { action } }'],
    ['5', 'after', '{ sites(after: 5) { totalCount } }'],
    ['[NAME_ASC]', 'orderBy', '{ sites(orderBy: [[NAME_ASC]]) { totalCount } }'],
    ['[7]', 'o', orders, { o: [[7]] }],
  ])('quotes an invalid value as the request contains it: %s for %s', async (text, field, query, variables) => {
    const { errors } = await owner.graphql(query, variables ?? {});
    expect(errors?.[0]?.message.slice(0, text.length + 11)).toBe(`"${text}" is not a`);
    expect(errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', field });
  });

  test('names the field of a text with a NUL character', async () => {
    const refusedField = async (query: string, variables?: Record<string, unknown>) =>
      (await owner.graphql(query, variables ?? {})).errors?.[0]?.extensions;
    const inFilter = '{ sites(filter: { name: { in: ["a", "\\u0000"] } }) { totalCount } }';
    expect(await refusedField(inFilter)).toEqual({ code: 'BAD_USER_INPUT', field: 'in' });
    const named = { site: { siteId: 'BAD-1', name: '\u0000' } };
    expect(await refusedField(createSite, named)).toEqual({ code: 'BAD_USER_INPUT', field: 'name' });
  });

  test('accepts an id as a number instead of text', async () => {
    const { id } = (await owner.data('{ audits(first: 1) { nodes { id } } }')).audits.nodes[0];
    expect((await owner.data(`{ audit(id: ${id}) { id } }`)).audit).toEqual({ id });
  });
});

function mutation(call: string): string {
  return `mutation { ${call} { clientMutationId } }`;
}

describe('changes', () => {
  const updateSite = (patch: unknown) => ({
    query: 'mutation ($u: UUID!, $p: SitePatch!) { updateSite(input: { uuid: $u, patch: $p }) { site { uuid } } }',
    variables: { u: station.site.uuid, p: patch },
  });

  test.each<[string, unknown, string | RegExp]>([
    ['an empty patch', {}, 'Nothing was changed, because the request contains no new value.'],
    ['a list in place of a patch', [], /to be an object/],
    ['a text in place of a patch', 'name', /to be an object/],
    ['null for a required field', { name: null }, 'Name is required.'],
    ['the customer', { tocsinCustomerUuid: '00000000-0000-4000-8000-000000000000' }, /not defined by type "SitePatch"/],
    ['the uuid', { uuid: '00000000-0000-4000-8000-000000000000' }, /not defined by type "SitePatch"/],
    ['a field that the pipeline maintains', { siteStatus: 1 }, /not defined by type "SitePatch"/],
    ['zero hours', { tocsinHealthDurationHours: 0 }, 'Enter a whole number of hours from 1 to 168.'],
  ])('%s', async (_title, patch, sentence) => {
    expect(await refused(updateSite(patch))).toMatch(sentence);
  });

  test('treats another customer’s row like a missing one', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000000';
    for (const uuid of [stranger.site.uuid, nowhere]) {
      expect((await update(owner, 'site', uuid, { name: 'Mine now' })).refusal).toEqual(missing);
      expect((await remove(owner, 'site', uuid)).refusal).toEqual(missing);
    }
  });

  test('applies the valid mutations of a request and explains the invalid one', async () => {
    const { data, errors } = await owner.graphql(
      `mutation ($a: UUID!, $b: UUID!) {
         good: updateSite(input: { uuid: $a, patch: { location: "Harbour" } }) { site { location } }
         bad: updateSite(input: { uuid: $b, patch: { location: "Harbour" } }) { site { location } } }`,
      { a: station.site.uuid, b: stranger.site.uuid },
    );
    expect(data).toEqual({ good: { site: { location: 'Harbour' } }, bad: null });
    expect(errors).toHaveLength(1);
    expect(errors![0]).toMatchObject({ path: ['bad'], message: missing.message });
    rowsBefore = await countRows(app.db);
  });
});
