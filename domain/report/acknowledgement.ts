import { isSentOrDelivered } from './shown-state.ts';

const ALARM = 1;

/**
 * Returns whether the acknowledgement figures include a message, that is, whether it is about an alarm and was sent or
 * delivered. The list shows other messages too. The database uses the same condition
 * (`tocsin_private.sent_alarm_notifications`).
 */
export function countsForAcknowledgement(messageType: number, shownState: string | null): boolean {
  return messageType === ALARM && isSentOrDelivered(shownState);
}

/**
 * Returns the heading of the message list, which also states how many of its rows the figures include. Returns an empty
 * text for an empty list.
 */
export function listHeading(
  { listed, counted, smsOnly }: { listed: number; counted: number; smsOnly: boolean },
  locale?: string,
): string {
  if (listed === 0) return '';
  const rows = `${listed.toLocaleString(locale)} ${smsOnly ? 'alarm SMS' : listed === 1 ? 'message' : 'messages'}`;
  const which = smsOnly || counted === 0 ? '' : counted === 1 ? 'alarm message ' : 'alarm messages ';
  if (counted === listed) return listed === 1 ? `${rows} (sent and counted)` : `${rows} (all sent and counted)`;
  return `${rows} (${counted === 0 ? 'none' : counted.toLocaleString(locale)} ${which}sent and counted)`;
}

/** Returns how many alarms need an acknowledgement and how many do not: `of 17 (3 not required)`. */
export function ofAlarmsWords({ alarms, needNone }: { alarms: number; needNone: number }, locale?: string): string {
  const of = `of ${(alarms - needNone).toLocaleString(locale)}`;
  return needNone === 0 ? of : `${of} (${needNone.toLocaleString(locale)} not required)`;
}

const places: Readonly<Record<string, string>> = {
  console: 'Console',
  app: 'App',
  email: 'E-mail link',
  whatsapp: 'WhatsApp link',
  sms: 'SMS link',
  push: 'App push',
  'sms-answer': 'SMS',
  'whatsapp-answer': 'WhatsApp',
};

/** Returns where the user acknowledged, such as `SMS link`; empty if unknown. */
export function acknowledgedVia(channel: string | null | undefined): string {
  return places[channel ?? ''] ?? '';
}
