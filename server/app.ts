import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type ClockWatch, watchClock } from './clock/watch.ts';
import { type Config, databaseOf } from './config.ts';
import { startDemoDevices } from './demo/devices.ts';
import type { Engine } from './engine/engine.ts';
import { startTimed } from './engine/modules.ts';
import { amqpAddressOf } from './gateway/broker/amqp-address.ts';
import type { Broker } from './gateway/broker/broker.ts';
import type { BrokerOptions } from './gateway/broker/open-broker.ts';
import { type Gateway, startGateway } from './gateway/gateway.ts';
import { createIngest } from './gateway/http.ts';
import type { SchemaSource } from './graphql/routes.ts';
import type { Subscriptions } from './graphql/websocket.ts';
import { registerBrokerAuth } from './http/broker-auth.ts';
import { registerConsole } from './http/console.ts';
import type { Web } from './http/console-routes.ts';
import { deviceEndpoints } from './http/device-endpoints.ts';
import { registerHealth } from './http/health.ts';
import { registerMetrics } from './http/metrics.ts';
import { registerRobots } from './http/robots.ts';
import { startLiveExchange } from './live/exchange.ts';
import { LiveHub } from './live/hub.ts';
import { Evaluator } from './pipeline/evaluator.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import { type Clock, randomUuid } from './platform/clock.ts';
import type { Database } from './platform/database.ts';
import { createHttp, notFound } from './platform/http.ts';
import { takePort } from './platform/listen.ts';
import { consoleLog, type Log } from './platform/log.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { openDatabase } from './platform/open-database.ts';
import { ProductClock } from './platform/product-clock.ts';
import { diskProblem } from './process/disk.ts';
import { type GatewayLoad, withGatewayLoad } from './process/gateway-load.ts';
import { ProcessHeartbeat } from './process/heartbeat.ts';
import { measureLoad } from './process/load.ts';
import { Readiness } from './process/readiness.ts';
import { createMailer } from './sender/mailer.ts';
import { prepareDatabase, root, schemaVersion, version, watchSchema } from './start/prepare.ts';

const DAY_MS = 86_400_000;
/**
 * Delay before the demo's devices start. Creating their tokens keeps the database busy and would slow down the first
 * page load.
 */
const DEMO_SLEEPS_MS = 1000;

export interface AppOptions {
  config: Config;
  clock?: Clock;
  log?: Log;
  /** An open database, empty or migrated, to use instead of the configured one. */
  database?: Database;
  /** Folder of the built console. With null the server offers only the API. */
  consoleDir?: string | null;
  /** False in tests, which set the clock and run the engine themselves. */
  timers?: boolean;
  /** Provides an API schema that was built before, so that tests start faster. */
  schemaOf?: SchemaSource;
  onDemoProgress?: (done: number, total: number, label: string) => void;
  /** Called with the reason when a migration of a newer version makes this process unusable. */
  onBrokenBySchema?: (problem: string) => void;
}

export interface App {
  url: string;
  port: number;
  db: Database;
  engine: Engine;
  /** WebSocket connections of pages; undefined if this process does not have the role `web`. */
  subscriptions: Subscriptions | undefined;
  /**
   * Device listeners and the pipeline that stores readings; undefined if this process does not have the role `gateway`.
   */
  gateway: (Gateway & { pipeline: Pipeline }) | undefined;
  metrics: Metrics;
  /** Compares product time with the machine's clock; undefined with a test clock. */
  clockWatch: ClockWatch | undefined;
  /** Writes the state and load of this process to the database every 2 s. */
  heartbeat: ProcessHeartbeat;
  http: FastifyInstance;
  close(): Promise<void>;
}

