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
}

export interface StageFacts {
  now: number;
  /** The `onceKey` of every message of this alarm that there is already. */
  alreadyQueued: ReadonlySet<string>;
  /** By `repeatKey`, when the last thing that address was told of a topic was told; anything else told since takes its place. */
  lastSent: ReadonlyMap<string, number>;
}

export type Verdict = { pass: true } | { pass: false; because: string; sentence: string };

export interface Stage {
  readonly name: string;
  judge(candidate: Candidate, facts: StageFacts): Verdict;
}

export interface Held {
  candidate: Candidate;
  stage: string;
  because: string;
  sentence: string;
}

/** Within this time the same thing is not said again. */
export const repeatMinutes = 10;

/** The same alarm, kind, step, way and address is queued once, even where a crash lets its step run again. */
const once: Stage = {
  name: 'once',
  judge(candidate, { alreadyQueued }) {
    if (!alreadyQueued.has(onceKey(candidate))) return { pass: true };
    const sentence = `${candidate.name} gets this by ${methodNames[candidate.method]} already.`;
    return { pass: false, because: 'already-queued', sentence };
  },
};

/** An escalation says the same again on purpose. */
const repeat: Stage = {
  name: 'repeat',
  judge(candidate, { now, lastSent }) {
    if (candidate.kind === 'escalation') return { pass: true };
    const before = lastSent.get(repeatKey(candidate));
    // Counted both ways, so that a clock that was ahead for a while does not keep people from being told.
    if (before === undefined || Math.abs(now - before) >= repeatMinutes * 60_000) return { pass: true };
    const way = methodNames[candidate.method];
    const sentence = `${candidate.name} was told the same by ${way} less than ${repeatMinutes} minutes before.`;
    return { pass: false, because: 'said-before', sentence };
  },
};

/** Every message passes these from first to last before it is queued. The first that holds it back says why. */
export const stages: readonly Stage[] = [once, repeat];

/** What is to be queued, in the order given. A message that passed counts for those after it. */
export function runStages(candidates: readonly Candidate[], facts: StageFacts): { send: Candidate[]; held: Held[] } {
  const alreadyQueued = new Set(facts.alreadyQueued);
  const lastSent = new Map(facts.lastSent);
  const sofar: StageFacts = { ...facts, alreadyQueued, lastSent };
  const send: Candidate[] = [];
  const held: Held[] = [];
  for (const candidate of candidates) {
    const refusal = firstRefusal(candidate, sofar);
    if (refusal) {
      held.push(refusal);
      continue;
    }
    send.push(candidate);
    alreadyQueued.add(onceKey(candidate));
    lastSent.set(repeatKey(candidate), facts.now);
  }
  return { send, held };
}

function firstRefusal(candidate: Candidate, facts: StageFacts): Held | undefined {
  for (const stage of stages) {
    const verdict = stage.judge(candidate, facts);
    if (!verdict.pass) {
      return { candidate, stage: stage.name, because: verdict.because, sentence: verdict.sentence };
    }
  }
  return undefined;
}

type OnceParts = Pick<Candidate, 'alarmUuid' | 'kind' | 'step' | 'method' | 'address'>;

export function onceKey({ alarmUuid, kind, step, method, address }: OnceParts): string {
  return `${alarmUuid}\n${kind}\n${step}\n${method}\n${sameAddress(method, address)}`;
}

/**
 * What counts as the same thing: whatever the value and the time, a rule that is out again has been told already. Who was told
 * since that it is over is told anew.
 */
export function repeatKey({
  method,
  address,
  topic,
  kind,
}: Pick<Candidate, 'method' | 'address' | 'topic' | 'kind'>): string {
  return `${method}\n${sameAddress(method, address)}\n${topic}\n${kind === 'resolve' ? 'over' : 'out'}`;
}

/** Nobody has two mailboxes that differ only in capitals. */
function sameAddress(method: MethodType, address: string): string {
  return method === METHOD.email ? address.toLowerCase() : address;
}
