import { Link } from '@tanstack/react-router';
import type { Window } from '../../kit/chart/time-window.ts';
import { formatMoment } from '../../kit/format/date-time.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { stateWords } from '../../ui/state-words.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import classes from './AlarmStrip.module.css';
import { type Band, placeOf, visibleWidth } from './alarm-bands.ts';
import type { Line } from './lines.ts';

interface AlarmStripProps {
  bands: readonly Band[];
  lines: readonly Line[];
  window: Window;
  /**
   * True if the chart above has labels at the ends of its lines. The strip is then narrower by the width of these
   * labels.
   */
  named: boolean;
}

/** Shows the alarms as bars below the time axis. Each bar links to its alarm. */
export function AlarmStrip({ bands, lines, window, named }: AlarmStripProps) {
  const timeZone = useTimeZone();
  return (
    <div className={classes.strip} data-named={named || undefined}>
      <span className={classes.title}>Alarms</span>
      <ul className={classes.track} aria-label="Alarms in this period">
        {bands.map((band) => {
          const { left, width } = placeOf(band, window);
          const about = lines.filter(({ uuid }) => band.points.includes(uuid));
          const words = [
            band.message,
            stateWords[band.severity],
            ...about.map(({ label }) => label),
            `from ${formatMoment(new Date(band.from), timeZone)}`,
            band.open ? 'still open' : `to ${formatMoment(new Date(band.to), timeZone)}`,
          ];
          const name = words.filter(Boolean).join(', ');
          return (
            <li key={band.uuid} style={{ left: `${left * 100}%`, width: `${width * 100}%` }}>
              <Link
                to="/dashboard/alarms"
                search={{ alarm: band.uuid }}
                className={classes.band}
                data-state={band.severity}
                data-acknowledged={band.acknowledged || undefined}
                title={name}
                aria-label={name}
              >
                {visibleWidth(band, bands, window) > 0.12 ? (
                  <StateMark state={band.severity} acknowledged={band.acknowledged} />
                ) : null}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