/** Creates and connects all components, then starts the server. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, clock = new ProductClock(), log = consoleLog, timers = true } = options;
  const { roles } = config;
  const db = options.database ?? (await openDatabase({ ...databaseOf(config), log, clock }));
  const undo: (() => Promise<unknown>)[] = [() => db.close()];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const { onDemoProgress } = options;
    const metrics = createMetrics();
    const readiness = new Readiness(clock);
    let gateway: App['gateway'];
    const processName = (port: number) => config.processName ?? `${hostname()}:${port}`;
    const identity = { uuid: randomUuid(), name: processName(config.port.number), version, schemaVersion, roles };
    const load = withGatewayLoad(measureLoad({ clock, metrics }), () => gatewayLoadOf(config, gateway));
    readiness.require('database', async () => {
      const health = await db.check();
      return health.ok ? undefined : health.problem;
    });
    readiness.report('disk', () => diskProblem(db.folder ?? process.cwd()));
    const heartbeat = new ProcessHeartbeat({ db, clock, log, identity, readiness, load });
    const onRegistered = () => {
      heartbeat.start(timers);
      undo.push(() => heartbeat.close());
    };
    await prepareDatabase(db, {
      ...{ config, clock, log, identity, onRegistered, ...(onDemoProgress && { onProgress: onDemoProgress }) },
    });
    if (db.kind === 'postgres') {
      const onBroken = options.onBrokenBySchema ?? (() => {});
      undo.push(await watchSchema(db, { clock, log, onBroken }));
    }
    const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, db, clock, log });
    undo.push(() => mailer.close());
    const live = new LiveHub();
    if (db.kind === 'postgres' && timers) {
      const exchange = await startLiveExchange({ db, clock, hub: live, process: identity.uuid });
      undo.push(() => exchange.stop());
    }
    const evaluator = new Evaluator();
    const clockWatch = clock instanceof ProductClock ? watchClock({ db, clock, log, metrics, timers }) : undefined;
    if (clockWatch) undo.push(() => clockWatch.close());

    const pipeline = roles.includes('gateway')
      ? await startPipeline({ db, config, clock, log, live, evaluator, timers })
      : undefined;
    if (pipeline) undo.push(() => pipeline.close());
    const ingest = pipeline && (await createIngest({ intake: pipeline, log, metrics }));
    if (ingest) undo.push(() => ingest.close());

    const upgrades: { take?: Subscriptions['upgrade'] } = {};
    const isDraining = () => heartbeat.state === 'draining';
    const http = await createHttp({ log, trustProxy: config.trustProxy, before: ingest, upgrades, isDraining });
    undo.push(() => http.close());
    registerHealth(http, { version, readiness, state: () => heartbeat.state });
    registerRobots(http);
    registerMetrics(http, { metrics, db, clock, token: config.metricsToken });
    if (pipeline && config.amqpUrl && config.brokerAuthSecret) {
      const { user: serviceUser, virtualHost } = amqpAddressOf(config.amqpUrl);
      const secret = config.brokerAuthSecret;
      await registerBrokerAuth(http, { intake: pipeline, log, metrics, clock, secret, serviceUser, virtualHost });
    }
    let web: Web | undefined;
    if (roles.includes('web')) {
      // Imported on demand, because loading and building the API takes most of the start time.
      const { startWeb } = await import('./http/console-routes.ts');
      const started = await startWeb({
        http,
        db,
        config,
        clock,
        log,
        metrics,
        mailer,
        live,
        timers,
        schemaOf: options.schemaOf,
        endpoints: () => deviceEndpoints(config, gateway),
      });
      undo.push(() => started.close());
      web = started;
    }
    const withConsole = roles.includes('web') && options.consoleDir !== null;
    if (withConsole) await registerConsole(http, options.consoleDir ?? join(root, 'dist/console'));
    else http.setNotFoundHandler((_request, reply) => notFound(reply));
    const port = await takePort({ port: config.port, host: config.host, setting: 'PORT', log }, (number, host) =>
      listenHttp(http, number, host),
    );
    const url = `http://localhost:${port}`;

    const opened =
      pipeline &&
      (await startGateway({
        ...config,
        host: config.deviceHost,
        ...{ intake: pipeline, log, metrics, clock },
        openBroker: brokerOf(config, { db, intake: pipeline, log, metrics, clock }),
      }));
    if (opened) {
      gateway = { ...opened, pipeline };
      undo.push(() => opened.close());
      if (opened.broker) readiness.require('broker', () => opened.broker?.state().problem);
    }
    const { engine, close: closeEngine } = await startTimed({
      ...{ db, config, clock, log, metrics, evaluator, mailer, timers, heartbeat, readiness },
      publicUrl: config.publicUrl ?? url,
      isListening: opened && (() => opened.broker?.state().problem === undefined),
    });
    undo.push(closeEngine);
    if (config.demo && !config.demoDataOnly && timers && opened) {
      const at = (scheme: string, number: number | undefined) =>
        number ? `${scheme}://localhost:${number}` : undefined;
      const mqtt = at('mqtt', config.mqttTls ? undefined : opened.mqttPort);
      const closing = new AbortController();
      const life = pause(DEMO_SLEEPS_MS, undefined, { signal: closing.signal }).then(() =>
        startDemoDevices({
          db,
          clock,
          log,
          http: url,
          mqtt,
          tcp: at('tcp', opened.tcpPort),
          valuesPerSecond: config.demoValuesPerSecond,
        }),
      );
      life.catch(
        (error: Error) => closing.signal.aborted || log.warn('the demo devices could not be started', { error }),
      );
      undo.push(() => {
        closing.abort();
        return life.then(({ stop }) => stop()).catch(() => {});
      });
    }
    // Builds the API last, because it takes half of the start time. Devices and notifications already work by then.
    await web?.build();
    if (web) upgrades.take = web.subscriptions.upgrade;
    await heartbeat.ready({ name: processName(port), httpAddress: `${hostname()}:${port}` });
    return {
      ...{ url, port, db, engine, http, metrics, clockWatch, heartbeat, subscriptions: web?.subscriptions },
      gateway,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listenHttp(http: FastifyInstance, port: number, host: string): Promise<number> {
  await http.listen({ port, host });
  const address = http.server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/**
 * Returns the load of the gateway for the heartbeat. Contains only the broker's host, because the broker's URL can
 * contain a password.
 */
