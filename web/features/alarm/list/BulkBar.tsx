import { TbX } from 'react-icons/tb';
import look from '../../../kit/list/BulkActions.module.css';
import classes from './BulkBar.module.css';
import type { AlarmSelection } from './useAlarmSelection.ts';

export function BulkBar({ selection, onClear }: { selection: AlarmSelection; onClear: () => void }) {
  const { selected, handleSelected } = selection;
  const acknowledgeable = selection.acknowledgeable(selected);
  const resolvable = selection.resolvable(selected);
  return (
    <section className={`${look.bar} ${classes.bar}`} data-bulk aria-label="Selected alarms">
      <b aria-live="polite">{selected.length.toLocaleString()} selected</b>
      <button type="button" disabled={acknowledgeable.length === 0} onClick={() => handleSelected('acknowledge')}>
        Acknowledge{countOf(acknowledgeable.length, selected.length)}
      </button>
      <button type="button" disabled={resolvable.length === 0} onClick={() => handleSelected('resolve')}>
        Resolve{countOf(resolvable.length, selected.length)}
      </button>
      <button type="button" aria-label="Clear the selection" onClick={onClear}>
        <TbX size={16} strokeWidth={1.75} aria-hidden />
      </button>
    </section>
  );
}

/**
 * Returns the number of alarms for which the action is possible, as text; empty if it is possible for all or for none.
 */
function countOf(able: number, selected: number): string {
  return able > 0 && able < selected ? ` ${able.toLocaleString()}` : '';
}
