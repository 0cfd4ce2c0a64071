import { call } from './http.ts';

/** Asks the server for nothing, to hear whether it is there; what it answers is noticed by the call itself. */
export function knock(): void {
  void call('POST', '/graphql', { body: { query: '{ __typename }' } }).catch(() => undefined);
}
