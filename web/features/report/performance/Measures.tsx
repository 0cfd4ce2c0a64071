import { TbArrowUp, TbCheck } from 'react-icons/tb';
import type { Measure } from '../../../../domain/report/performance.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { ReportView } from '../useReportView.ts';
import { FigureLink } from './FigureLink.tsx';
import classes from './Measures.module.css';

const waiting = ['day', 'period', 'busy', 'floods', 'rules', 'nobody'];

interface MeasuresProps {
  report: ReportView;
  /** The figures to show; undefined while loading. */
  measures: readonly Measure[] | undefined;
}

/**
 * Shows the figures that have a target. A figure above its target is bold, in the text colour, and has an arrow. It is
 * never red, because red is for alarms.
 */
export function Measures({ report, measures }: MeasuresProps) {
  return (
    <dl className={classes.measures}>
      {measures === undefined
        ? waiting.map((name) => (
            <div key={name} className={classes.measure}>
              <Skeleton width="70%" />
              <Skeleton width="40%" height={20} />
              <Skeleton width="55%" />
            </div>
          ))
        : measures.map(({ name, value, unit, state, words, share, mark, only }) => (
            <div key={name} className={classes.measure}>
              <dt>{name}</dt>
              <dd className={classes.value}>
                <FigureLink report={report} alarms={{ only }} label={`${name}: ${value}`}>
                  <b>{value}</b>
                </FigureLink>{' '}
                <small>{unit}</small>
              </dd>
              <dd>
                <Meter share={share} mark={mark} above={state !== 'within'} />
              </dd>
              <dd className={classes.target} data-above={state === 'above' || undefined}>
                {state === 'within' ? <TbCheck size={13} aria-hidden /> : <TbArrowUp size={13} aria-hidden />}
                {words}
              </dd>
            </div>
          ))}
    </dl>
  );
}

interface MeterProps {
  /** Length of the bar (`share`) and position of the target (`mark`), both from 0 to 1. */
  share: number;
  mark: number;
  above: boolean;
  wide?: boolean;
}

/** Bar with a mark at the position of its target. */
export function Meter({ share, mark, above, wide = false }: MeterProps) {
  return (
    <span className={classes.meter} data-wide={wide || undefined} aria-hidden>
      <i data-above={above || undefined} style={{ width: `${100 * Math.min(1, share)}%` }} />
      <u style={{ left: `${100 * Math.min(1, mark)}%` }} />
    </span>
  );
}
