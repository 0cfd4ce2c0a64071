/** Scripted events that every demo has: open alarms, and unit offices with bad reception. */
export interface OpenAlarm {
  message: string;
  /** Age of the alarm in minutes. */
  minutes: number;
  /** Latest value of the measurement. */
  value?: number;
  acknowledged?: { minutesAgo: number; by: string; reason: string; text?: string };
}

export interface SiteScript {
  open?: readonly OpenAlarm[];
  /** The open silence alarm of the site; undefined if the site is not silent. */
  silent?: Omit<OpenAlarm, 'message' | 'value'>;
  signal?: number | null;
}

export const siteScripts: Readonly<Record<string, SiteScript>> = {
  'Quay Street Cold Store': {
    signal: -67,
    open: [
      { message: 'Cold room 3 temperature high', minutes: 3, value: -11.4 },
      {
        message: 'Dock door open',
        minutes: 125,
        value: 1,
        acknowledged: {
          minutesAgo: 121,
          by: 'Lena Voss',
          reason: 'Delivery in progress',
          text: 'Two lorries waiting, air curtain is on.',
        },
      },
    ],
  },
  'Kelder Road PS': {
    signal: -79,
    open: [
      {
        message: 'Wet well level high',
        minutes: 26,
        value: 4.62,
        acknowledged: {
          minutesAgo: 8,
          by: 'Owen Hughes',
          reason: 'Crew on the way',
          text: 'Van 12, there in half an hour.',
        },
      },
      {
        message: 'Pump 2 tripped',
        minutes: 44,
        value: 1,
        acknowledged: { minutesAgo: 40, by: 'Owen Hughes', reason: 'Reset from the control room' },
      },
    ],
  },
  'Brackenhall WTW': {
    signal: -61,
    open: [
      { message: 'Chlorine residual low', minutes: 11, value: 0.18 },
      {
        message: 'Turbidity high',
        minutes: 100,
        value: 0.62,
        acknowledged: { minutesAgo: 94, by: 'Ian McAllister', reason: 'Sample taken' },
      },
    ],
  },
  'Lowmarsh SPS 4': { signal: -94, open: [{ message: 'Mains power lost', minutes: 19, value: 0 }] },
  'Dunmere Reservoir 2': {
    signal: -70,
    open: [
      {
        message: 'Reservoir level low',
        minutes: 72,
        value: 1.92,
        acknowledged: {
          minutesAgo: 68,
          by: 'Ruth Adeyemi',
          reason: 'Burst suspected',
          text: 'Checking the outlet main with the crew at Dunmere.',
        },
      },
    ],
  },
  'Holmwick Booster': { signal: -82, open: [{ message: 'Discharge pressure low', minutes: 24, value: 2.1 }] },
  'Eastfleet Cold Store A': { signal: -58, open: [{ message: 'Compressor run time long', minutes: 38, value: 52 }] },
  'Farrow Bridge CSO': {
    signal: -97,
    open: [
      {
        message: 'Battery voltage low',
        minutes: 191,
        value: 11.6,
        acknowledged: { minutesAgo: 172, by: 'Owen Hughes', reason: 'Battery ordered' },
      },
    ],
  },
  'Stanley Mill DMA 7': {
    signal: -85,
    open: [
      {
        message: 'Night flow high',
        minutes: 327,
        value: 38.4,
        acknowledged: { minutesAgo: 317, by: 'Ruth Adeyemi', reason: 'Burst suspected' },
      },
    ],
  },
  'Marlow Dyke PS': {
    signal: -80,
    open: [
      {
        message: 'Bearing vibration high',
        minutes: 422,
        value: 7.4,
        acknowledged: {
          minutesAgo: 411,
          by: 'Ian McAllister',
          reason: 'Planned work',
          text: 'Bearing will be replaced this week.',
        },
      },
    ],
  },
  'Greystoke Borehole 3': { signal: -109, silent: { minutes: 51 } },
  'Tarn Lane Booster': {
    signal: -107,
    silent: { minutes: 554, acknowledged: { minutesAgo: 539, by: 'Priya Nair', reason: 'Network fault reported' } },
  },
  'Upper Fell Repeater': {
    signal: null,
    silent: {
      minutes: 1692,
      acknowledged: {
        minutesAgo: 1680,
        by: 'Priya Nair',
        reason: 'Power cut in the area',
        text: 'Access track is snowed in, waiting for daylight.',
      },
    },
  },
  'Old Cut PS': {
    open: [
      {
        message: 'Bearing vibration high',
        minutes: 64,
        value: 7.6,
        acknowledged: { minutesAgo: 51, by: 'Bram Dykes', reason: 'Crew on the way' },
      },
    ],
  },
  'Gibbet Sluice': { open: [{ message: 'Upstream level high', minutes: 33, value: 2.84 }] },
  'Polar Quay Store 1': { open: [{ message: 'Cold room 2 temperature high', minutes: 14, value: -13.2 }] },
  'Polar Quay Store 2': {
    open: [
      {
        message: 'Compressor run time long',
        minutes: 96,
        value: 49,
        acknowledged: { minutesAgo: 90, by: 'Greta Simm', reason: 'Engineer called' },
      },
    ],
  },
  'Gull Yard Store': { signal: -104, silent: { minutes: 187 } },
};

/** A long silence in the past, for the health report. */
export const longSilence = { site: 'Lowmarsh SPS 7', endedDaysAgo: 28, hours: 220 } as const;

const usual = 0.0015;
const good = new Set(['Castle Hill', 'Harrow Fold', 'Eastfleet', 'Kelder', 'Ashmoor']);
/**
 * Share of each week without contact, keyed by unit office. The first entry is for the current week, the second entry
 * is for the week before, and so on.
 */
const bad: Readonly<Record<string, readonly number[]>> = {
  'Upper Fell': [0.2, 0.19, 0.16, 0.14, 0.13, 0.1, 0.08, 0.055, 0.035],
  Lowmarsh: [usual, usual, 0.015, 0.05, 0.22, 0.2],
  'Tarn Valley': [0.06, 0.05, 0.045, 0.04, 0.027, 0.03],
  'Farrow Bridge': [usual, usual, usual, usual, usual, usual, usual, usual, usual, 0.08, 0.13],
};

export function missingShare(office: string, weeksAgo: number): number {
  return bad[office]?.[weeksAgo] ?? (good.has(office) ? usual / 4 : usual);
}
