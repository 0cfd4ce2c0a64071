import { VisuallyHidden } from '@mantine/core';
import type { Bar } from '../../../domain/report/bars.ts';
import { Card } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { LoadFailed } from './LoadFailed.tsx';
import { formatBarLabel } from './ranges.ts';
import classes from './StackedBars.module.css';

interface StackedBarsProps {
  title: string;
  /** Names of the segments of each bar, from the bottom up. */
  parts: readonly string[];
  /** True if the segments are severities, which have their own colours. */
  severities?: boolean;
  /** Bars of the chart; undefined while loading. */
  bars: readonly Bar[] | undefined;
  /** Error that occurred while loading, or null. */
  error: unknown;
  /** True if a filter is active, so that a chart without bars has a different text. */
  narrowed?: boolean;
  /** Called with the label of a bar to open its details. */
  onOpen: (label: string) => void;
}

/** Stacked bar chart with one bar per day or month. */
export function StackedBars({ title, parts, severities = false, bars, error, narrowed, onOpen }: StackedBarsProps) {
  const sums = bars?.map(({ values }) => values.reduce((sum, value) => sum + value, 0)) ?? [];
  const most = Math.max(0, ...sums);
  const every = Math.ceil((bars?.length ?? 1) / 10);
  return (
    <Card>
      <figure className={classes.figure} data-severities={severities || undefined} aria-label={title}>
        <figcaption className={classes.head}>
          <b>{title}</b>
          {parts.map((part, index) => (
            <span key={part} className={classes.part}>
              <i data-part={index} aria-hidden />
              {part}
            </span>
          ))}
          {most > 0 ? <span className={classes.most}>maximum {most.toLocaleString()}</span> : null}
        </figcaption>
        {bars === undefined ? (
          error ? (
            <LoadFailed what="The chart" error={error} />
          ) : (
            <Skeleton width="100%" height={96} />
          )
        ) : most === 0 ? (
          <p className={classes.none}>{narrowed ? 'No matches in this period.' : 'Nothing to show in this period.'}</p>
        ) : (
          <ol className={classes.bars}>
            {bars.map(({ label, values }, index) => {
              const words = `${formatBarLabel(label)}: ${sentence(parts, values)}`;
              const stack = (
                <span className={classes.stack}>
                  {values.map((value, part) => (
                    <i key={parts[part]} data-part={part} style={{ height: `${(100 * value) / most}%` }} />
                  ))}
                </span>
              );
              return (
                <li key={label} title={words}>
                  {(sums[index] ?? 0) > 0 ? (
                    <button type="button" aria-label={words} onClick={() => onOpen(label)}>
                      {stack}
                    </button>
                  ) : (
                    <>
                      <VisuallyHidden>{words}</VisuallyHidden>
                      {stack}
                    </>
                  )}
                  <span className={classes.tick} data-major={(index / every) % 3 === 0 || undefined} aria-hidden>
                    {index % every === 0 && index + every / 2 < bars.length ? formatBarLabel(label) : '\u00a0'}
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
  const texts = parts.flatMap((part, index) => (values[index] ? [`${values[index]} ${part.toLowerCase()}`] : []));
  return texts.length > 0 ? texts.join(', ') : 'none';
}
