import { wentOut } from './fate.ts';

const ALARM = 1;

/**
 * Whether a message of the list is among those that the figures of acknowledgement count. The list has every message that it was asked
 * for; the figures are of those by which somebody was told of an alarm. The database counts the same (`told` in report_messages.sql).
 */
export function isCounted(messageType: number, fate: string | null): boolean {
  return messageType === ALARM && wentOut(fate);
}

/** The heading of the list, which says how many of its rows the figures count; empty where it has none. */
export function listedWords(
  { listed, counted, smsOnly }: { listed: number; counted: number; smsOnly: boolean },
  locale?: string,
): string {
  if (listed === 0) return '';
  const rows = `${listed.toLocaleString(locale)} ${smsOnly ? 'alarm SMS' : listed === 1 ? 'message' : 'messages'}`;
  const which = smsOnly ? 'that went out' : 'about alarms that went out';
  if (counted === listed) return `${rows}, ${listed === 1 ? 'which is' : 'all'} in the figures`;
  if (counted === 0) return `${rows}, none in the figures, which count those ${which}`;
  return `${rows}, of which the figures count the ${counted.toLocaleString(locale)} ${which}`;
}

/** Of how many alarms some were acknowledged, and how many beside these need none: `of 17, 3 need none`. */
export function ofAlarmsWords({ alarms, needNone }: { alarms: number; needNone: number }, locale?: string): string {
  const of = `of ${(alarms - needNone).toLocaleString(locale)}`;
  return needNone === 0 ? of : `${of}, ${needNone.toLocaleString(locale)} ${needNone === 1 ? 'needs' : 'need'} none`;
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
export function throughWords(channel: string | null | undefined): string {
  return places[channel ?? ''] ?? '';
}
