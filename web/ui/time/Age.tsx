import { LightTooltip } from '../LightTooltip.tsx';
import { useFromNow } from './clock.ts';
import { formatAge, formatClock, formatDay } from './format.ts';
import { useTimeZone } from './TimeZone.tsx';

interface AgeProps {
  /** Time of the event; null if it has not happened. */
  at: Date | string | null;
  /** Shown when `at` is null. */
  never?: string;
}

/** Shows how long ago an event happened, with the exact time and zone in the tooltip. */
export function Age({ at, never = '–' }: AgeProps) {
  const timeZone = useTimeZone();
  const time = at === null ? null : new Date(at);
  const age = useFromNow((now) => (time === null ? never : formatAge(now.getTime() - time.getTime())));
  if (time === null) {
    return <span>{age}</span>;
  }
  return (
    <LightTooltip
      label={() => (
        <>
          <b>{formatClock(time, timeZone)}</b>, {age} ago
          <br />
          {formatDay(time, timeZone)}, {timeZone}
        </>
      )}
    >
      <time dateTime={time.toISOString()}>{age}</time>
    </LightTooltip>
  );
}
