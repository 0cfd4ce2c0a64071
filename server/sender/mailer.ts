import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { createEmailSender } from './email.ts';
import { createOutboxSender } from './outbox.ts';
import type { Sender } from './sender.ts';

export interface MailerOptions {
  smtpUrl: string | undefined;
  from: string;
  db: Database;
  clock: Clock;
  log: Log;
}

/** Creates a sender that uses SMTP if a mail server is configured, otherwise the outbox. */
export function createMailer({ smtpUrl, from, db, clock, log }: MailerOptions): Sender {
  return smtpUrl ? createEmailSender({ smtpUrl, from, log }) : createOutboxSender({ db, clock, log });
}
