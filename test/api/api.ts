/** Helper functions for API calls in the tests of this folder. */
import { personAccess } from '../../server/access.ts';
import type { Database } from '../../server/platform/database.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import type { GraphqlAnswer, Staff, TestApp, TestBrowser } from '../harness/server/app.ts';

export type Values = Record<string, unknown>;

export interface Outcome {
  /** The created, changed or deleted row; undefined if the API refused the request. */
  row: any;
  /** The refusal as the client sees it. */
  refusal: { message: string; code?: string; field?: string } | undefined;
}

/**
 * Converts a noun into its GraphQL type name. For example, `site` has the type `Site`, the field `site` and the
 * mutations `createSite`, `updateSite` and `deleteSite`.
 */
function typeOf(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}

async function change(browser: TestBrowser, verb: string, noun: string, input: Values, fields: string) {
  const name = `${verb}${typeOf(noun)}`;
  const answer = await browser.graphql(
    `mutation ($input: ${typeOf(name)}Input!) { ${name}(input: $input) { ${noun} { ${fields} } } }`,
    { input },
  );
  return outcome(answer, answer.data?.[name]?.[noun]);
}

export function outcome({ errors }: GraphqlAnswer, row: unknown): Outcome {
  const error = errors?.[0];
  return { row: error ? undefined : row, refusal: error && { message: error.message, ...error.extensions } };
}

export function create(browser: TestBrowser, noun: string, values: Values, fields = 'uuid'): Promise<Outcome> {
  return change(browser, 'create', noun, { [noun]: values }, fields);
}

export function update(
  browser: TestBrowser,
  noun: string,
  uuid: string,
  patch: Values,
  fields = 'uuid',
): Promise<Outcome> {
  return change(browser, 'update', noun, { uuid, patch }, fields);
}

export function remove(browser: TestBrowser, noun: string, uuid: string): Promise<Outcome> {
  return change(browser, 'delete', noun, { uuid }, 'uuid');
}

/** Calls a mutation that changes more than one row, such as `saveSite`. */
export async function save(browser: TestBrowser, name: string, input: Values, fields: string): Promise<Outcome> {
  const answer = await browser.graphql(
    `mutation ($input: ${typeOf(name)}Input!) { ${name}(input: $input) { clientMutationId ${fields} } }`,
    { input },
  );
  return outcome(answer, answer.data?.[name]);
}

/** Returns the row that a mutation returned. Throws if the API refused the mutation. */
export async function done(outcome: Promise<Outcome>): Promise<any> {
  const { row, refusal } = await outcome;
  if (refusal) throw new Error(`Refused: ${refusal.message} (${refusal.field ?? refusal.code ?? 'no field'})`);
  return row;
}

/** Returns the rows of a list query such as `sites(filter: …)`. */
export async function list(
  browser: TestBrowser,
  field: string,
  fields: string,
  variables: Record<string, [type: string, value: unknown]> = {},
): Promise<any[]> {
  const names = Object.entries(variables);
  const head = names.length > 0 ? `query (${names.map(([name, [type]]) => `$${name}: ${type}`).join(', ')})` : '';
  const args = names.length > 0 ? `(${names.map(([name]) => `${name}: $${name}`).join(', ')})` : '';
  const data = await browser.data(
    `${head} { ${field}${args} { nodes { ${fields} } } }`,
    Object.fromEntries(names.map(([name, [, value]]) => [name, value])),
  );
  return data[field].nodes;
}

/** Counts the rows of a table. Permissions do not affect the count. */
export async function countRows(db: Database, table: string, where: string, values: unknown[]): Promise<number> {
  const sql = `select count(*)::integer as rows from tocsin.${table} where ${where}`;
  const [row] = await serviceQuery<{ rows: number }>(db, sql, values);
  return row?.rows ?? 0;
}

export const missing = { code: 'NOT_FOUND', message: 'The record was deleted, or you are not allowed to change it.' };
/**
 * Refusals that users without permission receive, keyed by role. Each message states which level has the permission.
 */
export const forbidden = {
  manager: { code: 'FORBIDDEN', message: 'Your level does not allow this. Ask an owner, who has level 0.' },
  operator: {
    code: 'FORBIDDEN',
    message: 'Your level does not allow this. Ask a manager, who has a level from 0 to 9.',
  },
  partner: {
    code: 'FORBIDDEN',
    message:
      'A partner account manages sites, sensors and their commands, and reads groups and the sensor log. For anything else, sign in with a personal account.',
  },
};

/** Sends a frame as a device does. */
export async function ingest(
  app: TestApp,
  uid: string,
  token: string,
  body = '1=1',
): Promise<{ status: number; answer: any }> {
  const response = await fetch(`http://127.0.0.1:${app.port}/api/v1/ingest/${uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  return { status: response.status, answer: await response.json() };
}

/**
 * Returns the access rights that a user's requests have in the database, for tests that call SQL functions directly.
 */
export const accessOf = (app: TestApp, person: Staff['owner']) =>
  personAccess(
    {
      uuid: person.uuid,
      customerUuid: person.tocsin_customer_uuid,
      level: person.level,
      partnerAccount: person.tocsin_partner_account,
    },
    app.clock,
  );
