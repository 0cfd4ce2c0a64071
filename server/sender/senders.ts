import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { createMailer } from './mailer.ts';
import { createOutboxSender } from './outbox.ts';
import { createPushSender, type VapidKeys } from './push.ts';
import { type ReceiptConfig, smsCallback } from './receipt/endpoints.ts';
import { METHOD, type MethodType, type Sender } from './sender.ts';
import type { SenderSettings, SmsSettings } from './settings.ts';
import { createSmsGatewaySender } from './sms-gateway.ts';
import { createTwilioSender } from './twilio.ts';
import { createWhatsAppSender } from './whatsapp.ts';

export interface SendersOptions {
  config: SenderSettings & ReceiptConfig & { smtpUrl: string | undefined; mailFrom: string };
  db: Database;
  clock: Clock;
  log: Log;
  /** VAPID keys for push messages. If undefined, push messages are kept in the outbox. */
  vapid: VapidKeys | undefined;
}

/** Creates a sender for each method: the configured sender, or the outbox if none is configured. */
export function createSenders({ config, db, clock, log, vapid }: SendersOptions): Record<MethodType, Sender> {
  const { smtpUrl, mailFrom: from, sms, whatsapp, push } = config;
  const outbox = (methodType: MethodType) => createOutboxSender({ db, clock, log, methodType });
  return {
    [METHOD.email]: createMailer({ smtpUrl, from, db, clock, log }),
    [METHOD.whatsapp]: whatsapp ? createWhatsAppSender(whatsapp) : outbox(METHOD.whatsapp),
    [METHOD.sms]: sms ? createSmsSender(sms, smsCallback(config)) : outbox(METHOD.sms),
    [METHOD.push]: push && vapid ? createPushSender({ ...push, ...vapid }) : outbox(METHOD.push),
  };
}

function createSmsSender(settings: SmsSettings, callback: string | undefined): Sender {
  return settings.by === 'twilio'
    ? createTwilioSender({ ...settings, callback })
    : createSmsGatewaySender({ ...settings, callback });
}
