import { createHash } from 'node:crypto';
import { cleanAnswer, shorten } from './answer.ts';
import {
  classifyStatus,
  createHttpClient,
  explainNoAnswer,
  explainStatus,
  type HttpAnswer,
  headerSafe,
  retry,
} from './http.ts';
import { asObject, readObject } from './read-object.ts';
import type { Message, Sender, SenderHealth, SendResult } from './sender.ts';
import { METHOD } from './sender.ts';

/** VAPID keys of this installation. Each browser subscription is bound to the public key. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

export interface PushSettings {
  /** Contact address of this installation, which push services receive, as a mailto: or https: URL. */
  subject: string;
  /**
   * Host names of the allowed push services. `*.` matches any subdomain. A service without HTTPS is listed by its
   * origin.
   */
  services: readonly string[];
}

export interface PushOptions extends PushSettings, VapidKeys {
  timeoutMs?: number;
  /** Number of seconds for which a push service keeps a message for a device that is switched off. */
  ttlSeconds?: number;
}

/** Push services of Chrome, Edge, Firefox and Safari. */
export const usualPushServices: readonly string[] = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  'web.push.apple.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

/** Payload that the console's service worker receives after decryption. */
export interface PushPayload {
  title: string;
  text: string;
  link?: string;
  /**
   * Key that is the same for every attempt to send a message, so that a repeated message replaces the notification that
   * is already shown.
   */
  key: string;
  /**
   * Tag that is the same for all messages about an alarm, so that on the screen the newest message replaces the earlier
   * ones.
   */
  tag: string;
  /** True to show an Acknowledge button that opens `link`. */
  acknowledge?: true;
  /** True if the notification stays on the screen until the user closes it. */
  stays?: true;
}

interface Subscription {
  endpoint: URL;
  p256dh: string;
  auth: string;
}

const who = 'The push service';
/** Maximum number of concurrent requests to one push service. */
const PER_SERVICE = 8;
const ENCODING = 'aes128gcm';
/**
 * Maximum size of the payload in bytes. A push service accepts 4096 bytes, of which encryption needs 103 for header,
 * tag and delimiter.
 */
const MOST_BYTES = 4096 - 103;

/** Loads the library on first use, because most installations do not use push. */
const library = async () => (await import('web-push')).default;

export async function makeVapidKeys(): Promise<VapidKeys> {
  const { publicKey, privateKey } = (await library()).generateVAPIDKeys();
  return { publicKey, privateKey };
}

/**
 * Creates a sender that uses Web Push for browser notifications. A message counts as `sent` when the push service has
 * accepted it.
 */
export function createPushSender(options: PushOptions): Sender {
  const { publicKey, privateKey, subject, services } = options;
  const http = createHttpClient({ timeoutMs: options.timeoutMs, connections: 2 * PER_SERVICE });

  const seal = async ({ endpoint, p256dh, auth }: Subscription, payload: string) => {
    const { encrypt, getVapidHeaders } = await library();
    const { Authorization } = getVapidHeaders(endpoint.origin, subject, publicKey, privateKey, ENCODING);
    const { cipherText } = encrypt(p256dh, auth, payload, ENCODING);
    return { authorization: Authorization, body: new Uint8Array(cipherText) };
  };

  const checkAddress = (address: string): string | undefined => {
    const subscription = readSubscription(address);
    if (!subscription) return notASubscription;
    return services.some((service) => serves(service, subscription.endpoint))
      ? undefined
      : `The push service ${subscription.endpoint.host} is not on the installation’s list of push services, so nothing was sent.`;
  };

  return {
    name: 'push',
    title: 'App push',
    methodType: METHOD.push,
    isExternal: true,
    atOnce: PER_SERVICE,
    checkAddress,

    async send(message: Message): Promise<SendResult> {
      const subscription = readSubscription(message.address);
      const fault = checkAddress(message.address);
      if (!subscription || fault) return { outcome: 'give-up', because: fault ?? notASubscription };
      let sealed: Awaited<ReturnType<typeof seal>>;
      try {
        sealed = await seal(subscription, payloadOf(message));
      } catch {
        const health = await checkKeys(options);
        return health.ok
          ? {
              outcome: 'give-up',
              because: 'The keys of this push subscription are invalid. Allow notifications on the device again.',
            }
          : { outcome: 'retry', because: health.problem };
      }
      const answer = await http.request({
        url: subscription.endpoint.href,
        method: 'POST',
        headers: {
          authorization: sealed.authorization,
          'content-type': 'application/octet-stream',
          'content-encoding': ENCODING,
          ttl: String(options.ttlSeconds ?? 86_400),
          urgency: 'high',
          topic: topicOf(tagOf(message)),
          'idempotency-key': headerSafe(message.idempotencyKey),
        },
        body: sealed.body,
      });
      // Stored responses must not contain the endpoint, because anyone who knows it can send notifications to that
      // browser.
      return classifyPushStatus(answer, [subscription.endpoint.href, subscription.endpoint.pathname]);
    },

    async check(): Promise<SenderHealth> {
      const keys = await checkKeys(options);
      if (!keys.ok) return keys;
      const origins = services.filter((service) => !service.startsWith('*')).map(originOf);
      const answers = await Promise.all(origins.map((origin) => http.request({ url: `${origin}/`, method: 'HEAD' })));
      const silent = answers.filter((answer) => !answer.answered);
      return silent.length < answers.length || silent[0] === undefined
        ? { ok: true }
        : { ok: false, problem: `No push service can be reached. ${explainNoAnswer(who, silent[0])}` };
    },

    close: () => http.close(),
  };
}

