/**
 * Sends random queries to the API. The estimated cost of a query is never less than the size of its response, and no
 * response exceeds the size limit.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'postgraphile/graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkQuery } from '../../server/graphql/limit/check-query.ts';
import { limits } from '../../server/graphql/limit/limits.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { addNotification, buildStation, openAlarm, type Station } from './pumps.ts';

const schema: GraphQLSchema = buildSchema(
  readFileSync(join(import.meta.dirname, '../../web/api/schema.graphql'), 'utf8'),
);

let app: TestApp;
let staff: Staff;
let station: Station;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  station = await buildStation(app.db, staff.customer);
  for (let n = 0; n < 3; n += 1) {
    await openAlarm(app.db, station, { message: `Level high ${n}`, at: '2026-03-01T07:00:00Z' });
    await addNotification(app.db, station, { at: '2026-03-01T07:00:00Z' });
  }
  // Inserts 520 sensors: more than the page size of nested lists, and more than the largest page.
  await serviceQuery(
    app.db,
    `insert into tocsin.sensor (tocsin_customer_uuid, uid, sensor_type)
     select $1, 'RQ-' || n, 1 from generate_series(1, 520) n`,
    [staff.customer.uuid],
  );
});
afterAll(() => app?.close());

/** Values for the required arguments of fields, keyed by argument name. */
const given = (): Record<string, string> => ({
  uuid: JSON.stringify(station.site.uuid),
  rangeFrom: '"2026-03-01T00:00:00Z"',
  rangeTo: '"2026-03-02T00:00:00Z"',
  from: '"2026-03-01T00:00:00Z"',
  to: '"2026-03-02T00:00:00Z"',
  datapointUuids: `["${station.datapoint.uuid}"]`,
  siteUuids: `["${station.site.uuid}"]`,
  width: '100',
});

/** Turns a generated list of numbers into choices, so that fast-check can shrink a failing query. */
class Choices {
  readonly #numbers: readonly number[];
  #at = 0;
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }
  next(below: number): number {
    const number = this.#numbers[this.#at % this.#numbers.length] ?? 0;
    this.#at += 1;
    return number % below;
  }
}

function argumentsOf(args: readonly GraphQLArgument[], choices: Choices): string | undefined {
  const values = given();
  const written: string[] = [];
  for (const { name, type, defaultValue } of args) {
    if (name === 'first') {
      const first = [undefined, 0, 1, 3, 40, 500][choices.next(6)];
      if (first !== undefined) written.push(`first: ${first}`);
    } else if (isNonNullType(type) && defaultValue === undefined) {
      const value = values[name];
      if (value === undefined) return undefined;
      written.push(`${name}: ${value}`);
    }
  }
  return written.length > 0 ? `(${written.join(', ')})` : '';
}

/**
 * Returns a random selection of a type's fields, with aliases, fragments, and nested lists with and without `first`.
 */
function selection(type: GraphQLObjectType, depth: number, choices: Choices): string {
  const fields = Object.values(type.getFields());
  const parts = ['__typename'];
  const wanted = 1 + choices.next(3);
  for (let n = 0; n < wanted; n += 1) {
    // Selecting the nodes of most connections makes the queries deeper.
    const rows = type.name.endsWith('Connection') && choices.next(4) > 0;
    const field = rows ? type.getFields().nodes : fields[choices.next(fields.length)];
    if (!field) continue;
    const args = argumentsOf(field.args, choices);
    if (args === undefined) continue;
    const inner = getNamedType(field.type);
    const alias = `a${n}_${choices.next(3)}: `;
    if (isLeafType(inner)) parts.push(`${alias}${field.name}${args}`);
    else if (isObjectType(inner) && depth > 0) {
      const text = `${alias}${field.name}${args} { ${selection(inner, depth - 1, choices)} }`;
      parts.push(choices.next(5) === 0 ? `... on ${type.name} { ${text} }` : text);
    }
  }
  return parts.join(' ');
}

/**
 * Returns the number of objects and values in a response. Ten items of a scalar list count as one value, as in the cost
 * estimate.
 */
function size(value: unknown): number {
  if (Array.isArray(value)) {
    const plain = value.every((item) => typeof item !== 'object' || item === null);
    return plain ? Math.ceil(value.length / 10) : value.reduce((sum: number, item) => sum + size(item), 0);
  }
  // An object without `__typename` is a value of the scalar JSON and counts as one value.
  if (typeof value !== 'object' || value === null || !('__typename' in value)) return 1;
  return 1 + Object.values(value).reduce((sum: number, item) => sum + size(item), 0);
}

describe.each(['operator', 'manager', 'owner'] as const)('random queries of an %s', (who) => {
  test('return no more than their cost estimate', async () => {
    const browser: TestBrowser = await app.browser(staff[who]);
    let answered = 0;
    const numbers = fc.array(fc.nat(), { minLength: 20, maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(numbers, fc.integer({ min: 2, max: 8 }), async (chosen, depth) => {
        const query = `{ ${selection(schema.getQueryType() as GraphQLObjectType, depth, new Choices(chosen))} }`;
        const verdict = checkQuery(schema, query, {}, { introspection: false, subscriptions: false });
        const response = await browser.post('/graphql', { query });
        expect(response.body.length).toBeLessThanOrEqual(limits.bytes);
        const { data, errors } = response.json();
        if (!verdict.allowed) {
          expect(response.statusCode).toBe(400);
          expect(errors[0].extensions.code).toBe(verdict.because);
          return;
        }
        expect(response.statusCode, response.body.slice(0, 500)).toBe(200);
        answered += data ? 1 : 0;
        expect(size(data ?? {})).toBeLessThanOrEqual(verdict.cost + 1);
      }),
      { numRuns: 100 },
    );
    expect(answered).toBeGreaterThan(20);
  });
});
