/** The auth routes on a real server and a fresh database, with a manual clock and a cookie-storing browser. */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { LimitSettings } from '../../../server/auth/limits.ts';
import type { Passwords } from '../../../server/auth/password/password.ts';
import type { Auth } from '../../../server/auth/routes.ts';
import { registerAuth } from '../../../server/auth/routes.ts';
import { requirePerson, requireXsrf } from '../../../server/auth/session/guards.ts';
import { HandClock } from '../../../server/platform/clock.ts';
import type { Database } from '../../../server/platform/database.ts';
import { createHttp } from '../../../server/platform/http.ts';
import type { Log } from '../../../server/platform/log.ts';
import { silentLog } from '../../../server/platform/log.ts';
import { createMailer } from '../../../server/sender/mailer.ts';
import type { Sender } from '../../../server/sender/sender.ts';
import { openTestDatabase } from '../database/database.ts';
import { TEST_BEGINS } from '../database/embedded.ts';

export interface AuthApp {
  db: Database;
  clock: HandClock;
  http: FastifyInstance;
  auth: Auth;
  mailer: Sender;
  browser(options?: BrowserOptions): Browser;
  close(): Promise<void>;
}

export interface AuthAppOptions {
  /** A migrated database, which the caller must close. By default the app opens and closes a fresh database. */
  database?: Database;
  smtpUrl?: string;
  demo?: boolean;
  limits?: Partial<LimitSettings>;
  passwords?: Passwords;
  trustProxy?: string[];
  log?: Log;
}

export async function startAuthApp(options: AuthAppOptions = {}): Promise<AuthApp> {
  const log = options.log ?? silentLog;
  const db = options.database ?? (await openTestDatabase());
  const clock = new HandClock(TEST_BEGINS);
  const mailer = createMailer({ smtpUrl: options.smtpUrl, from: 'Tocsin <tocsin@plant.example>', db, clock, log });
  const http = await createHttp({ log, trustProxy: options.trustProxy ?? [] });
  const auth = await registerAuth(http, {
    db,
    clock,
    log,
    mailer,
    publicUrl: () => 'https://console.example',
    demo: options.demo ?? false,
    ...(options.limits && { limits: options.limits }),
    ...(options.passwords && { passwords: options.passwords }),
  });
  // A route behind both guards. It represents all protected routes of the product.
  const guards = [requirePerson({ db, clock }), requireXsrf({ db, clock })];
  http.post('/guarded', { preHandler: guards }, async (request) => ({ person: request.person }));
  http.get('/guarded', { preHandler: guards }, async (request) => ({ person: request.person }));
  await http.ready();
  return {
    db,
    clock,
    http,
    auth,
    mailer,
    browser: (more) => new Browser(http, more),
    async close() {
      await http.close();
      await mailer.close();
      if (!options.database) await db.close();
    },
  };
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Sends the XSRF cookie back as a header, as the console does. */
  xsrf?: boolean;
}

export interface BrowserOptions {
  host?: string;
  address?: string;
  /** Cookies to share with another browser, such as one that calls another process. */
  cookies?: Map<string, string>;
}

/** A client that stores cookies as a browser does, with a configurable IP address and host name. */
export class Browser {
  readonly cookies: Map<string, string>;
  readonly #http: FastifyInstance;
  readonly #host: string;
  readonly #address: string;
  /** Set-Cookie headers of the last response. */
  lastSetCookies: string[] = [];

  constructor(http: FastifyInstance, options: BrowserOptions = {}) {
    const { host = 'localhost:8080', address = '192.0.2.1', cookies = new Map() } = options;
    this.cookies = cookies;
    this.#http = http;
    this.#host = host;
    this.#address = address;
  }

  get(path: string, options: CallOptions = {}): Promise<LightMyRequestResponse> {
    return this.#call({ method: 'GET', url: path }, options);
  }

  put(path: string): Promise<LightMyRequestResponse> {
    return this.#call({ method: 'PUT', url: path }, {});
  }

  /** Sends a body as JSON; a string is sent unchanged. */
  post(path: string, body?: unknown, options: CallOptions = {}): Promise<LightMyRequestResponse> {
    const headers = { 'content-type': 'application/json', ...options.headers };
    const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return this.#call(
      { method: 'POST', url: path, ...(payload !== undefined && { payload }) },
      { ...options, headers },
    );
  }

  auth(name: string, body: unknown = {}, options: CallOptions = {}): Promise<LightMyRequestResponse> {
    return this.post(`/api/v1/auth/${name}`, body, options);
  }

  login(email: string, password: string, more: Record<string, unknown> = {}): Promise<LightMyRequestResponse> {
    return this.auth('login', { email, password: base64(password), ...more });
  }

  async #call(request: InjectOptions, options: CallOptions): Promise<LightMyRequestResponse> {
    const token = this.cookies.get('XSRF-TOKEN');
    const response = await this.#http.inject({
      ...request,
      remoteAddress: this.#address,
      headers: {
        host: this.#host,
        ...(this.cookies.size > 0 && {
          cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...(token !== undefined && options.xsrf !== false && request.method !== 'GET' && { 'x-xsrf-token': token }),
        ...options.headers,
      },
    });
    this.lastSetCookies = [response.headers['set-cookie'] ?? []].flat();
    for (const { name, value, expires } of response.cookies) {
      if (expires && expires.getTime() === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
