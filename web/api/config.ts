import { call } from './http.ts';

/** What the server tells everybody before anybody has signed in. */
export interface PublicConfig {
  product: string;
  version: string;
  /** The customer this address belongs to; null on a fresh install that has none yet. */
  customer: { id: number; name: string; timeZone: string } | null;
  demo: boolean;
  /** True where codes can be sent by e-mail. */
  mail: boolean;
  /** What a browser subscribes with to be told by push; null where the server sends none. */
  pushKey: string | null;
  /** How long readings are kept one by one: a device's value from before is refused. */
  keepReadingsDays: number;
  /** Whom to ask for help; empty texts where nobody is named. */
  contact: { email: string; phone: string };
}

export function fetchConfig(): Promise<PublicConfig> {
  return call<PublicConfig>('GET', '/api/v1/config');
}
