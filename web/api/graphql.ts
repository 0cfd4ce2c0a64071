import type { initGraphQLTada, ResultOf, TadaDocumentNode, VariablesOf } from 'gql.tada';
import { ApiError, call } from './http.ts';
import type { introspection } from './schema-types.gen.d.ts';

interface Setup {
  introspection: introspection;
  /** Turns off fragment masking, because this project uses fragments only to avoid repetition. */
  disableMasking: true;
  scalars: { UUID: string; Date: string; Datetime: string; BigInt: string; JSON: unknown; Cursor: string };
}
type Graphql = ReturnType<typeof initGraphQLTada<Setup>>;
type Document = TadaDocumentNode<any, any, any>;

/**
 * Creates an operation or fragment, typed by the schema. The result contains only the text: the server parses it, and
 * tools/check-operations.ts checks it against the schema.
 */
export const graphql = ((text: string, fragments: readonly Document[] = []) =>
  ({ text: [text, ...fragments.map(textOf)].join('\n') }) as unknown) as Graphql;

export type { FragmentOf, ResultOf, VariablesOf } from 'gql.tada';

function textOf(document: Document): string {
  return (document as unknown as { text: string }).text;
}

function nameOf(text: string): string | undefined {
  return /\b(?:query|mutation) (\w+)/.exec(text)?.[1];
}

/**
 * An error from the server with the name of the field that caused it, so that a form can show the error at that field.
 */
export class GraphqlError extends ApiError {
  readonly code: string;
  readonly field: string | undefined;

  constructor(status: number, message: string, code: string, field: string | undefined) {
    super(status, message);
    this.name = 'GraphqlError';
    this.code = code;
    this.field = field;
  }
}

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string; field?: string } }[];
}

/** Queries the server and returns the data. Throws on any error: partial data would look complete. */
export async function ask<D extends Document>(
  document: D,
  variables: VariablesOf<D>,
  signal?: AbortSignal,
): Promise<ResultOf<D>> {
  const answer = await post<ResultOf<D>>(
    { operationName: nameOf(textOf(document)), query: textOf(document), variables },
    signal,
  );
  const error = answer.errors?.[0];
  if (error) throw new GraphqlError(200, error.message, error.extensions?.code ?? '', error.extensions?.field);
  if (!answer.data) throw new GraphqlError(200, 'The server’s response could not be read. Try again.', '', undefined);
  return answer.data;
}

async function post<Data>(body: unknown, signal: AbortSignal | undefined): Promise<Answer<Data>> {
  // A page starts all its queries in one task. Each request starts in a task of its own, so that the browser can render
  // in between.
  await nextTask();
  try {
    return await call<Answer<Data>>('POST', '/graphql', { body, ...(signal && { signal }) });
  } catch (error) {
    // Even if the server refuses the whole GraphQL request, the response body has the GraphQL error format.
    const refused = error instanceof ApiError ? (error.body as Answer<Data> | null)?.errors?.[0] : undefined;
    if (!(error instanceof ApiError) || !refused) throw error;
    throw new GraphqlError(error.status, refused.message, refused.extensions?.code ?? '', refused.extensions?.field);
  }
}

// Waits for the next task. Uses a message instead of a timer, because browsers delay timers in background tabs.
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
