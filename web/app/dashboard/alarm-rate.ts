/** Alarms opened in each hour of today, compared with the same hours of earlier days. */
export interface AlarmRate {
  hours: HourOfDay[];
  /** Number of alarms opened today so far. */
  today: number;
  /** Median number of alarms opened up to this time of day on the earlier days. */
  usualByNow: number;
  /** Maximum of the chart's axis, at least 4, so that one alarm does not look like a flood. */
  scale: number;
  /** The hour furthest above the usual range; null if no hour is unusual. */
  busiest: HourOfDay | null;
}

export interface HourOfDay {
  hour: number;
  /** Number of alarms opened in this hour; null for future hours. */
  opened: number | null;
  /** Percentiles of the alarms opened in this hour on the earlier days: `low` is the 10th, `high` the 90th. */
  low: number;
  high: number;
  unusual: boolean;
}

/**
 * Computes today's alarm rate. `days` has 24 counts per day, today first. `hourNow` is the time of day in decimal
 * hours, such as 14.5 at 14:30. For the comparison at 14:30, half of each earlier day's alarms from 14:00 to 15:00
 * count.
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

/** Returns a quantile by nearest rank, so that the result is a whole number of alarms. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
