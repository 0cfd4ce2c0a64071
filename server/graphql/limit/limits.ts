/** The limits of one request to the API. */
export const limits = {
  depth: 14,
  aliases: 30,
  rootFields: 20,
  /** Planning a query takes about half a millisecond for each field, and nothing else runs meanwhile. */
  fields: 300,
  /** Tokens of the query text, so that parsing it stays cheap. */
  tokens: 10_000,
  /** Values that a request sends along, and how deep they may be nested. */
  values: 10_000,
  valueDepth: 20,
  /** Largest page of a list, and the page of a list that names no size. */
  page: 500,
  /** The page of a list that names no size where it is repeated for each row of another list. */
  nestedPage: 30,
  /** Objects and values that the answer could hold, counted before the request runs. */
  cost: 500_000,
  /** Objects and values that the database may send for one request. A device waits while the server handles them. */
  fetchedValues: 20_000,
  /** Bytes that the database may send for one request, and that the answer may have. */
  bytes: 8 * 1024 * 1024,
} as const;

export class TooMuch extends Error {
  readonly because: string;
  /** The argument or variable that the refused value was given for. */
  readonly field: string | undefined;
  constructor(because: string, sentence: string, field?: string) {
    super(sentence);
    this.because = because;
    this.field = field;
  }
}
