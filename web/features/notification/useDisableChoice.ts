import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertsOfPeopleQuery } from './notification.queries.ts';

/**
 * The user's choice of what happens to the rule alerts of people who will be disabled. `isMade` is true once the rule alerts
 * are loaded and each still notifies somebody, or a replacement is chosen, or the user has confirmed.
 */
export function useDisableChoice(people: readonly string[]) {
  const found = useQuery(alertsOfPeopleQuery(people));
  const [replacement, setReplacement] = useState<string | null>(null);
  const [isConfirmed, onConfirm] = useState(false);
  const leavesNobody = found.data?.some(({ reachesNobodyThen }) => reachesNobodyThen) === true;
  return {
    replacement,
    isMade: found.isFetchedAfterMount && found.isSuccess && (!leavesNobody || replacement !== null || isConfirmed),
    effects: { people, replacement, onReplacement: setReplacement, confirmation: { isConfirmed, onConfirm } },
  };
}
