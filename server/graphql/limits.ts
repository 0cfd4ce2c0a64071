import {
  type DocumentNode,
  type FieldNode,
  Kind,
  parse,
  type SelectionSetNode,
  type ValueNode,
} from 'postgraphile/graphql';

/** What one request may ask for. */
export const limits = {
  depth: 14,
  aliases: 30,
  rootFields: 20,
  fields: 1000,
  /** Words and signs of a query, so that reading it stays cheap. */
  tokens: 10_000,
  /** Values that a request sends along, and how deep they may be put into each other. */
  values: 10_000,
  valueDepth: 20,
  /** Rows of one list, and what a list gives that names no size. */
  page: 500,
  /** Rows that a request could touch, counted before it runs. */
  cost: 100_000,
  /** What a list inside a list is reckoned at when it names no size: it is rarely full. */
  assumedPage: 20,
} as const;

export type Verdict =
  | { allowed: true }
  | { allowed: false; because: string; sentence: string; field?: string | undefined };

interface Tally {
  aliases: number;
  fields: number;
  cost: number;
}

class TooMuch extends Error {
  readonly because: string;
  /** What the value was written for that is in the way. */
  readonly field: string | undefined;
  constructor(because: string, sentence: string, field?: string) {
    super(sentence);
    this.because = because;
    this.field = field;
  }
}

/** Judges a request before anything is planned or run. What cannot be parsed is left to the server, which says why. */
export function judge(
  query: string,
  variables: Readonly<Record<string, unknown>>,
  allowed: { introspection: boolean; subscriptions: boolean },
): Verdict {
  try {
    const document = parsed(query);
    if (!document) return { allowed: true };
    checkValue(variables, '', 0, { values: 0 });
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      if (!allowed.subscriptions && definition.operation === 'subscription') {
        throw new TooMuch('NO_SUBSCRIPTIONS', 'Subscriptions are for WebSocket. Send a query or a mutation.');
      }
      if (allowed.subscriptions && definition.operation !== 'subscription') {
        throw new TooMuch('ONLY_SUBSCRIPTIONS', 'This way is for subscriptions. Send queries and mutations by POST.');
      }
      const tally: Tally = { aliases: 0, fields: 0, cost: 0 };
      const defaults: Record<string, unknown> = {};
      for (const variable of definition.variableDefinitions ?? []) {
        if (!variable.defaultValue) continue;
        checkLiteral(variable.defaultValue, variable.variable.name.value, 1);
        defaults[variable.variable.name.value] = literal(variable.defaultValue);
      }
      const walk = new Walk(document, { ...defaults, ...variables }, tally, allowed.introspection);
      if (definition.selectionSet.selections.length > limits.rootFields) {
        throw new TooMuch('TOO_MANY_ROOT_FIELDS', `A request may ask for at most ${limits.rootFields} things at once.`);
      }
      walk.visit(definition.selectionSet, 1, 1, new Set());
    }
    return { allowed: true };
  } catch (error) {
    if (error instanceof TooMuch) {
      const { because, message: sentence, field } = error;
      return { allowed: false, because, sentence, field };
    }
    throw error;
  }
}

const parsedDocuments = new Map<string, DocumentNode | undefined>();

/** The console sends the same few queries again and again, so the last ones stay parsed. */
function parsed(query: string): DocumentNode | undefined {
  if (parsedDocuments.has(query)) return parsedDocuments.get(query);
  let document: DocumentNode | undefined;
  try {
    document = parse(query, { maxTokens: limits.tokens, noLocation: true });
  } catch (error) {
    // The server itself would read on, past everything that is judged here, or run out of stack like this.
    if (error instanceof RangeError) throw new TooMuch('TOO_DEEP', 'The query puts too many brackets into each other.');
    if (/more th[a-z]+ \d+ tokens/.test((error as Error).message)) {
      throw new TooMuch('TOO_LONG', `A query may have at most ${limits.tokens} words and signs.`);
    }
    document = undefined;
  }
  if (parsedDocuments.size >= 500) parsedDocuments.delete(parsedDocuments.keys().next().value as string);
  if (query.length <= 20_000) parsedDocuments.set(query, document);
  return document;
}

class Walk {
  readonly #fragments = new Map<string, SelectionSetNode>();
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #tally: Tally;
  readonly #allowIntrospection: boolean;

