import { type DocumentNode, type GraphQLSchema, Kind, parse } from 'postgraphile/graphql';
import { checkLiteral, checkVariables, literal } from '../values.ts';
import { CostWalk } from './cost.ts';
import { limits, TooMuch } from './limits.ts';

export type QueryCheck =
  | {
      allowed: true;
      /** Query to run, with a page size added to each nested list that has none. */
      query: string;
      /** Maximum number of objects and values that the response can contain. */
      cost: number;
      /** Number of fields and fragments in the query. The fields of a fragment count at each use. */
      fields: number;
    }
  | { allowed: false; because: string; sentence: string; field?: string | undefined };

export interface Allowed {
  introspection: boolean;
  subscriptions: boolean;
}

/** Checks a request before it is planned or run. Ignores parse errors, because the server reports them. */
export function checkQuery(
  schema: GraphQLSchema,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  allowed: Allowed,
): QueryCheck {
  try {
    const document = parsed(query);
    if (!document) return { allowed: true, query, cost: 0, fields: 0 };
    checkVariables(variables);
    const pages = new Map<number, string>();
    let cost = 0;
    let fields = 0;
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      if (!allowed.subscriptions && definition.operation === 'subscription') {
        throw new TooMuch('NO_SUBSCRIPTIONS', 'Subscriptions work only over WebSocket. Send a query or a mutation.');
      }
      if (allowed.subscriptions && definition.operation !== 'subscription') {
        throw new TooMuch(
          'ONLY_SUBSCRIPTIONS',
          'This endpoint is for subscriptions. Send queries and mutations by POST.',
        );
      }
      const defaults: Record<string, unknown> = {};
      for (const variable of definition.variableDefinitions ?? []) {
        if (!variable.defaultValue) continue;
        checkLiteral(variable.defaultValue, variable.variable.name.value, 1);
        defaults[variable.variable.name.value] = literal(variable.defaultValue);
      }
      if (definition.selectionSet.selections.length > limits.rootFields) {
        throw new TooMuch(
          'TOO_MANY_ROOT_FIELDS',
          `A request may have at most ${limits.rootFields} top-level fields. Send several requests.`,
        );
      }
      const walk = new CostWalk({
        document,
        variables: { ...defaults, ...variables },
        pages,
        allowIntrospection: allowed.introspection,
      });
      walk.visit(definition.selectionSet, schema.getRootType(definition.operation) ?? undefined, schema);
      cost = Math.max(cost, walk.cost);
      fields = Math.max(fields, walk.fields);
    }
    return { allowed: true, query: withPages(query, pages), cost, fields };
  } catch (error) {
    if (error instanceof TooMuch) {
      const { because, message: sentence, field } = error;
      return { allowed: false, because, sentence, field };
    }
    throw error;
  }
}

const parsedDocuments = new Map<string, DocumentNode | undefined>();

/**
 * Parses a query; returns undefined after a parse error. Caches the result, because the console repeats a few queries.
 */
function parsed(query: string): DocumentNode | undefined {
  if (parsedDocuments.has(query)) return parsedDocuments.get(query);
  let document: DocumentNode | undefined;
  try {
    document = parse(query, { maxTokens: limits.tokens });
  } catch (error) {
    // A query that is too deep or too long must not reach the server's own parser, which has no token limit.
    if (error instanceof RangeError)
      throw new TooMuch('TOO_DEEP', 'The query is nested too deeply. Request fewer levels.');
    if (/more th[a-z]+ \d+ tokens/.test((error as Error).message)) {
      throw new TooMuch('TOO_LONG', `A query may have at most ${limits.tokens} tokens. Shorten it, or use variables.`);
    }
    document = undefined;
  }
  if (parsedDocuments.size >= 500) parsedDocuments.delete(parsedDocuments.keys().next().value as string);
  if (query.length <= 20_000) parsedDocuments.set(query, document);
  return document;
}

/** Inserts the page sizes into the query text at their offsets. */
function withPages(query: string, pages: ReadonlyMap<number, string>): string {
  let text = query;
  for (const [offset, page] of [...pages].toSorted(([a], [b]) => b - a)) {
    text = text.slice(0, offset) + page + text.slice(offset);
  }
  return text;
}
