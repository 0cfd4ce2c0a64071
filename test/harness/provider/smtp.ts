/** A real SMTP server for tests, which records every mail and fails on request. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { Arrivals } from './arrivals.ts';

export interface CaughtMail {
  from: string;
  to: string[];
  subject: string;
  headers: ReadonlyMap<string, string>;
  text: string;
  html: string;
  raw: string;
}

export interface SmtpCatcher {
  /** Value for the setting SMTP_URL. */
  readonly url: string;
  readonly messages: readonly CaughtMail[];
  /** Resolves with the first matching mail, past or future, or rejects after the timeout. */
  waitFor(fits: (mail: CaughtMail) => boolean, milliseconds?: number): Promise<CaughtMail>;
  /**
   * Refuses every mail with this code, either after the recipient or after the content was sent. If the code is null,
   * accepts mails again.
   */
  failWith(code: number | null, at?: 'recipient' | 'data'): void;
  /** Accepts connections and mails, but sends no response until the returned function is called. */
  stall(): () => void;
  readonly refused: number;
  clear(): void;
  stop(): Promise<void>;
}

export async function startSmtpCatcher(): Promise<SmtpCatcher> {
  const mails = new Arrivals<CaughtMail>('mail', ({ to, subject }) => `${to.join(', ')}: ${subject}`);
  let failure: { code: number; at: 'recipient' | 'data' } | null = null;
  let refused = 0;
  let stalled: Promise<void> | undefined;

  const refusal = (at: 'recipient' | 'data') => {
    if (failure?.at !== at) return null;
    refused += 1;
    return Object.assign(new Error('refused as the test asked'), { responseCode: failure.code });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, callback) => void Promise.resolve(stalled).then(() => callback()),
    onRcptTo: (_address, _session, callback) =>
      void Promise.resolve(stalled).then(() => callback(refusal('recipient'))),
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const error = refusal('data');
        if (error) return callback(error);
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString('utf8');
        callback(null);
        mails.add({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...readMail(raw),
          raw,
        });
      });
    },
  });
  // The server ignores clients that disconnect early.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${port}`,
    messages: mails.all,
    get refused() {
      return refused;
    },
    waitFor: (...asked) => mails.waitFor(...asked),
    stall() {
      const { promise, resolve } = Promise.withResolvers<void>();
      stalled = promise;
      return () => {
        stalled = undefined;
        resolve();
      };
    },
    failWith(code, at = 'data') {
      failure = code === null ? null : { code, at };
    },
    clear() {
      mails.clear();
      refused = 0;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface ReadMail {
  subject: string;
  headers: Map<string, string>;
  text: string;
  html: string;
}

/** Parses a mail with a single part or with alternatives, in the usual encodings. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw);
  const parts = partsOf(headers, body);
  const find = (type: string) => parts.find((part) => part.type === type)?.content ?? '';
  return {
    subject: decodeWords(headers.get('subject') ?? ''),
    headers,
    text: find('text/plain'),
    html: find('text/html'),
  };
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const [head = '', ...rest] = raw.split(/\r?\n\r?\n/);
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: rest.join('\r\n\r\n') };
}

function partsOf(headers: Map<string, string>, body: string): { type: string; content: string }[] {
  const contentType = headers.get('content-type') ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (!boundary) {
    const type = contentType.split(';')[0]!.trim().toLowerCase();
    return [{ type, content: decodeBody(body, headers.get('content-transfer-encoding') ?? '') }];
  }
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((section) => {
      const part = split(section.replace(/^\r?\n/, ''));
      return partsOf(part.headers, part.body);
    });
}

function decodeBody(body: string, encoding: string): string {
  const text = (() => {
    switch (encoding.toLowerCase()) {
      case 'base64':
        return Buffer.from(body, 'base64').toString('utf8');
      case 'quoted-printable':
        return decodeQuoted(body.replace(/=\r?\n/g, ''));
      default:
        return body;
    }
  })();
  return text.replace(/\r\n/g, '\n').trimEnd();
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
}
