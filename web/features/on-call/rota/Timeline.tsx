import type { CSSProperties } from 'react';
import { TbArrowsExchange } from 'react-icons/tb';
import { handoversBetween } from '../../../../domain/on-call/changes.ts';
import { shiftsBetween, turnsBetween } from '../../../../domain/on-call/shifts.ts';
import { layerWords } from '../../../../domain/on-call/words.ts';
import { StateMark } from '../../../ui/StateMark.tsx';
import { useFromNow } from '../../../ui/time/clock.ts';
import { formatDate, formatTime } from '../../../ui/time/format.ts';
import type { ShownLayer, ShownRota } from '../on-call.queries.ts';
import { atWords, periodWords } from '../words.ts';
import classes from './Timeline.module.css';
import {
  type Bar,
  barText,
  handoverMarks,
  nowPart,
  overrideBars,
  shiftBars,
  type TimelineRange,
  turnBars,
} from './timeline.ts';

interface TimelineProps {
  rota: ShownRota;
  range: TimelineRange;
  timeZone: string;
  openLayer: string | undefined;
  /** Opens a layer for editing; undefined if the user may not change the rota. */
  onOpen: ((layerUuid: string) => void) | undefined;
  onOpenOverride: ((overrideUuid: string) => void) | undefined;
}

/** Two weeks of a rota: turns, overrides and who is on call, for each layer. */
export function Timeline({ rota, range, timeZone, openLayer, onOpen, onOpenOverride }: TimelineProps) {
  const now = useFromNow((date) => Math.floor(date.getTime() / 60_000) * 60_000);
  const at = nowPart(range, now);
  const time = (moment: number) => formatTime(new Date(moment), timeZone);
  const marks = handoverMarks(
    rota.layers.flatMap((layer) => handoversBetween(layer, range.from, range.until).map((one) => one.at)),
    range,
    time,
  );
  return (
    <section className={classes.rota} aria-label="Two weeks of the rota">
      <div className={classes.head}>
        <span className={classes.label}>{timeZone}</span>
        <Days range={range} timeZone={timeZone} now={now} />
      </div>
      {rota.layers.map((layer) => (
        <Layer
          key={layer.uuid}
          {...{ layer, range, timeZone, now, onOpenOverride }}
          isOpen={layer.uuid === openLayer}
          onOpen={onOpen && (() => onOpen(layer.uuid))}
        />
      ))}
      <div className={classes.handovers}>
        <span className={classes.label}>Handovers</span>
        <div className={classes.track}>
          <Columns range={range} />
          {marks.map((mark) => (
            <span key={mark.at} className={classes.mark} style={{ left: `${mark.left}%` }}>
              {mark.times.slice(0, 2).join(' and ')}
            </span>
          ))}
        </div>
      </div>
      {at === undefined ? null : (
        <span className={classes.now} style={{ '--at': at / 100 } as CSSProperties}>
          <b>now {time(now)}</b>
        </span>
      )}
    </section>
  );
}

const widths = ({ days }: TimelineRange): CSSProperties => ({
  gridTemplateColumns: days.map(({ startsAt, endsAt }) => `minmax(0, ${endsAt - startsAt}fr)`).join(' '),
});

function Days({ range, timeZone, now }: { range: TimelineRange; timeZone: string; now: number }) {
  return (
    <div className={classes.days} style={widths(range)}>
      {range.days.map(({ startsAt, endsAt, isWeekend }, index) => {
        const [weekday, ...date] = formatDate(new Date(startsAt), timeZone, { weekday: true, year: false }).split(' ');
        const isFirst = index === 0 || date[0] === '1';
        return (
          <span
            key={startsAt}
            data-weekend={isWeekend || undefined}
            data-today={(startsAt <= now && now < endsAt) || undefined}
          >
            <small>{weekday}</small>
            {isFirst ? date.join(' ') : date.find((word) => /\d/.test(word))}
          </span>
        );
      })}
    </div>
  );
}

function Columns({ range }: { range: TimelineRange }) {
  return (
    <span className={classes.columns} style={widths(range)} aria-hidden>
      {range.days.map(({ startsAt, isWeekend }) => (
        <i key={startsAt} data-weekend={isWeekend || undefined} />
      ))}
    </span>
  );
}

interface LayerProps extends Pick<TimelineProps, 'range' | 'timeZone' | 'onOpenOverride'> {
  layer: ShownLayer;
  now: number;
  isOpen: boolean;
  onOpen: (() => void) | undefined;
}

function Layer({ layer, range, timeZone, now, isOpen, onOpen, onOpenOverride }: LayerProps) {
  const shifts = shiftsBetween(layer, range.from, range.until);
  const present = shifts.find(({ startsAt, endsAt }) => startsAt <= now && now < endsAt);
  const until = present ? `until ${atWords(present.endsAt, timeZone)}` : '';
  const heading = (
    <>
      <b>{layer.name}</b> {layerWords(layer)}
    </>
  );
  const lanes = [
    { label: 'Turn', bars: turnBars(turnsBetween(layer, range.from, range.until), range, now) },
    { label: 'Overrides', bars: overrideBars(layer.overrides, range, now) },
    { label: 'On call', bars: shiftBars(shifts, range, now, until) },
  ];
  return (
    <>
      {onOpen ? (
        <button
          type="button"
          className={classes.layer}
          data-open={isOpen || undefined}
          aria-label={`Edit ${layer.name} ${layerWords(layer)}`}
          onClick={onOpen}
        >
          {heading}
        </button>
      ) : (
        <div className={classes.layer}>{heading}</div>
      )}
      {lanes.map(({ label, bars }) => (
        <div key={label} className={classes.lane} data-lane={label}>
          <span className={classes.label}>{label}</span>
          <div className={classes.track}>
            <Columns range={range} />
            {bars.map((bar) => (
              <BarMark
                key={`${bar.kind} ${bar.key}`}
                bar={bar}
                timeZone={timeZone}
                onOpen={
                  onOpenOverride && label === 'Overrides' && !bar.isPast ? () => onOpenOverride(bar.key) : undefined
                }
              />
            ))}
          </div>
        </div>
      ))}
    </>
  );
}

function BarMark({ bar, timeZone, onOpen }: { bar: Bar; timeZone: string; onOpen: (() => void) | undefined }) {
  const text = barText(bar);
  const hasNote = bar.note !== '' && bar.width > 14;
  const content = (
    <>
      {bar.kind === 'gap' ? <StateMark state="silent" look="shape" word="Gap" /> : null}
      {bar.kind === 'override' ? <TbArrowsExchange size={12} strokeWidth={1.75} aria-hidden /> : null}
      {text === '' ? null : text === bar.name ? <b>{text}</b> : text}
      {hasNote ? <span>{bar.note}</span> : null}
    </>
  );
  const common = {
    className: classes.bar,
    style: { left: `${bar.left}%`, width: `calc(${bar.width}% - 1px)` },
    'data-kind': bar.kind,
    'data-now': (bar.kind === 'shift' && bar.isNow) || undefined,
    'data-past': bar.isPast || undefined,
    'data-cut-left': bar.isCutLeft || undefined,
    'data-cut-right': bar.isCutRight || undefined,
    title: `${bar.name}${bar.note === '' ? '' : ` ${bar.note}`}, ${periodWords(bar, timeZone)}`,
  };
  return onOpen ? (
    <button
      type="button"
      {...common}
      // The name contains the initials that are seen.
      aria-label={bar.name.startsWith(text) ? common.title : `${text}, ${common.title}`}
      onClick={onOpen}
    >
      {content}
    </button>
  ) : (
    <span {...common}>{content}</span>
  );
}
