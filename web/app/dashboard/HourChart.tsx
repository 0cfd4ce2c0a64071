import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import type { AlarmRate, HourOfDay } from './alarm-rate.ts';
import classes from './HourChart.module.css';

const HEIGHT = 92;
const TOP = 14;
const BASE = 72;
const LEFT = 24;

/**
 * Bar chart of the alarms opened in each hour of today, drawn over the usual range. The bar of a busy hour is darker,
 * but not red.
 */
export function HourChart({ rate }: { rate: AlarmRate }) {
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const step = Math.max(0, width - LEFT) / 24;
  const x = (hour: number) => LEFT + hour * step;
  const y = (count: number) => BASE - (count / rate.scale) * (BASE - TOP);
  const shown = pointed === null ? rate.busiest : (rate.hours[pointed] ?? null);
  const ticks = [0, Math.round(rate.scale / 2), Math.round(rate.scale)];
  return (
    <figure className={classes.figure} ref={ref}>
      <svg
        className={classes.chart}
        width={width}
        height={HEIGHT}
        aria-hidden
        onPointerMove={(event) => {
          const hour = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / step);
          setPointed(hour >= 0 && hour < 24 ? hour : null);
        }}
        onPointerLeave={() => setPointed(null)}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line className={classes.grid} x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
            <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
              {tick}
            </text>
          </g>
        ))}
        <path className={classes.band} d={band(rate.hours, x, y)} />
        {rate.hours.map((hour) =>
          hour.opened === null ? null : (
            <rect
              key={hour.hour}
              className={classes.bar}
              data-unusual={hour.unusual || undefined}
              data-pointed={hour.hour === pointed || undefined}
              x={x(hour.hour) + step * 0.19}
              width={step * 0.62}
              y={y(hour.opened)}
              height={BASE - y(hour.opened)}
            />
          ),
        )}
        <line className={classes.axis} x1={LEFT} x2={width} y1={BASE} y2={BASE} />
        {[0, 6, 12, 18, 24].map((hour) => (
          <text
            key={hour}
            x={x(hour)}
            y={HEIGHT - 5}
            textAnchor={hour === 24 ? 'end' : hour === 0 ? 'start' : 'middle'}
          >
            {clock(hour)}
          </text>
        ))}
        {shown ? (
          <Note hour={shown} x={x(shown.hour)} step={step} width={width} y={y(shown.opened ?? shown.high)} />
        ) : null}
      </svg>
      <VisuallyHidden component="figcaption">
        {rate.hours
          .filter((hour) => hour.opened !== null && hour.opened > 0)
          .map(describe)
          .join('. ')}
      </VisuallyHidden>
    </figure>
  );
}

function Note({ hour, x, step, width, y }: { hour: HourOfDay; x: number; step: number; width: number; y: number }) {
  const before = x > width * 0.6;
  return (
    <text
      className={classes.note}
      x={before ? x - 4 : x + step + 2}
      y={Math.max(11, Math.min(y + 10, BASE - 4))}
      textAnchor={before ? 'end' : 'start'}
    >
      {describe(hour)}
    </text>
  );
}

function describe({ hour, opened, low, high }: HourOfDay): string {
  const usual = low === high ? `usually ${high}` : `usually ${low} to ${high}`;
  return opened === null ? `${clock(hour)}, ${usual}` : `${opened} at ${clock(hour)}, ${usual}`;
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

function band(hours: readonly HourOfDay[], x: (hour: number) => number, y: (count: number) => number): string {
  const over = hours.map(({ hour, high }) => `L${x(hour)} ${y(high)}L${x(hour + 1)} ${y(high)}`);
  const under = hours.toReversed().map(({ hour, low }) => `L${x(hour + 1)} ${y(low)}L${x(hour)} ${y(low)}`);
  return `M${[...over, ...under].join('').slice(1)}Z`;
}
