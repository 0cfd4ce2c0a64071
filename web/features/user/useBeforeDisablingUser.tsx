import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import classes from '../../kit/record/RecordPanel.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { alertsOfPeopleQuery, DisableEffects, replacementQuery, useDisableChoice } from '../notification/index.ts';
import type { UserValues } from './user-form.ts';
import type { UserRecord } from './user-record.queries.ts';

interface Asked {
  user: UserRecord;
  /** Uuid of the replacement that was chosen in the form; null if none was chosen. */
  proposed: string | null;
  /** Called with the uuid of the replacement, with null for no replacement, or with undefined to cancel. */
  answer: (replacement: string | null | undefined) => void;
}

/**
 * Checks the user's rule alerts before the user is disabled. If one of them would then notify nobody, a dialog asks for
 * a reachable replacement or for confirmation.
 */
export function useBeforeDisablingUser(user: UserRecord | null) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const agree = async (values: UserValues): Promise<boolean | UserValues> => {
    if (!user?.status || values.status) return true;
    const { replacement: proposed } = values;
    if (proposed !== null) {
      const { isReached, isPartner } = await client.fetchQuery(replacementQuery([user.uuid], proposed));
      if (isReached && !isPartner) return true;
    }
    const alerts = await client.fetchQuery(alertsOfPeopleQuery([user.uuid]));
    if (!alerts.some(({ reachesNobodyThen }) => reachesNobodyThen)) return true;
    return new Promise((resolve) => {
      setAsked({
        user,
        proposed,
        answer: (replacement) => {
          setAsked(null);
          resolve(replacement === undefined ? false : { ...values, replacement });
        },
      });
    });
  };
  return { agree, question: asked ? <Question {...asked} /> : null };
}

function Question({ user, proposed, answer }: Asked) {
  const choice = useDisableChoice([user.uuid], proposed);
  const title = `Disable ${user.displayName}?`;
  const cancel = () => answer(undefined);
  return (
    <Dialog opened onClose={cancel} label={title} head={<h2 className={classes.question}>{title}</h2>}>
      <DisableEffects {...choice.effects} />
      <div className={classes.choices}>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button disabled={!choice.isMade} onClick={() => answer(choice.replacement)}>
          Disable
        </Button>
      </div>
    </Dialog>
  );
}
