import type { ReactNode } from 'react';
import { LightTooltip } from '../../ui/LightTooltip.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatAge } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { formatMoment } from '../format/date-time.ts';
import { formatNumber } from '../format/number.ts';
import classes from './cells.module.css';

/** A row's name. On a phone, where most columns are left out, a quiet second line says what it is or where. */
export function Named({ name, below }: { name: string; below?: ReactNode }) {
  return (
    <span className={classes.named}>
      <span className={classes.name}>{name}</span>
      {below ? <span className={classes.below}>{below}</span> : null}
    </span>
  );
}

/** A number with its unit, smaller and quieter, beside it. */
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

/** What stands where there is nothing to show. */
export function None() {
  return <span className={classes.none}>–</span>;
}

/** Text, or a dash where it is empty. */
export function Text({ children }: { children: string | null | undefined }) {
  return children ? children : <None />;
}

/** An exact time in the customer's zone, with its age one hover away. For logs, where the order of things matters. */
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

/** What a device or person wrote, letter for letter. */
export function Verbatim({ children }: { children: string }) {
  return <span className={classes.verbatim}>{children}</span>;
}
