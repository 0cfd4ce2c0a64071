import type { Pace } from './series.ts';

/** How much is kept of each site, so that a large plant still loads in minutes. */
export interface Scale {
  /** How often what measures is kept. */
  pace: Pace;
  /** The same for what switches or counts, which says less. */
  statePace: Pace;
  /** How many hours of raw frames. */
  frameHours: number;
  /** No site's health duration is shorter, for the sake of the number of slots. */
  leastHealthHours: number;
  /** How much happens: 1 is an ordinary week of each site. */
  rate: number;
  /** Whether managers are linked to every reason, besides the people who look after the site. */
  linkManagers: boolean;
  /** How many sites are made and written at a time, which is what memory holds. */
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
