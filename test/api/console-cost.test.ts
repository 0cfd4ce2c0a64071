/** Estimated cost of the console's queries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, getNamedType, getNullableType, isListType, isObjectType } from 'postgraphile/graphql';
import { describe, expect, test } from 'vitest';
import { checkQuery } from '../../server/graphql/limit/check-query.ts';
import { limits } from '../../server/graphql/limit/limits.ts';
import { connectionSizes, listSizes } from '../../server/graphql/limit/list-sizes.ts';
import { consoleOperations } from '../../tools/check-operations.ts';

const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../web/api/schema.graphql'), 'utf8'));
const allowed = { introspection: false, subscriptions: false };

/** Page sizes that the console uses. */
const variables = { first: 200, offset: 0, portion: 200, events: 20, datapoints: Array(20).fill('x') };

const refusedOrAbove = (limit: number, given: Record<string, unknown>) =>
  [...consoleOperations()].flatMap(([name, query]) => {
    const verdict = checkQuery(schema, query, given, allowed);
    return !verdict.allowed || verdict.cost > limit ? [{ name, ...verdict }] : [];
  });

test('no query of the console costs more than half of the limit', () => {
  expect(consoleOperations().size).toBeGreaterThan(80);
  expect(refusedOrAbove(limits.cost / 2, variables)).toEqual([]);
});

test('no query of the console is refused with the largest page', () => {
  expect(refusedOrAbove(limits.cost, { ...variables, first: 500 })).toEqual([]);
});

test('no query of the console names more than a third of the fields a query may name', () => {
  const large = [...consoleOperations()].filter(([, query]) => {
    const verdict = checkQuery(schema, query, variables, allowed);
    return !verdict.allowed || verdict.fields > limits.fields / 3;
  });
  expect(large.map(([name]) => name)).toEqual([]);
});

test('every query of the console sets the size of each nested list', () => {
  const unsized = [...consoleOperations()].filter(([, query]) => {
    const verdict = checkQuery(schema, query, variables, allowed);
    return verdict.allowed && verdict.query !== query;
  });
  expect(unsized.map(([name]) => name)).toEqual([]);
});

describe('sizes of lists', () => {
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));

  test('are stated for each list of the schema that is not a connection', () => {
    const plain = fields
      .filter(({ field }) => isListType(getNullableType(field.type)))
      .filter(({ type, field }) => !(type.name.endsWith('Connection') && /^(nodes|edges)$/.test(field.name)));
    expect(plain.map(({ type, field }) => `${type.name}.${field.name}`).toSorted()).toEqual(
      Object.keys(listSizes).toSorted(),
    );
  });

  test('are stated for connections of the schema only', () => {
    const connections = fields
      .filter(({ field }) => getNamedType(field.type).name.endsWith('Connection'))
      .map(({ type, field }) => `${type.name}.${field.name}`);
    expect(connections).toEqual(expect.arrayContaining(Object.keys(connectionSizes)));
  });
});
