import { call } from './http.ts';

/** Configuration that the server sends before sign-in. */
export interface PublicConfig {
  product: string;
  version: string;
  /** The customer of this host name; null on a new installation that has no customer yet. */
  customer: { id: number; name: string; timeZone: string } | null;
  demo: boolean;
  /** Whether the server can send codes by e-mail. */
  mail: boolean;
  /** The public key for push subscriptions; null if the server sends no push. */
  pushKey: string | null;
  /** Retention of raw readings in days. The server refuses older values from devices. */
  keepReadingsDays: number;
  /** Contact for help; the fields are empty if none is configured. */
  contact: { email: string; phone: string };
}

export function fetchConfig(): Promise<PublicConfig> {
  return call<PublicConfig>('GET', '/api/v1/config');
}
