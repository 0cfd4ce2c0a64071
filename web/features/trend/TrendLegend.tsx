import { TbX } from 'react-icons/tb';
import { type Reading, readingAt, type Series } from '../../kit/chart/series.ts';
import { formatMoment } from '../../kit/format/date-time.ts';
import { counted } from '../../kit/format/number.ts';
import { formatNumber } from '../../kit/format/value.ts';
import { withUnit } from '../../ui/formats.ts';
import { formatClock, formatDay } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { dashOf, type Line } from './lines.ts';
import classes from './TrendLegend.module.css';
import { comparisons } from './trend-address.ts';
import type { TrendAddress } from './useTrendAddress.ts';
import type { useTrendData } from './useTrendData.ts';

interface TrendLegendProps {
  address: TrendAddress;
  data: ReturnType<typeof useTrendData>;
  /** Time at the cursor, or null. */
  cursor: number | null;
}

/** For each line, shows its name and a value: the value at the cursor or, without a cursor, the newest value. */
export function TrendLegend({ address, data, cursor }: TrendLegendProps) {
  const timeZone = useTimeZone();
  const { lines, series, compared, gone } = data;
  const shown = new Map(lines.map((line) => [line.uuid, readingOf(line, series, cursor)]));
  const times = new Set([...shown.values()].flatMap((reading) => reading?.time ?? []));
  // If all values have the same time, the legend shows that time once. Otherwise, it shows the time of the cursor, and
  // the time of each value next to that value.
  const [common] = times.size === 1 ? times : [cursor];
  return (
    <div className={classes.legend}>
      <ul className={classes.lines} aria-label="Shown values">
        {lines.map((line) => {
          const before = address.compare ? wordsFor(line, readingOf(line, compared, cursor ?? data.now)) : null;
          const reading = shown.get(line.uuid) ?? null;
          return (
            <li key={line.uuid} className={classes.line}>
              <Swatch line={line} />
              <span className={classes.name}>{line.label}</span>
              <b>{wordsFor(line, reading) ?? '–'}</b>
              {cursor === null || reading === null || times.size === 1 ? null : (
                <time className={classes.before} dateTime={new Date(reading.time).toISOString()}>
                  {timeBeside(reading.time, cursor, timeZone)}
                </time>
              )}
              {before === null ? null : (
                <span className={classes.before} title={comparisons[address.compare].label}>
                  was {before}
                </span>
              )}
              <button type="button" aria-label={`Remove ${line.label}`} onClick={() => address.toggle(line.uuid)}>
                <TbX size={12} strokeWidth={2} aria-hidden />
              </button>
            </li>
          );
        })}
      </ul>
      <span className={classes.at} data-shown={cursor !== null || undefined}>
        {cursor === null ? '' : formatMoment(new Date(common ?? cursor), timeZone)}
      </span>
      {gone.length > 0 ? (
        <p className={classes.gone} role="status">
          {gone.length === 1 ? 'One value is' : `${counted(gone.length, 'value')} are`} not available. Deleted values
          and values of sites that you can no longer see are not shown.
          <button
            type="button"
            onClick={() => address.change({ points: address.points.filter((uuid) => !gone.includes(uuid)) })}
          >
            Remove{' '}
          </button>
        </p>
      ) : null}
    </div>
  );
}

/** Returns the reading at the cursor, or the newest reading without a cursor; null if there is none. */
function readingOf(line: Line, all: readonly Series[], cursor: number | null): Reading | null {
  const own = all.find(({ uuid }) => uuid === line.uuid);
  if (!own) return null;
  if (cursor !== null) return readingAt(own, cursor, line.digital);
  const last = own.values.findLastIndex((value) => value !== null);
  return last < 0 ? null : { time: own.times[last] as number, value: own.values[last] as number };
}

/** Formats the time of day. Adds the date if the cursor is on another day. */
function timeBeside(at: number, cursor: number, timeZone: string): string {
  const [time, beside] = [new Date(at), new Date(cursor)];
  if (formatDay(time, timeZone) !== formatDay(beside, timeZone)) return formatMoment(time, timeZone);
  return formatClock(time, timeZone);
}

function wordsFor(line: Line, reading: Reading | null): string | null {
  if (reading === null) return null;
  const { value } = reading;
  if (line.digital) {
    return value === 0 ? line.lowText : value === 1 ? line.highText : `${Math.round(value * 100)} % ${line.highText}`;
  }
  return withUnit(formatNumber(value), line.unit);
}

/** Sample of a line, with its colour and dash pattern. The pattern distinguishes lines that have the same colour. */
function Swatch({ line }: { line: Line }) {
  return (
    <svg width={16} height={8} aria-hidden>
      <line
        x1={0}
        x2={16}
        y1={4}
        y2={4}
        stroke={`var(--series-${line.colour})`}
        strokeWidth={2}
        strokeDasharray={dashOf(line).join(' ')}
      />
    </svg>
  );
}
