import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertsOfPeopleQuery, replacementQuery } from './notification.queries.ts';

/**
 * Manages the choice of a person who replaces disabled people in their rule alerts. `isMade` is true if each rule alert
 * still notifies at least one person, or if the user has confirmed that some notify nobody. `isMade` is false while
 * data is loading, and if the chosen replacement is a partner account.
 */
export function useDisableChoice(people: readonly string[], proposed: string | null = null) {
  const found = useQuery(alertsOfPeopleQuery(people));
  const [replacement, setReplacement] = useState<string | null>(proposed);
  const [isConfirmed, onConfirm] = useState(false);
  const chosen = useQuery(replacementQuery(people, replacement));
  const leavesNobody = found.data?.some(({ reachesNobodyThen }) => reachesNobodyThen) === true;
  const isReplacementKnown = replacement === null || (chosen.isSuccess && !chosen.data.isPartner);
  const isReplaced = replacement !== null && chosen.data?.isReached === true;
  return {
    replacement,
    isMade:
      found.isFetchedAfterMount &&
      found.isSuccess &&
      isReplacementKnown &&
      (!leavesNobody || isReplaced || isConfirmed),
    effects: {
      people,
      replacement,
      onReplacement: (uuid: string | null) => {
        setReplacement(uuid);
        onConfirm(false);
      },
      confirmation: { isConfirmed, onConfirm },
    },
  };
}