function gatewayLoadOf({ mqttUrl, amqpUrl }: Config, gateway: App['gateway']): GatewayLoad | undefined {
  if (!gateway) return undefined;
  const state = gateway.broker?.state();
  const [url = ''] = (mqttUrl ?? amqpUrl ?? '').split(',');
  return {
    connections: gateway.connections(),
    waiting: gateway.pipeline.waiting,
    broker: state && {
      ...{ name: URL.parse(url)?.host ?? '', connected: state.connected, holder: state.holder },
      problem: state.problem ?? '',
    },
  };
}

/** Returns a function that opens the configured broker; undefined if no broker is configured. */
function brokerOf({ mqttUrl, amqpUrl }: Config, options: BrokerOptions): (() => Promise<Broker>) | undefined {
  if (mqttUrl === undefined && amqpUrl === undefined) return undefined;
  return async () => {
    // Imported on demand, because the clients of brokers are large packages.
    const { openAmqpConsumer, openMqttBridge } = await import('./gateway/broker/open-broker.ts');
    return mqttUrl === undefined ? openAmqpConsumer(amqpUrl as string, options) : openMqttBridge(mqttUrl, options);
  };
}

interface PipelineWiring {
  db: Database;
  config: Config;
  clock: Clock;
  log: Log;
  live: LiveHub;
  evaluator: Evaluator;
  timers: boolean;
}

function startPipeline({ config, ...rest }: PipelineWiring): Promise<Pipeline> {
  const perSecond = config.deviceFramesPerSecond;
  return Pipeline.start({
    ...rest,
    flood: { perSecond, burst: 10 * perSecond },
    commandRetryMs: config.commandRetrySeconds * 1000,
    keepReadingsMs: config.keep.readings * DAY_MS,
  });
}
