import { queryOptions } from '@tanstack/react-query';
import { type UnreachableBecause, unreachableWords } from '../../../domain/notification/recipients.ts';
import { ask, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../list/list.ts';

const peopleReach = graphql(`
  query PeopleReach($people: [UUID]!) {
    peopleReach(personUuids: $people) {
      nodes {
        uuid
        unreachableBecause
      }
    }
  }
`);

/** Of the given users, returns those whom notifications cannot reach: a map from their uuids to the reason as text. */
export async function fetchUnreachedPeople(
  people: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (people.length === 0) return new Map();
  const { peopleReach: found } = await ask(peopleReach, { people: [...people] }, signal);
  return new Map(
    rowsOf(found).flatMap(({ uuid, unreachableBecause: because }) =>
      uuid && because ? [[uuid, unreachableWords[because as UnreachableBecause]] as const] : [],
    ),
  );
}

export function unreachedPeopleQuery(people: readonly string[]) {
  const asked = [...new Set(people)].sort().slice(0, 500);
  return queryOptions({
    queryKey: ['user', 'reach', asked],
    queryFn: ({ signal }) => fetchUnreachedPeople(asked, signal),
    enabled: asked.length > 0,
    staleTime: 0,
  });
}
