import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { createEmailChannel } from './email.ts';
import { createOutboxChannel } from './outbox.ts';
import type { Channel } from './sender.ts';

export interface MailerOptions {
  smtpUrl: string | undefined;
  from: string;
  db: Database;
  clock: Clock;
  log: Log;
}

/** The channel that mails take: SMTP where a mail server is configured, and otherwise the outbox. */
export function createMailer({ smtpUrl, from, db, clock, log }: MailerOptions): Channel {
  return smtpUrl ? createEmailChannel({ smtpUrl, from, log }) : createOutboxChannel({ db, clock, log });
}
