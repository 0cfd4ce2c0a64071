import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomToken } from './clock.ts';
import type { Log } from './log.ts';

export interface HttpOptions {
  log: Log;
  /** Proxies whose forwarding headers (such as X-Forwarded-For) are trusted. */
  trustProxy: readonly string[];
  /** Handler for WebSocket upgrades. `take` is undefined until the handler is ready. */
  upgrades?: { take?(request: IncomingMessage, socket: Duplex, head: Buffer): void };
  /**
   * True while the process is stopping. Every response then closes its connection, so that clients connect to another
   * process.
   */
  isDraining?: () => boolean;
  /** Handler for high-volume ingest routes, which bypass Fastify. */
  before?:
    | { handles(url: string): boolean; routing(request: IncomingMessage, response: ServerResponse): void }
    | undefined;
}

const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTION_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 72_000;

/** Creates the web server with its limits and security headers. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { log, trustProxy, before, upgrades = {}, isDraining = () => false } = options;
  const app = fastify({
    logger: false,
    // The id of a request appears in the log, and in the response if the request fails.
    genReqId: () => randomToken(6),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: 262_144,
    requestTimeout: REQUEST_TIMEOUT_MS,
    serverFactory: (handler) => {
      const server = createServer(
        { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_TIMEOUT_MS },
        (request, response) => {
          if (isDraining()) response.setHeader('connection', 'close');
          if (before?.handles(request.url ?? '')) before.routing(request, response);
          else handler(request, response);
        },
      );
      server.on('upgrade', (request, socket, head) => {
        if (upgrades.take) upgrades.take(request, socket, head);
        else socket.destroy();
      });
      return server.setTimeout(CONNECTION_TIMEOUT_MS);
    },
    routerOptions: { maxParamLength: 200 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: false } },
    forceCloseConnections: 'idle',
  });
  await app.register(cookie);
  // Only API responses are compressed here; static files are compressed at build time.
  await app.register(compress, { threshold: 2048, encodings: ['gzip'] });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Components set sizes and positions with inline styles. Scripts are loaded only from files, so inline scripts
        // stay forbidden.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    // Only the proxy knows whether this host uses TLS. HSTS would make a trial installation without TLS unreachable.
    hsts: false,
  });
  endConnectionsOnClose(app);
  app.setErrorHandler((error, request, reply) => {
    const { status, sentence } = errorReply(error as FastifyError, request, log);
    return reply.code(status).send({ errorMessage: sentence });
  });
  return app;
}

const CLOSING_MS = 4000;

/**
 * Closes connections when the server stops. Running requests may finish, but their keep-alive connections stay open, so
 * idle connections are closed repeatedly. Connections that are still busy after a few seconds are closed too.
 */
function endConnectionsOnClose(app: FastifyInstance): void {
  let idle: NodeJS.Timeout | undefined;
  let busy: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    idle = setInterval(() => app.server.closeIdleConnections(), 50);
    busy = setTimeout(() => app.server.closeAllConnections(), CLOSING_MS);
  });
  app.addHook('onClose', async () => {
    clearInterval(idle);
    clearTimeout(busy);
  });
}

export function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ errorMessage: 'There is nothing at this address.' });
}

const sentences: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON. Check its brackets, commas and quotation marks.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request body is empty. Send JSON.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send the request as application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request is incomplete. Send it again.',
};

/**
 * Returns the status and message for a failed request. Details of a server error are written only to the log, with the
 * request id.
 */
export function errorReply(
  error: FastifyError | Error,
  request: FastifyRequest,
  log: Log,
): { status: number; sentence: string } {
  const { statusCode = 500, code = '', validation } = error as Partial<FastifyError>;
  if (validation?.[0]) {
    const { instancePath, message, params } = validation[0];
    const field =
      instancePath.slice(1).replaceAll('/', '.') || (params as { missingProperty?: string }).missingProperty;
    return { status: 400, sentence: `${field ? `The field "${field}"` : 'The request'} ${plain(message)}` };
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const most = Math.floor(request.routeOptions.bodyLimit / 1024);
    return { status: 413, sentence: `The request is too large. Send at most ${most} KiB at once.` };
  }
  if (statusCode >= 400 && statusCode < 500) return { status: statusCode, sentence: sentences[code] ?? error.message };
  // The client has disconnected, which is not a server error.
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || request.raw.socket.destroyed)
    return { status: 499, sentence: 'The client closed the request.' };
  if (statusCode === 503) return { status: 503, sentence: error.message };
  const { id } = request;
  log.error('a request failed', {
    requestId: id,
    method: request.method,
    // The URL can contain a secret, such as that of a receipt address, so the route pattern is logged instead.
    route: request.routeOptions.url,
    error,
    stack: error.stack,
  });
  return { status: 500, sentence: `Something went wrong on the server. The error is logged as ${id}.` };
}

function plain(message = 'is invalid'): string {
  return message.startsWith('must have required') ? 'is required.' : `${message}.`;
}
