import {
  addressKey,
  type Candidate,
  firstSuppression,
  type LastNotified,
  normalizeAddress,
  onceKey,
  repeatKey,
  type StageFacts,
  type SuppressedCandidate,
} from './stages.ts';

/** An opening that was suppressed, and is sent at `until` if its alarm is still open. */
export interface Deferred<C extends Candidate> {
  candidate: C;
  /** By the clock of the events. */
  until: number;
}

/**
 * Decides which notifications are sent. It depends only on the events and their order, so the same events give the same
 * notifications one by one, in one transaction, or replayed by the simulator.
 */
export class Suppression<C extends Candidate> implements StageFacts {
  /** What was sent here, in the order of its events. */
  readonly sent: C[] = [];
  readonly queued = new Set<string>();
  readonly last = new Map<string, LastNotified & Pick<Candidate, 'method' | 'address' | 'topic'>>();
  /** By `onceKey`. */
  readonly deferred = new Map<string, Deferred<C>>();
  /** By address and alarm, the keys of `last`. */
  readonly #keys = new Map<string, Set<string>>();

  /** What was sent before. */
  recordSent(about: Pick<Candidate, 'method' | 'address' | 'topic'>, { at, alarmUuid, ended }: LastNotified): void {
    const { method, topic } = about;
    const address = normalizeAddress(method, about.address);
    const key = repeatKey(about);
    this.last.set(key, { method, address, topic, at, alarmUuid, ended });
    const alarm = alarmKey({ method, address, alarmUuid });
    const keys = this.#keys.get(alarm);
    if (keys) keys.add(key);
    else this.#keys.set(alarm, new Set([key]));
  }

  believesOpen(candidate: Candidate): boolean {
    return this.#notifiedOf(candidate).some(({ ended }) => !ended);
  }

  /** In the order of the events. Answers what was held back. */
  submit(candidates: readonly C[]): SuppressedCandidate<C>[] {
    const held: SuppressedCandidate<C>[] = [];
    for (const candidate of candidates) {
      this.advance(candidate.topic, candidate.at);
      const refusal = firstSuppression(candidate, this);
      if (!refusal) this.#send(candidate);
      else {
        held.push(refusal);
        const key = onceKey(candidate);
        if (refusal.until !== undefined && !this.deferred.has(key)) {
          this.deferred.set(key, { candidate, until: refusal.until });
        }
      }
    }
    return held;
  }

  /** Sends what was deferred until a moment, because its alarm is still open. */
  advance(topic: string, at: number): void {
    if (this.deferred.size === 0) return;
    this.settle(
      (deferred) => deferred.candidate.topic === topic && deferred.until <= at,
      () => true,
    );
  }

  /** An alarm ends. What was deferred until before that is sent first; the rest is cancelled. */
  endAlarm(alarmUuid: string, isDue: (deferred: Deferred<C>) => boolean): void {
    if (this.deferred.size === 0) return;
    this.settle(({ candidate }) => candidate.alarmUuid === alarmUuid, isDue);
  }

  /** Sends or cancels deferred notifications. */
  settle(concerns: (deferred: Deferred<C>) => boolean, isDue: (deferred: Deferred<C>) => boolean): void {
    const concerned = [...this.deferred].filter(([, deferred]) => concerns(deferred));
    for (const [key, deferred] of concerned.toSorted(([, a], [, b]) => a.until - b.until)) {
      this.deferred.delete(key);
      const candidate = { ...deferred.candidate, at: deferred.until };
      // An escalation may have come first.
      if (isDue(deferred) && !this.queued.has(key) && !this.believesOpen(candidate)) this.#send(candidate);
    }
  }

  #send(candidate: C): void {
    this.sent.push(candidate);
    this.queued.add(onceKey(candidate));
    const { at, alarmUuid } = candidate;
    const ended = candidate.kind === 'resolve';
    if (ended) for (const told of this.#notifiedOf(candidate)) Object.assign(told, { at, ended });
    this.recordSent(candidate, { at, alarmUuid, ended });
  }

  /** What an address was last notified of, where that was this alarm: rules that share it have a topic each. */
  #notifiedOf(candidate: Candidate): LastNotified[] {
    const keys = this.#keys.get(alarmKey(candidate)) ?? [];
    return [...keys].flatMap((key) => {
      const told = this.last.get(key);
      return told?.alarmUuid === candidate.alarmUuid ? [told] : [];
    });
  }
}

function alarmKey(candidate: Pick<Candidate, 'method' | 'address' | 'alarmUuid'>): string {
  return `${addressKey(candidate)}\n${candidate.alarmUuid}`;
}
