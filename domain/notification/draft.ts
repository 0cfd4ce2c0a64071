import type { Severity } from '../rule/priority.ts';
import { addressesOf, type MethodAddress, type Person, type SkippedMethod } from './recipients.ts';
import type { Candidate } from './stages.ts';

/** A person as stored with an alarm, with usable methods (`methods`) and unusable methods (`skipped`). */
export interface Recipient {
  uuid: string;
  name: string;
  methods: MethodAddress[];
  skipped: SkippedMethod[];
  /** The layer for which the person was on call, such as "Pump stations, Primary"; missing for a named person. */
  onCall?: string;
}

export interface Recipients {
  alert: Recipient[];
  resolve: Recipient[];
  escalate: Recipient[];
  /** Problems with the recipients, such as a missing rule alert or a deleted user. */
  notes: string[];
  subject: string;
  text: string;
}

export function recipientOf(person: Person, onCall?: string): Recipient {
  const recipient: Recipient = { uuid: person.uuid, name: person.name, ...addressesOf(person) };
  return onCall === undefined ? recipient : { ...recipient, onCall };
}

/**
 * Returns the recipients of the resolution: the people chosen for resolutions, the people to whom the alarm was
 * escalated, and the people on call who were notified of the opening. `escalatedTo` has the last two.
 */
export function resolveRecipients(
  { alert, resolve, escalate }: Recipients,
  escalatedTo: ReadonlySet<string> | undefined,
): Recipient[] {
  const found = new Map(resolve.map((person) => [person.uuid, person]));
  for (const person of [...escalate, ...alert.filter(({ onCall }) => onCall !== undefined)]) {
    if (escalatedTo?.has(person.uuid) && !found.has(person.uuid)) found.set(person.uuid, person);
  }
  return [...found.values()];
}

/** Returns both lists without repeating a person. */
export function mergeRecipients(some: readonly Recipient[], others: readonly Recipient[]): Recipient[] {
  const known = new Set(some.map(({ uuid }) => uuid));
  return [...some, ...others.filter(({ uuid }) => !known.has(uuid))];
}

/** Stored type of a notification: 1 alarm, 2 health, 3 resolve, 4 other. */
export type MessageType = 1 | 2 | 3 | 4;

/** One text about one alarm that may be sent to several people, before suppression. */
export interface NotificationDraft {
  alarmUuid: string;
  customerUuid: string;
  siteUuid: string | null;
  kind: Candidate['kind'];
  step: number;
  /** Identifies notifications that repeat each other, for suppression; see `Candidate.topic`. */
  topic: string;
  /** Time of the event; see `Candidate.at`. */
  at: number;
  messageType: MessageType;
  /** Added in front of `subject` and `text` when the notification is queued. */
  severity: Severity;
  subject: string;
  text: string;
  people: readonly Recipient[];
}
