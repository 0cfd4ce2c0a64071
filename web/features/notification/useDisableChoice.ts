import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertsOfPeopleQuery } from './notification.queries.ts';

/**
 * What happens to the rule alerts of people who are about to be disabled. It is made once their rule alerts are loaded and each
 * still notifies somebody, or the user confirmed that some notify nobody.
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
