import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from './limit/limits.ts';

/** Thrown if the response exceeds the size limit. The request's mutations are already committed. */
export class AnswerTooLarge extends Error {
  readonly code = 'ANSWER_TOO_LARGE';
  constructor() {
    super(
      `The response is too large. The maximum is ${limits.bytes / 1024 / 1024} MB and ${limits.fetchedValues} values. Request smaller pages with "first", or fewer fields. The changes made by the request were saved.`,
    );
  }
}

/** Number of characters that are written before the event loop serves other work. */
const SLICE = 64 * 1024;

/** Writes a response as JSON in slices. Throws `AnswerTooLarge` as soon as the size limit is exceeded. */
export async function writeAnswer(answer: unknown): Promise<string> {
  const writer = new Writer();
  for (const _slice of writer.write(answer)) await nextTurn();
  return writer.text();
}

class Writer {
  readonly #slices: string[] = [];
  #slice = '';
  #bytes = 0;

  /**
   * Writes a value piece by piece, so that other work can run after each slice. An object without nested objects is one
   * piece.
   */
  *write(value: unknown): Generator<void> {
    if (Array.isArray(value)) {
      this.#slice += '[';
      for (const [index, item] of value.entries()) {
        if (index > 0) this.#slice += ',';
        yield* this.write(item ?? null);
      }
      this.#slice += ']';
    } else if (hasParts(value)) {
      this.#slice += '{';
      let first = true;
      for (const [key, item] of Object.entries(value)) {
        if (item === undefined) continue;
        this.#slice += `${first ? '' : ','}${JSON.stringify(key)}:`;
        first = false;
        yield* this.write(item);
      }
      this.#slice += '}';
    } else {
      this.#slice += JSON.stringify(value);
    }
    if (this.#slice.length > SLICE) {
      this.#flush();
      yield;
    }
  }

  #flush(): void {
    this.#bytes += Buffer.byteLength(this.#slice);
    if (this.#bytes > limits.bytes) throw new AnswerTooLarge();
    this.#slices.push(this.#slice);
    this.#slice = '';
  }

  text(): string {
    this.#flush();
    return this.#slices.join('');
  }
}

/** Returns whether a value contains nested objects. Errors do not count, because they have `toJSON`. */
function hasParts(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  return Object.values(value).some((item) => typeof item === 'object' && item !== null);
}
