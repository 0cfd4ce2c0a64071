import { LightTooltip } from '../../ui/LightTooltip.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatClock, formatDay } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import classes from './At.module.css';
import { formatMoment, formatOnPaper } from './short-time.ts';

/** A time in its shortest clear form: `14:24`, `Wed 10:20`, `5 Nov 22:14`. The tooltip and print show it in full. */
export function At({ at }: { at: string | null }) {
  const timeZone = useTimeZone();
  const words = useFromNow((now) => (at === null ? '' : formatMoment(new Date(at), now, timeZone)));
  if (at === null) {
    return null;
  }
  const time = new Date(at);
  return (
    <LightTooltip
      label={() => (
        <>
          <b>{formatClock(time, timeZone)}</b>
          <br />
          {formatDay(time, timeZone)}, {timeZone}
        </>
      )}
    >
      <time className={classes.at} dateTime={time.toISOString()} data-paper={formatOnPaper(time, timeZone)}>
        <span>{words}</span>
      </time>
    </LightTooltip>
  );
}
