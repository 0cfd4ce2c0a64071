import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUser } from '../session/session.ts';

/**
 * Runs the query for a banner that is above other content. Until the query responds, uses the result of the last visit,
 * so that the banner does not appear late and shift the content.
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

/**
 * Ignores errors, because storage may be unavailable in private windows. The banner then appears only after the query.
 */
function write(key: string, data: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(data));
  } catch {}
}
