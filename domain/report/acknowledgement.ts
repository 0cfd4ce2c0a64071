import { isSentOrDelivered } from './fate.ts';

const ALARM = 1;

/**
 * Whether a message of the list is among those that the figures of acknowledgement count. The list has every message that it was asked
 * for; the figures are of those by which somebody was told of an alarm. The database counts the same (`told` in report_messages.sql).
 */
export function countsForAcknowledgement(messageType: number, fate: string | null): boolean {
  return messageType === ALARM && isSentOrDelivered(fate);
}

/** The heading of the list, which says how many of its rows the figures count; empty where it has none. */
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

/** Writes how many alarms need an acknowledgement, and how many do not: `of 17 (3 not required)`. */
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
};

/** Where an acknowledgement was given; empty where that is not known. */
export function acknowledgedVia(channel: string | null | undefined): string {
  return places[channel ?? ''] ?? '';
}
