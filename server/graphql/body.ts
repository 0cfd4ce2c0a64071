export interface Asked {
  query: string;
  variables: Record<string, unknown>;
}

export interface Unasked {
  sentence: string;
  field?: string;
}

/**
 * Parses the body of a request. Returns a message about the first error, because the GraphQL library's messages do not
 * help the client.
 */
export function readBody(body: unknown): Asked | Unasked {
  if (!isObject(body)) {
    return { sentence: 'Send one JSON object with a query, such as {"query": "{ sites { totalCount } }"}.' };
  }
  const { query, variables, operationName, extensions } = body;
  if (typeof query !== 'string') {
    return {
      sentence: `The query is ${query == null ? 'missing' : 'not a string'}. Send it as {"query": "{ sites { totalCount } }"}.`,
      field: 'query',
    };
  }
  if (variables != null && !isObject(variables)) {
    return {
      sentence:
        'The variables are not a JSON object. Send an object with their names and values, such as {"id": "PS-0009"}.',
      field: 'variables',
    };
  }
  if (operationName != null && typeof operationName !== 'string') {
    return {
      sentence: 'The operationName is not a string. Leave it out, or specify the name of an operation in the query.',
      field: 'operationName',
    };
  }
  if (extensions != null && !isObject(extensions)) {
    return { sentence: 'The extensions are not a JSON object. Leave them out.', field: 'extensions' };
  }
  return { query, variables: variables ?? {} };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
