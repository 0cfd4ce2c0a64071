import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { dateFormat } from '../../ui/formats.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { formatNumber } from '../dashboard/value.ts';
import { counted } from '../list/number.ts';
import { trendSeriesQuery } from '../trend/trend.queries.ts';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { formatLimit, type JudgedBy, readJudgedBy } from './judged-by.ts';
import { pointOf } from './reading.ts';
import classes from './SampleChart.module.css';
import {
  endOfInterest,
  isOnOrOff,
  leadOf,
  plotSamples,
  readSamples,
  type Sample,
  samplesAfter,
  withNewest,
} from './sample-chart.ts';
import { isOut } from './still-out.ts';

const HEIGHT = 96;
const POINTS = 300;
const frameOf = (width: number) => ({ left: 0, right: Math.max(0, width - 64), top: 6, bottom: 74 });

/** The readings that led to the alarm, as they were frozen on it, and those since then, with the limits it was judged by. */
export function SampleChart({ alarm }: { alarm: AlarmDetail }) {
  const samples = readSamples(alarm.samples);
  const judged = readJudgedBy(alarm.judgedBy);
  const steps = isOnOrOff(judged, alarm.datapoint);
  const after = useAfter(alarm, samples, steps);
  if (samples.length < 2 || (judged?.kind !== 'limits' && judged?.kind !== 'digital')) {
    return null;
  }
  const limits =
    judged.kind === 'limits'
      ? [
          { value: judged.upper, side: 'high' as const },
          { value: judged.lower, side: 'low' as const },
        ].flatMap(({ value, side }) => (value === null ? [] : { value, side }))
      : [];
  const wordOf = (value: number) =>
    judged.kind === 'digital'
      ? (value === 0 ? judged.lowText : judged.highText) || (value === 0 ? 'low' : 'high')
      : `${formatNumber(value)} ${judged.unit}`.trim();
  return (
    <div className={classes.frame}>
      <Chart
        alarm={alarm}
        judged={judged}
        frozen={samples}
        after={after}
        limits={limits}
        wordOf={wordOf}
        steps={steps}
      />
    </div>
  );
}

const STEP = 30_000;

/** The values since the alarm was recorded. They are asked for, not frozen: what it was judged by is not among them. */
function useAfter(alarm: AlarmDetail, frozen: readonly Sample[], steps: boolean): readonly Sample[] {
  const now = useFromNow((at) => Math.floor(at.getTime() / STEP) * STEP);
  const { tocsinDatapointUuid: point, resolvedDate } = alarm;
  const from = (frozen.at(-1)?.at ?? now) + 1;
  const opened = Date.parse(alarm.dateTime);
  const to = endOfInterest(opened, resolvedDate === null ? null : Date.parse(resolvedDate), now);
  const query = trendSeriesQuery(point && to > from ? [point] : [], { from, to }, POINTS);
  const [series] = useQuery(query).data ?? [];
  const after = series && series.uuid === point ? samplesAfter(series, frozen, steps) : [];
  // The value that stands beside it is newer than what was asked for.
  return resolvedDate === null ? withNewest(after, frozen, pointOf(alarm)) : after;
}

interface ChartProps {
  alarm: AlarmDetail;
  judged: JudgedBy;
  frozen: readonly Sample[];
  after: readonly Sample[];
  limits: readonly { value: number; side: 'high' | 'low' }[];
  wordOf: (value: number) => string;
  steps: boolean;
}

function Chart({ alarm, judged, frozen, after, limits, wordOf, steps }: ChartProps) {
  const { ref, width } = useElementSize();
  const id = useId();
  const clock = useClock();
  const opened = Date.parse(alarm.dateTime);
  const samples = [...leadOf(frozen, opened, after.at(-1)?.at ?? opened), ...after];
  const over = alarm.resolvedDate === null ? null : Date.parse(alarm.resolvedDate);
  const frame = frameOf(width);
  const values = limits.map(({ value }) => value);
  const { x, y, path, from, to } = plotSamples(samples, values, opened, frame, steps);
  const last = samples.at(-1) as Sample;
  const isPassed = ({ value, side }: { value: number; side: string }, sample: Sample) =>
    side === 'high' ? sample.value > value : sample.value < value;
  const lastIsOut = isOut(judged, last.value) === true;
  const labels = spread([
    { key: 'last', y: y(last.value), text: wordOf(last.value), strong: true, hit: lastIsOut },
    ...limits.map((limit) => ({
      key: limit.side,
      y: y(limit.value),
      text: `${limit.side} ${formatLimit(limit.value)}`,
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
          <g key={limit.side}>
            <clipPath id={`${id}-${limit.side}`}>
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
        <path className={classes.line} d={path} />
        {limits.map(({ side }) => (
          <path key={side} className={classes.line} data-hit d={path} clipPath={`url(#${id}-${side})`} />
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
        {counted(frozen.length, 'reading')} led to it. Drawn are those from {clock(from)} to {clock(to)}, from{' '}
        {wordOf(Math.min(...samples.map(({ value }) => value)))} to{' '}
        {wordOf(Math.max(...samples.map(({ value }) => value)))}; the last one {wordOf(last.value)}. Opened{' '}
        {clock(opened)}.
      </VisuallyHidden>
    </figure>
  );
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
  const format = dateFormat(undefined, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => format.format(at);
}
