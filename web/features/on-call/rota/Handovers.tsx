import { handoversBetween } from '../../../../domain/on-call/changes.ts';
import { DAY_MS } from '../../../../domain/on-call/rota.ts';
import { isConfirmed } from '../../../../domain/on-call/shifts.ts';
import { useFromNow } from '../../../ui/time/clock.ts';
import type { ShownRota } from '../on-call.queries.ts';
import { atWords, handoverReason } from '../words.ts';
import classes from './RotaPage.module.css';

const AHEAD = 28 * DAY_MS;
const MOST = 8;

/** The next handovers of all layers. */
export function Handovers({ rota }: { rota: ShownRota }) {
  const now = useFromNow((date) => Math.floor(date.getTime() / 60_000) * 60_000);
  const coming = rota.layers
    // A handover at `now` is done.
    .flatMap((layer) => handoversBetween(layer, now + 1, now + AHEAD).map((handover) => ({ layer, handover })))
    .toSorted((a, b) => a.handover.at - b.handover.at)
    .slice(0, MOST);
  if (coming.length === 0) return null;
  const nobody = <b className={classes.nobody}>nobody</b>;
  return (
    <section className={classes.list} aria-label="Handovers to come">
      <table>
        <thead>
          <tr>
            <th>Handovers to come</th>
            <th>Layer</th>
            <th>From and to</th>
            <th>Why</th>
          </tr>
        </thead>
        <tbody>
          {coming.map(({ layer, handover }) => (
            <tr key={`${layer.uuid} ${handover.at}`}>
              <td>{atWords(handover.at, layer.timeZone)}</td>
              <td>{layer.name}</td>
              <td>
                {handover.from?.name ?? nobody} <span data-quiet>to</span> {handover.to?.name ?? nobody}
              </td>
              <td data-quiet>{handoverReason(handover, isConfirmed(handover.after, layer.confirmed))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
