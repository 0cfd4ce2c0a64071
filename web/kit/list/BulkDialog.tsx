import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { fieldNotUsable } from '../../ui/field/unusable.ts';
import { toast } from '../../ui/toast/toast.ts';
import classes from './BulkDialog.module.css';
import { type Outcome, runAll, runTogether } from './run-all.ts';

type Deed<T> =
  /** Performs the action on one item. Throws the server's error if it fails. */
  | { act: (item: T) => Promise<unknown>; actOnAll?: never }
  /**
   * Performs the action on all items or on none, and returns the number of changed items. Throws the server's error if
   * it fails.
   */
  | { act?: never; actOnAll: (items: readonly T[]) => Promise<number> };

type BulkDialogProps<T> = Deed<T> & {
  /** Heading that describes the action, such as 'Move 3 sites'. */
  title: string;
  items: readonly T[];
  nameOf: (item: T) => string;
  /** Returns the toast text on success, such as '3 sites were moved.' */
  done: (count: number) => string;
  button: string;
  /** Label of the button that closes the dialog without performing the action; 'Cancel' by default. */
  dismiss?: string;
  /** True while the user has not made a required choice, or while data is loading. */
  disabled?: boolean;
  onClose: () => void;
  /** Called after every item was tried, with the items that failed. The failed items stay selected. */
  onDone: (failed: readonly T[]) => void;
  children?: ReactNode;
};

const MOST_SHOWN = 5;

/** Runs one action on several rows: asks for input, shows the progress, and lists failures with their reasons. */
export function BulkDialog<T>(props: BulkDialogProps<T>) {
  const { title, items, nameOf, done, onClose, onDone } = props;
  const client = useQueryClient();
  const [finished, setFinished] = useState<number | null>(null);
  const [failed, setFailed] = useState<Outcome<T>['failed']>([]);
  const [refused, setRefused] = useState<string | null>(null);
  const run = async () => {
    const remaining = failed.length > 0 ? failed.map(({ item }) => item) : items;
    setFailed([]);
    setRefused(null);
    setFinished(0);
    const outcome = props.actOnAll
      ? await runTogether(remaining, props.actOnAll)
      : { ...(await runAll(remaining, props.act, setFinished)), changed: null, refused: null };
    await client.invalidateQueries();
    setFinished(null);
    setFailed(outcome.failed);
    setRefused(outcome.refused);
    if (outcome.refused !== null) return;
    if (outcome.done.length > 0) toast.success(done(outcome.changed ?? outcome.done.length));
    onDone(outcome.failed.map(({ item }) => item));
    if (outcome.failed.length === 0) onClose();
  };
  return (
    <Dialog opened onClose={onClose} label={title} head={<h2 className={classes.title}>{title}</h2>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const unusable = fieldNotUsable(event.currentTarget);
          if (unusable) unusable.focus();
          else void run();
        }}
      >
        <div className={classes.body}>{props.children}</div>
        {failed.length > 0 ? (
          <div className={classes.failed} role="alert">
            <p>{failed.length === 1 ? '1 failed:' : `${failed.length} failed:`}</p>
            <ul>
              {failed.slice(0, MOST_SHOWN).map(({ item, problem }) => (
                <li key={nameOf(item)}>
                  <b>{nameOf(item)}</b> {problem}
                </li>
              ))}
            </ul>
            {failed.length > MOST_SHOWN ? <p>And {failed.length - MOST_SHOWN} more.</p> : null}
          </div>
        ) : null}
        {refused === null ? null : (
          <p className={classes.failed} role="alert">
            Nothing was changed. {refused}
          </p>
        )}
        <div className={classes.choices}>
          <span className={classes.progress} role="status">
            {finished === null || props.actOnAll ? '' : `${finished} of ${items.length}`}
          </span>
          <Button variant="default" onClick={onClose}>
            {props.dismiss ?? 'Cancel'}
          </Button>
          <Button type="submit" loading={finished !== null} disabled={props.disabled ?? false}>
            {failed.length > 0 ? 'Try again' : props.button}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
