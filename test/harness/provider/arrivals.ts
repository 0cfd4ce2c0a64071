/** Stores the items that arrive at a test server. Tests can wait for a matching item. */
export class Arrivals<T> {
  readonly all: T[] = [];
  readonly #noun: string;
  readonly #words: (one: T) => string;
  readonly #waiting = new Set<() => void>();

  /** `noun` and `words` describe the items in the error after a timeout. */
  constructor(noun: string, words: (one: T) => string) {
    this.#noun = noun;
    this.#words = words;
  }

  add(one: T): void {
    this.all.push(one);
    for (const look of [...this.#waiting]) look();
  }

  /** Resolves with the first matching item, past or future, or rejects after the timeout. */
  waitFor(fits: (one: T) => boolean, milliseconds = 30_000): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
      };
      const look = () => {
        const found = this.all.find(fits);
        if (found === undefined) return;
        done();
        resolve(found);
      };
      const timer = setTimeout(() => {
        done();
        const came = this.all.map(this.#words).join('; ');
        reject(new Error(`No matching ${this.#noun} arrived within ${milliseconds} ms. Arrived: ${came || 'none'}.`));
      }, milliseconds);
      this.#waiting.add(look);
      look();
    });
  }

  clear(): void {
    this.all.length = 0;
  }
}
