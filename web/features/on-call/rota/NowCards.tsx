import { TbClock } from 'react-icons/tb';
import { layerNow } from '../../../../domain/on-call/changes.ts';
import { hoursWords, spanWords } from '../../../../domain/on-call/words.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { useFromNow } from '../../../ui/time/clock.ts';
import type { ShownLayer, ShownRota } from '../on-call.queries.ts';
import { atWords } from '../words.ts';
import classes from './RotaPage.module.css';

/** Who is on call now and next, for each layer. */
export function NowCards({ rota }: { rota: ShownRota }) {
  return (
    <dl className={classes.cards}>
      {rota.layers.map((layer) => (
        <LayerCards key={layer.uuid} layer={layer} />
      ))}
    </dl>
  );
}

function LayerCards({ layer }: { layer: ShownLayer }) {
  const now = useFromNow((date) => Math.floor(date.getTime() / 60_000) * 60_000);
  const { current, until, next } = layerNow(layer, now);
  const untilWords = until === null ? 'no handover within a year' : `until ${atWords(until, layer.timeZone)}`;
  return (
    <>
      <div>
        <dt>{layer.name}, on call now</dt>
        <dd>
          {current === null ? (
            <>
              <span className={classes.none}>
                <TbClock size={16} strokeWidth={1.75} aria-hidden />
              </span>
              <span>
                <b data-muted>Outside its hours</b>
                <small>{hoursWords(layer.hours)} only</small>
              </span>
            </>
          ) : (
            <Who name={current.person?.name ?? null} note={untilWords} />
          )}
        </dd>
      </div>
      <div>
        <dt>{layer.name}, next</dt>
        <dd>
          {next === null ? (
            <span>
              <b data-muted>No handover</b>
              <small>within a year</small>
            </span>
          ) : (
            <Who
              name={next.person?.name ?? null}
              note={`${atWords(next.startsAt, layer.timeZone)}, in ${spanWords(next.startsAt - now)}`}
            />
          )}
        </dd>
      </div>
    </>
  );
}

function Who({ name, note }: { name: string | null; note: string }) {
  return (
    <>
      {name === null ? null : <Avatar name={name} size={32} />}
      <span>
        <b>{name ?? <StateMark state="silent" word="Gap" />}</b>
        <small>{note}</small>
      </span>
    </>
  );
}
