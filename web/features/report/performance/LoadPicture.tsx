import { Link } from '@tanstack/react-router';
import { formatBetween } from '../../../../domain/age.ts';
import { writeBetween } from '../../../../domain/report/between.ts';
import { type LoadRow, loadRows, SLOTS } from '../../../../domain/report/load-rows.ts';
import { loadLevel, loadLevels } from '../../../../domain/report/performance.ts';
import { counted } from '../../../kit/format/number.ts';
import { formatDate, formatTime } from '../../../ui/time/format.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { writeDay } from '../ranges.ts';
import type { ReportView } from '../useReportView.ts';
import { FigureLink } from './FigureLink.tsx';
import picture from './LoadPicture.module.css';
import classes from './Performance.module.css';
import type { PerformanceFlood, PerformanceReport } from './performance.queries.ts';

const CELL = 6.6;
const LEFT = 56;
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21];

interface LoadPictureProps {
  report: ReportView;
  data: PerformanceReport;
}

/** Shows the alarms per ten minutes as one row per day, and a list of the floods. */
export function LoadPicture({ report, data }: LoadPictureProps) {
  const timeZone = useTimeZone();
  const rows = data.load.length > 0 ? loadRows(data.load, report.range.from, timeZone) : [];
  return (
    <section className={picture.load}>
      <figure aria-label="Alarms per 10 minutes">
        <figcaption className={classes.head}>
          <h2>Alarms per 10 minutes</h2>
          <span className={picture.key}>
            {loadLevels.map((name, level) => (
              <span key={name}>
                <i data-level={level} aria-hidden />
                {name}
              </span>
            ))}
          </span>
        </figcaption>
        {rows.length === 0 ? (
          <p className={classes.hint}>Choose a range of at most 92 days to see the alarms per 10 minutes.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways on a phone, so it must be focusable by keyboard.
          <section className={picture.scroll} tabIndex={0} aria-label="Chart of alarms per 10 minutes">
            <Picture rows={rows} />
          </section>
        )}
      </figure>
      <div className={picture.floods}>
        <div className={classes.head}>
          <h2>Floods</h2>
          <span className={classes.muted}>more than 10 alarms of a site or unit office in 10 min</span>
        </div>
        {data.floods.length === 0 ? (
          <p className={classes.hint}>No site or unit office had an alarm flood in this period.</p>
        ) : (
          <ol className={picture.floodList}>
            {data.floods.map((flood) => (
              <Flood key={`${flood.siteUuid} ${flood.beganAt}`} report={report} flood={flood} />
            ))}
          </ol>
        )}
        {data.floodCount > data.floods.length ? (
          <p className={classes.hint}>
            The first {data.floods.length.toLocaleString()} of {data.floodCount.toLocaleString()} floods.
          </p>
        ) : null}
      </div>
    </section>
  );
}

/** Draws all cells of the same shade in a day as one path, because ninety days have 13,000 cells. */
function Picture({ rows }: { rows: readonly LoadRow[] }) {
  const height = Math.max(3, Math.min(9, Math.floor(240 / rows.length)));
  const width = LEFT + SLOTS * CELL;
  // A label is 16 units high. If the rows are lower than that, only some of them get a label.
  const every = Math.ceil(16 / height);
  const bottom = rows.length * height;
  return (
    <svg className={picture.picture} viewBox={`0 0 ${width} ${bottom + 18}`} aria-hidden>
      {rows.map(({ day, slots }, row) => (
        <g key={day}>
          <title>{day}</title>
          {[1, 2, 3, 4].map((level) => {
            const path = slots
              .map((alarms, slot) =>
                loadLevel(alarms) === level
                  ? `M${(LEFT + slot * CELL).toFixed(1)} ${row * height}h${CELL - 0.7}v${height - 1}h-${CELL - 0.7}z`
                  : '',
              )
              .join('');
            return path === '' ? null : <path key={level} data-level={level} d={path} />;
          })}
          {row % every === 0 ? (
            <text x={LEFT - 6} y={row * height + Math.max(7, height)} textAnchor="end">
              {writeDay(day, false)}
            </text>
          ) : null}
        </g>
      ))}
      {HOURS.map((hour) => (
        <text key={hour} x={LEFT + hour * 6 * CELL} y={bottom + 14}>
          {String(hour).padStart(2, '0')}:00
        </text>
      ))}
    </svg>
  );
}

function Flood({ report, flood }: { report: ReportView; flood: PerformanceFlood }) {
  const timeZone = useTimeZone();
  const [began, ended] = [flood.beganAt ?? '', flood.endedAt ?? ''];
  const [from, to] = [new Date(began), new Date(ended)];
  const alarms = flood.alarms ?? 0;
  const start = `${formatDate(from, timeZone, { year: false })} ${formatTime(from, timeZone)}`;
  const place = flood.groupUuid ? { office: flood.groupUuid } : { site: flood.siteUuid ?? '' };
  const listed = { ...place, only: 'flood', between: writeBetween(from, to) };
  return (
    <li>
      <div>
        <FigureLink report={report} alarms={listed} label={`${start}, flood at ${flood.siteName}`}>
          {start}
        </FigureLink>
        , {formatBetween(began, ended)}, {flood.siteName}
        <small>
          First-out:{' '}
          {flood.firstAlarmUuid ? (
            <Link className={classes.fig} to="/dashboard/alarms/$uuid" params={{ uuid: flood.firstAlarmUuid }}>
              {flood.firstMessage}
            </Link>
          ) : (
            'unknown'
          )}
        </small>
      </div>
      <FigureLink
        report={report}
        alarms={listed}
        label={`${counted(alarms, 'alarm')} in the flood at ${flood.siteName}`}
      >
        {alarms.toLocaleString()}
      </FigureLink>
    </li>
  );
}
