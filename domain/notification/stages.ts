import type { Severity } from '../rule/priority.ts';
import { METHOD, type MethodType, methodNames } from './methods.ts';
import type { MethodAddress } from './recipients.ts';
import { budgetName, isSentAlways, type UsedUpBudget } from './sms-budget.ts';

/** A notification to one address, before suppression. */
export interface Candidate {
  personUuid: string;
  name: string;
  method: MethodType;
  address: string;
  text: string;
  /**
   * Identifies what the notification is about, such as the rule at its site. The topic does not depend on the value and
   * time in the text.
   */
  topic: string;
  kind: 'alarm' | 'resolve' | 'escalation' | 'health' | 'action' | 'reminder' | 'digest';
  /** Number of the escalation or reminder; 0 for other kinds. */
  step: number;
  alarmUuid: string;
  /** Device time of the event; server time for events without a device. */
  at: number;
  /** Severity of the alarm, or the worst severity in a digest; undefined if it is not known. */
  severity?: Severity;
  /**
   * The person's addresses for other methods whose senders work. The budget can suppress an SMS only if there is such
   * an address.
   */
  others?: readonly MethodAddress[];
}

/** The last notification of a topic to an address. */
export interface LastNotified {
  at: number;
  alarmUuid: string;
  /** True if the last notification was about the resolution of the alarm. */
  ended: boolean;
}

/** Facts about earlier notifications and SMS budgets that the stages use. */
export interface StageFacts {
  /** The `onceKey` of every queued notification about the candidates' alarms. */
  queued: ReadonlySet<string>;
  /** The last notification for each `repeatKey`. */
  last: ReadonlyMap<string, LastNotified>;
  /** Returns true if the address was notified that this alarm opened, under any topic, but not that it resolved. */
  believesOpen(candidate: Candidate): boolean;
  /** Returns the SMS budget that the candidate would exceed; undefined if it exceeds none or there is no budget. */
  usedUp(candidate: Candidate): UsedUpBudget | undefined;
  /** Returns whether the alarm opened during an alarm flood. */
  openedInFlood(alarmUuid: string): boolean;
}

export type StageResult =
  | { pass: true }
  | {
      pass: false;
      because: string;
      sentence: string;
      /** If set, the notification is deferred until this event time and then sent if the alarm is still open. */
      until?: number;
      /** True if the next digest to the address reports the alarm instead of this notification. */
      digest?: true;
    };

export interface Stage {
  readonly name: string;
  check(candidate: Candidate, facts: StageFacts): StageResult;
}

export interface SuppressedCandidate<C extends Candidate = Candidate> {
  candidate: C;
  stage: string;
  because: string;
  sentence: string;
  until?: number;
  digest?: true;
}

/** Number of minutes for which repeats are suppressed. */
export const repeatMinutes = 10;
const REPEAT_MS = repeatMinutes * 60_000;

/**
 * Allows only one notification for each combination of alarm, kind, step, method and address, even if two people share
 * an address.
 */
const once: Stage = {
  name: 'once',
  check(candidate, { queued }) {
    if (!queued.has(onceKey(candidate))) return { pass: true };
    const sentence = `${candidate.name} already receives this notification by ${methodNames[candidate.method]}.`;
    return { pass: false, because: 'already-queued', sentence };
  },
};

/** Returns whether a notification about an alarm of this severity is sent at once, even during an alarm flood. */
export function isSentInFlood(severity: Severity | undefined): boolean {
  return severity === 'critical';
}

/**
 * Passes every notification about an alarm that opened during a flood to the next digest, because single notifications
 * would flood the recipients again. Alarms from before the flood and critical alarms are notified one by one. This
 * stage comes before `repeat`, so that a digest never misses an alarm.
 */
const flood: Stage = {
  name: 'flood',
  check(candidate, facts) {
    const { kind, severity, alarmUuid, name, method } = candidate;
    if (kind === 'digest' || isSentInFlood(severity) || !facts.openedInFlood(alarmUuid)) return { pass: true };
    const sentence = `The alarm opened during an alarm flood, so ${name} gets it in a digest by ${methodNames[method]}.`;
    return { pass: false, because: 'flood', sentence, digest: true };
  },
};

/** Kinds of notifications that repeat on purpose. */
const repeating: readonly Candidate['kind'][] = ['escalation', 'reminder', 'digest'];

/**
 * Suppresses repeats to the same address for ten minutes of event time. Escalations, reminders and digests are never
 * suppressed, because they repeat on purpose. The opening of another alarm is only deferred, because the recipient must be notified
 * if the alarm stays open.
 */
