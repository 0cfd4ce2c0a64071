import { limitText } from '../../../domain/alarm/message.ts';
import { alarmText, escalationText, resolvedText, silenceText, withSeverity } from '../../../domain/alarm/texts.ts';
import { METHOD } from '../../../domain/notification/methods.ts';
import { smsSegments } from '../../../domain/sms.ts';
import { timeZone } from '../plant/names.ts';
import type { Person } from '../plant/people.ts';
import type { Site } from '../plant/plant.ts';
import type { Random } from '../random.ts';
import { randomOf, uuidOf } from '../random.ts';
import type { AlarmEvent } from './alarms.ts';
import type { Span } from './history.ts';

const SECOND = 1000;

/** Stored type of a notification: 1 alarm, 2 health, 3 resolve, 4 other. */
type MessageType = 1 | 2 | 3 | 4;

/** A notification with its delivery result. */
export interface Message {
  uuid: string;
  alarm: AlarmEvent | null;
  to: Person;
  address: string;
  method: number;
  type: MessageType;
  /** Escalation step; 0 for a notification that is not an escalation. */
  round: number;
  text: string;
  at: number;
  acknowledged: { at: number; by: string } | null;
  state: 'sent' | 'delivered' | 'failed';
  segments: number;
  attempts: number;
  key: string;
  provider: string;
  providerId: string;
  answer: string;
  sentAt: number | null;
  deliveredAt: number | null;
  failedAt: number | null;
}

/** Provider name of all demo notifications. No real sender has this name, so reports list the demo separately. */
const PROVIDER = 'demo';

const refusals: Readonly<Record<number, string>> = {
  [METHOD.email]: 'Mailbox unavailable (demo history)',
  [METHOD.whatsapp]: 'No WhatsApp account (demo history)',
  [METHOD.sms]: 'Number unreachable (demo history)',
};

/** Returns the text of a notification. The functions of the product compose it, so the demo shows real texts. */
export function notificationText(
  site: Site,
  { asset, point, alarm, message, value, limit, openedAt }: AlarmEvent,
): string {
  if (!point || !alarm) return `${site.name}: ${silenceText(value, openedAt)}`;
  const { side } = alarm.kind;
  const { name, unit } = point.kind;
  return alarmText(message, {
    site: site.name,
    asset: asset?.name ?? '',
    datapoint: name,
    value: side === 'state' ? null : value,
    limit: limitText(side === 'below' ? limit : null, side === 'above' ? limit : null, unit),
    unit,
    time: new Date(openedAt),
    timeZone,
  });
}

function overText(site: Site, { message, openedAt }: AlarmEvent, resolvedAt: number): string {
  return resolvedText({ site: site.name, message, openedAt, resolvedAt, because: '' });
}

/** Returns the enabled methods of a user except push, because no demo user has a push subscription. */
export function waysTo({ methods }: Person): readonly number[] {
  return methods.filter((method) => method !== METHOD.push);
}

/** Plans the notifications of alarms: opening, escalation and resolution. */
export function planMessages(seed: string, site: Site, events: readonly AlarmEvent[], span: Span): Message[] {
  const messages: Message[] = [];
  for (const event of events) {
    const opening: MessageType = event.severity === 'silent' ? 2 : 1;
    const text = notificationText(site, event);
    const tell = (to: Person, type: MessageType, words: string, at: number, round: number) => {
      if (at > span.now - 30 * SECOND) return;
      const said = withSeverity(event.severity, words, type === 3);
      for (const method of waysTo(to)) messages.push(message(seed, event, to, method, type, said, at, round));
    };
    for (const person of site.people) tell(person, opening, text, event.openedAt, 0);
    for (const [index, at] of event.escalatedAt.entries()) {
      const words = escalationText(text, at - event.openedAt);
      for (const person of site.customer.escalation) tell(person, opening, words, at, index + 1);
    }
    if (event.resolvedAt !== null) {
      const escalatedTo = event.escalatedAt.length > 0 ? site.customer.escalation : [];
      const people = new Set([...site.people.filter(wantsResolved), ...escalatedTo]);
      for (const person of people) tell(person, 3, overText(site, event, event.resolvedAt), event.resolvedAt, 0);
    }
  }
  return messages;
}

/** Returns true for operators, because only operators are notified of resolutions. */
export function wantsResolved(person: Person): boolean {
  return person.level >= 10 && person.level < 50;
}

/** Creates a notification that has no alarm, such as a test message. */
export function otherMessage(seed: string, to: Person, method: number, text: string, at: number): Message {
  return message(seed, null, to, method, 4, text, at, 0);
}

function message(
  seed: string,
  event: AlarmEvent | null,
  to: Person,
  method: number,
  type: MessageType,
  text: string,
  at: number,
  round: number,
): Message {
  const name = [seed, 'message', event?.uuid ?? at, to.uuid, method, type, round] as const;
  const random = randomOf(...name);
  const seen = event?.acknowledged && type !== 3 && event.acknowledged.at > at ? event.acknowledged : null;
  return {
    uuid: uuidOf(...name),
    alarm: event,
    to,
    address: method === METHOD.email ? to.email : to.phone.replaceAll(' ', ''),
    method,
    type,
    round,
    text,
    at,
    acknowledged: seen && { at: seen.at, by: seen.by.name },
    segments: method === METHOD.sms ? smsSegments(text).segments : 0,
    key: uuidOf('key', ...name),
    provider: PROVIDER,
    ...deliveryOf(random, method, at),
  };
}

type Delivery = Pick<Message, 'state' | 'attempts' | 'providerId' | 'answer' | 'sentAt' | 'deliveredAt' | 'failedAt'>;

function deliveryOf(random: Random, method: number, at: number): Delivery {
  const sentAt = at + random.whole(1, 4) * SECOND;
  const chance = random.next();
  if (chance < 0.035) {
    const failedAt = sentAt + random.whole(4, 16) * SECOND;
    return {
      state: 'failed',
      attempts: 3,
      providerId: '',
      answer: refusals[method]!,
      sentAt: null,
      deliveredAt: null,
      failedAt,
    };
  }
  const providerId = `${PROVIDER}-${random.whole(0x100000, 0xffffff).toString(16)}`;
  const common = { attempts: chance < 0.07 ? 2 : 1, providerId, sentAt, failedAt: null };
  // The notification has no delivery receipt: e-mail has none, and a few receipts of other methods are missing.
  if (method === METHOD.email || chance > 0.97) {
    return { state: 'sent', ...common, answer: 'Accepted (demo history)', deliveredAt: null };
  }
  const deliveredAt = sentAt + random.whole(1, 9) * SECOND;
  return { state: 'delivered', ...common, answer: 'Delivered (demo history)', deliveredAt };
}
