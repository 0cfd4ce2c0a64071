import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { createMailer } from './mailer.ts';
import { createOutboxChannel } from './outbox.ts';
import { createPushChannel, type VapidKeys } from './push.ts';
import { type ReceiptConfig, smsCallback } from './receipt/endpoints.ts';
import { type Channel, METHOD, type MethodType } from './sender.ts';
import type { ChannelSettings, SmsSettings } from './settings.ts';
import { createSmsGatewayChannel } from './sms-gateway.ts';
import { createTwilioChannel } from './twilio.ts';
import { createWhatsAppChannel } from './whatsapp.ts';

export interface ChannelsOptions {
  config: ChannelSettings & ReceiptConfig & { smtpUrl: string | undefined; mailFrom: string };
  db: Database;
  clock: Clock;
  log: Log;
  /** The keys of this installation; without them a push goes to the outbox. */
  vapid: VapidKeys | undefined;
}

/** One channel for each way to reach a person: the sender that is configured, and otherwise the outbox. */
export function createChannels({ config, db, clock, log, vapid }: ChannelsOptions): Record<MethodType, Channel> {
  const { smtpUrl, mailFrom: from, sms, whatsapp, push } = config;
  const outbox = (methodType: MethodType) => createOutboxChannel({ db, clock, log, methodType });
  return {
    [METHOD.email]: createMailer({ smtpUrl, from, db, clock, log }),
    [METHOD.whatsapp]: whatsapp ? createWhatsAppChannel(whatsapp) : outbox(METHOD.whatsapp),
    [METHOD.sms]: sms ? createSmsChannel(sms, smsCallback(config)) : outbox(METHOD.sms),
    [METHOD.push]: push && vapid ? createPushChannel({ ...push, ...vapid }) : outbox(METHOD.push),
  };
}

function createSmsChannel(settings: SmsSettings, callback: string | undefined): Channel {
  return settings.by === 'twilio'
    ? createTwilioChannel({ ...settings, callback })
    : createSmsGatewayChannel({ ...settings, callback });
}
