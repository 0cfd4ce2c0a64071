import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * Stores a choice in the URL, unless it is the default choice. A new choice resets the list's view, but keeps the
 * search.
 */
export function useParameter<V extends string>(name: string, values: readonly [V, ...V[]]): [V, (next: V) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const usual = values[0];
  const value = values.find((candidate) => candidate === search[name]) ?? usual;
  const choose = (next: V) =>
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({
        q: before.q,
        [name]: next === usual ? undefined : next,
      })) as never,
      resetScroll: false,
    });
  return [value, choose];
}
