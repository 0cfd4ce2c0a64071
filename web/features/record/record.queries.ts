import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../list/list.ts';

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

/** What goes with a record when it is deleted, and what stays behind. */
export function deletionEffectsQuery(noun: string, uuid: string) {
  return queryOptions({
    queryKey: ['deletion', noun, uuid],
    queryFn: async ({ signal }) =>
      rowsOf((await ask(deletionEffects, { noun, uuid }, signal)).deletionEffects).map((effect) => ({
        noun: effect.noun ?? '',
        rows: effect.rows ?? 0,
        stays: effect.stays ?? false,
      })),
    staleTime: 0,
    gcTime: 0,
  });
}
