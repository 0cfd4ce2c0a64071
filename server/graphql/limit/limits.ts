/** Limits of one API request. */
export const limits = {
  depth: 14,
  aliases: 30,
  rootFields: 20,
  /**
   * Maximum number of fields in a query. Planning takes about half a millisecond for each field and blocks the event
   * loop.
   */
  fields: 300,
  /** Maximum number of tokens in the query text, so that parsing stays cheap. */
  tokens: 10_000,
  /** Maximum number and nesting depth of the values in the variables of a request. */
  values: 10_000,
  valueDepth: 20,
  /** Maximum page size of a list, which is also the default. */
  page: 500,
  /** Default page size of a nested list. */
  nestedPage: 30,
  /** Maximum number of objects and values in a response, estimated before the request runs. */
  cost: 500_000,
  /**
   * Maximum number of objects and values that the database sends for one request. The server cannot accept frames from
   * devices while it processes them.
   */
  fetchedValues: 20_000,
  /** Maximum size of the data that the database sends for one request, and of the response, in bytes. */
  bytes: 8 * 1024 * 1024,
  /** Additional bytes for a request that replays stored readings. The readings are not part of the response. */
  historyBytes: 40 * 1024 * 1024,
} as const;

export class TooMuch extends Error {
  readonly because: string;
  /** Argument or variable with the refused value. */
  readonly field: string | undefined;
  constructor(because: string, sentence: string, field?: string) {
    super(sentence);
    this.because = because;
    this.field = field;
  }
}
