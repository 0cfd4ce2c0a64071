/** The whole product on a fresh database. The real app listens on a free port and has a manual clock. */
import { type App, startApp } from '../../../server/app.ts';
import { type Config, readConfig } from '../../../server/config.ts';
import type { SchemaSource } from '../../../server/graphql/routes.ts';
import { type Clock, HandClock } from '../../../server/platform/clock.ts';
import type { Database } from '../../../server/platform/database.ts';
import { type Log, silentLog } from '../../../server/platform/log.ts';
import { openTestDatabase } from '../database/database.ts';
import { TEST_BEGINS } from '../database/embedded.ts';
import { type CustomerRow, createCustomer, createPartner, createUser, type UserRow } from '../database/factories.ts';
import { Browser } from './auth-app.ts';

export const PASSWORD = 'a long enough password';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
  set(time: Date): void;
}

export interface TestApp extends App {
  clock: TestClock;
  /** Returns a browser, which is signed in if a person is given. */
  browser(
    person?: { email: string; tocsin_customer_uuid: string },
    options?: { host?: string; address?: string },
  ): Promise<TestBrowser>;
  /** Creates a customer with one user of each role. All users have the same password. */
  staff(): Promise<Staff>;
}

export interface Staff {
  customer: CustomerRow;
  owner: UserRow;
  manager: UserRow;
  operator: UserRow;
  partner: UserRow;
}

export interface GraphqlAnswer {
  status: number;
  data?: any;
  errors?: { message: string; path?: string[]; extensions?: { code?: string; field?: string } }[];
}

export class TestBrowser extends Browser {
  async graphql(query: string, variables: Record<string, unknown> = {}): Promise<GraphqlAnswer> {
    const response = await this.post('/graphql', { query, variables });
    return { status: response.statusCode, ...response.json() };
  }

  /** Returns the data of a request that must succeed. Throws if the response contains errors. */
  async data(query: string, variables: Record<string, unknown> = {}): Promise<any> {
    const { data, errors } = await this.graphql(query, variables);
    if (errors) throw new Error(errors.map(({ message }) => message).join(' '));
    return data;
  }
}

export interface TestAppOptions {
  database?: Database;
  config?: Partial<Config>;
  consoleDir?: string | null;
  clock?: TestClock;
  log?: Log;
  /** If true, timers run periodic work, as in the product. By default, the tests start this work themselves. */
  timers?: boolean;
}

/**
 * API schemas, keyed by the kind of database. All test databases of a kind have the same schema, so each process builds
 * it only once.
 */
const schemas = new Map<Database['kind'], ReturnType<SchemaSource>>();

function schemaFor({ kind }: Database): SchemaSource {
  return (build) => {
    const known = schemas.get(kind) ?? build();
    schemas.set(kind, known);
    return known;
  };
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = options.clock ?? new HandClock(TEST_BEGINS);
  const database = options.database ?? (await openTestDatabase());
  const config = {
    ...readConfig({ PORT: '0', MQTT_PORT: '0', TCP_PORT: '0', TOCSIN_DEMO: 'off', TOCSIN_HOST: '127.0.0.1' }),
    ...options.config,
  };
  const app = await startApp({
    config,
    clock,
    database,
    log: options.log ?? silentLog,
    timers: options.timers ?? false,
    schemaOf: schemaFor(database),
    consoleDir: options.consoleDir ?? null,
  });
  return {
    ...app,
    clock,
    async browser(person, more) {
      const browser = new TestBrowser(app.http, more);
      if (!person) return browser;
      const answer = await browser.login(person.email, PASSWORD, { tocsin_customer_id: person.tocsin_customer_uuid });
      if (answer.statusCode !== 200) throw new Error(`${person.email} cannot sign in: ${answer.body}`);
      return browser;
    },
    async staff() {
      const partnerRow = await createPartner(app.db);
      const customer = await createCustomer(app.db, { partner: partnerRow });
      const person = (level: number, partnerAccount = false) =>
        createUser(app.db, { customer, level, partnerAccount, password: PASSWORD, varified: true });
      return {
        customer,
        owner: await person(0),
        manager: await person(5),
        operator: await person(20),
        partner: await person(5, true),
      };
    },
  };
}
