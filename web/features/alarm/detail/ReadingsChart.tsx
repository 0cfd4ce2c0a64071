import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useId } from 'react';
import type { Window } from '../../../kit/chart/time-window.ts';
import { formatLimit } from '../../../ui/formats.ts';
import { formatTime } from '../../../ui/time/format.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import type { DrawnLimit } from '../conditions.ts';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import classes from './SampleChart.module.css';
import { plotSamples, type Sample } from './sample-chart.ts';

const HEIGHT = 96;
const frameOf = (width: number) => ({ left: 0, right: Math.max(0, width - 64), top: 6, bottom: 74 });

interface ReadingsChartProps {
  alarm: Pick<AlarmDetail, 'dateTime' | 'resolvedDate'>;
  /** One at least, in the stretch of time that is drawn. */
  samples: readonly Sample[];
  window: Window;
  /** Whether the last one held until the end. */
  held?: boolean;
  limits: readonly DrawnLimit[];
  /** Whether a value is where it makes the alarm. */
  isOutside: (value: number) => boolean;
  wordOf: (value: number) => string;
  steps: boolean;
  /** What is drawn, for those who do not see it. */
  said: string;
}

/** The readings around the opening of an alarm, with the limits of their data point. */
export function ReadingsChart(props: ReadingsChartProps) {
  const { alarm, samples, window, held = false, limits, isOutside, wordOf, steps, said } = props;
  const { ref, width } = useElementSize();
  const id = useId();
  const clock = useClock();
  const opened = Date.parse(alarm.dateTime);
  const over = alarm.resolvedDate === null ? null : Date.parse(alarm.resolvedDate);
  const frame = frameOf(width);
  const values = limits.map(({ value }) => value);
  const { from, to } = window;
  const plot = plotSamples(samples, values, window, frame, steps);
  const { x, y } = plot;
  const paths = held ? [plot.path, plot.held] : [plot.path];
  const last = samples.at(-1) as Sample;
  const isPassed = ({ value, side }: DrawnLimit, sample: Sample) =>
    isOutside(sample.value) && (side === 'high' ? sample.value >= value : sample.value <= value);
  // Between two limits that are to be met both, what is out ends at the other one.
  const reachesOn = ({ side }: DrawnLimit) => isOutside(side === 'high' ? Number.MAX_VALUE : -Number.MAX_VALUE);
  const lastIsOut = isOutside(last.value);
  const labels = spread([
    { key: 'last', y: y(last.value), text: wordOf(last.value), strong: true, hit: lastIsOut },
    ...limits.map((limit) => ({
      key: keyOf(limit),
      y: y(limit.value),
      text: `${limit.word} ${formatLimit(limit.value)}`,
      strong: false,
      hit: samples.some((sample) => isPassed(limit, sample)),
    })),
  ]);
  const openedNear = x(opened) < 72 ? 'start' : x(opened) > frame.right - 72 ? 'end' : 'middle';
  return (
    <figure className={classes.figure} ref={ref}>
      <svg width={width} height={HEIGHT} aria-hidden>
        <rect
          className={classes.open}
          x={x(opened)}
          width={Math.max(0, (over === null ? frame.right : Math.min(frame.right, x(over))) - x(opened))}
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
            {limits.filter(reachesOn).map((limit) => (
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
        <circle className={classes.dot} data-hit={lastIsOut || undefined} cx={x(last.at)} cy={y(last.value)} r={3} />
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
            {clock(from)}
          </text>
        ) : null}
        <text x={x(opened)} y={HEIGHT - 8} textAnchor={openedNear}>
          {clock(opened)} opened
        </text>
        {frame.right - x(opened) > 100 ? (
          <text x={frame.right} y={HEIGHT - 8} textAnchor="end">
            {clock(to)}
          </text>
        ) : null}
      </svg>
      <VisuallyHidden component="figcaption">
        {said} from {clock(from)} to {clock(to)}, from {wordOf(Math.min(...samples.map(({ value }) => value)))} to{' '}
        {wordOf(Math.max(...samples.map(({ value }) => value)))}; the last one {wordOf(last.value)}
        {held && last.at < to ? ` at ${clock(last.at)}, held since then` : ''}. Opened {clock(opened)}.
      </VisuallyHidden>
    </figure>
  );
}

function keyOf({ side, value }: DrawnLimit): string {
  return `${side}${value}`.replace('.', '-');
}

const LINE = 15;

/** Moves labels apart that would lie over each other; the first keeps its place. */
function spread<L extends { y: number }>(labels: readonly L[]): L[] {
  const placed: L[] = [];
  for (const label of labels) {
    let { y } = label;
    for (const other of placed) {
      if (Math.abs(other.y - y) < LINE) {
        y = other.y + (y < other.y ? -LINE : LINE);
      }
    }
    placed.push({ ...label, y: Math.max(8, Math.min(y, 76)) });
  }
  return placed;
}

function useClock(): (at: number) => string {
  const timeZone = useTimeZone();
  return (at) => formatTime(new Date(at), timeZone);
}
