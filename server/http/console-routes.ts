import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serviceAccess } from '../access.ts';
import { customerOfHost } from '../auth/customer.ts';
import { registerAuth } from '../auth/routes.ts';
import { SESSION_COOKIE } from '../auth/session/cookies.ts';
import { requireXsrf } from '../auth/session/guards.ts';
import { sessionHash } from '../auth/session/session.ts';
import type { Config } from '../config.ts';
import { lateSession } from '../graphql/late-session.ts';
import { registerGraphql, type SchemaSource } from '../graphql/routes.ts';
import { type Subscriptions, serveSubscriptions } from '../graphql/websocket.ts';
import { startAlarmNews } from '../live/alarm-news.ts';
import type { LiveHub } from '../live/hub.ts';
import { startRelay } from '../live/relay.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { registerReports } from '../report/route.ts';
import { inboundEndpoints } from '../sender/inbound/endpoints.ts';
import type { createMailer } from '../sender/mailer.ts';
import { receiptEndpoints } from '../sender/receipt/endpoints.ts';
import { version } from '../start/prepare.ts';
import { registerAlarmLink } from './alarm-link.ts';
import { registerAnswers } from './answers.ts';
import { registerCalendar } from './calendar.ts';
import { type DeviceEndpoints, registerDeviceEndpoints } from './device-endpoints.ts';
import { registerPublicConfig } from './public-config.ts';
import { registerReceipts } from './receipts.ts';

export interface WebOptions {
  http: FastifyInstance;
  db: Database;
  config: Config;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  mailer: ReturnType<typeof createMailer>;
  live: LiveHub;
  timers: boolean;
  schemaOf?: SchemaSource | undefined;
  /**
   * Returns the ports for devices. Called for each request, because the gateway opens its ports later than the web
   * server.
   */
  endpoints(): DeviceEndpoints;
}

export interface Web {
  subscriptions: Subscriptions;
  /** Builds the API schema. API requests wait until it is built, but device requests do not. */
  build(): Promise<void>;
  close(): Promise<void>;
}

/** Registers sign-in, the API, live subscriptions, reports and receipts. */
export async function startWeb(options: WebOptions): Promise<Web> {
  const { http, db, config, clock, log, metrics, mailer, live, timers, endpoints, schemaOf } = options;
  const publicUrl = (request: { protocol: string; host: string }) =>
    config.publicUrl ?? `${request.protocol}://${request.host}`;
  registerAlarmLink(http);
  registerPublicConfig(http, {
    ...{ config, version, db, clock },
    customerOf: (host) => db.transaction(serviceAccess(clock), (tx) => customerOfHost(tx, host)),
  });
  await registerAuth(http, { db, clock, log, mailer, publicUrl, demo: config.demo });
  await registerDeviceEndpoints(http, { db, clock, endpoints });
  await registerReports(http, { db, clock });
  await registerReceipts(http, { db, clock, log, metrics, endpoints: receiptEndpoints(config) });
  await registerAnswers(http, { db, clock, log, metrics, endpoints: inboundEndpoints(config) });
  await registerCalendar(http, { db, clock });
  const session = lateSession({ db, clock });
  const guards = [session.before, requireXsrf({ db, clock, publicUrl })];
  const graphql = await registerGraphql(http, {
    ...{
      db,
      clock,
      log,
      development: config.development,
      webhookPrivate: config.webhookPrivate,
      guards,
      confirm: session.confirm,
    },
    introspectionFile: db.folder && join(db.folder, 'introspection'),
    schemaOf,
  });
  const relay = await startRelay(db, live, clock, log);
  const alarmNews = await startAlarmNews(db);
  const subscriptions = serveSubscriptions({
    db,
    clock,
    hub: live,
    alarmNews,
    grafserv: graphql.grafserv,
    schema: graphql.schema,
    tokenHashOf: ({ headers }: IncomingMessage) => sessionHash(http.parseCookie(headers.cookie ?? '')[SESSION_COOKIE]),
    publicUrl: config.publicUrl,
    timers,
  });
  return {
    subscriptions,
    build: () => graphql.build(),
    async close() {
      await subscriptions.close();
      await relay.stop();
      await alarmNews.stop();
      await graphql.release();
    },
  };
}
