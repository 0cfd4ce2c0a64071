import { call } from './http.ts';

/** Sends an empty query to check the connection; `call` itself records the result. */
export function checkConnection(): void {
  void call('POST', '/graphql', { body: { query: '{ __typename }' } }).catch(() => undefined);
}
