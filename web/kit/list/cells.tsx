import type { ReactNode } from 'react';
import { LightTooltip } from '../../ui/LightTooltip.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatAge } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { formatMoment } from '../format/date-time.ts';
import { formatNumber } from '../format/number.ts';
import classes from './cells.module.css';

/** A row's name. On a phone, a muted second line shows the row's kind or place. */
export function Named({ name, below }: { name: string; below?: ReactNode }) {
  return (
    <span className={classes.named}>
      <span className={classes.name}>{name}</span>
      {below ? <span className={classes.below}>{below}</span> : null}
    </span>
  );
}

/** A number with its unit in smaller, muted text. */
export function Quantity({ value, unit }: { value: number | null; unit?: string }) {
  if (value === null) {
    return <None />;
  }
  return (
    <>
      {formatNumber(value)}
      {unit ? <span className={classes.unit}> {unit}</span> : null}
    </>
  );
}

/** Dash for an empty cell. */
export function None() {
  return <span className={classes.none}>–</span>;
}

/** Text, or a dash if it is empty. */
export function Text({ children }: { children: string | null | undefined }) {
  return children ? children : <None />;
}

/**
 * An exact time in the customer's time zone, with its age in the tooltip. Used in logs, where the order of rows
 * matters.
 */
export function Moment({ at }: { at: string | null }) {
  const timeZone = useTimeZone();
  const time = at === null ? null : new Date(at);
  const age = useFromNow((now) => (time === null ? '' : formatAge(now.getTime() - time.getTime())));
  if (time === null) {
    return <None />;
  }
  return (
    <LightTooltip label={() => `${age} ago, ${timeZone}`}>
      <time dateTime={time.toISOString()}>{formatMoment(time, timeZone)}</time>
    </LightTooltip>
  );
}

/** Text exactly as a device or user wrote it. */
export function Verbatim({ children }: { children: string }) {
  return <span className={classes.verbatim}>{children}</span>;
}
