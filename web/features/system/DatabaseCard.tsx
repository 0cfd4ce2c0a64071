import { plural } from '../../../domain/plural.ts';
import { growthOf, type Size } from '../../../domain/process/growth.ts';
import { At } from '../../kit/format/At.tsx';
import { formatNumber } from '../../kit/format/number.ts';
import { formatDate } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import classes from './System.module.css';
import { SystemCard } from './SystemTable.tsx';
import { sizeChart } from './size-chart.ts';
import type { SystemSize } from './system.queries.ts';
import { formatBytes, fullWords, unitOf } from './system-words.ts';

interface DatabaseCardProps {
  version: string;
  sizes: readonly SystemSize[];
}

/** Shows the size and the growth of the database, and when its disk will be full. */
export function DatabaseCard({ version, sizes }: DatabaseCardProps) {
  const measured = sizes.map(
    ({ measuredOn, bytes, freeBytes }): Size => ({ at: Date.parse(measuredOn ?? ''), bytes: bytes ?? 0, freeBytes }),
  );
  const last = sizes.at(-1);
  const growth = growthOf(measured);
  const full = growth.known ? fullWords(growth.full) : undefined;
  const daily = growth.known ? formatBytes(growth.bytesPerDay) : undefined;
  const days = growth.known ? Math.round(growth.days) : 0;
  return (
    <SystemCard
      title="Database"
      fact={
        <>
          PostgreSQL {version}
          {last ? (
            <>
              , measured <At at={last.measuredOn} />
            </>
          ) : null}
        </>
      }
    >
      <div className={classes.database}>
        <dl className={classes.figures}>
          <div>
            <dt>{full?.label ?? 'Disk full in'}</dt>
            <dd>
              <b>{full?.value ?? '–'}</b> {full?.unit}
              {full?.hint ? <small>{full.hint}</small> : null}
            </dd>
          </div>
          <div>
            <dt>Growth{growth.known ? `, mean of ${formatNumber(days)} ${plural(days, 'day')}` : ''}</dt>
            <dd>
              <b>{daily?.number ?? '–'}</b> {daily ? `${daily.unit} a day` : ''}
            </dd>
          </div>
          <div>
            <dt>Database</dt>
            <dd>{last ? <Sizes size={last} /> : <b>–</b>}</dd>
          </div>
        </dl>
        <Chart sizes={measured} />
      </div>
    </SystemCard>
  );
}

function Sizes({ size }: { size: SystemSize }) {
  const all = formatBytes(size.bytes ?? 0);
  const readings = formatBytes(size.readingBytes ?? 0);
  return (
    <>
      <b>{all.number}</b> {all.unit}, readings {readings.number}
      {readings.unit === all.unit ? '' : ` ${readings.unit}`}
    </>
  );
}

function Chart({ sizes }: { sizes: readonly Size[] }) {
  const timeZone = useTimeZone();
  const chart = sizeChart(sizes);
  if (!chart) {
    return (
      <p className={classes.early}>
        {sizes.length === 0
          ? 'The size is measured every hour. The first measurement appears after a minute.'
          : 'The growth appears after one day. The size is measured every hour.'}
      </p>
    );
  }
  const date = (at: number) => formatDate(new Date(at), timeZone, { year: false });
  const { unit, size } = unitOf(chart.ticks.at(-1)?.bytes ?? 1);
  const today = formatBytes(sizes.at(-1)?.bytes ?? 0);
  const limit = chart.limit && formatBytes(chart.limit.bytes);
  const end = chart.full ? `, full on ${formatDate(new Date(chart.full.at), timeZone)}` : '';
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${chart.width} ${chart.height}`}
      role="img"
      aria-label={`Size of the database: ${today.number} ${today.unit} today${end}`}
    >
      {chart.ticks.map(({ bytes, y }) => (
        <g key={bytes}>
          <line className={bytes === 0 ? classes.axis : classes.grid} x1={40} x2={356} y1={y} y2={y} />
          <text x={32} y={y + 4} textAnchor="end">
            {formatNumber(bytes / size)}
          </text>
        </g>
      ))}
      <text x={32} y={12} textAnchor="end">
        {unit}
      </text>
      {chart.limit && limit ? (
        <>
          <line className={classes.limit} x1={40} x2={356} y1={chart.limit.y} y2={chart.limit.y} />
          <text className={classes.words} x={46} y={chart.limit.y - 7}>
            Disk full at {limit.number} {limit.unit}
          </text>
        </>
      ) : null}
      {chart.forecast ? <path className={classes.forecast} d={chart.forecast} /> : null}
      <path className={classes.history} d={chart.history} />
      <circle className={classes.now} cx={chart.now.x} cy={chart.now.y} r={3} />
      <text className={classes.words} x={chart.now.x + 8} y={Math.min(chart.now.y + 14, 142)}>
        {today.number} {today.unit} today
      </text>
      {chart.full ? (
        <>
          <circle className={classes.full} cx={chart.full.x} cy={chart.full.y} r={3} />
          <text className={classes.words} x={Math.min(chart.full.x + 6, 356)} y={chart.full.y - 7} textAnchor="end">
            full {formatDate(new Date(chart.full.at), timeZone)}
          </text>
        </>
      ) : null}
      {chart.days.map(({ at, x, anchor }) => (
        <text key={at} x={x} y={167} textAnchor={anchor}>
          {date(at)}
        </text>
      ))}
    </svg>
  );
}
