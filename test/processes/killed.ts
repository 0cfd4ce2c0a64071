/** Two processes on one database that are killed while they work, and the stations of their devices. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase } from '../harness/database/database.ts';
import {
  type CustomerRow,
  createCustomer,
  createUser,
  insertRow,
  serviceQuery,
  type UserRow,
} from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { keepCompiledProduct, type Product, startProduct } from '../harness/server/product.ts';

export class KilledProcesses {
  readonly db: Database;
  readonly customer: CustomerRow;
  readonly vera: UserRow;
  readonly #postgres: TestPostgres;
  readonly #name: string;
  readonly #url: string;
  #products: Product[] = [];
  #started = 0;

  private constructor(
    postgres: TestPostgres,
    name: string,
    url: string,
    db: Database,
    customer: CustomerRow,
    vera: UserRow,
  ) {
    this.#postgres = postgres;
    this.#name = name;
    this.#url = url;
    this.db = db;
    this.customer = customer;
    this.vera = vera;
  }

  static async start(name: string): Promise<KilledProcesses> {
    await keepCompiledProduct();
    const postgres = await testPostgres();
    const url = await createMigratedDatabase(postgres, name);
    const db = await openDatabase({ url, dataDir: '', log: silentLog });
    const customer = await createCustomer(db);
    const vera = await createUser(db, { customer, level: 5, displayName: 'Vera' });
    const killed = new KilledProcesses(postgres, name, url, db, customer, vera);
    await Promise.all([killed.startOne(), killed.startOne()]);
    return killed;
  }

  async close(): Promise<void> {
    for (const { child } of this.#products) child.kill('SIGCONT');
    await Promise.all(this.#products.map((product) => product.stop('SIGKILL')));
    await this.db.close();
    await this.#postgres.dropDatabase(this.#name);
    await this.#postgres.stop();
  }

  /** The running processes. */
  get products(): readonly Product[] {
    return this.#products;
  }

  async startOne(): Promise<void> {
    this.#started += 1;
    const product = await startProduct(
      {
        ...{ DATABASE_URL: this.#url, TOCSIN_DEMO: 'off', TOCSIN_HOST: '127.0.0.1', TOCSIN_DATABASE_CONNECTIONS: '3' },
        TOCSIN_ROLES: 'gateway,evaluator,engine',
        TOCSIN_PROCESS_NAME: `process ${this.#started}`,
      },
      '/healthz',
    );
    this.#products.push(product);
  }

  /** Kills a process as kill -9 does. */
  async kill(product: Product): Promise<void> {
    this.#products = this.#products.filter((one) => one !== product);
    await product.stop('SIGKILL');
  }

  query<R extends object = any>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return serviceQuery<R>(this.db, text, values);
  }

  /** Adds a sensor, with a rule named `name` for each channel. Vera gets the openings. */
  async sensor(
    name: string,
    size = 1,
    values: { site?: TestSensor['site'] } = {},
  ): Promise<TestSensor & { rules: string[] }> {
    const own = { tocsin_customer_uuid: this.customer.uuid };
    const channels = Array.from({ length: size }, (_, index) => ({ name: `Point ${index + 1}` }));
    const sensor = await createSensor(this.db, { customer: this.customer, channels, ...values });
    const rules: string[] = [];
    for (const [index, { datapointUuid }] of sensor.channels.entries()) {
      const { uuid } = await insertRow<{ uuid: string }>(this.db, 'tocsin.rule', {
        ...{ ...own, name, value_upper: 100, tocsin_site_uuid: sensor.site.uuid, tocsin_asset_uuid: sensor.assetUuid },
        ...{ tocsin_datapoint_uuid: datapointUuid, message: `${name} ${index + 1} is high` },
      });
      rules.push(uuid);
    }
    const alert = { ...own, tocsin_site_uuid: sensor.site.uuid, tocsin_rule_name: name };
    const { uuid } = await insertRow<{ uuid: string }>(this.db, 'tocsin.rule_alert', alert);
    const member = { ...own, tocsin_rule_alert_uuid: uuid, tocsin_user_uuid: this.vera.uuid };
    await insertRow(this.db, 'tocsin.rule_alert_user', { ...member, is_alert: true });
    return { ...sensor, rules };
  }

  /**
   * Sends a frame as a device does: repeats it until a process acknowledges it. The first attempt goes to the process
   * with this number, the next ones to any.
   */
  async send(sensor: TestSensor, values: Record<string, number>, to = 0): Promise<void> {
    const body = JSON.stringify({ t: Date.now(), ...values });
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const product = this.#products[(to + attempt) % Math.max(1, this.#products.length)];
      try {
        const answer = await fetch(`${product?.url}/api/v1/ingest/${sensor.uid}`, {
          ...{ method: 'POST', headers: { authorization: `Bearer ${sensor.token}` }, body },
        });
        await answer.arrayBuffer();
        if (answer.status === 200) return;
      } catch {
        // The process was killed before it could respond.
      }
      await pause(100);
    }
    throw new Error('No process acknowledged the frame.');
  }

  /** Holds a lock on a table, so that transactions that write it wait. `release` returns after the lock is released. */
  async hold(table: string): Promise<{ release(): Promise<void> }> {
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const done = this.db.transaction({ role: 'tocsin_service', settings: {} }, async (tx) => {
      await tx.query(`lock table ${table} in share mode`);
      locked.resolve();
      await released.promise;
    });
    await Promise.race([locked.promise, done]);
    return {
      release: async () => {
        released.resolve();
        await done;
      },
    };
  }
}
