import type { PublicConfig } from '../../api/config.ts';
import { createStore, useStore } from '../../ui/store.ts';

/** The server's public configuration; null before the first fetch, and if that fetch failed. */
export const publicConfig = createStore<PublicConfig | null>(null);

/** Returns the configuration and throws if it is missing. Only for pages that open after a successful start. */
export function usePublicConfig(): PublicConfig {
  const config = useStore(publicConfig);
  if (config === null) {
    throw new Error('This page was opened before the configuration was loaded.');
  }
  return config;
}
