import { Button } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import classes from './RecordPanel.module.css';
import type { FieldConflict } from './record-changes.ts';

interface ConflictProps<V extends object> {
  conflicts: readonly FieldConflict<V>[] | null;
  onlyMine: readonly (keyof V & string)[];
  labels: Readonly<Partial<Record<keyof V & string, string>>>;
  /** Functions that format a stored value as the form shows it, keyed by field. */
  words?: Readonly<Partial<Record<keyof V & string, (value: string) => string>>> | undefined;
  onTheirs: () => void;
  onMine: () => void;
}

/** Shown when another user has saved the same record first. Lists that user's changes and asks which values to keep. */
export function Conflict<V extends object>(props: ConflictProps<V>) {
  const { conflicts, onlyMine, labels, words, onTheirs, onMine } = props;
  const shown = (field: keyof V & string, value: unknown) => words?.[field]?.(String(value)) ?? textOf(value);
  return (
    <Dialog
      opened={conflicts !== null}
      onClose={onTheirs}
      label="This record was changed in the meantime"
      head={<h2 className={classes.question}>This record was changed in the meantime</h2>}
    >
      {conflicts && conflicts.length > 0 ? (
        <table className={classes.conflicts}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Saved value</th>
              <th scope="col">Your value</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ field, theirs, mine, isMine }) => (
              <tr key={field}>
                <th scope="row">{labels[field] ?? field}</th>
                <td>{shown(field, theirs)}</td>
                <td>{isMine ? shown(field, mine) : 'not changed'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p>The saved values are the same as yours.</p>
      )}
      {onlyMine.length > 0 ? (
        <p>Your changes to {onlyMine.map((field) => labels[field] ?? field).join(', ')} are kept either way.</p>
      ) : null}
      <div className={classes.choices}>
        <Button variant="default" onClick={onTheirs}>
          Use saved values
        </Button>
        <Button onClick={onMine}>Save my values</Button>
      </div>
    </Dialog>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '–';
  // An option of a picker is shown by its label, a person in a list by the name.
  if (typeof value === 'object' && 'label' in value) return String(value.label);
  if (typeof value === 'object' && 'name' in value) return String(value.name);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
