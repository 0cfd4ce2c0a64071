/** A plant with stations, rules and recipients, on the whole product. */
import type { Config } from '../../server/config.ts';
import type { Database } from '../../server/platform/database.ts';
import type { Log } from '../../server/platform/log.ts';
import { openTestDatabase } from '../harness/database/database.ts';
import {
  type CustomerRow,
  createCustomer,
  createSite,
  createUser,
  insertRow,
  linkUser,
  type SiteRow,
  serviceQuery,
  type UserRow,
} from '../harness/database/factories.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { PASSWORD, startTestApp, type TestApp, type TestBrowser, type TestClock } from '../harness/server/app.ts';

export interface Station {
  site: SiteRow;
  sensor: TestSensor;
  datapointUuid: string;
}

export interface Rule {
  uuid: string;
  name: string;
}

export interface Told {
  person: string;
  method: number;
  kind: string;
  step: number;
  state: string;
  text: string;
}

const SECOND = 1000;
let count = 0;

export class Plant {
  app: TestApp;
  readonly customer: CustomerRow;
  readonly #config: Partial<Config>;
  readonly #closeDatabase: () => Promise<void>;
  readonly #browsers = new Map<string, Promise<TestBrowser>>();

  private constructor(
    app: TestApp,
    customer: CustomerRow,
    config: Partial<Config>,
    closeDatabase: () => Promise<void>,
  ) {
    this.app = app;
    this.customer = customer;
    this.#config = config;
    this.#closeDatabase = closeDatabase;
  }

  static async start(config: Partial<Config> = {}, more: { clock?: TestClock; log?: Log } = {}): Promise<Plant> {
    const database = await openTestDatabase();
    const close = database.close.bind(database);
    // Stopping the product must not close the database, so that the product can be restarted on it.
    database.close = async () => {};
    const app = await startTestApp({ config, database, ...more });
    return new Plant(app, await createCustomer(app.db, { timeZone: 'Europe/London' }), config, close);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.#closeDatabase();
  }

  get db(): Database {
    return this.app.db;
  }

  get clock(): TestClock {
    return this.app.clock;
  }

