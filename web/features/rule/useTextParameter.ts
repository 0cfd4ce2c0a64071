import { useSearch } from '@tanstack/react-router';

/** Returns a text parameter of the URL; undefined if it is empty or missing. */
export function useTextParameter(name: string): string | undefined {
  const value = (useSearch({ strict: false }) as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
