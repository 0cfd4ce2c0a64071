import { IconX } from '@tabler/icons-react';
import { withUnit } from '../../ui/formats.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { formatNumber } from '../dashboard/value.ts';
import { formatMoment } from '../list/moment.ts';
import { counted } from '../list/number.ts';
import { dashOf, type Line } from './lines.ts';
import { type Series, valueAt } from './series.ts';
import classes from './TrendLegend.module.css';
import { comparisons } from './trend-address.ts';
import type { TrendAddress } from './useTrendAddress.ts';
import type { useTrendData } from './useTrendData.ts';

interface TrendLegendProps {
  address: TrendAddress;
  data: ReturnType<typeof useTrendData>;
  /** The moment under the cursor. */
  cursor: number | null;
}

/** Every line with its name and its value: under the cursor where there is one, else the newest. */
export function TrendLegend({ address, data, cursor }: TrendLegendProps) {
  const timeZone = useTimeZone();
  const { lines, series, compared, gone } = data;
  return (
    <div className={classes.legend}>
      <ul className={classes.lines} aria-label="Shown values">
        {lines.map((line) => {
          const before = address.compare ? wordsFor(line, compared, cursor ?? data.now) : null;
          return (
            <li key={line.uuid} className={classes.line}>
              <Swatch line={line} />
              <span className={classes.name}>{line.label}</span>
              <b>{wordsFor(line, series, cursor) ?? '–'}</b>
              {before === null ? null : (
                <span className={classes.before} title={comparisons[address.compare].label}>
                  was {before}
                </span>
              )}
              <button type="button" aria-label={`Take ${line.label} out`} onClick={() => address.toggle(line.uuid)}>
                <IconX size={12} stroke={2} aria-hidden />
              </button>
            </li>
          );
        })}
      </ul>
      <span className={classes.at} data-shown={cursor !== null || undefined}>
        {cursor === null ? '' : formatMoment(new Date(cursor), timeZone)}
      </span>
      {gone.length > 0 ? (
        <p className={classes.gone} role="status">
          {gone.length === 1 ? 'One value is' : `${counted(gone.length, 'value')} are`} not there any more: deleted, or
          at a site that is not yours any more.
          <button
            type="button"
            onClick={() => address.change({ points: address.points.filter((uuid) => !gone.includes(uuid)) })}
          >
            Take out
          </button>
        </p>
      ) : null}
    </div>
  );
}

function wordsFor(line: Line, all: readonly Series[], at: number | null): string | null {
  const own = all.find(({ uuid }) => uuid === line.uuid);
  if (!own) return null;
  const value = at === null ? (own.values.findLast((one) => one !== null) ?? null) : valueAt(own, at);
  if (value === null) return null;
  if (line.digital) {
    return value === 0 ? line.lowText : value === 1 ? line.highText : `${Math.round(value * 100)} % ${line.highText}`;
  }
  return withUnit(formatNumber(value), line.unit);
}

/** The line's colour and dash, so that it is not told by colour alone. */
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
