import { escalationText } from '../../domain/alarm/texts.ts';
import { smsParts } from '../../domain/sms.ts';
import type { AlarmEvent } from './alarms.ts';
import type { Span } from './history.ts';
import type { Person } from './people.ts';
import type { Site } from './plant.ts';
import type { Random } from './random.ts';
import { randomOf, uuidOf } from './random.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** 1 alarm, 2 health, 3 resolve, 4 other. */
type MessageType = 1 | 2 | 3 | 4;

/** One message to one person on one way, with what became of it. */
export interface Message {
  uuid: string;
  alarm: AlarmEvent | null;
  to: Person;
  address: string;
  method: number;
  type: MessageType;
  /** Which escalation it was; 0 for everything else. */
  round: number;
  text: string;
  at: number;
  acknowledged: { at: number; by: string } | null;
  state: 'sent' | 'delivered' | 'failed';
  parts: number;
  attempts: number;
  key: string;
  provider: string;
  providerId: string;
  answer: string;
  sentAt: number | null;
  deliveredAt: number | null;
  failedAt: number | null;
}

const refusals: Readonly<Record<number, string>> = {
  1: '550 5.1.1 mailbox unavailable',
  2: 'Recipient has no WhatsApp account',
  3: 'Number unreachable, gave up after 3 attempts',
  4: '410 Gone, the device has unsubscribed',
};

const providers: Readonly<Record<number, string>> = { 1: 'email', 2: 'whatsapp', 3: 'sms', 4: 'push' };

/** What is known at best of a message that no receipt follows: that somebody took it. */
const takenWithoutReceipt: Readonly<Record<number, string>> = { 1: '250 2.0.0 Ok: queued', 4: '201 Created' };

/** Every customer of the demo is in the same time zone. */
const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

function timeText(time: number): string {
  return clock.format(time);
}

function withUnit(value: number, event: AlarmEvent): string {
  const kind = event.point!.kind;
  return [value.toFixed(kind.decimals), kind.unit].filter(Boolean).join(' ');
}

/** What the alarm says to a person. */
export function alarmText(site: Site, event: AlarmEvent): string {
  if (!event.point) return `${site.name}: ${event.message}. Nothing received since ${timeText(event.value)}.`;
  const { name, states } = event.point.kind;
  const what = states
    ? `${name} ${states[event.value]}`
    : `${name} ${withUnit(event.value, event)}, limit ${withUnit(event.limit, event)}`;
  return `${site.name}: ${event.message}. ${event.asset!.name}: ${what} at ${timeText(event.openedAt)}`;
}

function resolveText(site: Site, event: AlarmEvent, at: number): string {
  const minutes = Math.max(1, Math.round((at - event.openedAt) / MINUTE));
  const lasted = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${site.name}: ${event.message}, resolved at ${timeText(at)} after ${lasted}`;
}

/** Everybody who was told of an alarm: those who look after the site, those it was escalated to, and that it is over. */
export function planMessages(seed: string, site: Site, events: readonly AlarmEvent[], span: Span): Message[] {
  const messages: Message[] = [];
  for (const event of events) {
    const opening: MessageType = event.severity === 'silent' ? 2 : 1;
    const text = alarmText(site, event);
    const tell = (to: Person, type: MessageType, words: string, at: number, round: number) => {
      if (at > span.now - 30 * SECOND) return;
      for (const method of to.methods) messages.push(message(seed, event, to, method, type, words, at, round));
    };
    for (const person of site.people) tell(person, opening, text, event.openedAt, 0);
    for (const [index, at] of event.escalatedAt.entries()) {
      const words = escalationText(text, at - event.openedAt);
      for (const person of site.customer.escalation) tell(person, opening, words, at, index + 1);
    }
    if (event.resolvedAt !== null) {
      for (const person of site.people) {
        if (wantsResolved(person)) tell(person, 3, resolveText(site, event, event.resolvedAt), event.resolvedAt, 0);
      }
    }
  }
  return messages;
}

/** Operators want to know that it is over; managers do not. */
export function wantsResolved(person: Person): boolean {
  return person.level >= 10 && person.level < 50;
}

/** A message that no alarm caused, such as a weekly summary. */
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
    address: method === 1 ? to.email : method === 4 ? `device of ${to.username}` : to.phone.replaceAll(' ', ''),
    method,
    type,
    round,
    text,
    at,
    acknowledged: seen && { at: seen.at, by: seen.by.name },
    parts: method === 3 ? smsParts(text).parts : 0,
    key: uuidOf('key', ...name),
    provider: providers[method]!,
    ...fate(random, method, at),
  };
}

type Fate = Pick<Message, 'state' | 'attempts' | 'providerId' | 'answer' | 'sentAt' | 'deliveredAt' | 'failedAt'>;

function fate(random: Random, method: number, at: number): Fate {
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
  const providerId = `${providers[method]}-${random.whole(0x100000, 0xffffff).toString(16)}`;
  const common = { attempts: chance < 0.07 ? 2 : 1, providerId, sentAt, failedAt: null };
  const taken = takenWithoutReceipt[method];
  if (taken !== undefined) return { state: 'sent', ...common, answer: taken, deliveredAt: null };
  if (chance > 0.97) return { state: 'sent', ...common, answer: 'Accepted, no receipt yet', deliveredAt: null };
  return { state: 'delivered', ...common, answer: 'Delivered', deliveredAt: sentAt + random.whole(1, 9) * SECOND };
}
