import { handoversBetween, nextClockChange } from '../../../../domain/on-call/changes.ts';
import { DAY_MS } from '../../../../domain/on-call/rota.ts';
import { onCallAt } from '../../../../domain/on-call/shifts.ts';
import { clockChangeWords } from '../../../../domain/on-call/words.ts';
import { useFromNow } from '../../../ui/time/clock.ts';
import { formatDay } from '../../../ui/time/format.ts';
import { atWords } from '../words.ts';
import classes from './LayerPanel.module.css';
import { type LayerFields, previewOf } from './layer-values.ts';

/** Says what the fields mean: the next handover, and the next shift that a change of the clock makes shorter or longer. */
export function TurnPreview({ fields }: { fields: LayerFields }) {
  const now = useFromNow((date) => Math.floor(date.getTime() / 60_000) * 60_000);
  const layer = previewOf(fields, now);
  if (layer === null) return null;
  // A handover at `now` is done.
  const handover = handoversBetween(layer, now + 1, now + 100 * DAY_MS)[0];
  const change = nextClockChange(layer.timeZone, now);
  const isAffected = change !== undefined && onCallAt(layer, change.at - 1) !== null;
  const present = onCallAt(layer, now)?.person;
  return (
    <p className={classes.preview} aria-live="polite">
      {handover ? (
        <>
          From <b>{atWords(handover.at, layer.timeZone)}</b> this is <b>{handover.to?.name}</b>.
        </>
      ) : (
        <>
          <b>{present?.name ?? layer.people[0]?.name}</b> is always on call.
        </>
      )}{' '}
      {change && isAffected ? (
        <>
          The clocks go {change.forwardMs > 0 ? 'forward' : 'back'} on {formatDay(new Date(change.at), layer.timeZone)}:
          that shift is {clockChangeWords(change.forwardMs)}.
        </>
      ) : null}
    </p>
  );
}
