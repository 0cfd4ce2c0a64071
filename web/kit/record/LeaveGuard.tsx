import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import classes from './RecordPanel.module.css';

interface LeaveGuardProps {
  /** Number of unsaved fields. */
  changes: number;
  /** Set to true to leave the page without a confirmation, for example after saving. */
  leaving: RefObject<boolean>;
  onDiscard: () => void;
}

interface Place {
  pathname: string;
  search: object;
}

/** URL parameters that belong to the open form. All other parameters belong to the list next to the form. */
const OF_THE_FORM = ['record', 'channel', 'tab'];

/** Returns whether the form stays open, for example when only the search or sort order of the list changes. */
function staysOpen(current: Place, next: Place): boolean {
  const [here, there] = [current.search, next.search] as Record<string, unknown>[];
  return current.pathname === next.pathname && OF_THE_FORM.every((name) => here?.[name] === there?.[name]);
}

/** Asks the user before unsaved input is discarded. */
export function LeaveGuard({ changes, leaving, onDiscard }: LeaveGuardProps) {
  const guard = useBlocker({
    shouldBlockFn: ({ current, next }) => changes > 0 && !leaving.current && !staysOpen(current, next),
    enableBeforeUnload: () => changes > 0 && !leaving.current,
    withResolver: true,
  });
  return (
    <Dialog
      opened={guard.status === 'blocked'}
      onClose={() => guard.reset?.()}
      label="Leave without saving?"
      head={<h2 className={classes.question}>Leave without saving?</h2>}
    >
      <p>{changes === 1 ? 'One change has not been saved.' : `${changes} changes have not been saved.`}</p>
      <div className={classes.choices}>
        <Button variant="default" onClick={() => guard.reset?.()}>
          Stay
        </Button>
        <Button
          onClick={() => {
            leaving.current = true;
            onDiscard();
            guard.proceed?.();
          }}
        >
          Leave without saving
        </Button>
      </div>
    </Dialog>
  );
}
