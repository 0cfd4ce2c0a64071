import { Button } from '@mantine/core';
import { TbAlertCircle } from 'react-icons/tb';
import { Conflict } from './Conflict.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import classes from './RecordParts.module.css';
import type { RecordForm } from './useRecordForm.ts';

/** Shows a message that an unsaved draft was restored, with a button to discard it. */
export function Restored({
  record,
  words = 'Your unsaved input was restored.',
}: {
  record: Pick<RecordForm<Record<string, unknown>>, 'restored' | 'discard'>;
  words?: string | undefined;
}) {
  if (!record.restored) return null;
  return (
    <p className={classes.restored} role="status">
      {words}{' '}
      <Button variant="default" size="compact-xs" onClick={record.discard}>
        Discard it
      </Button>
    </p>
  );
}

/** Shows an error that does not belong to a particular field. */
export function Failure({ children }: { children: string | null }) {
  if (children === null) return null;
  return (
    <p className={classes.failure} role="alert">
      <TbAlertCircle size={16} strokeWidth={1.75} aria-hidden /> {children}
    </p>
  );
}

interface RecordQuestionsProps<V extends Record<string, unknown>> {
  record: RecordForm<V>;
  /** Labels of the fields, for the conflict dialog. */
  labels: Readonly<Partial<Record<keyof V & string, string>>>;
  /** Functions that format a stored value as the form shows it, keyed by field. */
  words?: Readonly<Partial<Record<keyof V & string, (value: string) => string>>>;
  /** Called after the user's own values have overwritten those of the other user. */
  onSaved: () => unknown;
}

/** Asks the user before input is lost: if there is a conflict, and if the user leaves without saving. */
export function RecordQuestions<V extends Record<string, unknown>>(props: RecordQuestionsProps<V>) {
  const { record, labels, words, onSaved } = props;
  return (
    <>
      <Conflict
        conflicts={record.conflicts}
        onlyMine={record.onlyMine}
        labels={labels}
        words={words}
        onTheirs={record.takeTheirs}
        onMine={() => void record.keepMine().then((saved) => saved && onSaved())}
      />
      <LeaveGuard changes={record.changes} leaving={record.leaving} onDiscard={record.discard} />
    </>
  );
}
