import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';
import { AnswerTooLarge } from '../answer.ts';
import { limits } from './limits.ts';

interface DataRow {
  length: number;
  fields: readonly (string | Buffer | null)[];
}

interface Connection {
  stream: Writable;
  on(event: 'dataRow', listener: (row: DataRow) => void): void;
  off(event: 'dataRow', listener: (row: DataRow) => void): void;
}

/** Counts the data that one request reads from the database. */
export class Budget {
  #bytes = 0;
  #mostBytes: number = limits.bytes;
  /** Number of objects and values read so far. */
  values = 0;
  exceeded = false;

  /** Raises the limit on bytes, for data that the response does not contain. */
  allow(bytes: number): void {
    this.#mostBytes = Math.max(this.#mostBytes, limits.bytes + bytes);
  }

  /**
   * Counts the rows that arrive on a connection. Closes the connection when a limit is exceeded. Returns a function
   * that stops counting.
   */
  watch(client: PoolClient): () => void {
    const { connection } = client as unknown as { connection: Connection };
    const count = (row: DataRow): void => {
      if (this.exceeded) return;
      this.#bytes += row.length;
      this.values += 1 + row.fields.length;
      for (const field of row.fields) if (typeof field === 'string') this.values += nestedValues(field);
      if (this.#bytes <= this.#mostBytes && this.values <= limits.fetchedValues) return;
      this.exceeded = true;
      connection.stream.destroy(new AnswerTooLarge());
    };
    connection.on('dataRow', count);
    return () => connection.off('dataRow', count);
  }
}

/**
 * Counts the rows and values of a nested list. PostGraphile fetches a nested list as one text: an array of rows, in
 * which inner arrays are quoted.
 */
function nestedValues(text: string): number {
  if (!text.startsWith('{{') && !text.startsWith('[')) return 0;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === COMMA || sign === BRACE || sign === BRACKET) count += 1;
  }
  return count;
}

const COMMA = 44;
const BRACKET = 91;
const BRACE = 123;
