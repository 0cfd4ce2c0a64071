/** An alarm flood starts when a place has more than this number of alarms within ten minutes. */
export const FLOOD_ALARMS = 10;
export const FLOOD_MS = 600_000;

/** An alarm that counts for floods because it was not quiet when it opened. */
export interface CountedAlarm {
  uuid: string;
  /** Server time at which the alarm was created. */
  at: number;
}

/** Many alarms of one place within a short time. */
export interface AlarmFlood {
  /** The oldest alarm within the ten minutes in which the flood started. */
  firstOut: CountedAlarm;
  /** Number of alarms since the first-out alarm. */
  alarms: number;
  lastAt: number;
  /** The flood ends at this time unless another alarm opens before then. */
  endsAt: number;
}

/** Returns whether alarms that open at these times, in order, start a flood by themselves. */
export function includesFlood(times: readonly number[]): boolean {
  return times.some((at, index) => at - (times[index - FLOOD_ALARMS] ?? Number.NEGATIVE_INFINITY) < FLOOD_MS);
}

/**
 * The state that decides whether the next alarm of a place opens in a flood. A place is a unit office, or a site that
 * has none.
 */
export interface FloodWatch {
  /** The newest alarms (at most ten), oldest first. */
  recent: readonly CountedAlarm[];
  flood: AlarmFlood | undefined;
  /** Time of the last alarm of the previous flood. An alarm belongs to one flood only. */
  previousLastAt: number;
}

/**
 * Returns the state of a place after an alarm has opened. A flood starts when more than ten alarms have opened within
 * ten minutes, and ends when fewer than `endsBelow` have (1 to 10). Alarms must be given in the order in which they
 * opened. `tocsin_private.performance_floods` implements the same rule in SQL for the report.
 */
export function afterAlarm(watch: FloodWatch, alarm: CountedAlarm, endsBelow: number): FloodWatch {
  const recent = watch.recent.filter(({ at }) => at > alarm.at - FLOOD_MS);
  const counted = [...recent, alarm];
  const endsAt = (counted.at(-endsBelow)?.at ?? Number.NEGATIVE_INFINITY) + FLOOD_MS;
  const next = { recent: counted.slice(-FLOOD_ALARMS), previousLastAt: watch.previousLastAt };
  if (watch.flood && recent.length >= endsBelow) {
    const { firstOut, alarms } = watch.flood;
    return { ...next, flood: { firstOut, alarms: alarms + 1, lastAt: alarm.at, endsAt } };
  }
  const previousLastAt = watch.flood?.lastAt ?? watch.previousLastAt;
  if (counted.length <= FLOOD_ALARMS) return { ...next, previousLastAt, flood: undefined };
  const own = counted.filter(({ at }) => at > previousLastAt);
  const flood = { firstOut: own[0] ?? alarm, alarms: own.length, lastAt: alarm.at, endsAt };
  return { ...next, previousLastAt, flood };
}
