/** The alarms that opened in each hour of today, held against the same hours of the days before. */
export interface AlarmRate {
  hours: HourOfDay[];
  /** Opened today until now. */
  today: number;
  /** What is usual by this time of the day: the middle of the days before. */
  usualByNow: number;
  /** The largest number of the chart, at least 4 so that one alarm does not look like a flood. */
  scale: number;
  /** The hour that stands out most above what is usual, or null on an ordinary day. */
  busiest: HourOfDay | null;
}

export interface HourOfDay {
  hour: number;
  /** Null for hours that have not begun. */
  opened: number | null;
  /** Nine of ten days lie within: from the tenth to the ninetieth hundredth of the days before. */
  low: number;
  high: number;
  unusual: boolean;
}

/**
 * `days` are 24 counts each, today first. `hourNow` is the time of day with its fraction: at 14:30 it is 14.5, and of the
 * fifteenth hour of the other days half is taken as usual by now.
 */
export function alarmRate(days: readonly (readonly number[])[], hourNow: number): AlarmRate {
  const [today = [], ...before] = days;
  const current = Math.floor(hourNow);
  const hours = Array.from({ length: 24 }, (_, hour): HourOfDay => {
    const sorted = before.map((day) => day[hour] ?? 0).toSorted((a, b) => a - b);
    const opened = hour <= current ? (today[hour] ?? 0) : null;
    const high = quantile(sorted, 0.9);
    return { hour, opened, low: quantile(sorted, 0.1), high, unusual: opened !== null && opened > Math.max(high, 1) };
  });
  const byNow = before.map((day) =>
    day.reduce((sum, opened, hour) => sum + opened * Math.min(1, Math.max(0, hourNow - hour)), 0),
  );
  const excess = (hour: HourOfDay) => (hour.opened ?? 0) - hour.high;
  return {
    hours,
    today: today.reduce((sum, opened) => sum + opened, 0),
    usualByNow: Math.round(
      quantile(
        byNow.toSorted((a, b) => a - b),
        0.5,
      ),
    ),
    scale: Math.max(4, ...hours.flatMap(({ opened, high }) => [opened ?? 0, high])),
    busiest: hours.filter((hour) => hour.unusual).toSorted((a, b) => excess(b) - excess(a))[0] ?? null,
  };
}

/** The value at a share of a sorted list: one that occurs in it, because a tenth of an alarm does not. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