  constructor(
    document: DocumentNode,
    variables: Readonly<Record<string, unknown>>,
    tally: Tally,
    allowIntrospection: boolean,
  ) {
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION)
        this.#fragments.set(definition.name.value, definition.selectionSet);
    }
    this.#variables = variables;
    this.#tally = tally;
    this.#allowIntrospection = allowIntrospection;
  }

  /** `times` is how often the selection could be filled in, `open` the fragments we are inside of. */
  visit(selectionSet: SelectionSetNode, depth: number, times: number, open: ReadonlySet<string>): void {
    if (depth > limits.depth) throw new TooMuch('TOO_DEEP', `A request may be at most ${limits.depth} levels deep.`);
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) this.#field(selection, depth, times, open);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        this.#count();
        this.visit(selection.selectionSet, depth, times, open);
      } else {
        const name = selection.name.value;
        const fragment = this.#fragments.get(name);
        // Fragments that only name each other grow without a single field.
        this.#count();
        // A fragment inside itself is refused by validation; here it only must not be followed for ever.
        if (fragment && !open.has(name)) this.visit(fragment, depth, times, new Set([...open, name]));
      }
    }
  }

  #field(field: FieldNode, depth: number, times: number, open: ReadonlySet<string>): void {
    const name = field.name.value;
    const tally = this.#tally;
    this.#count();
    if (field.alias && field.alias.value !== name) tally.aliases += 1;
    if (tally.aliases > limits.aliases)
      throw new TooMuch('TOO_MANY_ALIASES', `A request may use at most ${limits.aliases} aliases.`);
    if (name.startsWith('__') && name !== '__typename') {
      if (!this.#allowIntrospection && !this.#asksForNoType(field))
        throw new TooMuch(
          'INTROSPECTION',
          'The schema cannot be read here. It comes with the product, as web/api/schema.graphql.',
        );
      return;
    }
    for (const argument of field.arguments ?? []) checkLiteral(argument.value, argument.name.value, 1);
    if (!field.selectionSet) return;
    const rows = this.#rows(field);
    const inside = times * (rows ?? 1);
    if (rows !== undefined) tally.cost += inside;
    if (tally.cost > limits.cost) {
      throw new TooMuch(
        'TOO_COSTLY',
        `This request could touch more than ${limits.cost} rows. Ask for smaller pages or fewer levels.`,
      );
    }
    this.visit(field.selectionSet, depth + 1, inside, open);
  }

  /**
   * Types are named with a capital letter, so `__type` with any other name can only be answered with null. The
   * conformance audit of GraphQL over HTTP asks so, and gives nothing away.
   */
  #asksForNoType(field: FieldNode): boolean {
    if (field.name.value !== '__type') return false;
    const name = field.arguments?.find((argument) => argument.name.value === 'name')?.value;
    const text =
      name?.kind === Kind.VARIABLE ? this.#variables[name.name.value] : name?.kind === Kind.STRING && name.value;
    return typeof text === 'string' && !/^[A-Z_]\w*$/.test(text);
  }

  #count(): void {
    this.#tally.fields += 1;
    if (this.#tally.fields > limits.fields)
      throw new TooMuch('TOO_MANY_FIELDS', `A request may name at most ${limits.fields} fields.`);
  }

  /** How many rows a list could give; undefined where the field is no list. */
  #rows(field: FieldNode): number | undefined {
    const offset = this.#argument(field, 'offset');
    if (offset?.value != null && !isCount(offset.value)) {
      throw new TooMuch('NOT_A_PAGE', 'offset must be a whole number from 0 on.');
    }
    const first = this.#argument(field, 'first');
    if (first) {
      const { value } = first;
      if (value === undefined) return limits.page;
      if (!isCount(value) || value > limits.page) {
        throw new TooMuch(
          isCount(value) ? 'PAGE_TOO_LARGE' : 'NOT_A_PAGE',
          `first must be a whole number from 0 to ${limits.page}. Ask for the rest with after or offset.`,
        );
      }
      return value;
    }
    return this.#asksForRows(field.selectionSet, new Set()) ? limits.assumedPage : undefined;
  }

  /** What a field is given under a name; undefined where the name is not there. */
  #argument(field: FieldNode, name: string): { value: unknown } | undefined {
    const argument = field.arguments?.find((one) => one.name.value === name)?.value;
    return (
      argument && { value: argument.kind === Kind.VARIABLE ? this.#variables[argument.name.value] : literal(argument) }
    );
  }

  /** Whether a selection names the rows of a list, itself or through a fragment. */
  #asksForRows(selectionSet: SelectionSetNode | undefined, seen: Set<string>): boolean {
    return (selectionSet?.selections ?? []).some((selection) => {
      if (selection.kind === Kind.FIELD) return ['nodes', 'edges'].includes(selection.name.value);
      if (selection.kind === Kind.INLINE_FRAGMENT) return this.#asksForRows(selection.selectionSet, seen);
      const name = selection.name.value;
      if (seen.has(name)) return false;
      seen.add(name);
      return this.#asksForRows(this.#fragments.get(name), seen);
    });
  }
}

/** Values inside values, such as filters, are read by recursion further on, which must end in time. */
function checkValue(value: unknown, name: string, depth: number, tally: { values: number }): void {
  tally.values += 1;
  if (tally.values > limits.values)
    throw new TooMuch('TOO_MANY_VALUES', `A request may send at most ${limits.values} values.`);
  if (typeof value === 'string') checkText(value, name);
  if (typeof value !== 'object' || value === null) return;
  checkDepth(depth);
  for (const [key, inner] of Object.entries(value)) {
    checkValue(inner, Array.isArray(value) ? name : key, depth + 1, tally);
  }
}

/** The same for what is written into the query, which has no more values than it has words. */
function checkLiteral(value: ValueNode, name: string, depth: number): void {
  if (value.kind === Kind.STRING) checkText(value.value, name);
  if (value.kind !== Kind.LIST && value.kind !== Kind.OBJECT) return;
  checkDepth(depth);
  if (value.kind === Kind.LIST) for (const inner of value.values) checkLiteral(inner, name, depth + 1);
  else for (const field of value.fields) checkLiteral(field.value, field.name.value, depth + 1);
}

/** PostgreSQL has no text with it, and would not say in which field it stands. */
function checkText(text: string, name: string): void {
  if (text.includes('\0'))
    throw new TooMuch('BAD_USER_INPUT', 'A text cannot hold the character NUL (U+0000). Take it out.', name);
}

function checkDepth(depth: number): void {
  if (depth > limits.valueDepth)
    throw new TooMuch('VALUES_TOO_DEEP', `Values may be at most ${limits.valueDepth} levels deep.`);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function literal(value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.NULL) return null;
  return value.kind;
}
