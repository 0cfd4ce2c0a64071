import type { PublicConfig } from '../../api/config.ts';
import { createStore, useStore } from '../../ui/store.ts';

/** The server's public configuration; null until it is fetched, and after a failed fetch. */
export const publicConfig = createStore<PublicConfig | null>(null);

/** Throws without a configuration. Only for pages that open after a successful start. */
export function usePublicConfig(): PublicConfig {
  const config = useStore(publicConfig);
  if (config === null) {
    throw new Error('This page was opened before the configuration was known.');
  }
  return config;
}
