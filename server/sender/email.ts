import type { NodemailerError } from 'nodemailer';
import { createTransport } from 'nodemailer';
import type { Log } from '../platform/log.ts';
import { cleanAnswer } from './answer.ts';
import type { Message, Sender, SenderHealth, SendResult } from './sender.ts';
import { METHOD, withLink } from './sender.ts';

export interface EmailOptions {
  smtpUrl: string;
  /** Sender address, as `Name <address>` or as an address alone. */
  from: string;
  log: Log;
  timeouts?: { connectMs?: number; idleMs?: number };
}

/** Maximum number of connections to the mail server. Large mail services allow no more per client. */
const CONNECTIONS = 3;

/**
 * Creates a sender that uses SMTP for e-mail. A mail counts as `sent` when the server has accepted it, because SMTP
 * does not confirm delivery.
 */
export function createEmailSender(options: EmailOptions): Sender {
  const connectMs = options.timeouts?.connectMs ?? 10_000;
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    // Turns off nodemailer's retries, because the notification queue retries failed messages.
    maxRequeues: 0,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: options.timeouts?.idleMs ?? 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.on('error', (error) => options.log.warn('a connection to the mail server was lost', { error }));
  const secrets = mailSecrets(options.smtpUrl);
  const domain = /@([^@\s<>]+)>?\s*$/.exec(options.from)?.[1] ?? 'localhost';

  return {
    name: 'email',
    title: 'E-mail',
    methodType: METHOD.email,
    isExternal: true,
    atOnce: CONNECTIONS,
    checkAddress,

    async send(message: Message): Promise<SendResult> {
      const fault = checkAddress(message.address);
      if (fault) return { outcome: 'give-up', because: fault };
      try {
        const info = await transport.sendMail({
          from: options.from,
          // An object and not a string, because a string with a comma would be parsed as two addresses.
          to: { name: '', address: message.address },
          subject: message.subject,
          text: withLink(message),
          ...(message.html !== undefined && { html: message.html }),
          messageId: `<${message.idempotencyKey}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { outcome: 'sent', providerId: info.messageId, answer: cleanAnswer(info.response) };
      } catch (error) {
        return explainFailure(error as NodemailerError, secrets);
      }
    },

    async check(): Promise<SenderHealth> {
      try {
        await transport.verify();
        return { ok: true };
      } catch (error) {
        return { ok: false, problem: describe(error as NodemailerError, secrets) };
      }
    },

    async close(): Promise<void> {
      transport.close();
    },
  };
}

export function checkAddress(address: string): string | undefined {
  return /^[^@\s<>]+@[^@\s<>]+$/.test(address) && address.length <= 254
    ? undefined
    : 'This is not an e-mail address, so nothing was sent.';
}

/**
 * Converts an error into a result. A 5xx response to the message is final. A connection or sign-in error is retried,
 * because an administrator can fix its cause, and the message itself is valid.
 */
export function explainFailure(error: NodemailerError, secrets: readonly string[] = []): SendResult {
  const because = describe(error, secrets);
  const aboutTheMessage = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  const final = error.responseCode === undefined ? aboutTheMessage : error.permanent === true && error.code !== 'EAUTH';
  return { outcome: final ? 'give-up' : 'retry', because };
}

/** Returns the password of the mail server, in plain text and in the encodings of AUTH LOGIN and AUTH PLAIN. */
function mailSecrets(smtpUrl: string): string[] {
  const { username, password } = new URL(smtpUrl);
  if (!password) return [];
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return [secret, base64(secret), base64(`\0${user}\0${secret}`)];
}

function describe(error: NodemailerError, secrets: readonly string[]): string {
  const said = error.response ? ` Its response: ${cleanAnswer(error.response, secrets).slice(0, 300)}` : '';
  if (error.code === 'EAUTH') return `The mail server refused the sign-in of this server.${said}`;
  if (error.responseCode !== undefined) return `The mail server did not accept the message.${said}`;
  if (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') return `The message cannot be sent: ${error.message}.`;
  if (error.code === 'ETIMEDOUT') return 'The mail server did not reply in time.';
  return `The mail server cannot be reached (${error.originalCode ?? error.code ?? error.message}).`;
}
