import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, type Context, type SubscribePayload } from 'graphql-ws';
// Despite its name, this is not a React hook.
import { useServer as attach } from 'graphql-ws/use/ws';
import { type GrafservBase, makeGraphQLWSConfig } from 'postgraphile/grafserv';
import { GraphQLError, type GraphQLSchema } from 'postgraphile/graphql';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Person, personAccess } from '../access.ts';
import { isForeignOrigin } from '../auth/session/guards.ts';
import { findSession, findSessions, type SignedIn } from '../auth/session/session.ts';
import { type AlarmNews, newsFor } from '../live/alarm-news.ts';
import type { LiveHub } from '../live/hub.ts';
import { readStates } from '../live/states.ts';
import { Viewer } from '../live/viewer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { checkQuery } from './limit/check-query.ts';
import { ALARM_NEWS, type LiveSource } from './schema/live-schema.ts';

export interface SubscriptionOptions {
  db: Database;
  clock: Clock;
  hub: LiveHub;
  alarmNews: AlarmNews;
  grafserv: GrafservBase;
  /** Resolves when the schema is built. */
  schema: Promise<GraphQLSchema>;
  /** Returns the hash of the request's session token; undefined without a token. */
  tokenHashOf(request: IncomingMessage): Buffer | undefined;
  publicUrl?: string | undefined;
  timers: boolean;
}

/** HTTP request of an accepted connection, with the fields that the GraphQL context function reads. */
export interface LetIn extends IncomingMessage {
  person?: Person;
  live?: LiveSource;
}

export interface Subscriptions {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes connections whose session has ended, and applies changed user levels. */
  checkSessions(): Promise<void>;
  /** Checks the sessions, and reloads the site states that each connection is allowed to see. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const MOST_SUBSCRIPTIONS = 20;
/** Interval of the session check. A disabled user is disconnected within 5 s. */
export const SESSION_CHECK_MS = 2000;
const LOOK_EVERY_MS = 15_000;
const KEEP_ALIVE_MS = 12_000;
const MOST_BYTES = 65_536;

interface Connection {
  signedIn: SignedIn;
  socket: WebSocket | undefined;
  viewers: Set<Viewer>;
}

/**
 * Serves subscriptions over WebSocket. A connection belongs to a session and ends with the session. A connection
 * receives only data that its user may see.
 */
export function serveSubscriptions(options: SubscriptionOptions): Subscriptions {
  const { db, clock, hub, alarmNews } = options;
  const connections = new Set<Connection>();
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES });
  const config = makeGraphQLWSConfig(options.grafserv);
  const served = attach(
    {
      ...config,
      onSubscribe: async (ctx: Context, id: string, payload: SubscribePayload): Promise<readonly GraphQLError[]> => {
        const { query, variables } = payload;
        if (Object.keys(ctx.subscriptions).length > MOST_SUBSCRIPTIONS) {
          const sentence = `A page may have at most ${MOST_SUBSCRIPTIONS} subscriptions at once. End one of them first.`;
          return [new GraphQLError(sentence, { extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } })];
        }
        const verdict = checkQuery(await options.schema, query, variables ?? {}, {
          introspection: false,
          subscriptions: true,
        });
        if (!verdict.allowed) return [new GraphQLError(verdict.sentence, { extensions: { code: verdict.because } })];
        return config.onSubscribe?.(ctx as never, id, payload) as never;
      },
    } as Parameters<typeof attach>[0],
    server,
    KEEP_ALIVE_MS,
  );

  const sourceOf = (connection: Connection): LiveSource => ({
    subscribe(topic) {
      if (topic === ALARM_NEWS) return newsFor(alarmNews, connection.signedIn.person.customerUuid);
      const siteUuids = JSON.parse(topic) as string[] | null;
      const viewer = new Viewer({
        hub,
        look: () => db.transaction(personAccess(connection.signedIn.person, clock), (tx) => readStates(tx, siteUuids)),
      });
      connection.viewers.add(viewer);
      void viewer.look();
      return endingWith(viewer.news(), () => {
        viewer.end();
        connection.viewers.delete(viewer);
      });
    },
  });

  const letIn = async (request: LetIn, socket: Duplex, head: Buffer): Promise<void> => {
    if (request.url?.split('?')[0] !== '/graphql') return refuse(socket, '404 Not Found');
    const { origin, host = '' } = request.headers;
    if (isForeignOrigin(origin, host.replace(/:\d+$/, ''), options.publicUrl)) return refuse(socket, '403 Forbidden');
    const hash = options.tokenHashOf(request);
    const signedIn = hash ? await findSession(db, clock, hash) : null;
    if (!signedIn) return refuse(socket, '401 Unauthorized');
    const connection: Connection = { signedIn, socket: undefined, viewers: new Set() };
    request.person = signedIn.person;
    request.live = sourceOf(connection);
    server.handleUpgrade(request, socket, head, (webSocket) => {
      connection.socket = webSocket;
      connections.add(connection);
      webSocket.on('close', () => {
        connections.delete(connection);
        for (const viewer of connection.viewers) viewer.end();
      });
      server.emit('connection', webSocket, request);
    });
  };

  const look = (connection: Connection) => Promise.all([...connection.viewers].map((viewer) => viewer.look()));

  const checkSessions = async (): Promise<void> => {
    const open = [...connections];
    // Does not update the session's last use, so that an open page does not keep the session alive.
    const found = await findSessions(
      db,
      clock,
      open.map(({ signedIn }) => signedIn.tokenHash),
    );
    for (const connection of open) {
      const { tokenHash, person } = connection.signedIn;
      const now = found.get(tokenHash.toString('hex'));
      if (!now) {
        connection.socket?.close(CloseCode.Forbidden, 'The session has ended.');
        for (const viewer of connection.viewers) viewer.end();
        continue;
      }
      connection.signedIn = { tokenHash, person: now };
      if (now.level !== person.level || now.partnerAccount !== person.partnerAccount) await look(connection);
    }
  };

  const check = async (): Promise<void> => {
    await checkSessions();
    for (const connection of [...connections]) await look(connection);
  };

  const repeat = (work: () => Promise<void>, everyMs: number) =>
    setInterval(() => void work().catch(() => {}), everyMs).unref();
  const timers = options.timers ? [repeat(checkSessions, SESSION_CHECK_MS), repeat(check, LOOK_EVERY_MS)] : [];
  return {
    upgrade: (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      letIn(request, socket, head).catch(() => refuse(socket, '503 Service Unavailable'));
    },
    checkSessions,
    check,
    async close() {
      for (const timer of timers) clearInterval(timer);
      for (const { viewers } of connections) for (const viewer of viewers) viewer.end();
      await served.dispose();
    },
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/**
 * Wraps a generator so that `return` first calls `end`. A generator that is waiting does not react to `return` until
 * `end` wakes it.
 */
function endingWith<T>(generator: AsyncGenerator<T, void>, end: () => void): AsyncIterableIterator<T> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => generator.next(),
    return: () => {
      end();
      return generator.return();
    },
  };
}
