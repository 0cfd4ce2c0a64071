import type { Pace } from './history/series.ts';

/** Amount of demo data for each site. Larger plants get less data per site, so that they load in minutes. */
export interface Scale {
  /** Interval between analog readings. */
  pace: Pace;
  /** Interval between digital readings and between counter readings. */
  statePace: Pace;
  /** Number of hours for which raw frames are loaded. */
  frameHours: number;
  /** Minimum health duration, which limits the number of slots. */
  leastHealthHours: number;
  /** Multiplies the frequency of events; 1 for an ordinary week. */
  rate: number;
  /** True if each reason is also linked to all managers. */
  linkManagers: boolean;
  /** Number of sites that are generated and written at a time. Limits the memory used. */
  sitesAtOnce: number;
}

export function scaleOf(sites: number): Scale {
  if (sites <= 150) {
    return {
      pace: { recentMinutes: 10, pastHours: 1 },
      statePace: { recentMinutes: 10, pastHours: 6 },
      frameHours: 48,
      leastHealthHours: 1,
      rate: 1.4,
      linkManagers: true,
      sitesAtOnce: 20,
    };
  }
  if (sites <= 600) {
    return {
      pace: { recentMinutes: 30, pastHours: 4 },
      statePace: { recentMinutes: 30, pastHours: 24 },
      frameHours: 24,
      leastHealthHours: 6,
      rate: 1.4,
      linkManagers: false,
      sitesAtOnce: 50,
    };
  }
  return {
    pace: { recentMinutes: 120, pastHours: 24 },
    statePace: { recentMinutes: 120, pastHours: 24 },
    frameHours: 6,
    leastHealthHours: 12,
    rate: 0.5,
    linkManagers: false,
    sitesAtOnce: 100,
  };
}
