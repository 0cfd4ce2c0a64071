import { METHOD } from './methods.ts';
import type { UsedUpBudget } from './sms-budget.ts';
import {
  addressKey,
  type Candidate,
  checkBudget,
  firstSuppression,
  type LastNotified,
  normalizeAddress,
  onceKey,
  repeatKey,
  type StageFacts,
  type SuppressedCandidate,
} from './stages.ts';

/** A suppressed opening notification. It is sent at `until` if its alarm is still open. */
export interface Deferred<C extends Candidate> {
  candidate: C;
  /** Event time at which the notification is due. */
  until: number;
}

/** The SMS budgets of the candidates' customers and unit offices. */
export interface SmsBudgetFacts<C extends Candidate> {
  usedUp(candidate: C): UsedUpBudget | undefined;
  /** Counts the segments of an SMS that is sent. */
  count(candidate: C): void;
}

/**
 * Decides which notifications are sent. The result depends only on the events and their order. It does not matter
 * whether the events arrive one by one, in one transaction, or in a replay by the simulator.
 */
export class Suppression<C extends Candidate> implements StageFacts {
  /** Notifications sent by this instance, in the order of their events. */
  readonly sent: C[] = [];
  readonly queued = new Set<string>();
  readonly last = new Map<string, LastNotified & Pick<Candidate, 'method' | 'address' | 'topic'>>();
  /** Notifications that the next digests replace, in the order of their events. */
  readonly digested: C[] = [];
  /** Deferred notifications keyed by `onceKey`. */
  readonly deferred = new Map<string, Deferred<C>>();
  readonly openedInFlood: (alarmUuid: string) => boolean;
  readonly #budgets: SmsBudgetFacts<C> | undefined;
  /** For each combination of address and alarm, the keys under which `last` has entries. */
  readonly #keys = new Map<string, Set<string>>();

  /** If `budgets` is undefined, no budget suppresses an SMS. By default, there are no alarm floods. */
  constructor(budgets?: SmsBudgetFacts<C>, openedInFlood: (alarmUuid: string) => boolean = () => false) {
    this.#budgets = budgets;
    this.openedInFlood = openedInFlood;
  }

  usedUp(candidate: Candidate): UsedUpBudget | undefined {
    return this.#budgets?.usedUp(candidate as C);
  }

  /** Records the last notification of a topic to an address. */
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

  /**
   * Sends or suppresses candidates, which must be in the order of their events. Checks the SMS messages of each event
   * last, because the budget can suppress an SMS only if another method is used. Returns the suppressed candidates,
   * which can include deferred candidates that became due.
   */
  submit(candidates: readonly C[]): SuppressedCandidate<C>[] {
    const held: SuppressedCandidate<C>[] = [];
    for (const candidate of smsLast(candidates)) {
      held.push(...this.advance(candidate.topic, candidate.at));
      const refusal = firstSuppression(candidate, this);
      if (!refusal) this.#send(candidate);
      else {
        held.push(refusal);
        const key = onceKey(candidate);
        if (refusal.digest) {
          this.digested.push(candidate);
          this.queued.add(key);
        }
        if (refusal.until !== undefined && !this.deferred.has(key)) {
          this.deferred.set(key, { candidate, until: refusal.until });
        }
      }
    }
    return held;
  }

  /**
   * Sends the deferred notifications of the topic that are due at `at`. Their alarms must still be open. Returns the
   * notifications that the budget suppresses.
   */
  advance(topic: string, at: number): SuppressedCandidate<C>[] {
    if (this.deferred.size === 0) return [];
    return this.settle(
      (deferred) => deferred.candidate.topic === topic && deferred.until <= at,
      () => true,
    );
  }

  /**
   * Ends an alarm: sends its deferred notifications for which `isDue` returns true, and cancels the others. Returns the
   * notifications that the budget suppresses.
   */
  endAlarm(alarmUuid: string, isDue: (deferred: Deferred<C>) => boolean): SuppressedCandidate<C>[] {
    if (this.deferred.size === 0) return [];
    return this.settle(({ candidate }) => candidate.alarmUuid === alarmUuid, isDue);
  }

  /**
   * Removes the deferred notifications that `concerns` selects. Sends those for which `isDue` returns true. Returns the
   * notifications that the budget suppresses.
   */
  settle(
    concerns: (deferred: Deferred<C>) => boolean,
    isDue: (deferred: Deferred<C>) => boolean,
  ): SuppressedCandidate<C>[] {
    const held: SuppressedCandidate<C>[] = [];
    const concerned = [...this.deferred].filter(([, deferred]) => concerns(deferred));
    const placeOf = ({ candidate }: Deferred<C>) => (candidate.method === METHOD.sms ? 1 : 0);
    for (const [key, deferred] of concerned.toSorted(([, a], [, b]) => a.until - b.until || placeOf(a) - placeOf(b))) {
      this.deferred.delete(key);
      const candidate = { ...deferred.candidate, at: deferred.until };
      // The notification is not sent if, for example, an escalation has notified the address in the meantime.
      if (!isDue(deferred) || this.queued.has(key) || this.believesOpen(candidate)) continue;
      const refusal = checkBudget(candidate, this);
      if (refusal) held.push(refusal);
      else this.#send(candidate);
    }
    return held;
  }

  #send(candidate: C): void {
    this.sent.push(candidate);
    this.#budgets?.count(candidate);
    this.queued.add(onceKey(candidate));
    const { at, alarmUuid } = candidate;
    const ended = candidate.kind === 'resolve';
    if (ended) for (const notified of this.#notifiedOf(candidate)) Object.assign(notified, { at, ended });
    this.recordSent(candidate, { at, alarmUuid, ended });
  }

  /**
   * Returns the last notifications about the candidate's alarm to its address. There can be several, because rules that
   * share an alarm have different topics.
   */
  #notifiedOf(candidate: Candidate): LastNotified[] {
    const keys = this.#keys.get(alarmKey(candidate)) ?? [];
    return [...keys].flatMap((key) => {
      const notified = this.last.get(key);
      return notified?.alarmUuid === candidate.alarmUuid ? [notified] : [];
    });
  }
}

/** Moves the SMS candidates of each event to the end of the event. Keeps the order of the events. */
function smsLast<C extends Candidate>(candidates: readonly C[]): C[] {
  const events = Map.groupBy(candidates, ({ alarmUuid, kind, step, at }) => `${alarmUuid} ${kind} ${step} ${at}`);
  return [...events.values()].flatMap((same) => [
    ...same.filter(({ method }) => method !== METHOD.sms),
    ...same.filter(({ method }) => method === METHOD.sms),
  ]);
}

function alarmKey(candidate: Pick<Candidate, 'method' | 'address' | 'alarmUuid'>): string {
  return `${addressKey(candidate)}\n${candidate.alarmUuid}`;
}
