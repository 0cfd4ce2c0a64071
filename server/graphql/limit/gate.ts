export interface GateOptions {
  /** Maximum cost of running work, in total and for one user. */
  total: number;
  perPerson: number;
  /** Maximum number of waiting tasks for one user. */
  waiting: number;
}

interface Waiting {
  person: string;
  cost: number;
  enter(): void;
}

/**
 * Limits the total cost of running work. Further work waits in order of arrival. Work whose own cost exceeds the limit
 * runs alone. A user who has reached their own limit does not block other users.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #running = new Map<string, number>();
  #total = 0;
  #queue: Waiting[] = [];

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the work may start, with a function to call at its end. Returns undefined if too much work of this
   * user already waits.
   */
  enter(person: string, cost: number): Promise<() => void> | undefined {
    if (this.#queue.length === 0 && this.#fits(person, cost)) return Promise.resolve(this.#start(person, cost));
    if (this.#queue.filter((one) => one.person === person).length >= this.#options.waiting) return undefined;
    return new Promise((resolve) => {
      this.#queue.push({ person, cost, enter: () => resolve(this.#start(person, cost)) });
      this.#next();
    });
  }

  #fits(person: string, cost: number): boolean {
    const own = this.#running.get(person) ?? 0;
    return (
      (this.#total === 0 || this.#total + cost <= this.#options.total) &&
      (own === 0 || own + cost <= this.#options.perPerson)
    );
  }

  #start(person: string, cost: number): () => void {
    this.#total += cost;
    this.#running.set(person, (this.#running.get(person) ?? 0) + cost);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#total -= cost;
      const left = (this.#running.get(person) ?? 0) - cost;
      if (left > 0) this.#running.set(person, left);
      else this.#running.delete(person);
      this.#next();
    };
  }

  #next(): void {
    const held = new Set<string>();
    for (const one of [...this.#queue]) {
      if (held.has(one.person)) continue;
      if (this.#fits(one.person, one.cost)) {
        this.#queue.splice(this.#queue.indexOf(one), 1);
        one.enter();
      } else if ((this.#running.get(one.person) ?? 0) > 0) {
        held.add(one.person);
      } else {
        // This user has no running work, so this work is waiting for the total limit. Later work must not overtake it.
        return;
      }
    }
  }
}
