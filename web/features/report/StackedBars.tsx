import type { Bar } from '../../../domain/report/bars.ts';
import { Card } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import classes from './StackedBars.module.css';

interface StackedBarsProps {
  title: string;
  /** What the parts of a bar are, from below. */
  parts: readonly string[];
  /** Undefined while they are on their way. */
  bars: readonly Bar[] | undefined;
  /** Opens what stands behind a bar. */
  onOpen?: (label: string) => void;
}

/** How much there was on each day or in each month, by kind. */
export function StackedBars({ title, parts, bars, onOpen }: StackedBarsProps) {
  const sums = bars?.map(({ values }) => values.reduce((sum, value) => sum + value, 0)) ?? [];
  const most = Math.max(1, ...sums);
  const every = Math.ceil((bars?.length ?? 1) / 10);
  return (
    <Card>
      <figure className={classes.figure} aria-label={title}>
        <figcaption className={classes.head}>
          <b>{title}</b>
          {parts.map((part, index) => (
            <span key={part} className={classes.part}>
              <i data-part={index} aria-hidden />
              {part}
            </span>
          ))}
          <span className={classes.most}>highest {most.toLocaleString()}</span>
        </figcaption>
        {bars === undefined ? (
          <Skeleton width="100%" height={96} />
        ) : (
          <ol className={classes.bars}>
            {bars.map(({ label, values }, index) => {
              const words = `${dayWords(label)}: ${sentence(parts, values)}`;
              const stack = (
                <span className={classes.stack}>
                  {values.map((value, part) => (
                    <i key={parts[part]} data-part={part} style={{ height: `${(100 * value) / most}%` }} />
                  ))}
                </span>
              );
              return (
                <li key={label} title={words}>
                  {onOpen && (sums[index] ?? 0) > 0 ? (
                    <button type="button" aria-label={words} onClick={() => onOpen(label)}>
                      {stack}
                    </button>
                  ) : (
                    <>
                      <span className={classes.hidden}>{words}</span>
                      {stack}
                    </>
                  )}
                  <span className={classes.tick} data-major={(index / every) % 3 === 0 || undefined} aria-hidden>
                    {index % every === 0 && index + every / 2 < bars.length ? dayWords(label) : '\u00a0'}
                  </span>
                </li>
              );
            })}
          </ol>
        )}
      </figure>
    </Card>
  );
}

function sentence(parts: readonly string[], values: readonly number[]): string {
  const told = parts.flatMap((part, index) => (values[index] ? [`${values[index]} ${part.toLowerCase()}`] : []));
  return told.length > 0 ? told.join(', ') : 'none';
}

/** `25 Oct`, or `Oct 2026` of a month. The label is a date without a clock, so no zone moves it. */
export function dayWords(label: string): string {
  const whole = label.length === 10;
  return new Intl.DateTimeFormat(undefined, {
    timeZone: 'UTC',
    ...(whole ? { day: 'numeric', month: 'short' } : { month: 'short', year: 'numeric' }),
  }).format(new Date(whole ? label : `${label}-01`));
}