const notASubscription = 'The address is not a valid push subscription, so nothing was sent.';

/** Parses a push address, which is the browser's subscription as JSON. Returns undefined if it is invalid. */
export function readSubscription(address: string): Subscription | undefined {
  const { endpoint, keys } = readObject(address);
  const { p256dh, auth } = asObject(keys);
  if (typeof endpoint !== 'string' || typeof p256dh !== 'string' || typeof auth !== 'string') return undefined;
  if (!URL.canParse(endpoint) || endpoint.length > 2000) return undefined;
  const url = new URL(endpoint);
  const fits =
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    Buffer.from(p256dh, 'base64url').length === 65 &&
    Buffer.from(auth, 'base64url').length === 16;
  return fits ? { endpoint: url, p256dh, auth } : undefined;
}

export function checkSubscription(address: string): string | undefined {
  return readSubscription(address) ? undefined : notASubscription;
}

/**
 * Returns whether an endpoint belongs to an allowed push service. The endpoint comes from a browser, so requests to
 * other hosts would allow server-side request forgery (SSRF).
 */
function serves(service: string, endpoint: URL): boolean {
  if (service.startsWith('*.')) return endpoint.protocol === 'https:' && endpoint.host.endsWith(service.slice(1));
  return endpoint.origin === originOf(service);
}

function originOf(service: string): string {
  return service.includes('://') ? new URL(service).origin : `https://${service}`;
}

async function checkKeys({ subject, publicKey, privateKey }: PushOptions): Promise<SenderHealth> {
  try {
    (await library()).getVapidHeaders('https://push.example', subject, publicKey, privateKey, ENCODING);
    return { ok: true };
  } catch {
    return {
      ok: false,
      problem: 'The push keys of this installation are invalid. An administrator must create new keys.',
    };
  }
}

function payloadOf(message: Message): string {
  const { subject, text, link, idempotencyKey, alarm } = message;
  const payload: PushPayload = {
    title: shorten(subject, 200),
    text: '',
    ...(link !== undefined && link.length <= 1000 && { link }),
    key: shorten(idempotencyKey, 200),
    tag: shorten(tagOf(message), 200),
    ...(alarm && !alarm.isResolved && link !== undefined && { acknowledge: true }),
    ...(alarm?.severity === 'critical' && !alarm.isResolved && { stays: true }),
  };
  let most = Math.min(text.length, MOST_BYTES);
  for (;;) {
    const json = JSON.stringify({ ...payload, text: shorten(text, most) });
    const excess = Buffer.byteLength(json) - MOST_BYTES;
    if (excess <= 0 || most <= 1) return json;
    most = Math.max(1, most - Math.max(1, Math.ceil(excess / 6)));
  }
}

/** Returns the same tag for all messages about an alarm, so that on the screen the resolution replaces the alarm. */
function tagOf({ alarm, idempotencyKey }: Message): string {
  return alarm ? `alarm ${alarm.uuid}` : idempotencyKey;
}

/**
 * Returns the topic of a message. While a device is switched off, the push service keeps only the newest message of
 * each topic for it.
 */
function topicOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 32);
}

/** Converts the response of the push service into the result of a send. */
export function classifyPushStatus(answer: HttpAnswer, secrets: readonly string[] = []): SendResult {
  if (!answer.answered) return retry(explainNoAnswer(who, answer), answer);
  const { status, body } = answer;
  if (status === 404 || status === 410) {
    const because = `The subscription of this device has ended (${status}). Allow notifications on the device again.`;
    return { outcome: 'give-up', because, addressEnded: true };
  }
  if (status === 413)
    return { outcome: 'give-up', because: 'The push service reports that the message is too long (413).' };
  if (status >= 400 && /do not correspond|VapidPkHashMismatch|public key mismatch/i.test(body)) {
    const because =
      'The push keys of this installation have changed since this device subscribed. Allow notifications on the device again.';
    return { outcome: 'give-up', because, addressEnded: true };
  }
  switch (classifyStatus(status)) {
    case 'taken':
      return { outcome: 'sent', providerId: cleanAnswer(answer.location), answer: `Accepted (${status}).` };
    case 'refused':
      return { outcome: 'give-up', because: explainStatus(who, answer, secrets) };
    default:
      return retry(explainStatus(who, answer, secrets), answer);
  }
}
