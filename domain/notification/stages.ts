import { METHOD, type MethodType, methodNames } from './methods.ts';

/** One message to one address, before anything has been said against it. */
export interface Candidate {
  personUuid: string;
  name: string;
  method: MethodType;
  address: string;
  text: string;
  /** What it is about, such as the rule at its site: the same whatever value or time the text names. */
  topic: string;
  kind: 'alarm' | 'resolve' | 'escalation' | 'health' | 'action';
  /** Which escalation this is; 0 for everything else. */
  step: number;
  alarmUuid: string;
  /** When it happened, by the clock of the device; the server's for what no device caused. */
  at: number;
}

/** The last notification of a topic to an address. */
export interface LastNotified {
  at: number;
  alarmUuid: string;
  /** Whether it was a resolution. */
  ended: boolean;
}

/** What the stages know: the notifications so far, in the order of their events. */
export interface StageFacts {
  /** The `onceKey` of every notification of these alarms. */
  queued: ReadonlySet<string>;
  /** By `repeatKey`. */
  last: ReadonlyMap<string, LastNotified>;
  /** Whether the address was notified of this alarm, under any topic, and not of its end. */
  believesOpen(candidate: Candidate): boolean;
}

export type StageResult =
  | { pass: true }
  | {
      pass: false;
      because: string;
      sentence: string;
      /** When it is sent after all if the alarm is still open then, by the clock of its events. */
      until?: number;
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
}

/** For so long the same is not sent again. */
export const repeatMinutes = 10;
const REPEAT_MS = repeatMinutes * 60_000;

/** The same alarm, kind, step, method and address is queued once, even where two people share an address. */
const once: Stage = {
  name: 'once',
  check(candidate, { queued }) {
    if (!queued.has(onceKey(candidate))) return { pass: true };
    const sentence = `${candidate.name} gets this by ${methodNames[candidate.method]} already.`;
    return { pass: false, because: 'already-queued', sentence };
  },
};

/**
 * Suppresses what the recipient was last notified of, for ten minutes by the clock of the events. An escalation repeats on purpose.
 * The opening of another alarm is only deferred: the recipient does not know yet that this one stays open.
 */
const repeat: Stage = {
  name: 'repeat',
  check(candidate, facts) {
    if (candidate.kind === 'escalation') return { pass: true };
    const isResolution = candidate.kind === 'resolve';
    if (isResolution && facts.believesOpen(candidate)) return { pass: true };
    const last = facts.last.get(repeatKey(candidate));
    // Counted both ways: an event of a clock that was ahead for a while suppresses nothing for hours.
    if (!last || last.ended !== isResolution || Math.abs(candidate.at - last.at) >= REPEAT_MS) return { pass: true };
    const to = `to ${candidate.name} by ${methodNames[candidate.method]}`;
    const before = `less than ${repeatMinutes} minutes before`;
    const because = 'said-before';
    if (isResolution) {
      const sentence = `The resolution was not sent ${to}: the resolution of the previous alarm was sent there ${before}.`;
      return { pass: false, because, sentence };
    }
    if (last.alarmUuid === candidate.alarmUuid) {
      return { pass: false, because, sentence: `The opening was already sent ${to}.` };
    }
    const sentence = `The opening was not sent ${to}: the opening of the previous alarm was sent there ${before}. It is sent when the ${repeatMinutes} minutes end, if the alarm is still open.`;
    return { pass: false, because, sentence, until: last.at + REPEAT_MS };
  },
};

/** Every notification passes these from first to last before it is queued. The first that holds it back says why. */
export const stages: readonly Stage[] = [once, repeat];

export function firstSuppression<C extends Candidate>(
  candidate: C,
  facts: StageFacts,
): SuppressedCandidate<C> | undefined {
  for (const { name, check: judge } of stages) {
    const verdict = judge(candidate, facts);
    if (verdict.pass) continue;
    const { because, sentence, until } = verdict;
    return { candidate, stage: name, because, sentence, ...(until !== undefined && { until }) };
  }
  return undefined;
}

type OnceParts = Pick<Candidate, 'alarmUuid' | 'kind' | 'step' | 'method' | 'address'>;

export function onceKey({ alarmUuid, kind, step, method, address }: OnceParts): string {
  return `${alarmUuid}\n${kind}\n${step}\n${method}\n${normalizeAddress(method, address)}`;
}

/** What counts as the same thing: a rule at its site told to an address, whatever the value and the time. */
export function repeatKey(about: Pick<Candidate, 'method' | 'address' | 'topic'>): string {
  return `${addressKey(about)}\n${about.topic}`;
}

export function addressKey({ method, address }: Pick<Candidate, 'method' | 'address'>): string {
  return `${method}\n${normalizeAddress(method, address)}`;
}

/** Nobody has two mailboxes that differ only in capitals. */
export function normalizeAddress(method: MethodType, address: string): string {
  return method === METHOD.email ? address.toLowerCase() : address;
}
