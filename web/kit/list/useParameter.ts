import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * One of a few choices, kept in the address under its name. The usual one is left out. Another choice starts its list
 * anew, so only the search goes with it.
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
