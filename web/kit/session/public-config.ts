import type { PublicConfig } from '../../api/config.ts';
import { createStore, useStore } from '../../ui/store.ts';

/** The server's public configuration; null until the start has fetched it, and for good when that failed. */
export const publicConfig = createStore<PublicConfig | null>(null);

/** For pages that open only after the start has succeeded. */
export function usePublicConfig(): PublicConfig {
  const config = useStore(publicConfig);
  if (config === null) {
    throw new Error('This page was opened before the configuration was known.');
  }
  return config;
}
