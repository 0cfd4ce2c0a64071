import { call } from './http.ts';

/** Configuration that the server gives before sign-in. */
export interface PublicConfig {
  product: string;
  version: string;
  /** The customer of this host name; null on a fresh installation without one. */
  customer: { id: number; name: string; timeZone: string } | null;
  demo: boolean;
  /** Whether codes can be sent by e-mail. */
  mail: boolean;
  /** The public key for push subscriptions; null if the server sends no push. */
  pushKey: string | null;
  /** Retention of raw readings in days: older device values are refused. */
  keepReadingsDays: number;
  /** Contact for help; empty if none is configured. */
  contact: { email: string; phone: string };
}

export function fetchConfig(): Promise<PublicConfig> {
  return call<PublicConfig>('GET', '/api/v1/config');
}