  /**
   * Stops the product, advances the clock by `secondsDown` seconds, and starts the product again on the same database.
   */
  async restart(secondsDown = 0): Promise<void> {
    const { db: database, clock } = this.app;
    await this.app.close();
    clock.advance(secondsDown * SECOND);
    this.#browsers.clear();
    this.app = await startTestApp({ config: this.#config, database, clock });
  }

  query<R extends object = any>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return serviceQuery<R>(this.app.db, text, values);
  }

  /**
   * Creates a site with one sensor, which has the given channels. The other helpers use the first channel by default.
   */
  async station(
    values: {
      name?: string;
      channels?: Record<string, unknown>[];
      sensorType?: 1 | 2 | 3;
      columns?: Record<string, unknown>;
    } = {},
  ): Promise<Station> {
    count += 1;
    const site = await createSite(this.app.db, { customer: this.customer, name: values.name ?? `Station ${count}` });
    const sensor = await createSensor(this.app.db, {
      customer: this.customer,
      site,
      channels: values.channels ?? [{ name: 'Level' }],
      ...(values.sensorType && { sensorType: values.sensorType }),
      ...(values.columns && { columns: values.columns }),
    });
    return { site, sensor, datapointUuid: sensor.channels[0]?.datapointUuid as string };
  }

  /** Adds a sensor to the site. Returns a station with the same site and the new sensor. */
  async another(station: Station, channels: Record<string, unknown>[] = [{ name: 'Flow' }]): Promise<Station> {
    const { site } = station;
    const sensor = await createSensor(this.app.db, { customer: this.customer, site, channels });
    return { site, sensor, datapointUuid: sensor.channels[0]?.datapointUuid as string };
  }

  rule(station: Station, columns: Record<string, unknown> = {}): Promise<Rule> {
    count += 1;
    return insertRow(this.app.db, 'tocsin.rule', {
      tocsin_customer_uuid: this.customer.uuid,
      tocsin_site_uuid: station.site.uuid,
      tocsin_asset_uuid: station.sensor.assetUuid,
      tocsin_datapoint_uuid: station.datapointUuid,
      name: `High level ${count}`,
      value_upper: 100,
      ...columns,
    });
  }

  async person(
    values: { level?: number; flags?: Record<string, unknown>; site?: SiteRow; name?: string } = {},
  ): Promise<UserRow> {
    const user = await createUser(this.app.db, {
      customer: this.customer,
      level: values.level ?? 20,
      password: PASSWORD,
      ...(values.name && { displayName: values.name }),
    });
    const flags = Object.entries(values.flags ?? {});
    if (flags.length > 0) {
      await serviceQuery(
        this.app.db,
        `update tocsin.user set ${flags.map(([name], index) => `${name} = $${index + 2}`).join(', ')} where uuid = $1`,
        [user.uuid, ...flags.map(([, value]) => value)],
      );
    }
    if (values.site) await linkUser(this.app.db, user, values.site);
    return user;
  }

  /** Adds a multi-condition rule to a site. */
  conditions(
    { site }: Station,
    name: string,
    conditions: object,
    params: Record<string, unknown> = {},
  ): Promise<{ uuid: string }> {
    return insertRow(this.app.db, 'tocsin.rules_json', {
      tocsin_customer_uuid: this.customer.uuid,
      rule_name: name,
      site_id: site.site_id,
      rule_json: JSON.stringify({ conditions, event: { type: 'alarm', params } }),
    });
  }

  /** Adds an action to a station's asset. */
  action({ site, sensor }: Station, columns: Record<string, unknown>): Promise<{ uuid: string }> {
    return insertRow(this.app.db, 'tocsin.action', {
      tocsin_customer_uuid: this.customer.uuid,
      tocsin_site_uuid: site.uuid,
      tocsin_asset_uuid: sensor.assetUuid,
      ...columns,
    });
  }

  /** Adds a rule alert with its alert users, escalate users and reasons. */
  async alert(
    site: SiteRow,
    ruleName: string,
    people: { alert?: UserRow[]; resolve?: UserRow[]; health?: UserRow[]; escalate?: UserRow[]; reasons?: string[] },
    columns: Record<string, unknown> = {},
  ): Promise<{ uuid: string }> {
    const own = { tocsin_customer_uuid: this.customer.uuid };
    const alert = await insertRow<{ uuid: string }>(this.app.db, 'tocsin.rule_alert', {
      ...own,
      tocsin_site_uuid: site.uuid,
      tocsin_rule_name: ruleName,
      ...columns,
    });
    const { alert: told = [], resolve = [], health = [] } = people;
    for (const user of new Set([...told, ...resolve, ...health])) {
      await insertRow(this.app.db, 'tocsin.rule_alert_user', {
        ...own,
        tocsin_rule_alert_uuid: alert.uuid,
        tocsin_user_uuid: user.uuid,
        is_alert: told.includes(user),
        is_resolve: resolve.includes(user),
        is_health: health.includes(user),
      });
    }
    for (const user of people.escalate ?? []) {
      await insertRow(this.app.db, 'tocsin.rule_escalate_user', {
        ...own,
        tocsin_rule_alert_uuid: alert.uuid,
        tocsin_user_uuid: user.uuid,
      });
    }
    for (const reason of people.reasons ?? []) {
      await insertRow(this.app.db, 'tocsin.reason', { ...own, rule_uuid: alert.uuid, reason });
    }
    return alert;
  }

  /** Sends a value that was measured the given number of seconds ago, and waits for the response. */
  send(station: Station, value: number, secondsAgo = 0, channel = 1): Promise<void> {
    return this.frame(station, [[secondsAgo, value]], channel);
  }

  /**
   * Sends one frame with several values in the given order. Each value was measured the given number of seconds ago.
   */
  async frame(station: Station, readings: readonly (readonly [number, number])[], channel = 1): Promise<void> {
    const pipeline = this.app.gateway?.pipeline;
    if (!pipeline) throw new Error('The app has no gateway.');
    const device = await pipeline.identify(station.sensor.uid, station.sensor.token);
    if (!device.ok) throw new Error(device.sentence);
    const now = this.app.clock.now().getTime();
    const frames = readings.map(([secondsAgo, value]) => ({ time: now - secondsAgo * SECOND, [channel]: value }));
    const body = Buffer.from(JSON.stringify(frames));
    const answer = await pipeline.receive(device, { protocol: 'http', body });
    if (!answer.ok) throw new Error(answer.sentence);
  }

  /** Advances the clock and runs all work that becomes due. */
  async pass(seconds: number): Promise<void> {
    this.app.clock.advance(seconds * SECOND);
    await this.settle();
  }

  /**
   * Runs all work that is due. The second tick handles work that became due during the first one. It runs only the
   * modules that run often, because no other module has such work.
   */
  async settle(): Promise<void> {
    await this.app.clockWatch?.tick();
    await this.app.heartbeat.beat();
    await this.app.gateway?.pipeline.behind.flush();
    await this.app.engine?.tick();
    await this.app.engine?.tick(5000);
  }

  alarms(site: SiteRow): Promise<any[]> {
    return serviceQuery(
      this.app.db,
      'select * from tocsin.alarm where tocsin_site_uuid = $1 or site_name = $2 order by date_time, uuid',
      [site.uuid, site.name],
    );
  }

  async open(site: SiteRow): Promise<any[]> {
    return (await this.alarms(site)).filter(({ resolved_date }) => resolved_date === null);
  }

  events(alarmUuid: string): Promise<{ kind: string; sentence: string; at: Date }[]> {
    return serviceQuery(
      this.app.db,
      'select kind, sentence, at from tocsin.alarm_event where tocsin_alarm_uuid = $1 order by at, id',
      [alarmUuid],
    );
  }

  transitions(
    watchUuid: string,
  ): Promise<{ from_phase: string; to_phase: string; because: string; at: Date; value: number | null }[]> {
    return serviceQuery(
      this.app.db,
      'select from_phase, to_phase, because, at, value from tocsin.rule_transition where watch_uuid = $1 order by id',
      [watchUuid],
    );
  }

  messages(site: SiteRow): Promise<Told[]> {
    return serviceQuery(
      this.app.db,
      `select recipient_name as person, method_type as method, kind, step, state, notify_message as text
       from tocsin.notification where tocsin_site_uuid = $1 order by notify_time, created_at, recipient_name, method_type`,
      [site.uuid],
    );
  }

  /** Returns the user's browser. Each user signs in only once, when the browser is first needed. */
  browser(person: UserRow): Promise<TestBrowser> {
    const known = this.#browsers.get(person.uuid) ?? this.app.browser(person);
    this.#browsers.set(person.uuid, known);
    return known;
  }
}
