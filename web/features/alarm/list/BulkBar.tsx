import { TbX } from 'react-icons/tb';
import look from '../../../kit/list/BulkActions.module.css';
import classes from './BulkBar.module.css';
import type { AlarmSelection } from './useAlarmSelection.ts';

/** What can be done with all chosen alarms at once. */
export function BulkBar({ choosing, onClear }: { choosing: AlarmSelection; onClear: () => void }) {
  const { chosen, handleChosen } = choosing;
  const acknowledgeable = choosing.acknowledgeable(chosen);
  const resolvable = choosing.resolvable(chosen);
  return (
    <section className={`${look.bar} ${classes.bar}`} data-bulk aria-label="Chosen alarms">
      <b aria-live="polite">{chosen.length.toLocaleString()} selected</b>
      <button type="button" disabled={acknowledgeable.length === 0} onClick={() => handleChosen('acknowledge')}>
        Acknowledge{countOf(acknowledgeable.length, chosen.length)}
      </button>
      <button type="button" disabled={resolvable.length === 0} onClick={() => handleChosen('resolve')}>
        Resolve{countOf(resolvable.length, chosen.length)}
      </button>
      <button type="button" aria-label="Clear the selection" onClick={onClear}>
        <TbX size={16} strokeWidth={1.75} aria-hidden />
      </button>
    </section>
  );
}

/** Said only where it is not all of them. */
function countOf(able: number, chosen: number): string {
  return able > 0 && able < chosen ? ` ${able.toLocaleString()}` : '';
}
