import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUser } from '../session/session.ts';

/**
 * A query for a banner above other content. Starts with the last visit's answer, so that a banner does not shift the
 * content when it appears.
 */
export function useRemembered<T>(name: string, query: UseQueryOptions<T, Error, T, any>): T | undefined {
  const key = `tocsin-${name}-${useUser().uuid}`;
  const { data, isPlaceholderData } = useQuery({
    ...query,
    placeholderData: (() => read<T>(key)) as never,
  });
  useEffect(() => {
    if (data !== undefined && !isPlaceholderData) write(key, data);
  }, [key, data, isPlaceholderData]);
  return data;
}

function read<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** Private windows may refuse to store; then the banner appears a moment later. */
function write(key: string, data: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(data));
  } catch {}
}
