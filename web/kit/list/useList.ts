import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { GraphqlError } from '../../api/graphql.ts';
import { messageOf } from '../../api/http.ts';
import { useFirstAnswer } from '../../ui/first-answer.ts';
import type { ListPage } from './list.ts';

/** State of a list query. Its fields are props of `DataTable`. */
export interface List<T> {
  rows: readonly T[] | undefined;
  total: number | undefined;
  fetching: boolean;
  error: string | null;
  refused: string | null;
  onRetry: () => void;
}

/**
 * Fetches one page of a list. The previous page stays visible until the next one arrives. If a refetch fails, the old
 * rows stay visible, and the ages shown in them keep increasing.
 */
export function useList<T, Key extends readonly unknown[]>(
  options: UseQueryOptions<ListPage<T>, Error, ListPage<T>, Key>,
): List<T> {
  const query = useQuery({ ...options, placeholderData: keepPreviousData });
  const page = useFirstAnswer(query.data);
  const failed = query.isError && query.data === undefined;
  const forbidden = failed && query.error instanceof GraphqlError && query.error.code === 'FORBIDDEN';
  return {
    rows: page?.rows,
    total: page?.total,
    fetching: query.isPlaceholderData,
    error: failed && !forbidden ? messageOf(query.error) : null,
    refused: forbidden ? 'Ask an owner or a manager for access.' : null,
    onRetry: () => void query.refetch(),
  };
}
