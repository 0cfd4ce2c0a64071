import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { ApiError } from '../../api/http.ts';
import { rowsOf } from '../list/list.ts';
import { runAll } from '../list/run-all.ts';
import { type Effect, endsWatch } from './deletion-words.ts';

const deletionEffects = graphql(`
  query DeletionEffects($noun: String!, $uuid: UUID!) {
    deletionEffects(noun: $noun, uuid: $uuid) {
      nodes {
        noun
        rows
        stays
      }
    }
  }
`);

async function fetchDeletionEffects(noun: string, uuid: string, signal?: AbortSignal): Promise<Effect[]> {
  return rowsOf((await ask(deletionEffects, { noun, uuid }, signal)).deletionEffects).map((effect) => ({
    noun: effect.noun ?? '',
    rows: effect.rows ?? 0,
    stays: effect.stays ?? false,
  }));
}

/** Fetches the records that a deletion removes, and the records that stay. */
export function deletionEffectsQuery(noun: string, uuid: string) {
  return queryOptions({
    queryKey: ['deletion', noun, uuid],
    queryFn: ({ signal }) => fetchDeletionEffects(noun, uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Fetches the combined effects of deleting several records, and which of these records have rules or open alarms. */
export function deletionsEffectsQuery(noun: string, uuids: readonly string[]) {
  return queryOptions({
    queryKey: ['deletions', noun, uuids],
    queryFn: async (context) => {
      const sum = new Map<string, Effect>();
      const watched = new Set<string>();
      const { failed } = await runAll(uuids, async (uuid) => {
        const effects = await fetchDeletionEffects(noun, uuid, context.signal);
        if (endsWatch(effects)) watched.add(uuid);
        for (const effect of effects) {
          sum.set(effect.noun, { ...effect, rows: effect.rows + (sum.get(effect.noun)?.rows ?? 0) });
        }
      });
      // If one request fails, the whole query fails, because users would mistake a partial sum for the total.
      if (failed[0]) throw new ApiError(0, failed[0].problem);
      return { effects: [...sum.values()], watched };
    },
    staleTime: 0,
    gcTime: 0,
  });
}
