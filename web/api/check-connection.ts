import { call } from './http.ts';

/** Sends a minimal query to check the connection; `call` records whether the server responded. */
export function checkConnection(): void {
  void call('POST', '/graphql', { body: { query: '{ __typename }' } }).catch(() => undefined);
}
