/** A real HTTP server for tests, which records every request and sends predefined responses. */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Arrivals } from './arrivals.ts';

export interface ReceivedRequest {
  method: string;
  /** Parsed URL of the request, with path and query. */
  url: URL;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
  json(): any;
  form(): URLSearchParams;
}

export interface ScriptedAnswer {
  status?: number;
  /** Body of the response; an object is sent as JSON. */
  body?: string | object;
  headers?: Record<string, string>;
  /** Delay of the response in milliseconds. */
  delayMs?: number;
  /**
   * `hang` accepts the request but never responds. `drop` closes the connection. `break-off` closes the connection in
   * the middle of the response.
   */
  fault?: 'hang' | 'drop' | 'break-off';
}

type Script = ScriptedAnswer | ((request: ReceivedRequest) => ScriptedAnswer);

export interface HttpReceiver {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** The highest number of concurrent requests so far. */
  readonly busiest: number;
  /** Sets the response to every request. The default response is 200 without a body. */
  always(script: Script): void;
  /** Queues responses for the next requests. After these, the response of `always` applies again. */
  next(...scripts: Script[]): void;
  /** Resolves with the first matching request, past or future, or rejects after the timeout. */
  waitFor(fits: (request: ReceivedRequest) => boolean, milliseconds?: number): Promise<ReceivedRequest>;
  /** Clears the recorded requests and the predefined responses. */
  clear(): void;
  stop(): Promise<void>;
}

export async function startHttpReceiver(port = 0): Promise<HttpReceiver> {
  const requests = new Arrivals<ReceivedRequest>('request', ({ method, url: { pathname } }) => `${method} ${pathname}`);
  let standing: Script = {};
  let scripts: Script[] = [];
  let busy = 0;
  let busiest = 0;

  const server = createServer(async (incoming, outgoing) => {
    busy += 1;
    busiest = Math.max(busiest, busy);
    outgoing.on('close', () => {
      busy -= 1;
    });
    try {
      const request = await readRequest(incoming, url());
      const script = scripts.shift() ?? standing;
      requests.add(request);
      await give(typeof script === 'function' ? script(request) : script, outgoing);
    } catch {
      // The client may have disconnected early. The server ignores this.
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = url();

  return {
    url: address,
    requests: requests.all,
    get busiest() {
      return busiest;
    },
    always(script) {
      standing = script;
    },
    next(...more) {
      scripts.push(...more);
    },
    waitFor: (...asked) => requests.waitFor(...asked),
    clear() {
      requests.clear();
      scripts = [];
      standing = {};
      busiest = busy;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage, base: string): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const text = body.toString('utf8');
  return {
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '/', base),
    headers: incoming.headers,
    body,
    text,
    json: () => JSON.parse(text),
    form: () => new URLSearchParams(text),
  };
}

async function give(answer: ScriptedAnswer, outgoing: ServerResponse): Promise<void> {
  const { status = 200, body = '', headers = {}, delayMs = 0, fault } = answer;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (fault === 'hang') return;
  if (fault === 'drop') return void outgoing.destroy();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  const length = Buffer.byteLength(text);
  outgoing.writeHead(status, { 'content-type': type, 'content-length': String(length), ...headers });
  if (fault !== 'break-off') return void outgoing.end(text);
  outgoing.write(text.slice(0, Math.floor(text.length / 2)), () => outgoing.destroy());
}

/** A browser's push subscription that can decrypt its pushes. */
export interface PushSubscriber {
  /** The subscription as JSON, which is the recipient's address for the push method. */
  address: string;
  /** Verifies the signature with the public key in the request, and decrypts the payload (RFC 8291 and RFC 8292). */
  open(request: ReceivedRequest): {
    payload: any;
    publicKey: string;
    claims: { aud: string; exp: number; sub: string };
  };
}

export function makePushSubscriber(endpoint: string): PushSubscriber {
  const keys = createECDH('prime256v1');
  const own = keys.generateKeys();
  const auth = randomBytes(16);
  return {
    address: JSON.stringify({
      endpoint,
      expirationTime: null,
      keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    }),
    open({ body, headers }) {
      const salt = body.subarray(0, 16);
      const length = body.readUInt8(20);
      const theirs = body.subarray(21, 21 + length);
      const sealed = body.subarray(21 + length);
      const secret = keys.computeSecret(theirs);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, theirs]);
      const material = Buffer.from(hkdfSync('sha256', secret, auth, info, 32));
      const derive = (label: string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', material, salt, Buffer.from(`Content-Encoding: ${label}\0`), bytes));
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      decipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      // The last record ends with the byte 2 and any number of zero bytes (RFC 8188).
      const text = plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
      return { payload: JSON.parse(text), ...openVapid(headers.authorization ?? '') };
    },
  };
}

function openVapid(authorization: string): { publicKey: string; claims: { aud: string; exp: number; sub: string } } {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const genuine = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!genuine) throw new Error('The push is not signed with the key that it names.');
  return { publicKey, claims: JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) };
}