const repeat: Stage = {
  name: 'repeat',
  check(candidate, facts) {
    if (repeating.includes(candidate.kind)) return { pass: true };
    const isResolution = candidate.kind === 'resolve';
    if (isResolution && facts.believesOpen(candidate)) return { pass: true };
    const last = facts.last.get(repeatKey(candidate));
    // Uses the absolute difference between the event times. Otherwise, an event from a device whose clock was hours
    // ahead would suppress notifications for hours.
    if (!last || last.ended !== isResolution || Math.abs(candidate.at - last.at) >= REPEAT_MS) return { pass: true };
    const to = `to ${candidate.name} by ${methodNames[candidate.method]}`;
    const before = `less than ${repeatMinutes} minutes earlier`;
    const because = 'said-before';
    if (isResolution) {
      const sentence = `The resolution notification ${to} was not sent. The same address received one for the previous alarm ${before}.`;
      return { pass: false, because, sentence };
    }
    if (last.alarmUuid === candidate.alarmUuid) {
      return { pass: false, because, sentence: `The opening notification was already sent ${to}.` };
    }
    const sentence = `The opening notification ${to} was deferred. The same address received one for the previous alarm ${before}. If this alarm is still open when the ${repeatMinutes} minutes end, the notification is sent.`;
    return { pass: false, because, sentence, until: last.at + REPEAT_MS };
  },
};

/**
 * Suppresses an SMS about a minor or silent alarm if it would exceed the SMS budget. The person must get the same
 * notification by another method, or that notification must be suppressed as a repeat. Otherwise the SMS is sent: every
 * recipient is notified by at least one method, regardless of the budget.
 */
const budget: Stage = {
  name: 'budget',
  check(candidate, facts) {
    if (candidate.method !== METHOD.sms || isSentAlways(candidate.severity)) return { pass: true };
    const other = (candidate.others ?? []).find((address) => gets({ ...candidate, ...address }, facts));
    const usedUp = other && facts.usedUp(candidate);
    if (!usedUp) return { pass: true };
    const sentence = `The SMS to ${candidate.name} was not sent, because ${budgetName(usedUp)} is used up. They are notified by ${methodNames[other.method]}.`;
    return { pass: false, because: 'budget', sentence };
  },
};

/** Returns whether the notification is queued for this address, or repeats one that the address received recently. */
function gets(candidate: Candidate, facts: StageFacts): boolean {
  return facts.queued.has(onceKey(candidate)) || !repeat.check(candidate, facts).pass;
}

/** Every candidate passes these stages in order. The first stage that suppresses it provides the reason. */
export const stages: readonly Stage[] = [once, flood, repeat, budget];

export function firstSuppression<C extends Candidate>(
  candidate: C,
  facts: StageFacts,
): SuppressedCandidate<C> | undefined {
  return suppressionBy(stages, candidate, facts);
}

/**
 * Checks a deferred candidate against the SMS budget just before it is sent. It has already passed the other stages.
 */
export function checkBudget<C extends Candidate>(candidate: C, facts: StageFacts): SuppressedCandidate<C> | undefined {
  return suppressionBy([budget], candidate, facts);
}

function suppressionBy<C extends Candidate>(
  checked: readonly Stage[],
  candidate: C,
  facts: StageFacts,
): SuppressedCandidate<C> | undefined {
  for (const { name, check } of checked) {
    const result = check(candidate, facts);
    if (result.pass) continue;
    const { because, sentence, until, digest } = result;
    return {
      candidate,
      stage: name,
      because,
      sentence,
      ...(until !== undefined && { until }),
      ...(digest && { digest }),
    };
  }
  return undefined;
}

type OnceParts = Pick<Candidate, 'alarmUuid' | 'kind' | 'step' | 'method' | 'address' | 'topic'>;

/**
 * Returns the key under which a notification is sent only once. For a digest, the unique topic replaces the alarm,
 * because several digests can refer to the same alarm.
 */
export function onceKey({ alarmUuid, kind, step, method, address, topic }: OnceParts): string {
  return `${kind === 'digest' ? topic : alarmUuid}\n${kind}\n${step}\n${method}\n${normalizeAddress(method, address)}`;
}

/** Returns the key that identifies repeats: the same topic to the same address, regardless of value and time. */
export function repeatKey(about: Pick<Candidate, 'method' | 'address' | 'topic'>): string {
  return `${addressKey(about)}\n${about.topic}`;
}

export function addressKey({ method, address }: Pick<Candidate, 'method' | 'address'>): string {
  return `${method}\n${normalizeAddress(method, address)}`;
}

/** Returns the address in its normal form. E-mail addresses that differ only in case are the same mailbox. */
export function normalizeAddress(method: MethodType, address: string): string {
  return method === METHOD.email ? address.toLowerCase() : address;
}
