import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useId } from 'react';
import type { Window } from '../../../kit/chart/time-window.ts';
import { formatLimit } from '../../../ui/formats.ts';
import { formatTime } from '../../../ui/time/format.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import type { ChartLimit } from '../conditions.ts';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import classes from './SampleChart.module.css';
import { plotSamples, type Sample } from './sample-chart.ts';

const HEIGHT = 96;
const plotFrame = (width: number) => ({ left: 0, right: Math.max(0, width - 64), top: 6, bottom: 74 });

interface ReadingsChartProps {
  alarm: Pick<AlarmDetail, 'dateTime' | 'resolvedDate'>;
  /** Readings in the time window. The list must contain at least one reading. */
  samples: readonly Sample[];
  window: Window;
  /** True to draw the last value up to the end of the time window. */
  held?: boolean;
  limits: readonly ChartLimit[];
  /** Returns true if the value is in the alarm range. */
  isOutside: (value: number) => boolean;
  formatValue: (value: number) => string;
  steps: boolean;
  /** First words of the chart's description for screen readers. */
  said: string;
}

/** Chart of the readings around the opening of an alarm, with the limits. */
export function ReadingsChart(props: ReadingsChartProps) {
  const { alarm, samples, window, held = false, limits, isOutside, formatValue, steps, said } = props;
  const { ref, width } = useElementSize();
  const id = useId();
  const formatAt = useFormatTime();
  const opened = Date.parse(alarm.dateTime);
  const resolvedAt = alarm.resolvedDate === null ? null : Date.parse(alarm.resolvedDate);
  const frame = plotFrame(width);
  const values = limits.map(({ value }) => value);
  const { from, to } = window;
  const plot = plotSamples(samples, values, window, frame, steps);
  const { x, y } = plot;
  const paths = held ? [plot.path, plot.held] : [plot.path];
  const last = samples.at(-1) as Sample;
  const isPassed = ({ value, side }: ChartLimit, sample: Sample) =>
    isOutside(sample.value) && (side === 'high' ? sample.value >= value : sample.value <= value);
  // The area beyond a limit is coloured only if all values there are in the alarm range, not if the range ends at
  // another limit.
  const isOpenEnded = ({ side }: ChartLimit) => isOutside(side === 'high' ? Number.MAX_VALUE : -Number.MAX_VALUE);
  const isLastOutside = isOutside(last.value);
  const labels = separateLabels([
    { key: 'last', y: y(last.value), text: formatValue(last.value), strong: true, hit: isLastOutside },
    ...limits.map((limit) => ({
      key: keyOf(limit),
      y: y(limit.value),
      text: `${limit.word} ${formatLimit(limit.value)}`,
      strong: false,
      hit: samples.some((sample) => isPassed(limit, sample)),
    })),
  ]);
  const openedAnchor = x(opened) < 72 ? 'start' : x(opened) > frame.right - 72 ? 'end' : 'middle';
  return (
    <figure className={classes.figure} ref={ref}>
      <svg width={width} height={HEIGHT} aria-hidden>
        <rect
          className={classes.open}
          x={x(opened)}
          width={Math.max(0, (resolvedAt === null ? frame.right : Math.min(frame.right, x(resolvedAt))) - x(opened))}
          y={frame.top}
          height={frame.bottom - frame.top}
        />
        <line className={classes.axis} x1={frame.left} x2={frame.right} y1={frame.bottom} y2={frame.bottom} />
        {limits.map((limit) => (
          <g key={keyOf(limit)}>
            <clipPath id={`${id}-${keyOf(limit)}`}>
              {limit.side === 'high' ? (
                <rect x={0} width={width} y={0} height={Math.max(0, y(limit.value))} />
              ) : (
                <rect x={0} width={width} y={y(limit.value)} height={Math.max(0, HEIGHT - y(limit.value))} />
              )}
            </clipPath>
            <line
              className={classes.limit}
              data-hit={samples.some((sample) => isPassed(limit, sample)) || undefined}
              x1={frame.left}
              x2={frame.right}
              y1={y(limit.value)}
              y2={y(limit.value)}
            />
          </g>
        ))}
        {paths.map((path, index) => (
          <g key={path} data-held={index > 0 || undefined}>
            <path className={classes.line} d={path} />
            {limits.filter(isOpenEnded).map((limit) => (
              <path
                key={keyOf(limit)}
                className={classes.line}
                data-hit
                d={path}
                clipPath={`url(#${id}-${keyOf(limit)})`}
              />
            ))}
          </g>
        ))}
        <line className={classes.mark} x1={x(opened)} x2={x(opened)} y1={frame.top} y2={frame.bottom} />
        <circle
          className={classes.dot}
          data-hit={isLastOutside || undefined}
          cx={x(last.at)}
          cy={y(last.value)}
          r={3}
        />
        {labels.map((label) => (
          <text
            key={label.key}
            data-strong={label.strong || undefined}
            data-hit={label.hit || undefined}
            x={frame.right + 6}
            y={label.y + 4}
          >
            {label.text}
          </text>
        ))}
        {x(opened) > 100 ? (
          <text x={0} y={HEIGHT - 8}>
            {formatAt(from)}
          </text>
        ) : null}
        <text x={x(opened)} y={HEIGHT - 8} textAnchor={openedAnchor}>
          {formatAt(opened)} opened
        </text>
        {frame.right - x(opened) > 100 ? (
          <text x={frame.right} y={HEIGHT - 8} textAnchor="end">
            {formatAt(to)}
          </text>
        ) : null}
      </svg>
      <VisuallyHidden component="figcaption">
        {said} from {formatAt(from)} to {formatAt(to)}, range{' '}
        {formatValue(Math.min(...samples.map(({ value }) => value)))} to{' '}
        {formatValue(Math.max(...samples.map(({ value }) => value)))}; last {formatValue(last.value)}
        {held && last.at < to ? ` at ${formatAt(last.at)}, held since then` : ''}. Opened {formatAt(opened)}.
      </VisuallyHidden>
    </figure>
  );
}

function keyOf({ side, value }: ChartLimit): string {
  return `${side}${value}`.replace('.', '-');
}

const LABEL_HEIGHT = 15;

/** Moves overlapping labels apart. The first label keeps its position. */
function separateLabels<L extends { y: number }>(labels: readonly L[]): L[] {
  const placed: L[] = [];
  for (const label of labels) {
    let { y } = label;
    for (const other of placed) {
      if (Math.abs(other.y - y) < LABEL_HEIGHT) {
        y = other.y + (y < other.y ? -LABEL_HEIGHT : LABEL_HEIGHT);
      }
    }
    placed.push({ ...label, y: Math.max(8, Math.min(y, 76)) });
  }
  return placed;
}

function useFormatTime(): (at: number) => string {
  const timeZone = useTimeZone();
  return (at) => formatTime(new Date(at), timeZone);
}
