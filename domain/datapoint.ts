/** Stored type of a data point or sensor: 1 digital, 2 analog, 3 counter. */
export const DIGITAL = 1;

/** Stored state of a data point. Stale: its sensor is silent. */
export const NO_DATA = 0;
export const NORMAL = 1;
export const ALARM = 2;
export const STALE = 3;

/** Alarm condition of a digital channel without alarm state; 0 is the low state, 1 the high state. */
export const NO_ALARM_STATE = 2;
