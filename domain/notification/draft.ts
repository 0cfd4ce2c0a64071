import type { Severity } from '../rule/priority.ts';
import { addressesOf, type MethodAddress, type Person, type SkippedMethod } from './recipients.ts';
import type { Candidate } from './stages.ts';

/** A person as stored with an alarm, with usable methods (`methods`) and unusable methods (`skipped`). */
export interface Recipient {
  uuid: string;
  name: string;
  methods: MethodAddress[];
  skipped: SkippedMethod[];
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

export function recipientOf(person: Person): Recipient {
  return { uuid: person.uuid, name: person.name, ...addressesOf(person) };
}

/**
 * Returns the recipients of the resolution: the people chosen for resolutions, and the people to whom the alarm was
 * escalated.
 */
export function resolveRecipients(
  { resolve, escalate }: Recipients,
  escalatedTo: ReadonlySet<string> | undefined,
): Recipient[] {
  const named = new Set(resolve.map(({ uuid }) => uuid));
  return [...resolve, ...escalate.filter(({ uuid }) => escalatedTo?.has(uuid) && !named.has(uuid))];
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
