import { useSearch } from '@tanstack/react-router';

/** A text of the address, by its name; undefined where it is empty or not there. */
export function useTextParameter(name: string): string | undefined {
  const value = (useSearch({ strict: false }) as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
